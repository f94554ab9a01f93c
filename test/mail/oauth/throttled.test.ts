/** A token endpoint that throttles for hours, and grants that end in the middle: bounded, and nothing is lost. */

import { afterEach, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { createMailPort } from "#mail/mail-port.ts";
import { parseCidrs } from "#platform/http/guard.ts";
import { silentLog } from "#platform/log.ts";
import { createLive, type LiveApp } from "../../engine/support.ts";
import { ROUND_THE_CLOCK } from "../../journeys/days.ts";
import { LOCAL_DNS } from "../../support/dns.ts";
import { startImapSink } from "../imap/imap-sink.ts";
import { startSmtpSink } from "../smtp/smtp-sink.ts";
import { oauthAt } from "../support.ts";

let stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.toReversed()) {
    await stop();
  }
  stops = [];
});

/** A mailbox that logs in by a grant of its own, and five leads. */
async function start(answer: () => Response) {
  let live: LiveApp | undefined;
  const asked = { count: 0 };
  const endpoint = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => {
      asked.count += 1;
      return answer();
    },
  });
  const [smtp, imap] = [await startSmtpSink(), await startImapSink()];
  const clock = { now: () => live?.app.wall.now() ?? ZERO };
  const oauth = oauthAt(`http://127.0.0.1:${endpoint.port}/token`, { clock });
  live = await createLive({
    oauth,
    mail: () =>
      createMailPort({
        ...{ dns: LOCAL_DNS, clock, log: silentLog, oauth, onRotated: () => undefined },
        allowCidrs: parseCidrs("127.0.0.0/8"),
      }),
  });
  const { app, call } = live;
  stops.push(
    () => endpoint.stop(true),
    smtp.stop,
    imap.stop,
    () => app.close(),
  );
  const server = { host: "127.0.0.1", security: "none" };
  const account = await call("POST", "/accounts", {
    ...{ email: "ann@sender.example", provider: "google" },
    ...{ smtp: { ...server, port: smtp.port }, imap: { ...server, port: imap.port } },
    oauth: { client_id: "client", client_secret: "s3cret", refresh_token: "r1" },
  });
  const { id } = account.body;
  const tested = (await call("POST", `/accounts/${id}/test`, { send: false })).body;
  expect(tested.account.ready).toBe(true);
  const campaign = (await call("POST", "/campaigns", { name: "Spring" })).body.id;
  await call("POST", `/campaigns/${campaign}/steps`, { type: "email", subject: "Hi", body: "Hi" });
  await call("PATCH", `/campaigns/${campaign}`, { send_window: ROUND_THE_CLOCK });
  const leads = Array.from({ length: 5 }, (_, at) => ({ email: `lead${at}@customer.example` }));
  await call("POST", `/campaigns/${campaign}/leads`, { leads });
  await call("POST", `/campaigns/${campaign}/start`);
  const shown = async () => (await call("GET", `/accounts/${id}`)).body;
  return { live, smtp, asked, id, shown };
}

const ZERO = 0 as ReturnType<LiveApp["app"]["wall"]["now"]>;
const granted = () => Response.json({ access_token: "a", expires_in: 600 });

test("429 for six hours: asked once an hour, no mailbox in error, and all is sent afterwards", async () => {
  let isThrottled = false;
  const { live, smtp, asked, shown } = await start(() =>
    isThrottled
      ? new Response("", { status: 429, headers: { "Retry-After": "86400" } })
      : granted(),
  );
  isThrottled = true;
  live.app.wall.move(HOUR_MS);
  const before = asked.count;
  await live.run(6 * HOUR_MS);
  expect(asked.count - before).toBeGreaterThan(0);
  // A server's wish of a day is heeded for an hour at a time.
  expect(asked.count - before).toBeLessThanOrEqual(7);
  expect(await shown()).toMatchObject({ status: "active", ready: true });
  const sentBefore = smtp.bodies.length;
  isThrottled = false;
  await live.run(4 * HOUR_MS);
  expect(smtp.bodies.length).toBe(5);
  expect(sentBefore).toBeLessThan(5);
  expect(live.events().filter((type) => type === "email.sent").length).toBe(5);
});

test("a grant that ends in the middle of sending: one error, and the rest goes on once renewed", async () => {
  let isRevoked = false;
  const { live, smtp, id, shown } = await start(() =>
    isRevoked ? Response.json({ error: "invalid_grant" }, { status: 400 }) : granted(),
  );
  await live.run(MINUTE_MS);
  const first = smtp.bodies.length;
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(5);
  isRevoked = true;
  smtp.cut();
  await live.run(6 * HOUR_MS);
  expect(await shown()).toMatchObject({ status: "error", status_reason: "auth" });
  expect(live.events().filter((type) => type === "account.error").length).toBe(1);
  isRevoked = false;
  const oauth = { client_id: "client", client_secret: "s3cret", refresh_token: "r2" };
  await live.call("PATCH", `/accounts/${id}`, { oauth });
  await live.run(6 * HOUR_MS);
  expect(smtp.bodies.length).toBe(5);
});
