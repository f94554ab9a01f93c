/**
 * Leads on hold: their campaign is not over while a person is waited for, it says how many there are and
 * why, and one act lets a group of them go on.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HoldReason } from "#domain/campaigns/enrollment.ts";
import { enrollmentsOfLead } from "#store/leads/enrollments.ts";
import { endEnrollment, holdEnrollment } from "#usecases/leads/enrollments.ts";
import { patchLead } from "#usecases/leads/leads.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign, rowOf, writeTo } from "../../support/campaigns.ts";

const STEP = { type: "email", subject: "Hello", body: "What does {{company}} ship?" };
const PLAIN = { type: "email", subject: "Hello", body: "Hi there" };
const CALL = { type: "task", subject: "Call", body: "Ring them up" };
const NONE = {
  total: 0,
  missing_variable: 0,
  unknown_send: 0,
  task: 0,
  account_gone: 0,
  planning_failed: 0,
  invalid_address: 0,
  risky_address: 0,
};

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
  app.environments.clock.setSpeed(0);
});
afterEach(() => app.close());

const person = (nth: number) => ({ email: `p${nth}@quiet.example`, company: `Firm ${nth}` });
const nobody = (nth: number) => ({ email: `n${nth}@quiet.example` });
const pass = (advance: string) => app.call("POST", "/sandbox/clock", { advance });
const campaign = async (id: string) => (await app.call("GET", `/campaigns/${id}`)).body;
const stats = async (id: string) => (await app.call("GET", `/campaigns/${id}/stats`)).body;
const bulk = (id: string, body: object) => app.call("POST", `/campaigns/${id}/leads/bulk`, body);

async function hold(enrollmentId: string, reason: HoldReason, detail: string | null = null) {
  const env = app.environments.test;
  await env.commit(() => holdEnrollment(env, rowOf(app, enrollmentId), reason, detail));
}

/** A campaign that has written to all but those who lack what its email says. */
async function runOut(step: object, people: readonly { email: string }[]) {
  await addAccount(app);
  const { id, steps } = await makeCampaign(app, [step]);
  const leads = await addLeads(app, id, ...people);
  expect((await app.call("POST", `/campaigns/${id}/start`)).status).toBe(200);
  await pass("3d");
  return { id, steps, leads };
}

