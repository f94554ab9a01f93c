/** The contract of `/erasures`: a receipt says what went and what is left, and names nobody. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, plus } from "#domain/time.ts";
import type { StoredBackup } from "#store/operations/backup-files.ts";
import { copiesBefore } from "#usecases/operations/erasure-copies.ts";
import { createLive, type LiveApp } from "../../engine/support.ts";
import { START } from "../../support/app.ts";

const SENDER = "ann@sender.example";
const EMAIL = "quastenflosser@reply.example";
const STEPS = [{ type: "email", subject: "Hello", body: "Hello" }];

let live: LiveApp;
beforeEach(async () => {
  live = await createLive();
  await live.addAccount(SENDER);
});
afterEach(() => live.app.close());

const call = (method: string, path: string, body?: unknown) => live.call(method, path, body);

async function erased() {
  const { leads } = await live.launch(STEPS, EMAIL);
  await live.run(HOUR_MS);
  const [message] = live.messages(leads[0] ?? "");
  live.deliver(
    SENDER,
    `From: ${EMAIL}\nTo: ${SENDER}\nSubject: Re: Hello\nMessage-ID: <a@reply.example>\n` +
      `In-Reply-To: ${message?.messageId}\n\nPlease unsubscribe me.\n`,
  );
  await live.run(HOUR_MS);
  const { leadId } = live.lead(leads[0] ?? "");
  const answer = await call("DELETE", `/leads/${leadId}`);
  expect(answer.status).toBe(204);
  return { leadId, path: String(answer.headers.get("location")).replace("/api/v1", "") };
}

test("a receipt has who, when, what was removed, and what stays, and names nobody", async () => {
  await call("POST", "/webhooks", { url: "https://hook.example.org", events: ["lead.*"] });
  const { leadId, path } = await erased();
  const { status, body, text } = await call("GET", path);
  expect(status).toBe(200);
  const key = (await call("GET", "/keys")).body.data[0].id;
  expect(body).toMatchObject({
    ...{ lead_id: leadId, actor: `key:${key}`, suppressed: true, completed_at: null },
    removed: {
      ...{ leads: 1, campaign_leads: 1, tasks: 0, sent_emails: 1, received_emails: 1 },
      ...{ conversations: 1, import_lines: 0, sandbox_emails: 0 },
    },
    ...{ copies: [], copies_gone_at: null, erased_again: [] },
    webhooks: [{ webhook_id: expect.any(String), status: "pending", ended_at: null }],
  });
  expect(body.removed.events).toBeGreaterThan(0);
  const hash = new Bun.CryptoHasher("sha256").update(EMAIL).digest("hex");
  for (const word of ["quastenflosser", "reply.example", hash]) {
    expect(text).not.toContain(word);
  }
  const told = (await call("GET", "/events?type=lead.erased")).body.data;
  expect(told.map(({ data }: { data: object }) => data)).toEqual([
    { lead_id: leadId, receipt_id: body.id },
  ]);
  const [entry] = (await call("GET", "/audit?action=lead.erase")).body.data;
  expect(entry.after).toEqual({ receipt_id: body.id });
  await live.run(HOUR_MS);
  expect((await call("GET", path)).body.completed_at).not.toBeNull();
});

test("it is found by the address of whoever asks, in any case, and by the lead's id", async () => {
  const { leadId } = await erased();
  const total = async (query: string) => (await call("GET", `/erasures?${query}`)).body.total;
  expect(await total(`email=${EMAIL.toUpperCase()}`)).toBe(1);
  expect(await total("email=somebody@reply.example")).toBe(0);
  expect(await total(`lead_id=${leadId}`)).toBe(1);
});

test("404 for another team's", async () => {
  const { path } = await erased();
  const other = await live.app.addTeam("Other");
  const asked = await live.call("GET", path, undefined, { key: other.keys.live });
  expect(asked.status).toBe(404);
});

describe("backups from before the erasure", () => {
  const backup = (name: string, days: number, reason: "schedule" | "manual") =>
    ({ name, createdAt: plus(START, days * DAY_MS), note: { reason } }) as unknown as StoredBackup;

  test("are listed one by one, each with the day on which the schedule removes it", () => {
    const backups = [
      backup("after", 4, "schedule"),
      backup("third", 3, "schedule"),
      backup("by hand", 2.5, "manual"),
      backup("second", 2, "schedule"),
      backup("first", 1, "schedule"),
    ];
    const plan = { everyMs: DAY_MS, kept: 4, nextAt: plus(START, 5 * DAY_MS) };
    const copies = copiesBefore(backups, plan, plus(START, 3.5 * DAY_MS));
    const days = copies.map(({ name, keptUntil }) => [
      name,
      keptUntil === null ? null : (keptUntil - START) / DAY_MS,
    ]);
    // On day 5 a fifth one is made and the first goes; on day 6 the second.
    expect(days).toEqual([
      ["third", 7],
      ["by hand", null],
      ["second", 6],
      ["first", 5],
    ]);
    const none = { everyMs: 0, kept: 4, nextAt: null };
    expect(copiesBefore(backups, none, plus(START, 1.5 * DAY_MS))).toMatchObject([
      { name: "first", keptUntil: null },
    ]);
  });
});
