/**
 * What names an erased person beside their own rows: lines of imports in other forms of the address, reports
 * under another Message-ID, copies that are filed late, events. Every byte of the files is looked through.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { engineCaller } from "#environment.ts";
import { type Looked, lookThrough, NOT_LOOKED } from "#store/operations/erasure-traces.ts";
import { erasePersons, lookForPerson } from "#usecases/leads/erasures.ts";
import { createLive, type LiveApp } from "../../engine/support.ts";
import { addLeads, makeCampaign } from "../../support/campaigns.ts";
import { importFile } from "../../support/imports.ts";
import { tracesIn } from "../../support/traces.ts";

const SENDER = "ann@sender.example";
const EMAIL = "quastenflosser@reply.example";
const STEPS = [{ type: "email", subject: "Hello", body: "Hello" }];

let dir: string;
let live: LiveApp;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "outrider-traces-"));
  live = await createLive({ paths: { live: join(dir, "live.db"), test: join(dir, "test.db") } });
});
afterEach(async () => {
  await live.app.close();
  rmSync(dir, { recursive: true, force: true });
});

const traces = (word = "quastenflosser") => Object.keys(tracesIn(dir, [word]));

async function erase(enrollmentId: string): Promise<void> {
  const { leadId } = live.lead(enrollmentId);
  expect(traces()).not.toEqual([]);
  expect((await live.call("DELETE", `/leads/${leadId}`)).status).toBe(204);
  await live.run(10 * MINUTE_MS);
}

test("the scan itself finds a word in each way of writing it", () => {
  const word = "quastenflosser";
  const mail = `X: ${Buffer.from(`an ${word}`).toString("base64")}\r\n=71uasten=\r\nfl=6Fsser`;
  Bun.write(join(dir, "a.bin"), Buffer.concat([Buffer.from(`\0${mail}`)]));
  Bun.write(join(dir, "b.bin"), Buffer.from(`Xé${word.toUpperCase()}`, "utf16le"));
  Bun.write(join(dir, "c.bin"), Buffer.from(`é${word}`, "utf16le").swap16());
  expect(traces().toSorted()).toEqual([
    `a.bin, base64: ${word}`,
    `a.bin, quoted-printable: ${word}`,
    `b.bin, UTF-16: ${word}`,
    `c.bin, UTF-16: ${word}`,
  ]);
});

test("lines of imports name nobody in whatever form the file had the address", async () => {
  const app = {
    ...live.app,
    call: live.call,
    keys: { ...live.app.keys, test: live.app.keys.live },
  };
  const { id } = await makeCampaign(app, STEPS);
  const forms = [
    "quastenflosser@bücher-laden.example",
    "Quastenflosser@BÜCHER-LADEN.example",
    "QUASTENFLOSSER@XN--BCHER-LADEN-THB.EXAMPLE",
    `""Q"" <quastenflosser@bücher-laden.example>`,
    "mailto:quastenflosser@bücher-laden.example",
  ];
  const file = `email,first_name\n${forms.map((form) => `"${form}",Q\n`).join("")}`;
  const sent = await importFile(app, id, `${file}quastenflosser2@other.example,Other\n`);
  expect(sent.status).toBeLessThan(300);
  await importFile(app, id, `email\n${forms[1]}\nquastenflosser2@other.example\n`);
  const { data } = (await live.call("GET", "/leads")).body;
  expect(data.map(({ email }: { email: string }) => email)).toEqual([
    "quastenflosser@xn--bcher-laden-thb.example",
    "quastenflosser2@other.example",
  ]);
  expect((await live.call("DELETE", `/leads/${data[0].id}`)).status).toBe(204);
  await live.run(10 * MINUTE_MS);
  const left = live.env.db.raw
    .query<{ email: string }, []>("select email from import_lines where email <> ''")
    .all();
  expect(left).toEqual([{ email: "quastenflosser2@other.example" }]);
  expect(traces("quastenflosser@")).toEqual([]);
});

/** A report of a mail server about `failed`, about an email of ours or of nobody. */
function bounce(failed: string, messageId: string, words = "no such user"): string {
  const encoded = Buffer.from(`Your email to ${failed} was returned: ${words}.\n`).toString(
    "base64",
  );
  return `From: MAILER-DAEMON@relay.example
To: ${SENDER}
Subject: Undelivered Mail Returned to Sender
Message-ID: <${crypto.randomUUID()}@relay.example>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: base64

${encoded.replaceAll(/.{60}/g, "$&\n")}

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; relay.example

Final-Recipient: rfc822; ${failed}
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 <${failed}>: ${words}

--b
Content-Type: message/rfc822

From: ${SENDER}
To: ${failed}
Message-ID: ${messageId}
Subject: Hello

Hello
--b--
`;
}