describe("a campaign with a lead on hold", () => {
  test("stays active, says why, and completes once the lead has what it lacked", async () => {
    const { id, leads } = await runOut(STEP, [person(1), person(2), nobody(3)]);
    const waiting = await campaign(id);
    expect(waiting).toMatchObject({ status: "active", sending_status: "nothing_due" });
    expect(waiting.on_hold).toEqual({ ...NONE, total: 1, missing_variable: 1 });
    const listed = (await app.call("GET", "/campaigns")).body.data[0];
    expect(listed.on_hold).toEqual(waiting.on_hold);
    expect(await stats(id)).toMatchObject({ open: 1, held: 1, sent: 2 });
    await app.call("PATCH", `/leads/${leads[2].lead_id}`, { company: "Firm 3" });
    expect(await stats(id)).toMatchObject({ open: 1, held: 0 });
    await pass("3d");
    expect(await campaign(id)).toMatchObject({ status: "completed", on_hold: NONE });
    expect(await stats(id)).toMatchObject({ open: 0, held: 0, sent: 3 });
  });

  test("goes on when its step gets a fallback", async () => {
    const { id, steps } = await runOut(STEP, [person(1), nobody(2)]);
    expect((await campaign(id)).status).toBe("active");
    const body = "What does {{company | default: 'your team'}} ship?";
    await app.call("PATCH", `/campaigns/${id}/steps/${steps[0]}`, { body });
    await pass("3d");
    expect(await campaign(id)).toMatchObject({ status: "completed", on_hold: NONE });
    expect(await stats(id)).toMatchObject({ open: 0, sent: 2, completed: 2 });
  });

  test("waits for a task to be done", async () => {
    const { id } = await runOut(CALL, [person(1)]);
    expect(await campaign(id)).toMatchObject({ status: "active", on_hold: { total: 1, task: 1 } });
    const [task] = (await app.call("GET", "/tasks")).body.data;
    await app.call("PATCH", `/tasks/${task.id}`, { done: true });
    expect(await campaign(id)).toMatchObject({ status: "completed", on_hold: NONE });
  });

  test.each([
    "missing_variable",
    "unknown_send",
    "task",
    "account_gone",
    "planning_failed",
  ] as const)(
    "completes when the last one, on hold for %s, ends, is removed or is erased",
    async (reason) => {
      const ends = {
        end: (id: string, lead: { id: string }) =>
          app.call("PATCH", `/campaigns/${id}/leads/${lead.id}`, { status: "completed" }),
        remove: (id: string, lead: { id: string }) =>
          app.call("DELETE", `/campaigns/${id}/leads/${lead.id}`),
        erase: (_id: string, lead: { lead_id: string }) =>
          app.call("DELETE", `/leads/${lead.lead_id}`),
      };
      await addAccount(app);
      for (const [name, end] of Object.entries(ends)) {
        const { id } = await makeCampaign(app, [PLAIN]);
        const [done, held] = await addLeads(
          app,
          id,
          { email: `a-${name}@quiet.example` },
          { email: `b-${name}@quiet.example` },
        );
        await app.call("POST", `/campaigns/${id}/start`);
        await hold(held.id, reason);
        await app.call("PATCH", `/campaigns/${id}/leads/${done.id}`, { status: "completed" });
        expect(await campaign(id)).toMatchObject({ status: "active", on_hold: { [reason]: 1 } });
        expect((await end(id, held)).status).toBeLessThan(300);
        expect(await campaign(id)).toMatchObject({ status: "completed", on_hold: NONE });
        expect(await stats(id)).toMatchObject({ open: 0, held: 0 });
      }
    },
  );

  test("is over when the import that brought the lead is undone", async () => {
    await addAccount(app);
    const { id } = await makeCampaign(app, [PLAIN]);
    const [ann] = await addLeads(app, id, "ann@quiet.example");
    const request = new Request(
      `http://localhost/api/v1/campaigns/${id}/leads/import?existing=keep`,
      {
        method: "POST",
        headers: { Authorization: `Bearer ${app.keys.test}`, "Content-Type": "text/csv" },
        body: "email\nbob@quiet.example\neve@quiet.example",
      },
    );
    const imported = (await (await app.fetch(request)).json()) as { id: string };
    const { data } = (await app.call("GET", `/campaigns/${id}/leads?search=bob`)).body;
    const bob = data[0] ?? (await addLeads(app, id, "bob@quiet.example"))[0];
    await hold(bob.id, "missing_variable", "company");
    await app.call("POST", `/campaigns/${id}/start`);
    await app.call("PATCH", `/campaigns/${id}/leads/${ann.id}`, { status: "completed" });
    expect(await stats(id)).toMatchObject({ enrolled: 3, open: 2, held: 1 });
    const undone = await app.call("POST", `/imports/${imported.id}/undo`);
    expect(undone.body).toMatchObject({ status: "undone", removed: 2 });
    expect(await stats(id)).toMatchObject({ enrolled: 1, open: 0, held: 0 });
    expect(await campaign(id)).toMatchObject({ status: "completed", on_hold: NONE });
  });

  test("is the same after a restart", async () => {
    const directory = mkdtempSync(join(tmpdir(), "outrider-on-hold-"));
    const paths = { live: join(directory, "live.db"), test: join(directory, "test.db") };
    await app.close();
    app = await createTestApp({ paths });
    app.environments.clock.setSpeed(0);
    const { id, leads } = await runOut(STEP, [person(1), nobody(2)]);
    const { team, keys } = app;
    await app.close();
    app = await createTestApp({ paths, seed: 2 });
    app.environments.clock.setSpeed(0);
    const env = app.environments.test;
    const read = (path: string) => app.call("GET", path, undefined, { key: keys.test });
    const found = (await read(`/campaigns/${id}`)).body;
    expect(found).toMatchObject({ status: "active", on_hold: { total: 1, missing_variable: 1 } });
    const caller = { teamId: team.id, actor: "engine", scopes: [] } as const;
    const leadId = leads[1].lead_id;
    await env.commit(() => patchLead(env, { ...caller, scopes: [] }, leadId, { company: "B" }));
    await app.call("POST", "/sandbox/clock", { advance: "3d" }, { key: keys.test });
    expect((await read(`/campaigns/${id}`)).body).toMatchObject({ status: "completed" });
    rmSync(directory, { recursive: true, force: true });
  });
});

