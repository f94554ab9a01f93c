/**
 * The inbox worker over a real Dovecot: a push takes effect in the step that it wakes, and a mailbox whose
 * UIDs have lost their meaning gives nothing twice and loses nothing; what waits there is told by a digest.
 * Without the packages or root it is skipped, except in CI.
 */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ImapFlow } from "imapflow";
import PostalMime from "postal-mime";
import { HOUR_MS, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import { inboxWorker } from "#engine/inbox.ts";
import { createEngine } from "#engine/run.ts";
import { createWorkers } from "#engine/workers.ts";
import { inboundOf } from "#store/inbox/inbound.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import { messagesOf } from "#store/sending/messages.ts";
import { localMailPort } from "../../mail/support.ts";
import {
  type MailServer,
  missingForMailServer,
  PASSWORD,
  skipsMailServer,
  startMailServer,
} from "../../mailserver/mailserver.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addLeads, makeCampaign } from "../../support/campaigns.ts";
import { ANN, firstPerson } from "../../support/people.ts";
import { readByPython } from "../../support/python-mail.ts";

if (skipsMailServer()) {
  const why = `skipped: the mail server ${missingForMailServer()}`;
  test.skipIf(true)(`the inbox worker over a real Dovecot (${why})`, () => undefined);
} else {
  describe("the inbox worker over a real Dovecot", () => worker());
}

const TO = "alice@acme.test";
const STEP = { type: "email", subject: "Offer", body: "Hello" };

function worker(): void {
  let server: MailServer;
  let app: TestApp;
  beforeAll(async () => {
    server = await startMailServer({ loadUsers: 0 });
  }, 60_000);
  afterAll(() => server.stop(), 60_000);
  afterEach(() => app.close());

  /** A mailbox that has written to a lead; replies do not stop the sequence. */
  async function written(email: string, imapConnections: number) {
    app = await createTestApp({ mail: localMailPort({ ca: server.ca }), imapConnections });
    const env = app.environments.live;
    const { smtp, imap } = server.mailbox(email);
    const account = await app.live("POST", "/accounts", { email, provider: "smtp", smtp, imap });
    await app.live("POST", `/accounts/${account.body.id}/test`);
    const asLive: TestApp = { ...app, call: app.live };
    const { id } = await makeCampaign(asLive, [STEP, { type: "email", body: "Again" }]);
    await app.live("PATCH", `/campaigns/${id}`, { stop_on_reply: false });
    const [lead] = await addLeads(asLive, id, TO);
    await app.live("POST", `/campaigns/${id}/start`);
    const clock = { advanceTo: (at: UnixMs) => app.wall.set(at), hold: () => () => undefined };
    const engine = createEngine(env, createWorkers(env));
    const run = (ms = 2 * MINUTE_MS) => engine.advance(clock, plus(app.wall.now(), ms));
    await run();
    const sent = messagesOf(env.db, lead?.id ?? "")[0];
    expect(sent?.status).toBe("sent");
    const deliver = (body: string, messageId: string | null) =>
      append(server, email, reply(email, sent?.messageId ?? "", messageId, body));
    const kept = () => inboundOf(env.db, lead?.id ?? "").map(({ text }) => text.trim());
    const validity = () => {
      const cursor = accountById(env.db, account.body.id)?.pollCursor ?? "";
      return /"INBOX":\["(\d+)"/.exec(cursor)?.[1] ?? "";
    };
    return { account: account.body.id as string, env, run, deliver, kept, validity };
  }

  test("a reply takes effect in the step that its push wakes, without a moment passing", async () => {
    const { env, deliver, kept } = await written("sender1@out.test", 10);
    const inbox = inboxWorker(env);
    let wake = Promise.withResolvers<void>();
    app.environments.onWake("live", () => wake.resolve());
    const now = app.wall.now();
    /** Steps the worker as often as it is woken, until `done`. */
    const until = async (done: () => boolean) => {
      while (!done()) {
        wake = Promise.withResolvers();
        await inbox.step(now);
        await inbox.settled?.();
        if (!done()) {
          await wake.promise;
        }
      }
    };
    let pushes = 0;
    const { watch } = env.mail;
    env.mail.watch = (mailbox, signal, onNews) =>
      watch(mailbox, signal, () => {
        pushes += 1;
        onNews();
      });
    await until(() => pushes > 0);
    await deliver("Sounds good.", "<pushed@acme.test>");
    await until(() => kept().length > 0);
    expect(kept()).toEqual(["Sounds good."]);
    expect(app.wall.now()).toBe(now);
  }, 30_000);

  test("a changed UIDVALIDITY: nothing twice, nothing lost", async () => {
    const email = "sender2@out.test";
    const { run, deliver, kept, validity } = await written(email, 0);
    await deliver("one", "<one@acme.test>");
    await deliver("two, without an id", null);
    await run();
    expect(kept().toSorted()).toEqual(["one", "two, without an id"]);
    await deliver("three", "<three@acme.test>");
    const before = validity();
    await changeUidValidity(server, email);
    await deliver("four", null);
    await run();
    await run();
    expect(Number(validity())).toBe(Number(before) + 1000);
    expect(kept().toSorted()).toEqual(["four", "one", "three", "two, without an id"]);
  }, 30_000);

  test("a digest arrives through a real Postfix, as the mail program of a member reads it", async () => {
    const to = { ...ANN, email: "bob@globex.test" };
    const { account, run, deliver } = await written("sender1@out.test", 0);
    const person = await firstPerson(app, undefined, to);
    const at = { hour: "7", timezone: "Europe/Berlin", account_id: account };
    expect((await person.ask("PATCH", "/console/digest", at)).status).toBe(204);
    await deliver("Was kostet das? Grüße", "<asked@acme.test>");
    await run();
    // From 15:00 to after 06:00 UTC.
    app.wall.move(15 * HOUR_MS);
    await run(HOUR_MS / 2);
    await server.emptyQueue();
    const dir = join(server.dir, "mail/globex.test/bob/Maildir/new");
    const [name = ""] = await readdir(dir);
    const raw = await readFile(join(dir, name));
    expect((await readByPython(raw)).defects).toEqual([]);
    const { from, subject, text, html } = await PostalMime.parse(raw);
    expect(from?.address).toBe("sender1@out.test");
    expect(subject).toStartWith("1 unread in ");
    expect(text).toContain("- alice@acme.test: Re: Offer");
    expect(html).toContain("alice@acme.test: Re: Offer");
  }, 60_000);
}

function reply(to: string, answers: string, messageId: string | null, body: string): string {
  return [
    `From: <${TO}>`,
    `To: <${to}>`,
    "Subject: Re: Offer",
    ...(messageId === null ? [] : [`Message-ID: ${messageId}`]),
    `In-Reply-To: ${answers}`,
    "",
    body,
    "",
  ].join("\r\n");
}

async function append(server: MailServer, user: string, raw: string): Promise<void> {
  await using client = new ImapFlow({
    host: server.host,
    port: server.ports.IMAP,
    secure: false,
    doSTARTTLS: false,
    auth: { user, pass: PASSWORD },
    logger: false,
    disableAutoIdle: true,
  });
  client.on("error", () => undefined);
  await client.connect();
  await client.append("INBOX", Buffer.from(raw), []);
}

/** As a server does that lost its index: the same emails, under other numbers. */
async function changeUidValidity(server: MailServer, address: string): Promise<void> {
  const [local = "", domain = ""] = address.split("@");
  const box = join(server.dir, "mail", domain, local, "Maildir");
  const list = join(box, "dovecot-uidlist");
  const [head = "", ...lines] = (await readFile(list, "utf8")).trimEnd().split("\n");
  const validity = Number(/ V(\d+)/.exec(head)?.[1]);
  const next = head.replace(/ V\d+/, ` V${validity + 1000}`).replace(/ N\d+/, ` N${101}`);
  const moved = lines.map((line, index) => line.replace(/^\d+/, String(index + 1)));
  await writeFile(list, `${[next, ...moved].join("\n")}\n`);
  for (const name of await readdir(box)) {
    if (name.startsWith("dovecot.index")) {
      await rm(join(box, name));
    }
  }
}
