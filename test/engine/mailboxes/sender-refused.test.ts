/**
 * Guarantees of a provider's refusal of the sender, over SMTP on loopback: it costs no lead, stops the
 * mailbox there and nowhere else, and ends by a try that costs no lead either.
 */

import { afterEach, describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import type { MailExchange } from "#platform/ports/dns.ts";
import { updateAccount } from "#store/mailboxes/accounts.ts";
import { type Answer, type SmtpSink, startSmtpSink } from "../../mail/smtp/smtp-sink.ts";
import { localMailPort } from "../../mail/support.ts";
import { tableDns } from "../../support/dns.ts";
import { createLive, type LiveApp } from "../support.ts";

const BLOCKED =
  "550 5.7.26 This mail has been blocked because the sender is unauthenticated. Gmail requires all senders to authenticate.";
const BUSY =
  "450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.";
/**
 * Refusals as servers of these providers gave them; only the sender's address is another one.
 *
 * Source: bounces and logs that people have published (pastebin.com EH1TUb0X for Microsoft, vmjJYCPA for Google,
 * G3eHHHMA for Yahoo), whose codes stand on the providers' own pages.
 */
const VERBATIM: [provider: string, at: "RCPT" | "BODY", exchange: string, words: string[]][] = [
  [
    "microsoft",
    "RCPT",
    "there-example.mail.protection.outlook.com",
    [
      "550 5.7.606 Access denied, banned sending IP [198.51.100.7]. To request removal from this list please visit https://sender.office.com/ and follow the directions. For more information please go to http://go.microsoft.com/fwlink/?LinkID=526655 AS(1430)",
    ],
  ],
  [
    "google",
    "BODY",
    "aspmx.l.google.com",
    [
      "550-5.7.1 [198.51.100.7] The IP address sending this message does not have a PTR",
      "550-5.7.1 record setup. As a policy, Gmail does not accept messages from IPs",
      "550-5.7.1 with missing PTR records. Please visit",
      "550-5.7.1 https://support.google.com/mail/answer/81126#authentication for more",
      "550 5.7.1 information. u6si3554756pld.336 - gsmtp",
    ],
  ],
  [
    "yahoo",
    "RCPT",
    "mta5.am0.yahoodns.net",
    [
      "553 5.7.2 [TSS06] All messages from 198.51.100.7 will be permanently deferred; Retrying will NOT succeed. See https://help.yahoo.com/kb/postmaster/SLN3436.html",
    ],
  ],
];
/**
 * What Yahoo and Gmail answer to whom they slow down; only the sender's address is another one.
 *
 * Source: logs that people have published (Tutanota's issue 7113, mailop of November 2023).
 */
const SLOWED: [provider: string, exchange: string, words: string[]][] = [
  [
    "yahoo",
    "mta5.am0.yahoodns.net",
    [
      "421 4.7.0 [TSS04] Messages from 198.51.100.7 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes",
    ],
  ],
  [
    "google",
    "aspmx.l.google.com",
    [
      "421-4.7.28 Gmail has detected an unusual rate of unsolicited mail. To protect",
      "421-4.7.28 our users from spam, mail has been temporarily rate limited. Please",
      "421-4.7.28 visit",
      "421-4.7.28  https://support.google.com/mail/?p=UnsolicitedRateLimitError to",
      "421 4.7.28 review our Bulk Email Senders Guidelines. m17-2002017vso.199 - gsmtp",
    ],
  ],
];
const STEP = { type: "email", subject: "Hi", body: "Hello" };
const GMAIL = Array.from(
  { length: 45 },
  (_, n) => `bo${n}@${n < 15 ? "gmail.com" : `at${n}.example`}`,
);
const OTHERS = Array.from({ length: 45 }, (_, n) => `cy${n}@own${n}.example`);
const MX: Record<string, readonly MailExchange[]> = Object.fromEntries([
  ...GMAIL.map((email) => [domainOf(email), [{ exchange: "aspmx.l.google.com", priority: 1 }]]),
  ...OTHERS.map((email) => [domainOf(email), [{ exchange: `mx.${domainOf(email)}`, priority: 1 }]]),
]);

function domainOf(email: string): string {
  return email.slice(email.indexOf("@") + 1);
}

let sink: SmtpSink;
let live: LiveApp;
afterEach(async () => {
  await live.app.close();
  await sink.stop();
});

/** A mailbox whose server answers for the recipient's; `tried` are the recipients that reached `at`. */
async function start(
  at: "RCPT" | "BODY",
  answer: (to: string, from: string) => Answer,
  dns = tableDns({}, MX),
) {
  const tried: string[] = [];
  const named = new Map<string, string>();
  sink = await startSmtpSink(({ moment, line, connection }) => {
    const address = /<(.+)>/.exec(line)?.[1];
    if (address !== undefined) {
      named.set(`${connection} ${moment}`, address);
    }
    if (moment !== at) {
      return undefined;
    }
    const [from = "", to = ""] = ["MAIL", "RCPT"].map((one) => named.get(`${connection} ${one}`));
    tried.push(to);
    return answer(to, from);
  });
  const real = localMailPort();
  live = await createLive({ dns });
  live.mail.send = (mailbox, envelope, beforeBody) =>
    real.send(
      {
        ...mailbox,
        smtp: {
          host: "127.0.0.1",
          port: sink.port,
          security: "none",
          username: mailbox.address,
          password: "secret",
        },
      },
      envelope,
      beforeBody,
    );
  return { account: await addFastAccount(), tried };
}

async function addFastAccount(email?: string): Promise<string> {
  const account = await live.addAccount(email);
  await live.call("PATCH", `/accounts/${account}`, {
    daily_limit: 500,
    hourly_limit: 100,
    min_gap_seconds: 1,
  });
  return account;
}

const wide = {
  days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
};

async function launch(...emails: string[]) {
  const made = await live.launch([STEP], ...emails);
  await live.call("PATCH", `/campaigns/${made.id}`, {
    max_leads_per_day: 500,
    send_window: { ...wide, timezone: "UTC", start_hour: 0, end_hour: 24 },
  });
  return made;
}

const shown = async (id: string) => (await live.call("GET", `/accounts/${id}`)).body;

describe("a provider that refuses the sender", () => {
  test("gets two emails of 45, costs no lead and stops nobody else; it goes on after a wait", async () => {
    let blocks = true;
    const isGoogles = (to: string) => GMAIL.includes(to);
    const { account, tried } = await start("BODY", (to) =>
      blocks && isGoogles(to) ? BLOCKED : undefined,
    );
    const { id, leads } = await launch(...GMAIL.flatMap((one, n) => [one, OTHERS[n] ?? ""]));
    while (tried.filter(isGoogles).length < 2) {
      await live.run(MINUTE_MS);
    }
    await live.run(50 * MINUTE_MS);
    expect(tried.filter(isGoogles)).toHaveLength(2);
    expect(tried.filter((to) => !isGoogles(to)).length).toBeGreaterThan(0);
    const refused = await shown(account);
    expect(refused).toMatchObject({ status: "active", health_score: 90, backoff_until: null });
    expect(refused.refused_by).toMatchObject([
      { provider: "google", refusals: 2, page: "https://support.google.com/a/answer/3726730" },
    ]);
    expect(refused.refused_by[0].remedy).toContain("SPF");
    const { body: check } = await live.call("GET", `/campaigns/${id}/launch-check`);
    expect(JSON.stringify(check)).toContain("sender_refused");
    const told = live.events().filter((type) => type === "account.health_changed");
    expect(told).toHaveLength(1);

    await live.run(22 * HOUR_MS);
    const left = leads
      .map((lead) => live.lead(lead))
      .filter(({ status }) => status !== "completed");
    expect(left).toHaveLength(45);
    for (const { status, attempts, accountId } of left) {
      expect({ status, attempts, accountId }).toEqual({
        status: "pending",
        attempts: 0,
        accountId: null,
      });
    }
    expect(live.campaign(id)).toMatchObject({ sent: 45, failed: 0 });
    expect(tried.filter(isGoogles)).toHaveLength(5);
    expect(await shown(account)).toMatchObject({ status: "active" });

    blocks = false;
    await live.call("POST", `/accounts/${account}/test`, { send: false });
    await live.run(23 * HOUR_MS);
    expect(live.campaign(id)).toMatchObject({ sent: 90, failed: 0, status: "completed" });
    expect(await shown(account)).toMatchObject({ refused_by: [], health_score: 100 });
    expect(sink.bodies).toHaveLength(90);
  });

  test.each(VERBATIM)("%s in its own words: nobody is lost and others go on", async (...given) => {
    const [provider, at, exchange, words] = given;
    const there = OTHERS.slice(0, 20).map((one) => one.replace("@own", "@there"));
    const exchanges = there.map((one) => [domainOf(one), [{ exchange, priority: 0 }]]);
    let blocks = true;
    const { account, tried } = await start(
      at,
      (to) => (blocks && there.includes(to) ? words.join("\r\n") : undefined),
      tableDns({}, { ...MX, ...Object.fromEntries(exchanges) }),
    );
    const { id } = await launch(...there.flatMap((one, n) => [one, OTHERS[n] ?? ""]));
    await live.run(23 * HOUR_MS);
    // Two, and one each after 1, 4 and 12 hours.
    expect(tried.filter((to) => there.includes(to))).toHaveLength(5);
    expect(live.campaign(id)).toMatchObject({ sent: 20, failed: 0 });
    expect((await shown(account)).refused_by).toMatchObject([{ provider, refusals: 5 }]);

    blocks = false;
    await live.call("POST", `/accounts/${account}/test`, { send: false });
    await live.run(23 * HOUR_MS);
    expect(live.campaign(id)).toMatchObject({ sent: 40, failed: 0, status: "completed" });
    expect(sink.bodies).toHaveLength(40);
    expect((await shown(account)).refused_by).toEqual([]);
  });

  test.each(SLOWED)("%s slows the mailbox down: others go on", async (...given) => {
    const [provider, exchange, words] = given;
    const there = OTHERS.slice(0, 20).map((one) => one.replace("@own", "@there"));
    const exchanges = there.map((one) => [domainOf(one), [{ exchange, priority: 0 }]]);
    const { account, tried } = await start(
      "BODY",
      (to) => (there.includes(to) ? words.join("\r\n") : undefined),
      tableDns({}, { ...MX, ...Object.fromEntries(exchanges) }),
    );
    const { id, leads } = await launch(...there.flatMap((one, n) => [one, OTHERS[n] ?? ""]));
    await live.run(HOUR_MS);
    expect(live.campaign(id)).toMatchObject({ sent: 20, failed: 0 });
    expect(tried.filter((to) => there.includes(to))).toHaveLength(2);
    const { refused_by, backoff_until } = await shown(account);
    expect(refused_by).toMatchObject([{ provider, refusals: 2 }]);
    expect(backoff_until).toBeNull();
    const open = leads.map((lead) => live.lead(lead)).filter(({ status }) => status === "pending");
    expect(open.map(({ attempts }) => attempts)).toEqual(Array(20).fill(0));
  });

  test("that runs the mailbox as well has said it of the mailbox, which rests", async () => {
    const [, exchange = "", words = []] = SLOWED[1] ?? [];
    const there = OTHERS.slice(0, 20).map((one) => one.replace("@own", "@there"));
    const exchanges = there.map((one) => [domainOf(one), [{ exchange, priority: 0 }]]);
    const { account, tried } = await start(
      "BODY",
      (to) => (there.includes(to) ? words.join("\r\n") : undefined),
      tableDns({}, { ...MX, ...Object.fromEntries(exchanges) }),
    );
    const row = live.account(account);
    updateAccount(live.env.db, {
      ...row,
      smtp: row.smtp && { ...row.smtp, host: "smtp.gmail.com" },
    });
    await launch(...there.flatMap((one, n) => [one, OTHERS[n] ?? ""]));
    await live.run(30 * MINUTE_MS);
    expect(tried.filter((to) => there.includes(to))).toHaveLength(1);
    const { refused_by, backoff_until } = await shown(account);
    expect(refused_by).toEqual([]);
    expect(backoff_until).not.toBeNull();
  });

  test("stops one mailbox; another one, which it takes email from, writes to those leads", async () => {
    const { account } = await start("BODY", (to, from) =>
      from.startsWith("ann@") && GMAIL.includes(to) ? BLOCKED : undefined,
    );
    await addFastAccount("bea@second.example");
    const { id, leads } = await launch(...GMAIL.flatMap((one, n) => [one, OTHERS[n] ?? ""]));
    await live.run(23 * HOUR_MS);
    expect(live.campaign(id)).toMatchObject({ sent: 90, failed: 0, status: "completed" });
    const toGoogle = leads
      .flatMap((lead) => live.messages(lead))
      .filter(({ recipient, status }) => status === "sent" && GMAIL.includes(recipient));
    const writers = toGoogle.map(({ accountId }) => live.account(accountId ?? "").email);
    expect(new Set(writers)).toEqual(new Set(["bea@second.example"]));
    expect((await shown(account)).refused_by).toMatchObject([{ provider: "google" }]);
    expect(sink.bodies).toHaveLength(90);
  });

  test("costs no lead and stops the mailbox where no name server says whose domain it is", async () => {
    const failing = tableDns({}, {});
    failing.mx = () => Promise.reject(new Error("no name server answers"));
    const { account, tried } = await start("BODY", () => BLOCKED, failing);
    const { id, leads } = await launch(...GMAIL);
    await live.run(23 * HOUR_MS);
    expect(live.campaign(id)).toMatchObject({ sent: 0, failed: 0 });
    for (const lead of leads) {
      expect(live.lead(lead)).toMatchObject({ status: "pending", attempts: 0 });
    }
    // Five in a row stop the mailbox as a whole; then one email after 1, 4, 12 and 24 hours.
    const own = () => tried.filter((to) => !to.endsWith("@gmail.com"));
    expect(own()).toHaveLength(8);
    const stopped = await shown(account);
    expect(stopped).toMatchObject({ status: "active", backoff_until: expect.any(String) });
    expect(stopped.refused_by.at(-1)).toMatchObject({ provider: "*", refusals: 8 });

    await live.call("POST", `/accounts/${account}/test`, { send: false });
    await live.run(10 * MINUTE_MS);
    expect(own()).toHaveLength(9);
  });

  test("is named where a lead waits for it", async () => {
    await start("BODY", () => BLOCKED);
    const { id, leads } = await launch(...GMAIL.slice(0, 5));
    await live.run(30 * MINUTE_MS);
    const explained = await live.call("GET", `/campaigns/${id}/leads/${leads[4]}/explain`);
    expect(explained.body).toMatchObject({ reason: "sender_refused" });
    const status = await live.call("GET", `/campaigns/${id}`);
    expect(status.body.sending_status ?? "sender_refused").toBe("sender_refused");
  });
});

test("a recipient who gets too much defers that lead alone", async () => {
  const { account, tried } = await start("RCPT", (to) =>
    to === "bo0@gmail.com" ? BUSY : undefined,
  );
  const { leads } = await launch("bo0@gmail.com", "bo1@gmail.com");
  await live.run(3 * MINUTE_MS);
  while (tried.length < 2) {
    await live.run(MINUTE_MS);
  }
  const rows = leads.map((lead) => live.lead(lead));
  expect(rows.map(({ status }) => status).toSorted()).toEqual(["completed", "pending"]);
  expect(rows.find(({ status }) => status === "pending")).toMatchObject({ attempts: 1 });
  expect(await shown(account)).toMatchObject({ backoff_until: null, refused_by: [] });
});

describe("leads that were refused for good", () => {
  test("are found by the server's words and resumed together", async () => {
    let answer: Answer = "554 5.6.0 not like that";
    const { tried } = await start("BODY", () => answer);
    const { id, leads } = await launch("bo0@gmail.com", "bo1@gmail.com", "cy0@own0.example");
    await live.run(6 * HOUR_MS);
    expect(live.campaign(id)).toMatchObject({ failed: 3, status: "completed" });
    live.env.db.raw.run("update messages set response = ? where recipient like '%gmail.com'", [
      BLOCKED,
    ]);
    const found = await live.call("GET", `/campaigns/${id}/leads?response=UNAUTHENTICATED`);
    expect(found.body.data).toHaveLength(2);
    expect((await live.call("GET", `/campaigns/${id}/leads?response=%25`)).body.data).toEqual([]);

    answer = undefined;
    const bulk = { action: "resume", filter: { status: "failed", response: "5.7.26" } };
    const resumed = await live.call("POST", `/campaigns/${id}/leads/bulk`, bulk);
    expect(resumed.body).toEqual({ changed: 2, skipped: 0, next_cursor: null });
    expect((await live.call("POST", `/campaigns/${id}/leads/bulk`, bulk)).body.changed).toBe(0);
    await live.run(6 * HOUR_MS);
    expect(live.campaign(id)).toMatchObject({ sent: 2, failed: 1 });
    expect(leads.map((lead) => live.messages(lead).length)).toEqual([1, 1, 1]);
    expect(tried).toHaveLength(5);
  });
});