describe("the planner", () => {
  /** When each email of the second campaign went out, beside one whose leads all wait, or alone. */
  async function sentBeside(isBeside: boolean) {
    const fresh = await createTestApp();
    try {
      fresh.environments.clock.setSpeed(0);
      const body = { email: "ann@sender.example", provider: "smtp", daily_limit: 40 };
      await fresh.call("POST", "/accounts", body);
      if (isBeside) {
        const wide = await makeCampaign(fresh, [STEP]);
        const send_window = { days: ["monday", "tuesday"], start_hour: 0, end_hour: 24 };
        await fresh.call("PATCH", `/campaigns/${wide.id}`, { send_window });
        await addLeads(fresh, wide.id, nobody(1));
        await fresh.call("POST", `/campaigns/${wide.id}/start`);
        await fresh.call("POST", "/sandbox/clock", { advance: "8h" });
        const { body: found } = await fresh.call("GET", `/campaigns/${wide.id}`);
        expect(found.on_hold.total).toBe(1);
      } else {
        await fresh.call("POST", "/sandbox/clock", { advance: "8h" });
      }
      const { id } = await makeCampaign(fresh, [PLAIN]);
      await addLeads(fresh, id, ...Array.from({ length: 60 }, (_, n) => person(n)));
      await fresh.call("POST", `/campaigns/${id}/start`);
      const forecast = (await fresh.call("GET", `/campaigns/${id}/forecast?days=2`)).body;
      await fresh.call("POST", "/sandbox/clock", { advance: "1d" });
      const sent = (await fresh.call("GET", `/campaigns/${id}/stats`)).body.sent;
      return { sent, foretold: forecast.days[1].new_leads };
    } finally {
      await fresh.close();
    }
  }

  test("gives no time of a mailbox to a campaign whose leads all wait, and foretells it", async () => {
    const alone = await sentBeside(false);
    const beside = await sentBeside(true);
    expect(alone.sent).toBe(40);
    expect(beside).toEqual(alone);
  });

  test("foretells what happens while some leads come to be on hold", async () => {
    await addAccount(app);
    const again = { type: "email", body: "And again", wait_days: 1 };
    const { id } = await makeCampaign(app, [STEP, again]);
    const people = Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? person(n) : nobody(n)));
    await addLeads(app, id, ...people);
    await app.call("POST", `/campaigns/${id}/start`);
    const { body } = await app.call("GET", `/campaigns/${id}/forecast?days=7`);
    await pass("7d");
    expect(body.total).toBe(8);
    expect(await stats(id)).toMatchObject({ sent: 8, open: 4, held: 4 });
    expect(await campaign(id)).toMatchObject({ status: "active" });
  });
});

