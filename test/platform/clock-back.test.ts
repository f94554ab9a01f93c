/**
 * The computer's clock is set back by two hours while the program runs: what is kept in memory for a while is
 * not kept for those hours too, and nobody is locked out for them.
 */

import { afterEach, describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS, plus, SECOND_MS, unixMs } from "#domain/time.ts";
import { upkeepWorker } from "#engine/upkeep.ts";
import { createDns } from "#mail/dns/dns.ts";
import { OauthClients } from "#mail/oauth/oauth-clients.ts";
import { createOauth } from "#mail/oauth/oauth-servers.ts";
import { createRateLimit } from "#platform/http/rate-limit.ts";
import { silentLog } from "#platform/log.ts";
import { createSignOn } from "#platform/secrets/openid.ts";
import { findResponse, insertResponse } from "#store/events/idempotency.ts";
import { createSignInThrottle } from "#usecases/team/sign-in-throttle.ts";
import { createErrands, ERRAND_MS_MAX } from "#web/errand.ts";
import { createLive, type LiveApp } from "../engine/support.ts";
import { response, scriptedServer } from "../support/name-server.ts";

const BACK_MS = 2 * HOUR_MS;
const CLIENT = { clientId: "us", clientSecret: "secret" };
const ISSUER = "https://login.example";

function movable() {
  let now = unixMs(Date.UTC(2026, 2, 2, 15));
  return {
    now: () => now,
    move: (ms: number) => {
      now = plus(now, ms);
    },
  };
}

test("a person who mistyped the password waits no longer than before", () => {
  const clock = movable();
  const throttle = createSignInThrottle();
  const check = () => throttle.check("ann@x.example", "192.0.2.1", clock.now());
  for (let tries = 0; tries < 7; tries += 1) {
    throttle.failed("ann@x.example", "192.0.2.1", clock.now());
  }
  expect(check).toThrow("try again in 8 s");
  clock.move(-BACK_MS);
  expect(check).toThrow("try again in 8 s");
  clock.move(8 * SECOND_MS);
  expect(check).not.toThrow();
});

test("a key whose bucket is empty gets its next request as soon as ever", () => {
  const clock = movable();
  const limit = createRateLimit(60);
  const take = () => limit.take("key", clock.now());
  for (let taken = 0; taken < 60; taken += 1) {
    take();
  }
  clock.move(-BACK_MS);
  expect(take).toThrow("try again in 1 s");
  clock.move(SECOND_MS);
  expect(take).not.toThrow();
});

test("a name is asked for again after a minute, one that was not there after seconds", async () => {
  const clock = movable();
  let data: string | null = null;
  using server = await scriptedServer((asked) => [
    response(
      asked,
      data === null || asked.type !== "A" ? [] : [{ name: asked.name, type: "A", ttl: 300, data }],
    ),
  ]);
  const files = { hosts: "/dev/null", settings: "/dev/null" };
  const dns = createDns({ clock, files, servers: [server] });
  const look = async () => [...(await dns.lookup("mail.example", "team"))];
  expect(await look()).toEqual([]);
  clock.move(-BACK_MS);
  data = "192.0.2.1";
  clock.move(5 * SECOND_MS);
  expect(await look()).toEqual(["192.0.2.1"]);
  data = "192.0.2.2";
  clock.move(-BACK_MS);
  clock.move(MINUTE_MS);
  expect(await look()).toEqual(["192.0.2.2"]);
});

describe("an authorization server that could not be reached", () => {
  let asked = 0;
  const fetch = async () => {
    asked += 1;
    throw new Error("no route");
  };

  test("is asked again for mailboxes", async () => {
    asked = 0;
    const clock = movable();
    const config = { smtp: { ...CLIENT, issuer: ISSUER, scope: null } };
    const oauth = createOauth(config, { clock, fetch, log: silentLog });
    await oauth.server("smtp");
    const before = asked;
    expect(before).toBeGreaterThan(0);
    clock.move(-BACK_MS);
    clock.move(30 * SECOND_MS);
    await oauth.server("smtp");
    expect(asked).toBe(before * 2);
  });

  test("is asked again for who signs in", async () => {
    asked = 0;
    const clock = movable();
    const signOn = createSignOn({ ...CLIENT, issuer: ISSUER, name: "Example" }, clock, fetch);
    const start = () => signOn.start("https://us.example/back").catch(() => undefined);
    await start();
    const before = asked;
    expect(before).toBeGreaterThan(0);
    clock.move(-BACK_MS);
    clock.move(10 * SECOND_MS);
    await start();
    expect(asked).toBe(before * 2);
  });

  test("that refused our client is asked again, and the fault is forgotten when it is over", async () => {
    const clock = movable();
    const clients = new OauthClients(clock, silentLog);
    const refusal = { kind: "client", code: "invalid_client", reason: "unknown" } as const;
    asked = 0;
    const ask = () =>
      clients.ask("smtp", CLIENT, [{ name: "none" } as never], async () => {
        asked += 1;
        return refusal;
      });
    await ask();
    clients.recordFault("smtp", CLIENT, refusal);
    clock.move(-BACK_MS);
    clock.move(MINUTE_MS);
    await ask();
    expect([asked, clients.faults().length]).toEqual([2, 1]);
    clock.move(2 * HOUR_MS);
    expect(clients.faults()).toEqual([]);
  });
});

describe("in the program", () => {
  let live: LiveApp;
  afterEach(() => live.app.close());

  test("what a browser keeps for the way back ends after its minutes", async () => {
    live = await createLive();
    const errands = createErrands<{ to: string }>(live.env, "sso");
    const [cookie = ""] = errands.begin({ to: "/" }, false).split(";");
    const request = new Request("http://localhost/", { headers: { Cookie: cookie } });
    live.app.wall.move(ERRAND_MS_MAX - BACK_MS);
    expect(errands.take(request, false)).toBeNull();
  });

  test("what is past its time is forgotten as often as before", async () => {
    live = await createLive();
    const { env } = live;
    const worker = upkeepWorker(env);
    await worker.step(env.clock.now());
    live.app.wall.move(-BACK_MS);
    const row = { teamId: live.app.team.id, key: "old", status: 200 };
    const bytes = new Uint8Array([1]);
    await env.commit(() =>
      insertResponse(env.db, {
        ...{ ...row, fingerprint: bytes, answer: "" },
        createdAt: plus(live.app.wall.now(), -25 * HOUR_MS),
      }),
    );
    live.app.wall.move(HOUR_MS);
    await worker.step(env.clock.now());
    expect(findResponse(env.db, row.teamId, "old")).toBeUndefined();
  });

  test("a new mailbox is watched within a minute", async () => {
    live = await createLive({ imapConnections: 10 });
    await live.addAccount("ann@sender.example");
    await live.run(MINUTE_MS);
    live.app.wall.move(-BACK_MS);
    await live.addAccount("bea@sender.example");
    await live.run(2 * MINUTE_MS);
    expect(live.mail.watches.map(({ address }) => address)).toContain("bea@sender.example");
  });
});