describe("a bounce that names the person", () => {
  const BOB = "bob@first.example";

  test("under a Message-ID that is none of ours goes with them", async () => {
    await live.addAccount(SENDER);
    const { leads } = await live.launch(STEPS, EMAIL);
    await live.run(HOUR_MS);
    live.deliver(SENDER, bounce(EMAIL, "<forwarded@elsewhere.example>"));
    await live.run(HOUR_MS);
    expect((await live.call("GET", "/inbox/threads")).body.total).toBe(1);

    await erase(leads[0] ?? "");

    expect((await live.call("GET", "/inbox/threads")).body).toMatchObject({ total: 0, data: [] });
    expect(traces()).toEqual([]);
  });

  test("under that of an email to somebody who passes it on keeps what it did to them", async () => {
    await live.addAccount(SENDER);
    const { id, leads } = await live.launch(STEPS, BOB);
    await live.run(HOUR_MS);
    const [message] = live.messages(leads[0] ?? "");
    live.deliver(SENDER, bounce(EMAIL, message?.messageId ?? ""));
    const asLive = { ...live.app, call: live.call };
    const [lead] = await addLeads(asLive, id, EMAIL);
    await live.run(HOUR_MS);
    const threads = (await live.call("GET", "/inbox/threads")).body.total;

    await erase(lead.id);

    expect(traces()).toEqual([]);
    expect((await live.call("GET", "/inbox/threads")).body.total).toBe(threads);
    expect((await live.call("GET", `/campaigns/${id}/leads`)).body.data).toMatchObject([
      { email: BOB },
    ]);
  });
});

test("a reply that came before they were a lead leaves no event that names them", async () => {
  await live.addAccount(SENDER);
  const { id, leads } = await live.launch(STEPS, "bob@first.example");
  await live.run(HOUR_MS);
  const [message] = live.messages(leads[0] ?? "");
  expect((await live.call("DELETE", `/leads/${live.lead(leads[0] ?? "").leadId}`)).status).toBe(
    204,
  );
  live.deliver(
    SENDER,
    `From: Q <${EMAIL}>
To: ${SENDER}
Subject: Re: Hello
Message-ID: <a@reply.example>
In-Reply-To: ${message?.messageId}

Ask the quastenflosser instead
`,
  );
  await live.run(HOUR_MS);
  expect(live.events()).toContain("reply.untracked");
  const [lead] = await addLeads({ ...live.app, call: live.call }, id, EMAIL);

  await erase(lead.id);

  expect(traces()).toEqual([]);
});