describe("a group on hold", () => {
  test("is given what it lacks in one act, and goes on", async () => {
    const { id, leads } = await runOut(STEP, [person(1), nobody(2), nobody(3)]);
    const filter = { hold_reason: "missing_variable" };
    const listed = await app.call("GET", `/campaigns/${id}/leads?hold_reason=missing_variable`);
    expect(listed.body.total).toBe(2);
    const { status, body } = await bulk(id, {
      action: "release",
      filter,
      fill: { company: "your team" },
    });
    expect([status, body]).toEqual([200, { changed: 2, skipped: 0, next_cursor: null }]);
    expect((await campaign(id)).on_hold).toEqual(NONE);
    const company = async (nth: number) =>
      (await app.call("GET", `/leads/${leads[nth].lead_id}`)).body.company;
    expect([await company(0), await company(1)]).toEqual(["Firm 1", "your team"]);
    await pass("3d");
    expect(await campaign(id)).toMatchObject({ status: "completed" });
    expect(await stats(id)).toMatchObject({ sent: 3 });
  });

  test("keeps what a lead has, and those whom nothing given concerns stay on hold", async () => {
    const step = { ...STEP, body: "{{company}} is on {{plan}}" };
    const { id, leads } = await runOut(step, [person(1), nobody(2)]);
    const filter = { hold_reason: "missing_variable" };
    const other = await bulk(id, { action: "release", filter, fill: { phone: "+1 555 0100" } });
    expect(other.body).toEqual({ changed: 0, skipped: 2, next_cursor: null });
    const fill = { company: "your team", variables: { plan: "Basic" } };
    const { body } = await bulk(id, { action: "release", filter, fill });
    expect(body).toMatchObject({ changed: 2, skipped: 0 });
    const first = (await app.call("GET", `/leads/${leads[0].lead_id}`)).body;
    expect(first).toMatchObject({ company: "Firm 1", phone: null, variables: { plan: "Basic" } });
    await pass("3d");
    expect(await campaign(id)).toMatchObject({ status: "completed" });
  });

  test("is tried again as it is, and waits again for what is still missing", async () => {
    const { id } = await runOut(STEP, [nobody(1)]);
    const filter = { hold_reason: "missing_variable" };
    const { body } = await bulk(id, { action: "release", filter });
    expect(body).toMatchObject({ changed: 1, skipped: 0 });
    expect((await campaign(id)).on_hold.total).toBe(0);
    await pass("3d");
    expect(await campaign(id)).toMatchObject({ status: "active", on_hold: { total: 1 } });
  });

  test("passes over its tasks, which then say that nobody did them", async () => {
    const { id } = await runOut(CALL, [person(1), person(2)]);
    const filter = { hold_reason: "task" };
    expect((await bulk(id, { action: "release", filter })).body).toMatchObject({ changed: 2 });
    const { data } = (await app.call("GET", "/tasks")).body;
    expect(data.map(({ skipped }: { skipped: boolean }) => skipped)).toEqual([true, true]);
    expect(await campaign(id)).toMatchObject({ status: "completed", on_hold: NONE });
  });

  test("of unconfirmed emails counts them as sent, or sends them again, as it is told", async () => {
    const { id } = await makeCampaign(app, [PLAIN, { ...PLAIN, wait_days: 1 }]);
    const leads = await addLeads(app, id, ...[1, 2].map(person));
    for (const { id: lead } of leads) {
      await writeTo(app, lead, "unknown");
      await hold(lead, "unknown_send");
    }
    const filter = { hold_reason: "unknown_send" };
    const undecided = await bulk(id, { action: "release", filter });
    expect(undecided.body).toMatchObject({ changed: 0, skipped: 2 });
    const lead_ids = [leads[0].id];
    const sent = await bulk(id, { action: "treat_as_sent", lead_ids });
    expect(sent.body).toMatchObject({ changed: 1 });
    const again = await bulk(id, { action: "send_again", filter });
    expect(again.body).toEqual({ changed: 1, skipped: 0, next_cursor: null });
    const [first, second] = await Promise.all(
      leads.map(({ id: lead }) => app.call("GET", `/campaigns/${id}/leads/${lead}`)),
    );
    expect(first?.body).toMatchObject({ current_step: 1, hold_reason: null });
    expect(second?.body).toMatchObject({ current_step: 0, hold_reason: null });
  });

  test("of more than one call's worth is resumed in slices, each lead once", async () => {
    const { id } = await makeCampaign(app, [STEP]);
    const people = Array.from({ length: 620 }, (_, nth) => nobody(nth));
    await app.call("POST", `/campaigns/${id}/leads`, { leads: people });
    const env = app.environments.test;
    await env.commit(() => {
      const ids = env.db.raw
        .query<{ id: string }, []>("select lower(hex(id)) as id from enrollments")
        .all()
        .map(({ id: hex }) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"));
      for (const enrollment of ids) {
        holdEnrollment(env, rowOf(app, enrollment), "missing_variable", "company");
      }
    });
    const input = {
      action: "release",
      filter: { hold_reason: "missing_variable" },
      fill: { company: "your team" },
    };
    const first = (await bulk(id, input)).body;
    expect(first).toMatchObject({ changed: 500, skipped: 0 });
    const second = (await bulk(id, { ...input, after: first.next_cursor })).body;
    expect(second).toEqual({ changed: 120, skipped: 0, next_cursor: null });
    expect(await stats(id)).toMatchObject({ open: 620, held: 0 });
  });

  test("does not wait where nobody is on hold; who has ended stays ended", async () => {
    const { id } = await makeCampaign(app, [PLAIN]);
    const [ann, bob] = await addLeads(app, id, "ann@quiet.example", "bob@quiet.example");
    const env = app.environments.test;
    await env.commit(() => endEnrollment(env, rowOf(app, bob.id), "completed", "manual"));
    const { body } = await bulk(id, { action: "release", lead_ids: [ann.id, bob.id] });
    expect(body).toEqual({ changed: 0, skipped: 2, next_cursor: null });
    expect(enrollmentsOfLead(env.db, bob.lead_id)[0]).toMatchObject({ status: "completed" });
  });

  test.each([
    [{ action: "resume", fill: { company: "A" } }, "fill"],
    [{ action: "release", fill: {} }, "fill"],
    [{ action: "release", fill: { email: "a@b.example" } }, "fill.email"],
    [{ action: "release", fill: { company: "a\r\nBcc: x" } }, "fill.company"],
    [{ action: "release", fill: { company: null } }, "fill.company"],
    [{ action: "release", fill: { timezone: "Mars/Olympus" } }, "fill.timezone"],
    [{ action: "release", fill: { variables: { plan: " " } } }, "fill.variables.plan"],
    [{ action: "release", filter: { hold_reason: "bored" } }, "filter.hold_reason"],
  ])("422: %j", async (body, field) => {
    const { id } = await makeCampaign(app, [PLAIN]);
    const answer = await bulk(id, { filter: {}, ...body });
    expect([answer.status, answer.body.field]).toEqual([422, field]);
  });
});
