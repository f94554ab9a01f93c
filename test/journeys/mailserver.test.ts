/**
 * The main job over real servers: the compiled executable sends through Dovecot and Postfix what its
 * API was told to, and stops where somebody answers, bounces, is away or wants no more. What arrived
 * is read off the mailboxes themselves.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { MailPort } from "#platform/ports/mail.ts";
import { localMailPort } from "../mail/support.ts";
import {
  freePorts,
  type MailServer,
  mailsOf,
  missingForMailServer,
  skipsMailServer,
  startMailServer,
} from "../mailserver/mailserver.ts";
import { type Server, startServer, temporaryDirectory } from "../support/executable.ts";
import { firstWorkingDay, ROUND_THE_CLOCK, today, weekendAhead, workingDaysAnd } from "./days.ts";
import {
  addSteps,
  connect,
  enroll,
  expectCopies,
  expectThread,
  inFolder,
  messageIdOf,
  optOutOf,
  parsed,
  STEPS,
  say,
} from "./mail.ts";
import {
  type Call,
  caller,
  campaignLeads,
  createCampaign,
  done,
  type Reply,
  until,
} from "./support.ts";

const RECIPIENTS = 200;
/** For 600 emails and their copies on a busy machine. */
const DELIVERY_MS_MAX = 300_000;
/** Until something that came back has taken effect. */
const EFFECT_MS_MAX = 150_000;
const TEST_MS_MAX = 360_000;

const SENDERS = ["sender1@out.test", "sender2@out.test"] as const;

const skips = skipsMailServer();
const title = "A campaign over real mailboxes";
if (skips) {
  test.skipIf(true)(
    `${title} (skipped: the mail server ${missingForMailServer()})`,
    () => undefined,
  );
} else {
  describe(title, journey);
}