test("an event that is told while others are looked through is told of nobody", async () => {
  await live.addAccount(SENDER);
  const { leads } = await live.launch(STEPS, EMAIL);
  const env = live.app.environments.live;
  const { leadId } = live.lead(leads[0] ?? "");
  const person = { id: leadId, teamId: live.app.team.id, email: EMAIL };
  const before = await lookForPerson(env, person);
  await live.run(HOUR_MS);
  const after = await lookForPerson(env, person);
  expect(after.seqs.length).toBeGreaterThan(before.seqs.length);
  for (const most of [
    { events: 1, bytes: 1_000_000 },
    { events: 500, bytes: 1 },
  ]) {
    let sliced = NOT_LOOKED;
    let slices = 0;
    for (let more: Looked | undefined = sliced; more !== undefined; slices += 1) {
      sliced = more;
      more = lookThrough(env.db, person, sliced, most);
    }
    expect(sliced).toEqual(after);
    expect(slices).toBeGreaterThan(after.seqs.length);
  }

  const caller = engineCaller(person.teamId);
  const asked = { caller, leadId, at: env.wall.now() };
  await env.commit(() => erasePersons(env, [person], new Map([[EMAIL, before]]), asked));
  await live.run(10 * MINUTE_MS);

  expect(traces()).toEqual([]);
});

describe("a copy for the Sent folder", () => {
  const failed = { kind: "failed", reason: "no Sent folder" } as const;

  test("that fails while the person is erased is not tried again as a blank email", async () => {
    await live.addAccount(SENDER);
    const { leads } = await live.launch(STEPS, EMAIL);
    const { saveSent } = live.mail;
    live.mail.saveSent = async (mailbox, envelope) => {
      const { leadId } = live.lead(leads[0] ?? "");
      live.mail.saveSent = saveSent;
      expect((await live.call("DELETE", `/leads/${leadId}`)).status).toBe(204);
      await saveSent(mailbox, envelope);
      return failed;
    };
    await live.run(2 * HOUR_MS);
    expect(live.mail.copied).toHaveLength(1);
    await live.days(1);
    expect(live.mail.copied).toHaveLength(1);
    expect(traces()).toEqual([]);
  });

  test("is not made of an email that was taken after its recipient was erased", async () => {
    await live.addAccount(SENDER);
    const { leads } = await live.launch(STEPS, EMAIL);
    const { send } = live.mail;
    live.mail.send = async (mailbox, envelope, beforeBody) => {
      live.mail.send = send;
      const outcome = await send(mailbox, envelope, beforeBody);
      const { leadId } = live.lead(leads[0] ?? "");
      expect((await live.call("DELETE", `/leads/${leadId}`)).status).toBe(204);
      return outcome;
    };
    await live.run(2 * HOUR_MS);
    expect(live.mail.taken).toHaveLength(1);
    expect(live.mail.copied).toEqual([]);
  });

  test("that waited behind another one is not made once the person is erased", async () => {
    await live.addAccount(SENDER);
    live.mail.copies.push(...Array.from({ length: 50 }, () => failed));
    const people = ["bob@first.example", EMAIL];
    const { leads } = await live.launch(STEPS, ...people);
    await live.run(HOUR_MS);
    live.mail.copies.length = 0;
    // Both are due by then.
    live.app.wall.move(HOUR_MS);
    const before = live.mail.copied.length;
    const { saveSent } = live.mail;
    let filed = "";
    live.mail.saveSent = async (mailbox, envelope) => {
      live.mail.saveSent = saveSent;
      filed = envelope.to;
      const other = leads[people[0] === filed ? 1 : 0] ?? "";
      const { status } = await live.call("DELETE", `/leads/${live.lead(other).leadId}`);
      expect(status).toBe(204);
      return await saveSent(mailbox, envelope);
    };
    await live.run(HOUR_MS);
    expect(people).toContain(filed);
    expect(live.mail.copied.slice(before).map(({ to }) => to)).toEqual([filed]);
  });

  test("of one whose outcome was unknown is not made when it is found in the folder", async () => {
    await live.addAccount(SENDER);
    live.mail.outcomes.push({ kind: "unreachable", stage: "data", reason: "cut", bodySent: true });
    const { leads } = await live.launch(STEPS, EMAIL);
    await live.run(HOUR_MS);
    const [message] = live.messages(leads[0] ?? "");
    expect(message?.status).toBe("unknown");
    await erase(leads[0] ?? "");
    const { recordSent } = await import("#usecases/delivery/restored.ts");
    const id = (await live.call("GET", "/accounts")).body.data[0].id as string;
    const mail = {
      ...{ folder: "Sent", messageId: message?.messageId ?? "", to: [EMAIL], subject: "Hello" },
      ...{ unsubscribe: "", at: live.app.wall.now() },
    };
    await live.env.commit(() => recordSent(live.env, id, mail));
    await live.run(HOUR_MS);
    expect(live.mail.copied).toHaveLength(0);
    expect(traces()).toEqual([]);
  });
});

