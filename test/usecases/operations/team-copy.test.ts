/**
 * Guarantees of moving a team: what comes out of one installation is there in the other, row for row,
 * and every invariant holds over it; the sequences go on there; secrets open with the right key only;
 * a file that is not whole changes nothing.
 */

import { afterEach, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { createVault } from "#platform/secrets/crypto.ts";
import { contradictions } from "#store/campaigns/history.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import { COPIED_TABLES } from "#store/operations/team-copy.ts";
import { openCredentials } from "#usecases/mailboxes/credentials.ts";
import { checkInvariants } from "#usecases/operations/invariants.ts";
import { exportTeam, importTeam } from "#usecases/operations/team-copy.ts";
import { createKey } from "#usecases/team/keys.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";

const open: TestApp[] = [];
afterEach(() => Promise.all(open.splice(0).map((app) => app.close())));

async function startApp(options: Parameters<typeof createTestApp>[0] = {}): Promise<TestApp> {
  const app = await createTestApp(options);
  open.push(app);
  return app;
}

const STEP = { type: "email", subject: "Hello", body: "Hi there" };

/** A team in the middle of a campaign, with a mailbox of which a password is kept. */
async function startTeam(): Promise<{ app: TestApp; campaign: string; account: string }> {
  const app = await startApp();
  const { id: account } = await addAccount(app);
  const smtp = { host: "mail.example", port: 587, security: "starttls", password: "secret-1" };
  await app.call("PATCH", `/accounts/${account}`, { smtp });
  const { id: campaign } = await makeCampaign(app, [STEP, { ...STEP, wait_days: 3 }]);
  await addLeads(
    app,
    campaign,
    ...Array.from({ length: 60 }, (_, n) => `lea@customer-${n}.example`),
  );
  await app.call("POST", "/suppressions", { email: "@blocked.example" });
  await app.call("POST", "/webhooks", { url: "https://hooks.example/" });
  await app.call("POST", `/campaigns/${campaign}/start`);
  await app.advance(3 * DAY_MS);
  return { app, campaign, account };
}

function linesOf({ environments, team }: TestApp, teamId = team.id): string[] {
  const lines: string[] = [];
  exportTeam(environments.test, teamId, (line) => lines.push(line));
  return lines;
}

/** The rows, without what has to differ between two installations. */
function comparable(lines: readonly string[]): unknown[] {
  const differs = ["seq", "event_seq", "since_seq", "secrets", "secret", "previous_secret"];
  return lines.slice(1, -1).flatMap((line) => {
    const [table, cells] = JSON.parse(line) as [string, Record<string, unknown>];
    const kept = Object.entries(cells).filter(
      ([name]) => !(differs.includes(name) || (table === "campaigns" && name.startsWith("status"))),
    );
    return cells["action"] === "team.import" ? [] : [[table, Object.fromEntries(kept)]];
  });
}

test("a team is the same elsewhere, keeps every invariant, and goes on", async () => {
  const { app, campaign } = await startTeam();
  const lines = linesOf(app);
  const tables = new Set(lines.slice(1, -1).map((line) => (JSON.parse(line) as [string])[0]));
  expect(tables.size).toBeGreaterThan(15);
  expect(COPIED_TABLES.filter((name) => tables.has(name)).sort()).toEqual([...tables].sort());

  const other = await startApp({ seed: 2 });
  const env = other.environments.test;
  // Something is there already, so that numbers of events do not fit by chance.
  await other.call("POST", "/campaigns", { name: "Ours" });
  // It is later there.
  await other.advance(4 * DAY_MS);
  const copied = await env.commit(() => importTeam(env, lines, app.environments.test.vault));
  expect(copied).toEqual({ teamId: app.team.id, name: "Acme", rows: lines.length - 2 });
  expect(comparable(linesOf(other, app.team.id))).toEqual(comparable(lines));

  // What simulated servers took before the move is theirs, and stayed.
  expect({ ...contradictions(env.db, app.team.id), sentAndTaken: 0 }).toEqual(
    contradictions(app.environments.test.db, app.team.id),
  );
  const caller = { teamId: app.team.id, actor: "operator", scopes: ["admin"] };
  const { key } = await env.commit(() => createKey(env, caller, { name: "x" }));
  const before = (await other.call("GET", `/campaigns/${campaign}/stats`, undefined, { key })).body;
  expect(before.sent).toBeGreaterThan(0);
  const shown = (await other.call("GET", `/campaigns/${campaign}`, undefined, { key })).body;
  expect(shown).toMatchObject({ status: "paused", status_reason: "manual" });
  const found = await other.call("GET", "/leads?email=lea@customer-7.example", undefined, { key });
  expect(found.body.total).toBe(1);
  const resumed = await other.call("POST", `/campaigns/${campaign}/resume`, undefined, { key });
  expect(resumed).toMatchObject({ status: 200, body: { status: "active" } });
  await other.advance(21 * DAY_MS);
  const after = (await other.call("GET", `/campaigns/${campaign}/stats`, undefined, { key })).body;
  expect(after).toMatchObject({ enrolled: 60, open: 0 });
  expect(after.sent).toBeGreaterThan(before.sent);
  const broken = checkInvariants(env, app.team.id).filter(({ holds }) => !holds);
  expect(broken.map(({ name }) => name)).toEqual([
    "what is recorded as sent is what the servers took",
  ]);
});

test("secrets are sealed anew with the key of this installation", async () => {
  const { app, account } = await startTeam();
  const other = await startApp({ seed: 2 });
  const env = { ...other.environments.test, vault: createVault(new Uint8Array(32).fill(9)) };
  await env.commit(() => importTeam(env, linesOf(app), app.environments.test.vault));
  const row = accountById(env.db, account);
  expect(row && openCredentials(env.vault, row).smtpPassword).toBe("secret-1");
  expect(row?.secrets).not.toBe(accountById(app.environments.test.db, account)?.secrets ?? "");
});

test("without the key of where it comes from, passwords are gone and webhooks are off", async () => {
  const { app, account } = await startTeam();
  const other = await startApp({ seed: 2 });
  const env = other.environments.test;
  await env.commit(() => importTeam(env, linesOf(app), null));
  const row = accountById(env.db, account);
  expect(row?.secrets).toBeNull();
  const active = env.db.raw.query("select active, secret from webhooks").all();
  expect(active).toEqual([{ active: 0, secret: expect.stringMatching(/^v1\./) }]);
});

test("what is not whole, or not for here, changes nothing", async () => {
  const { app } = await startTeam();
  const lines = linesOf(app);
  const other = await startApp({ seed: 2 });
  const env = other.environments.test;
  const wrongKey = createVault(new Uint8Array(32).fill(1));
  const [header = "", ...rows] = lines;
  const cases: [string, string[], ReturnType<typeof createVault> | null][] = [
    ["it's cut off before the end", lines.slice(0, -1), null],
    ["rows are missing", [header, ...rows.slice(1)], null],
    ["it isn't a team export", rows, null],
    ["it isn't a team export", [], null],
    ["a line isn't valid JSON", [header, "[", ...rows], null],
    ["a line isn't a valid row", [header, "[1]", ...rows], null],
    ["another version", [header.replace(/"schema":\d+/, '"schema":0'), ...rows], null],
    [
      "enrollments.due_at is beyond the year 9999",
      lines.map((line) => line.replace(/^(\["enrollments".*"due_at":)\d+/, "$18640000000000000")),
      null,
    ],
    ["the master key can't decrypt its secrets", lines, wrongKey],
  ];
  for (const [why, given, source] of cases) {
    const tried = env.commit(() => importTeam(env, given, source));
    expect(await tried.then(() => "done", String)).toMatch(new RegExp(why, "i"));
    expect(env.db.raw.query("select count(*) as n from leads").get()).toEqual({ n: 0 });
  }
  await env.commit(() => importTeam(env, lines, null));
  const again = env.commit(() => importTeam(env, lines, null));
  expect(await again.then(() => "done", String)).toContain("already exists on this installation");
});