function journey(): void {
  const directory = temporaryDirectory();
  let mail: MailServer;
  let people: MailPort;
  let port: number;
  let server: Server;
  let call: Call;
  let accounts: Reply["body"][];

  const start = async () =>
    startServer({
      data: join(directory.path, "data"),
      port,
      env: {
        OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
        OUTRIDER_MAIL_CA_FILE: join(mail.dir, "tls/cert.pem"),
        OUTRIDER_PUBLIC_URL: `http://127.0.0.1:${port}`,
        OUTRIDER_RATE_LIMIT: "0",
        OUTRIDER_POLL_SECONDS: "1",
        // Each look is a login of its own, so that a changed password is noticed at once.
        OUTRIDER_IMAP_CONNECTIONS: "0",
        OUTRIDER_LOG_LEVEL: "warn",
      },
    });

  beforeAll(async () => {
    mail = await startMailServer({ loadUsers: RECIPIENTS });
    people = localMailPort({ ca: mail.ca });
    [port = 0] = await freePorts(1);
    server = await start();
    const { key } = await server.createKey("live");
    // After a restart it is another server at the same address.
    call = (...request) => caller(server, key)(...request);
    accounts = [
      await connect(mail, call, SENDERS[0], { security: "starttls" }),
      await connect(mail, call, SENDERS[1], { security: "tls" }),
      await connect(mail, call, "sender3@out.test", { security: "starttls", password: "wrong" }),
    ];
  }, TEST_MS_MAX);
  afterAll(async () => {
    // What a failed start left undefined was never begun.
    await server?.[Symbol.asyncDispose]();
    await people?.close();
    await mail?.stop();
    directory[Symbol.dispose]();
  }, TEST_MS_MAX);

  test("a mailbox that lets us in is ready; one that does not says why, in its own words", async () => {
    for (const account of accounts.slice(0, 2)) {
      const tested = await done(call("POST", `/accounts/${account.id}/test`, { send: false }));
      expect(tested).toMatchObject({ ok: true, smtp: { ok: true }, imap: { ok: true } });
      expect(tested.account).toMatchObject({ status: "active", ready: true, last_error: null });
    }
    const refused = await done(call("POST", `/accounts/${accounts[2].id}/test`, { send: false }));
    expect(refused).toMatchObject({ ok: false, smtp: { ok: false }, imap: { ok: false } });
    expect(refused.account).toMatchObject({
      status: "error",
      status_reason: "auth",
      ready: false,
      last_error: expect.stringMatching(/535 5\.7\.8 .*authentication failed/i),
    });
  });

  test(
    "everybody gets every step once, across a restart, in one thread",
    async () => {
      const before = await mailsOf(mail, SENDERS[0]);
      const id = await createCampaign(call, {
        name: "Load",
        max_leads_per_day: 10_000,
        send_window: ROUND_THE_CLOCK,
      });
      await addSteps(call, id, 0);
      const leads = Array.from({ length: RECIPIENTS }, (_, n) => `u${n + 1}@load.test`);
      expect(await enroll(call, id, leads)).toMatchObject({ imported: RECIPIENTS, errors: [] });
      await done(call("POST", `/campaigns/${id}/start`));
      await until(DELIVERY_MS_MAX, "some are sent", async () => {
        const { sent } = await done(call("GET", `/campaigns/${id}/stats`));
        return sent >= RECIPIENTS / 2 ? sent : undefined;
      });
      expect(await server.stop()).toBe(0);
      server = await start();
      await until(DELIVERY_MS_MAX, "the campaign is completed", async () => {
        const { status } = await done(call("GET", `/campaigns/${id}`));
        return status === "completed" ? status : undefined;
      });
      const stats = await done(call("GET", `/campaigns/${id}/stats`));
      expect(stats).toMatchObject({
        sent: RECIPIENTS * STEPS,
        completed: RECIPIENTS,
        ...{ failed: 0, bounced: 0, held: 0, replied: 0 },
      });

      const threads = await until(DELIVERY_MS_MAX, "everything is delivered", async () => {
        const boxes = await Promise.all(leads.map((lead) => mailsOf(mail, lead)));
        const count = boxes.reduce((sum, box) => sum + box.length, 0);
        return count >= RECIPIENTS * STEPS ? boxes : undefined;
      });
      const used = new Set<string | undefined>();
      for (const [index, box] of threads.entries()) {
        used.add(await expectThread(leads[index] ?? "", box));
      }
      expect([...used].toSorted()).toEqual([...SENDERS]);

      const lost = (await campaignLeads(call, id)).filter(
        (lead) => lead.attempts !== 0 || lead.account_id === accounts[2].id || lead.hold_reason,
      );
      expect(lost).toEqual([]);
      expect(await mailsOf(mail, SENDERS[0]).then(inFolder("INBOX"))).toEqual(before);
    },
    TEST_MS_MAX,
  );

  test(
    "each email has one copy in its sender's Sent folder",
    async () => {
      const copies = await until(DELIVERY_MS_MAX, "all copies are made", async () => {
        const boxes = await Promise.all(SENDERS.map((sender) => mailsOf(mail, sender)));
        const sent = boxes.map(inFolder("Sent"));
        return sent.flat().length >= RECIPIENTS * STEPS ? sent : undefined;
      });
      const ids = await Promise.all(copies.flat().map(({ raw }) => messageIdOf(raw)));
      expect(ids).toHaveLength(RECIPIENTS * STEPS);
      expect(new Set(ids).size).toBe(RECIPIENTS * STEPS);
      for (const [index, sender] of SENDERS.entries()) {
        const from = await Promise.all((copies[index] ?? []).map(({ raw }) => parsed(raw)));
        expect(new Set(from.map((copy) => copy.from?.address))).toEqual(new Set([sender]));
      }
    },
    TEST_MS_MAX,
  );

  test(
    "a password that is changed under way costs no lead an attempt, and no mail",
    async () => {
      const [, sender] = SENDERS;
      const id = await createCampaign(call, {
        name: "Locked out",
        send_window: ROUND_THE_CLOCK,
        account_ids: [accounts[1].id],
      });
      await addSteps(call, id, 7);
      const leads = Array.from({ length: 20 }, (_, n) => `u${n + 101}@load.test`);
      // The campaign runs before the mailbox is locked out: one that is in error refuses a start.
      await enroll(call, id, leads.slice(0, 1));
      await done(call("POST", `/campaigns/${id}/start`));
      await mail.setPassword(sender, "another password");
      await enroll(call, id, leads.slice(1));
      const account = await until(EFFECT_MS_MAX, "the account is in error", async () => {
        const found = await done(call("GET", `/accounts/${accounts[1].id}`));
        return found.status === "error" ? found : undefined;
      });
      expect(account).toMatchObject({
        ...{ status_reason: "auth", last_error: expect.stringMatching(/authentication failed/i) },
      });
      // A connection that was open goes on, and while an email is on its way its attempt counts.
      const settled = await until(EFFECT_MS_MAX, "nobody has lost an attempt", async () => {
        const rows = await campaignLeads(call, id);
        return rows.every(({ attempts }) => attempts === 0) ? rows : undefined;
      });
      for (const lead of settled) {
        expect(lead).toMatchObject({ hold_reason: null, stop_reason: null });
      }
      await mail.setPassword(sender, "secret");
      await done(call("PATCH", `/accounts/${accounts[1].id}`, { status: "active" }));
      let seen: unknown;
      await until(
        EFFECT_MS_MAX,
        () => `all are sent; ${JSON.stringify(seen)}`,
        async () => {
          const { sent } = await done(call("GET", `/campaigns/${id}/stats`));
          seen = { sent, account: await done(call("GET", `/accounts/${accounts[1].id}`)) };
          return sent === leads.length ? sent : undefined;
        },
      );
      await until(EFFECT_MS_MAX, "all have arrived", async () => {
        const boxes = await Promise.all(leads.map((lead) => mailsOf(mail, lead)));
        const counts = boxes.map((box) => box.filter(({ raw }) => raw.includes("Locked")).length);
        expect(Math.max(...counts)).toBeLessThanOrEqual(1);
        return counts.every((count) => count === 1) ? counts : undefined;
      });
    },
    TEST_MS_MAX,
  );

  test(
    "what comes back stops, pauses or goes on, and nothing in the mailboxes is touched",
    async () => {
      const back = weekendAhead(9);
      await mail.sieve(
        "bob@globex.test",
        [
          // By itself this server leaves email with List- headers unanswered; many others do not.
          'require ["vacation", "editheader"];',
          'deleteheader "List-Unsubscribe"; deleteheader "List-Unsubscribe-Post";',
          `vacation :days 1 :subject "Out of office" "I am away and will be back on ${back.toString()}.";`,
        ].join("\n"),
      );
      const id = await createCampaign(call, {
        name: "Answers",
        max_leads_per_day: 10_000,
        // Working days, and today, whatever day it is.
        send_window: { ...ROUND_THE_CLOCK, days: workingDaysAnd(today()) },
        account_ids: [accounts[0].id],
      });
      await addSteps(call, id, 1);
      const [oneClick, byMail, typed, silent] = [201, 202, 203, 204].map(
        (n) => `u${n - 4}@load.test`,
      );
      const leads = {
        human: "alice@acme.test",
        away: "bob@globex.test",
        bounces: "somebody@bounce.test",
        unknown: "nobody@acme.test",
        busy: "tempfail@acme.test",
        greylisted: "greylist@acme.test",
        oneClick: oneClick ?? "",
        byMail: byMail ?? "",
        typed: typed ?? "",
        silent: silent ?? "",
      };
      expect(await enroll(call, id, Object.values(leads))).toMatchObject({ imported: 10 });
      await done(call("POST", `/campaigns/${id}/start`));
      const leadOf = async (email: string) =>
        (await done(call("GET", `/campaigns/${id}/leads?email=${email}`))).data[0];
      const becomes = (email: string, state: Record<string, unknown>) =>
        until(EFFECT_MS_MAX, `${email} becomes ${JSON.stringify(state)}`, async () => {
          const lead = await leadOf(email);
          return Object.entries(state).every(([name, value]) => lead[name] === value)
            ? lead
            : undefined;
        });
      const suppressionOf = async (email: string) =>
        done(call("GET", `/suppressions/check?email=${email}`));
      const arrived = (email: string) =>
        until(EFFECT_MS_MAX, `${email} gets the first step`, async () => {
          const box = await mailsOf(mail, email);
          const subjects = await Promise.all(box.map(({ raw }) => parsed(raw)));
          return subjects.find(({ subject }) => subject.includes("Answers"));
        });
      await becomes(leads.silent, { status: "active", current_step: 1 });

      // Refused at RCPT for good: bounced now, and never written to again.
      const unknown = await becomes(leads.unknown, { status: "bounced" });
      expect(unknown).toMatchObject({ stop_reason: "bounce_hard", next_attempt_at: null });
      expect(await suppressionOf(leads.unknown)).toMatchObject({
        suppressed: true,
        reason: "bounce",
      });

      // Refused for now: later again, and the mailbox is not to blame.
      for (const email of [leads.busy, leads.greylisted]) {
        const lead = await becomes(email, { status: "pending", attempts: 1 });
        const waits = Date.parse(lead.next_attempt_at) - Date.now();
        expect(waits).toBeGreaterThan(0);
        expect(waits).toBeLessThan(10 * 60_000);
      }

      // Accepted, and reported undeliverable afterwards.
      const bounced = await becomes(leads.bounces, { status: "bounced" });
      expect(bounced).toMatchObject({ current_step: 1, next_attempt_at: null });
      expect(await suppressionOf(leads.bounces)).toMatchObject({
        suppressed: true,
        reason: "bounce",
      });

      // Away: on hold until the first working day that is not before the return.
      const away = await becomes(leads.away, { status: "paused" });
      expect(away.next_attempt_at).toBe(firstWorkingDay(back));
      expect(away.stop_reason).toBe("auto_reply");

      await say(people, mail.mailbox(leads.human), {
        to: SENDERS[0],
        ...{ subject: "Re: Answers", text: "Thanks, tell me more. Does Tuesday suit you?" },
        answers: await arrived(leads.human),
      });
      const human = await becomes(leads.human, { status: "replied" });
      expect(human).toMatchObject({ stop_reason: "reply", next_attempt_at: null, current_step: 1 });
      expect(await suppressionOf(leads.human)).toMatchObject({ suppressed: false });

      await say(people, mail.mailbox(leads.typed), {
        to: SENDERS[0],
        ...{ subject: "Re: Answers", text: "Unsubscribe" },
        answers: await arrived(leads.typed),
      });
      await becomes(leads.typed, { status: "unsubscribed" });

      const { https } = optOutOf(await arrived(leads.oneClick));
      expect((await fetch(https)).status).toBe(200);
      expect(await leadOf(leads.oneClick)).toMatchObject({ status: "active" });
      const form = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
      const clicked = await fetch(https, { method: "POST", body: form, redirect: "error" });
      expect(clicked.status).toBe(200);
      expect(await leadOf(leads.oneClick)).toMatchObject({ status: "unsubscribed" });

      const { mailto } = optOutOf(await arrived(leads.byMail));
      expect(mailto.pathname).toBe(SENDERS[0]);
      await say(people, mail.mailbox(leads.byMail), {
        to: SENDERS[0],
        subject: mailto.searchParams.get("subject") ?? "",
        text: ".",
      });
      await becomes(leads.byMail, { status: "unsubscribed" });
      for (const email of [leads.oneClick, leads.byMail, leads.typed]) {
        expect(await suppressionOf(email)).toMatchObject({
          suppressed: true,
          reason: "unsubscribe",
        });
      }

      const [thread] = (await done(call("GET", "/inbox/threads?kind=reply"))).data;
      await expectCopies(mail, call, thread);

      // Who said nothing goes on tomorrow; nobody else does.
      const silentLead = await leadOf(leads.silent);
      expect(silentLead).toMatchObject({ status: "active", current_step: 1, hold_reason: null });
      expect(Date.parse(silentLead.next_attempt_at)).toBeGreaterThan(Date.now() + 60_000);
      expect(await done(call("GET", `/accounts/${accounts[0].id}`))).toMatchObject({
        ...{ status: "active", backoff_until: null },
      });

      // A bounce, an auto-reply, a reply and two opt-outs came in; all lie where they were put.
      const inbox = inFolder("INBOX")(await mailsOf(mail, SENDERS[0]));
      expect(inbox).toHaveLength(5);
      expect(inbox.filter(({ flags }) => flags !== "")).toEqual([]);
      const rest = (await mailsOf(mail, SENDERS[0])).map(({ folder }) => folder);
      expect(new Set(rest)).toEqual(new Set(["INBOX", "Sent"]));
      expect(inFolder("INBOX")(await mailsOf(mail, SENDERS[1]))).toEqual([]);
      expect(
        server
          .log()
          .split("\n")
          .filter((line) => line.includes('"error"')),
      ).toEqual([]);
    },
    TEST_MS_MAX,
  );
}
