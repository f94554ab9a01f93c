/**
 * SIGTERM while a mail server has an email and withholds its last answer: the program ends in good order
 * before a service manager or a container would kill it, and the next start finds out what became of it.
 */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { startImapSink } from "../mail/imap/imap-sink.ts";
import { startSmtpSink } from "../mail/smtp/smtp-sink.ts";
import { startServer, temporaryDirectory } from "../support/executable.ts";
import { ROUND_THE_CLOCK } from "./days.ts";
import { caller, campaignLeads, createCampaign, done, until } from "./support.ts";

const WAIT_MS_MAX = 60_000;

test("a server that withholds its last answer is left, and the email waits for the next start", async () => {
  using directory = temporaryDirectory();
  const data = join(directory.path, "data");
  const smtp = await startSmtpSink(({ moment }) => (moment === "BODY" ? "hang" : undefined));
  const imap = await startImapSink();
  try {
    const env = { OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8", OUTRIDER_LOG_LEVEL: "warn" };
    const server = await startServer({ data, env });
    const { key } = await server.createKey("live");
    const call = caller(server, key);
    const login = { host: "127.0.0.1", security: "none", username: "ann@x.test", password: "p" };
    const account = await done(
      call("POST", "/accounts", {
        ...{ email: "ann@x.test", provider: "smtp", min_gap_seconds: 0, max_gap_seconds: 0 },
        ...{ smtp: { ...login, port: smtp.port }, imap: { ...login, port: imap.port } },
      }),
    );
    await done(call("POST", `/accounts/${account.id}/test`, { send: false }));
    const id = await createCampaign(call, { name: "Slow", send_window: ROUND_THE_CLOCK });
    const step = { type: "email", subject: "Hi", body: "Hello" };
    await done(call("POST", `/campaigns/${id}/steps`, step));
    await done(call("POST", `/campaigns/${id}/leads`, { leads: [{ email: "bob@y.test" }] }));
    await done(call("POST", `/campaigns/${id}/start`));
    await until(WAIT_MS_MAX, "the body is out", async () =>
      smtp.bodies.length > 0 || smtp.commands.some((line) => line.endsWith("DATA"))
        ? true
        : undefined,
    );

    // The helper kills it after a minute, as the unit and the container do.
    expect(await server.stop()).toBe(0);
    expect(server.log()).not.toContain('"level":"error"');

    await using next = await startServer({ data, env });
    const [lead] = await campaignLeads(caller(next, key), id);
    expect(lead).toMatchObject({ hold_reason: "unknown_send", current_step: 0 });
    expect(smtp.commands.filter((line) => line.endsWith("DATA"))).toHaveLength(1);
  } finally {
    await smtp.stop();
    await imap.stop();
  }
}, 200_000);
