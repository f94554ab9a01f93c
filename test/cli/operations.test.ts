/**
 * Guarantees of the commands made of the API: every operation has one, under a name of its own; a
 * campaign is set up, run, watched, answered and written out by the command line alone; what is wrong
 * ends with the right code and leaves stdout empty.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandName, ELSEWHERE, placeholders } from "#cli/requests/operation-names.ts";
import { loadApi } from "#cli/requests/operations.ts";
import { COMMANDS } from "#cli/table.ts";
import { startTestServer, type TestServer } from "../support/running-app.ts";
import { run } from "./support.ts";

const NOBODY = "0190a5b2-0000-7000-8000-000000000000";
/** Of a campaign whose first answer is waited for. */
const WATCHED_DAYS_MAX = 30;
let server: TestServer;
let dir: string;
let env: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer();
  dir = server.dir;
  env = { OUTRIDER_URL: server.url, OUTRIDER_KEY: await server.keyOf("test") };
});
afterAll(() => server.stop());

const cli = (...args: string[]) => run(args, { env, workingDir: dir });

/** What a command that has to succeed prints, read as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function json(...args: string[]): Promise<any> {
  const { exit, out, err } = await cli(...args, "--json");
  expect({ args, exit, err }).toEqual({ args, exit: 0, err: "" });
  return JSON.parse(out);
}

describe("Names", () => {
  test("every operation has one of its own, with a word for each id in its path", async () => {
    const { operations } = await loadApi();
    const made = operations.filter(({ id }) => !ELSEWHERE.has(id));
    const names = made.map((operation) => commandName(operation, operations));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(
      names.filter((name) => !/^[a-z]+(-[a-z]+)*( [a-z]+(-[a-z]+)*){0,3}$/.test(name)),
    ).toEqual([]);
    for (const { path } of made) {
      const words = placeholders(path);
      expect([path, new Set(words).size]).toEqual([path, path.split("{").length - 1]);
    }
    expect([...ELSEWHERE].filter((id) => !operations.some((one) => one.id === id))).toEqual([]);
  });

  test("only where a command asks the data directory instead does the table stand before one", async () => {
    const { operations } = await loadApi();
    const names = operations.map((operation) => commandName(operation, operations));
    const shadowed = Object.keys(COMMANDS).filter((name) => names.includes(name));
    expect(shadowed.sort()).toEqual(["keys create", "keys list"]);
  });

  test("help of each shows its words and its fields", async () => {
    const step = await cli("campaigns", "steps", "update", "--help");
    expect(step.out).toContain("Usage: outrider campaigns steps update CAMPAIGN STEP [options]");
    expect(step.out).toContain("--wait-days NUMBER");
    expect(step.out).toContain("--body TEXT|@FILE");
    expect((await cli("campaigns", "--help")).out).toContain("campaigns launch-check CAMPAIGN");
    expect((await cli("help")).out).toContain("campaigns, stats, attention, deleted, leads");
    const { commands } = await json("help");
    expect(commands.length).toBeGreaterThan(150);
  });
});

test("a campaign is set up, started, watched, answered and written out", async () => {
  await json("accounts", "create", "--email", "ann@sender.example", "--provider", "sandbox");
  const campaign = await json(
    ...["campaigns", "create", "--name", "Spring", "--send-window.start-hour", "8"],
    ...["--send-window.days", "monday,tuesday,wednesday,thursday,friday", "--evergreen", "false"],
  );
  expect(campaign.send_window).toMatchObject({ start_hour: 8, end_hour: 17 });
  expect(campaign.evergreen).toBe(false);
  const id = campaign.id as string;
  writeFileSync(join(dir, "step.txt"), "Hello {{ first_name }},\n\na question.\n");
  const step = await json(
    ...["campaigns", "steps", "create", id, "--type", "email"],
    ...["--subject", "A question", "--body", "@step.txt"],
  );
  expect(step.body).toBe("Hello {{ first_name }},\n\na question.\n");
  const rows = Array.from({ length: 120 }, (_, n) => `lead-${n}@customer-${n}.example,Lea ${n}`);
  writeFileSync(join(dir, "leads.csv"), `email,first_name\n${rows.join("\n")}\n`);
  expect((await json("leads", "import", "leads.csv", "--campaign", id)).imported).toBe(120);
  const why = await cli("why", "lead-0@customer-0.example");
  expect(why.exit).toBe(0);
  expect(why.out).toMatch(/^Spring: .*\n$/);

  expect((await json("campaigns", "start", id)).status).toBe("active");
  let stats = await json("campaigns", "stats", id);
  for (let day = 0; day < WATCHED_DAYS_MAX && stats.replied === 0; day += 1) {
    await json("sandbox", "clock", "move", "--advance", "1d");
    stats = await json("campaigns", "stats", id);
  }
  expect(stats.replied).toBeGreaterThan(0);
  expect((await json("events", "list", "--type", "reply.received")).data).not.toEqual([]);
  await json("sandbox", "clock", "move", "--advance", "21d");
  stats = await json("campaigns", "stats", id);
  expect(stats.sent).toBe(120);

  const table = await cli("campaigns", "list");
  expect(table.out.split("\n")[0]).toMatch(/^id +name +status/);
  expect(table.out).toContain("Spring");
  const page = await cli("campaigns", "leads", "list", id, "--columns", "email,status");
  expect(page.out.split("\n")[0]).toMatch(/^email +status$/);
  expect(page.err).toMatch(/^50 of 120; continue with --after .+\n$/);
  const all = await json("campaigns", "leads", "list", id, "--all");
  expect(new Set(all.data.map((one: { email: string }) => one.email)).size).toBe(120);

  const [thread] = (await json("inbox", "threads", "list")).data;
  const answer = await json("inbox", "threads", "reply", thread.id, "--body", "Thank you!");
  await json("sandbox", "clock", "move", "--advance", "1d");
  expect(await json("messages", "get", answer.id)).toMatchObject({ status: "sent" });
  expect((await cli("inbox", "threads", "get", thread.id)).out).toContain("Thank you!");

  await cli("exports", "messages", "--format", "ndjson", "--output", "messages.ndjson");
  const lines = readFileSync(join(dir, "messages.ndjson"), "utf8").trim().split("\n");
  expect(lines.length).toBeGreaterThanOrEqual(120);
  const leads = await cli("leads", "export", "--campaign", id);
  expect(leads.out.trim().split("\n")).toHaveLength(121);
  const results = await cli("exports", "results", "--campaign-id", id);
  const [headings, figures, ...more] = results.out.trim().split("\n");
  const at = headings?.split(",").indexOf("sent") ?? -1;
  expect({ sent: figures?.split(",")[at], more }).toEqual({ sent: "120", more: [] });
  expect((await cli("campaigns", "get", id)).out).toMatch(/^send_window\.timezone +UTC$/m);
});

describe("A body", () => {
  test("comes from a file, and options go over it", async () => {
    const body = { name: "From a file", max_leads_per_day: 7, send_window: { start_hour: 6 } };
    writeFileSync(join(dir, "body.json"), JSON.stringify(body));
    const made = await json(
      ...["campaigns", "create", "--input", "body.json", "--name", "Other"],
      ...["--send-window.end-hour", "12"],
    );
    expect(made).toMatchObject({ name: "Other", max_leads_per_day: 7 });
    expect(made.send_window).toMatchObject({ start_hour: 6, end_hour: 12 });
    const cleared = await json("campaigns", "update", made.id, "--daily-limit", "null");
    expect(cleared.daily_limit).toBeNull();
    const only = await cli("campaigns", "get", made.id, "--only", "send_window.end_hour");
    expect(only).toEqual({ exit: 0, out: "12\n", err: "" });
    expect((await cli("campaigns", "get", made.id, "--only", "nothing")).exit).toBe(64);
    const raw = await cli("api", "get", `/campaigns/${made.id}`);
    expect(JSON.parse(raw.out).id).toBe(made.id);
    const gone = await cli("campaigns", "delete", made.id, "--yes");
    expect(gone).toEqual({ exit: 0, out: "", err: "" });
  });

  test("may be a list of words, of records, and text that begins with an at sign", async () => {
    const [made] = [await json("campaigns", "create", "--name", "x")];
    const added = await json(
      ...["campaigns", "leads", "add", made.id],
      ...["--leads", '[{"email": "b@b.example"}, {"email": "nobody"}]'],
    );
    expect(added).toMatchObject({ imported: 1, skipped: 0 });
    expect(added.errors).toHaveLength(1);
    const domain = await json("suppressions", "create", "--email", "@b.example");
    expect(domain.email).toBe("@b.example");
  });
});

describe("Ends with", () => {
  const cases: [code: number, about: string, args: string[], env?: Record<string, string>][] = [
    [64, "a field that is no number", ["campaigns", "create", "--max-leads-per-day", "many"]],
    [64, "no JSON", ["campaigns", "create", "--send-window", "{"]],
    [64, "an unknown option", ["campaigns", "create", "--nam", "x"]],
    [64, "a field the server refuses", ["campaigns", "create", "--name", ""]],
    [64, "a deletion without --yes", ["campaigns", "delete", NOBODY]],
    [64, "an id too few", ["campaigns", "get"]],
    [64, "half a command", ["campaigns", "steps"]],
    [64, "bytes for a terminal", ["messages", "raw", NOBODY]],
    [64, "an odd request", ["api", "GET", "campaigns"]],
    [65, "a file that is not there", ["campaigns", "create", "--input", "nowhere.json"]],
    [65, "leads that are not there", ["imports", "preview", "--file", "nowhere.csv"]],
    [1, "nothing of that id", ["campaigns", "get", NOBODY]],
    [1, "nobody of that address", ["why", "nobody@nowhere.example"]],
    [77, "a wrong key", ["campaigns", "list"], { OUTRIDER_KEY: "outrider_test_wrong" }],
    [69, "no server", ["campaigns", "list", "--server", "http://127.0.0.1:9"]],
    [69, "no server", ["wait", "--timeout", "1", "--server", "http://127.0.0.1:9"]],
  ];
  test.each(cases)("%d: %s", async (code, _, args, change = {}) => {
    const { exit, out, err } = await run(args, { env: { ...env, ...change }, workingDir: dir });
    expect({ exit, out, said: err.startsWith("outrider: ") }).toEqual({
      exit: code,
      out: "",
      said: true,
    });
  });
});

test("text from the data moves no cursor, and there is no colour in a pipe", async () => {
  const [made] = [await json("campaigns", "create", "--name", "‮evil")];
  const { out } = await cli("campaigns", "get", made.id);
  expect(out).toContain("\\u202eevil");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
  expect(out).not.toMatch(/[\u001b\u202e]/);
});
