/**
 * Aliases against servers that are not ours: a Postfix that lets a login send only from addresses that it owns
 * (`reject_sender_login_mismatch`), and the Dovecot into which the replies to an alias are delivered.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "#domain/time.ts";
import { ROUND_THE_CLOCK } from "../../journeys/days.ts";
import { localMailPort } from "../../mail/support.ts";
import {
  type MailServer,
  mailsOf,
  skipsMailServer,
  startMailServer,
} from "../../mailserver/mailserver.ts";
import { createLive, type LiveApp } from "../support.ts";

const OWN = "sender1@out.test";
const OWNED = "sales@globex.test";
const OTHERS = "info@out.test";
const LEADS = ["alice@acme.test", "bob@globex.test"];
const START_MS_MAX = 120_000;

describe.skipIf(skipsMailServer())("a mailbox at Postfix and Dovecot", () => {
  let server: MailServer;
  let live: LiveApp;
  let account: string;

  beforeAll(async () => {
    const aliases = { [OWNED]: OWN, [OTHERS]: "sender2@out.test" };
    server = await startMailServer({ loadUsers: 0, aliases });
    live = await createLive({ mail: localMailPort({ ca: server.ca }), imapConnections: 0 });
    const { smtp, imap } = server.mailbox(OWN);
    const made = await live.call("POST", "/accounts", {
      ...{ email: OWN, provider: "smtp", smtp, imap, min_gap_seconds: 0, max_gap_seconds: 60 },
      aliases: [{ email: OWNED, name: "Sales" }, { email: OTHERS }],
    });
    expect(made.status).toBe(201);
    account = made.body.id;
  }, START_MS_MAX);
  afterAll(async () => {
    await live.app.close();
    await server.stop();
  }, START_MS_MAX);

  const tested = async (sendAs: string | null) => {
    await live.call("PATCH", `/accounts/${account}`, { send_as: sendAs });
    return (await live.call("POST", `/accounts/${account}/test`)).body;
  };
  const stepOf = (body: Awaited<ReturnType<typeof tested>>, wanted: string) =>
    body.steps.find(({ step }: { step: string }) => step === wanted);

  test(
    "the test sends from the alias to itself, and it arrives in the mailbox",
    async () => {
      const body = await tested(OWNED);
      expect(body.steps.filter(({ ok }: { ok: boolean | null }) => ok !== true)).toEqual([]);
      const [filed] = (await mailsOf(server, OWN)).filter(({ folder }) => folder === "INBOX");
      expect(filed?.raw).toMatch(/^Return-Path: <sales@globex\.test>/m);
      expect(filed?.raw).toMatch(/^From: Sales <sales@globex\.test>/m);
    },
    START_MS_MAX,
  );

  test(
    "an address that the login doesn't own is refused, and the test names it",
    async () => {
      const body = await tested(OTHERS);
      expect(body.ok).toBe(false);
      const { ok, message, remedy } = stepOf(body, "send");
      expect(ok).toBe(false);
      expect(message).toContain(`${OTHERS}>: Sender address rejected: not owned by user ${OWN}`);
      expect(remedy).toContain(`send from ${OTHERS}`);
    },
    START_MS_MAX,
  );

  test(
    "such a refusal rests the mailbox and fails no lead; then it sends as its own",
    async () => {
      const { id } = (await live.call("POST", "/campaigns", { name: "Spring" })).body;
      const step = { type: "email", subject: "Offer", body: "Hello" };
      await live.call("POST", `/campaigns/${id}/steps`, step);
      await live.call("PATCH", `/campaigns/${id}`, { send_window: ROUND_THE_CLOCK });
      const leads = LEADS.map((email) => ({ email }));
      await live.call("POST", `/campaigns/${id}/leads`, { leads });
      await live.call("POST", `/campaigns/${id}/start`);
      await live.run(MINUTE_MS);
      const shown = (await live.call("GET", `/accounts/${account}`)).body;
      expect(shown).toMatchObject({ status: "active", backoff_until: expect.any(String) });
      expect(shown.last_error).toContain(OTHERS);
      const people = (await live.call("GET", `/campaigns/${id}/leads`)).body.data;
      expect(people.map(({ status }: { status: string }) => status)).toEqual([
        "pending",
        "pending",
      ]);
      expect((await tested(OWNED)).ok).toBe(true);
      await live.run(70 * MINUTE_MS);
      await server.emptyQueue();
      const arrived = (await Promise.all(LEADS.map((email) => mailsOf(server, email)))).flat();
      expect(arrived.map(({ raw }) => /^Return-Path: <(.*)>/m.exec(raw)?.[1])).toEqual([
        OWNED,
        OWNED,
      ]);
    },
    START_MS_MAX,
  );

  test(
    "a reply to the alias is read over IMAP as the lead's",
    async () => {
      const [lead = ""] = LEADS;
      const [offer] = await mailsOf(server, lead);
      const messageId = /^Message-ID: (.*)$/im.exec(offer?.raw ?? "")?.[1]?.trim() ?? "";
      const raw = [
        `From: Alice <${lead}>`,
        `To: Sales <${OWNED}>`,
        "Subject: Re: Offer",
        "Message-ID: <yes@acme.test>",
        `In-Reply-To: ${messageId}`,
        "",
        "Sounds good.",
      ].join("\r\n");
      const from = server.mailbox(lead);
      const envelope = {
        ...{ from: lead, to: OWNED, messageId: "<yes@acme.test>" },
        raw: new TextEncoder().encode(raw),
      };
      const port = localMailPort({ ca: server.ca });
      expect(await port.send(from, envelope, async () => undefined)).toMatchObject({
        kind: "accepted",
      });
      await port.close();
      await server.emptyQueue();
      await live.run(10 * MINUTE_MS);
      const { data } = (await live.call("GET", "/inbox/threads")).body;
      expect(data.length).toBe(1);
      expect(data[0]).toMatchObject({ account_id: account });
      const { messages } = (await live.call("GET", `/inbox/threads/${data[0].id}`)).body;
      expect(messages.at(-1)).toMatchObject({ direction: "in", from: lead, cc: [] });
      expect(messages[0]).toMatchObject({ direction: "out", from: OWNED });
      const reply = await live.call("POST", `/inbox/threads/${data[0].id}/reply`, {
        body: "Great!",
      });
      expect(reply.status).toBe(201);
      await live.run(MINUTE_MS);
      await server.emptyQueue();
      const last = (await mailsOf(server, lead)).find(({ raw: text }) => text.includes("Great!"));
      expect(last?.raw).toMatch(/^From: Sales <sales@globex\.test>/m);
    },
    START_MS_MAX,
  );
});
