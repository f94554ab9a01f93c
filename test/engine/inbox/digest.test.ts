/**
 * Guarantees of the email digest: it comes at its hour on working days, once, when something waits, to nobody
 * who is suppressed or has left, and within the mailbox's limits.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { createWorkers } from "#engine/workers.ts";
import { ANN, firstPerson, invited, type Visitor } from "../../support/people.ts";
import { createLive, type LiveApp } from "../support.ts";

const SENDER = "desk@acme.example";
const BOB = "bob@client.example";

let live: LiveApp;
let ann: Visitor;
let account: string;
beforeEach(async () => {
  live = await createLive({ publicUrl: "https://mail.acme.example" });
  account = await live.addAccount(SENDER);
  ann = await firstPerson(live.app);
});
afterEach(() => live.app.close());

/** At seven in Berlin, which is 06:00 UTC here. The first day is a Monday, 15:00 UTC. */
const at = (fields: object = {}) => ({
  hour: "7",
  timezone: "Europe/Berlin",
  account_id: account,
  ...fields,
});
const turnOn = (by = ann, fields = {}) => by.ask("PATCH", "/console/digest", at(fields));

/** Bob answers what was sent to him. */
async function arrive(): Promise<void> {
  const { leads } = await live.launch([], BOB);
  await live.run(HOUR_MS / 4);
  const answers = live.messages(leads[0] ?? "")[0]?.messageId;
  const head = [`From: Bob <${BOB}>`, `To: ${SENDER}`, "Subject: Re: Hello"];
  const ids = [`Message-ID: <${crypto.randomUUID()}@client.example>`, `In-Reply-To: ${answers}`];
  live.deliver(SENDER, [...head, ...ids, "", "What does it cost?"].join("\n"));
}

const digests = () => live.mail.taken.filter(({ to }) => to.endsWith("@example.com"));
const untilMorning = () => live.run(16 * HOUR_MS);

test("says what waits, with links, at its hour and once", async () => {
  expect((await ann.ask("GET", "/console/digest")).body).toEqual({ digest: null });
  expect((await turnOn()).status).toBe(204);
  const stored = { hour: 7, timezone: "Europe/Berlin", account_id: account };
  expect((await ann.ask("GET", "/console/digest")).body).toEqual({ digest: stored });

  await arrive();
  await live.run(14.75 * HOUR_MS - MINUTE_MS);
  expect(digests()).toEqual([]);
  await live.run(2 * MINUTE_MS);
  const [mail, ...others] = digests();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ from: SENDER, to: ANN.email });
  const raw = new TextDecoder().decode(mail?.raw);
  expect(raw).toContain("Subject: 1 unread in ");
  expect(raw).toContain("- Bob: Re: Hello");
  expect(raw).toMatch(/https:\/\/mail\.acme\.example\/live\/inbox\/[0-9a-f-]{36}/);
  expect(raw).toContain("https://mail.acme.example/live/settings/you");

  await live.run(DAY_MS);
  expect(digests()).toHaveLength(2);
});

test("is silent when nothing waits, at weekends, and once it is turned off", async () => {
  await turnOn();
  await untilMorning();
  expect(digests()).toEqual([]);
  await arrive();
  // Until Monday morning: Wednesday to Friday, and that Monday.
  await live.days(6);
  expect(digests()).toHaveLength(4);
  await ann.ask("DELETE", "/console/digest");
  await live.run(DAY_MS);
  expect(digests()).toHaveLength(4);
});

test("is left out where the server was down at its hour, and comes the next day", async () => {
  await turnOn();
  await arrive();
  // To Tuesday, seven hours late.
  live.app.wall.move(22 * HOUR_MS);
  await live.run(HOUR_MS);
  expect(digests()).toEqual([]);
  await live.run(DAY_MS);
  expect(digests()).toHaveLength(1);
});

test("goes to nobody who is suppressed or has left the team, and from no mailbox that is gone", async () => {
  const bo = await invited(live.app, ann, "member");
  await turnOn();
  await turnOn(bo);
  await arrive();
  const { body: barred } = await live.call("POST", "/suppressions", { email: ANN.email });
  await untilMorning();
  expect(digests().map(({ to }) => to)).toEqual(["member@example.com"]);

  const { data } = (await ann.ask("GET", "/live/api/v1/team/members")).body;
  const { id } = data.find(({ email }: { email: string }) => email === "member@example.com");
  await ann.ask("DELETE", `/live/api/v1/team/members/${id}`);
  await live.call("DELETE", `/suppressions/${barred.id}`);
  await live.call("DELETE", `/accounts/${account}`);
  await live.run(DAY_MS);
  expect(digests()).toHaveLength(1);
});

test("a mailbox at its limit sends none, and counts those it sends", async () => {
  await live.call("PATCH", `/accounts/${account}`, { daily_limit: 1 });
  const bo = await invited(live.app, ann, "member");
  await turnOn();
  await turnOn(bo);
  await arrive();
  await untilMorning();
  expect(digests()).toHaveLength(1);
});

test.each([
  ["hour", { hour: "24" }],
  ["hour", { hour: "seven" }],
  ["timezone", { timezone: "Mars/Olympus" }],
  ["account_id", { account_id: "01952c6a-4000-7000-8000-00000000dead" }],
  ["account_id", { account_id: "desk" }],
  ["nonsense", { nonsense: "1" }],
])("422 names %s", async (field, fields) => {
  const { status, body } = await turnOn(ann, fields);
  expect([status, body.field]).toEqual([422, field]);
  expect((await ann.ask("GET", "/console/digest")).body.digest).toBeNull();
});

test("a mail server that hangs delays neither another mailbox's digest nor upkeep", async () => {
  const bo = await invited(live.app, ann, "member");
  await turnOn();
  await arrive();
  await turnOn(bo, { account_id: await live.addAccount("other@acme.example") });
  await live.run(14.5 * HOUR_MS);
  const { promise: hangs, resolve } = Promise.withResolvers<void>();
  live.mail.meanwhile = (envelope) => (envelope.from === SENDER ? hangs : Promise.resolve());
  live.app.wall.move(HOUR_MS);
  const now = live.app.wall.now();
  const workers = createWorkers(live.env);
  const digesting = workers.find(({ name }) => name === "digests");
  await digesting?.step(now);
  // Upkeep ends while a digest waits.
  await workers.find(({ name }) => name === "upkeep")?.step(now);
  while (digests().length === 0) {
    await Bun.sleep(1);
  }
  expect(digests().map(({ to }) => to)).toEqual(["member@example.com"]);
  resolve();
  await digesting?.settled?.();
  expect(digests()).toHaveLength(2);
});