test("a campaign's list counts whom it shows, and its counter whom it took", async () => {
  await live.addAccount(SENDER);
  const { id, leads } = await live.launch(STEPS, "bob@first.example", EMAIL);
  await live.run(HOUR_MS);
  await erase(leads[1] ?? "");
  const { body } = await live.call("GET", `/campaigns/${id}/leads`);
  expect([body.total, body.data.length]).toEqual([1, 1]);
  expect((await live.call("GET", `/campaigns/${id}/stats`)).body).toMatchObject({ enrolled: 2 });
});

test("an erasure waits for a reply by hand to the address, whosever conversation it is in", async () => {
  await live.addAccount(SENDER);
  const { id, leads } = await live.launch(STEPS, "bob@first.example");
  await live.run(HOUR_MS);
  const [message] = live.messages(leads[0] ?? "");
  live.deliver(
    SENDER,
    `From: bob@first.example
Reply-To: ${EMAIL}
To: ${SENDER}
Subject: Re: Hello
Message-ID: <a@first.example>
In-Reply-To: ${message?.messageId}

Write to me there
`,
  );
  await live.run(HOUR_MS);
  const [lead] = await addLeads({ ...live.app, call: live.call }, id, EMAIL);
  const { leadId } = live.lead(lead.id);
  const answers: number[] = [];
  live.mail.meanwhile = async ({ to }) => {
    if (to === EMAIL) {
      answers.push((await live.call("DELETE", `/leads/${leadId}`)).status);
    }
  };
  const thread = (await live.call("GET", "/inbox/threads")).body.data[0].id;
  const said = { body: "Dear quastenflosser" };
  expect((await live.call("POST", `/inbox/threads/${thread}/reply`, said)).status).toBeLessThan(
    300,
  );
  live.mail.outcomes.push({
    ...{ kind: "refused", stage: "rcpt", code: 550, enhanced: "5.1.1" },
    response: `550 5.1.1 <${EMAIL}> unknown`,
  });
  await live.run(HOUR_MS);
  expect(answers).toEqual([409]);
  expect((await live.call("DELETE", `/leads/${leadId}`)).status).toBe(204);
  const kept = live.env.db.raw
    .query("select count(*) from messages where recipient = ?1 or response like '%' || ?1 || '%'")
    .values(EMAIL);
  expect(kept).toEqual([[0]]);
});

test("an erasure during a send waits for its outcome; then the server's words go too", async () => {
  await live.addAccount(SENDER);
  const answers: number[] = [];
  const { leads } = await live.launch(STEPS, EMAIL);
  live.mail.meanwhile = async () => {
    const { leadId } = live.lead(leads[0] ?? "");
    answers.push((await live.call("DELETE", `/leads/${leadId}`)).status);
  };
  live.mail.outcomes.push({
    ...{ kind: "refused", stage: "data", code: 550, enhanced: "5.1.1" },
    response: `550 5.1.1 <${EMAIL}> unknown`,
  });
  await live.run(HOUR_MS);
  expect(answers).toEqual([409]);
  await erase(leads[0] ?? "");
  expect(traces()).toEqual([]);
  const suppressed = (await live.call("GET", "/suppressions")).body.data;
  expect(suppressed).toMatchObject([{ email: null, reason: "bounce" }]);
});
