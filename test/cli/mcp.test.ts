/**
 * Guarantees of `outrider mcp`, by the protocol's official client: a campaign is set up, started, watched,
 * answered and exported by tools alone; what is long comes in pages; a key's limits hold; a live key is
 * refused unless it is said.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startTestServer, type TestServer } from "../support/running-app.ts";
import { run } from "./support.ts";

const ROOT = resolve(import.meta.dir, "../..");
const EXECUTABLE = process.env["OUTRIDER_EXECUTABLE"];
const PROGRAM = EXECUTABLE === undefined ? [process.execPath, "src/main.ts"] : [EXECUTABLE];
/** Of a campaign whose first answer is waited for. */
const WATCHED_DAYS_MAX = 30;
const NOBODY = "0190a5b2-0000-7000-8000-000000000000";

const keys = { admin: "", reader: "", live: "" };
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  keys.admin = await server.keyOf("test");
  keys.reader = await server.keyOf("test", ["campaigns:read"]);
  keys.live = await server.keyOf("live");
});
afterAll(() => server.stop());

type Row = Record<string, unknown>;

interface Assistant extends AsyncDisposable {
  client: Client;
  /** What a tool answers, read as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  use(name: string, input?: Record<string, unknown>): Promise<any>;
  /** A page of rows, and where the next one begins. */
  rows(
    name: string,
    input?: Record<string, unknown>,
  ): Promise<{ rows: Row[]; next: number | null }>;
  /** What is done once its plan is confirmed. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  confirm(name: string, input?: Record<string, unknown>): Promise<any>;
  refusal(name: string, input?: Record<string, unknown>): Promise<string>;
}

async function assistant(key: string, ...args: string[]): Promise<Assistant> {
  const [command = "", ...first] = PROGRAM;
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command,
      args: [...first, "mcp", ...args],
      cwd: ROOT,
      env: { PATH: process.env["PATH"] ?? "", OUTRIDER_URL: server.url, OUTRIDER_KEY: key },
    }),
  );
  const ask = async (name: string, input: Record<string, unknown>) => {
    const { content, isError, structuredContent } = await client.callTool({
      ...{ name, arguments: input },
    });
    const [first] = content as { type: string; text: string }[];
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    return { text: first?.text ?? "", isError: isError === true, answer: structuredContent as any };
  };
  const use = async (name: string, input: Record<string, unknown> = {}) => {
    const { text, isError, answer } = await ask(name, input);
    expect({ name, text: isError ? text : "" }).toEqual({ name, text: "" });
    return answer;
  };
  return {
    client,
    use,
    confirm: async (name, input = {}) => {
      const { confirm } = await use(name, input);
      return (await use(name, { ...input, confirm })).result;
    },
    rows: async (name, input = {}) => {
      const { rows, from_row, next_row } = await use(name, input);
      expect(from_row).toBe(input["from_row"] ?? 0);
      return { rows, next: next_row };
    },
    refusal: async (name, input = {}) => {
      const { text, isError } = await ask(name, input);
      expect(isError).toBe(true);
      return text;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

test("a campaign is set up, started, watched, answered and exported by tools alone", async () => {
  await using ann = await assistant(keys.admin);
  expect(ann.client.getInstructions()).toContain("sandbox");
  await ann.use("create_account", { email: "ann@sender.example", provider: "sandbox" });
  const { id } = await ann.use("create_campaign", { name: "Spring" });
  const content = { subject: "A question", body: "Hello {{ first_name }}" };
  await ann.use("create_campaign_step", { id, type: "email", ...content });
  const leads = Array.from({ length: 60 }, (_, n) => ({
    email: `lea@customer-${n}.example`,
    first_name: "Lea",
  }));
  const added = await ann.use("import_campaign_leads", { id, leads });
  expect(added.result.imported).toBe(60);
  const check = await ann.use("get_campaign_launch_check", { id });
  expect(check).toMatchObject({ ready: true });
  expect((await ann.confirm("start_campaign", { id })).status).toBe("active");

  let stats = await ann.use("get_campaign_stats", { id });
  for (let day = 0; day < WATCHED_DAYS_MAX && stats.replied === 0; day += 1) {
    await ann.use("move_sandbox_clock", { advance: "1d" });
    stats = await ann.use("get_campaign_stats", { id });
  }
  expect(stats.replied).toBeGreaterThan(0);
  const events = await ann.use("list_events", { type: "reply.received" });
  expect(events.data.length).toBeGreaterThan(0);

  const [thread] = (await ann.use("list_inbox_threads", { kind: "reply", limit: 1 })).data;
  const answer = await ann.confirm("reply_to_inbox_thread", {
    id: thread.id,
    body: "Thank you!",
  });
  await ann.use("move_sandbox_clock", { advance: "1d" });
  const sent = { operation: "getMessage", arguments: { id: answer.id } };
  expect(await ann.use("call_operation", sent)).toMatchObject({ status: "sent" });

  const exported = await ann.rows("export_leads", { campaign_id: id });
  expect(exported.next).toBeNull();
  expect(new Set(exported.rows.map(({ email }) => email))).toEqual(
    new Set(leads.map(({ email }) => email)),
  );
  const messages = await ann.rows("export_messages", { campaign_id: id });
  expect(messages.rows.map((row) => row["id"])).toContain(answer.id);
  const results = await ann.rows("export_results", { campaign_id: id });
  stats = await ann.use("get_campaign_stats", { id });
  expect(results.rows).toMatchObject([{ sent: stats.sent, replied: stats.replied }]);

  const found = await ann.use("find_operations", { words: "make a webhook" });
  expect(found.operations.map((one: { operation: string }) => one.operation)).toContain(
    "createWebhook",
  );
  const called = { operation: "createWebhook", arguments: { url: "https://x.example/" } };
  expect((await ann.use("call_operation", called)).events).toEqual(["*"]);
});

test("an export longer than an answer comes in pages, each row once", async () => {
  await using ann = await assistant(keys.admin);
  const { id } = await ann.use("create_campaign", { name: "Long" });
  const notes = "ä".repeat(900);
  const leads = Array.from({ length: 300 }, (_, n) => ({
    email: `max@long-${n}.example`,
    variables: { notes },
  }));
  await ann.use("import_campaign_leads", { id, leads });
  const emails: unknown[] = [];
  let pages = 0;
  for (let next: number | null = 0; next !== null; pages += 1) {
    const page = await ann.rows("export_leads", { campaign_id: id, from_row: next });
    emails.push(...page.rows.map(({ email }) => email));
    next = page.next;
  }
  expect(pages).toBeGreaterThan(2);
  expect(emails).toHaveLength(leads.length);
  expect(new Set(emails)).toEqual(new Set(leads.map(({ email }) => email)));
  const beyond = await ann.rows("export_leads", { campaign_id: id, from_row: 1_000 });
  expect(beyond).toEqual({ rows: [], next: null });
  expect(await ann.refusal("export_leads", { from_row: -1 })).toContain("from_row");
  expect(await ann.refusal("export_leads", { campaign_id: NOBODY })).toContain('"not_found"');
});

describe("A tool's refusal", () => {
  test("is an answer with the API's words, and the connection goes on", async () => {
    await using ann = await assistant(keys.admin);
    expect(await ann.refusal("get_campaign", { id: NOBODY })).toContain('"not_found"');
    expect(await ann.refusal("create_campaign", {})).toContain('"field":"name"');
    expect(await ann.refusal("get_campaign")).toContain('"field":"id"');
    expect(await ann.refusal("fly")).toContain("unknown tool: fly");
    expect(await ann.refusal("call_operation", { operation: "fly" })).toContain("find_operations");
    expect((await ann.use("list_campaigns")).data).toBeArray();
  });

  test("keeps a key to its scopes", async () => {
    await using ann = await assistant(keys.reader);
    expect((await ann.use("list_campaigns")).data).toBeArray();
    const refused = await ann.refusal("create_campaign", { name: "x" });
    expect(refused).toContain('"permission_error"');
  });
});

describe("What is offered", () => {
  test("are tools with a schema and with hints of what they do", async () => {
    await using ann = await assistant(keys.admin);
    const { tools } = await ann.client.listTools();
    expect(tools.length).toBeGreaterThan(40);
    const create = tools.find(({ name }) => name === "create_campaign");
    expect(create?.inputSchema).toMatchObject({ type: "object", required: ["name"] });
    expect(create?.annotations).toMatchObject({ readOnlyHint: false });
    expect(JSON.stringify(tools)).not.toContain("$ref");
  });

  test("changes nothing with --read-only", async () => {
    await using ann = await assistant(keys.admin, "--read-only");
    const { tools } = await ann.client.listTools();
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    expect(tools.map(({ name }) => name)).toContain("list_campaigns");
    const body = { operation: "createCampaign", arguments: { name: "x" } };
    expect(await ann.refusal("call_operation", body)).toContain("unknown operation createCampaign");
  });

  test("is the live environment only where that is said", async () => {
    const refused = await run(["mcp"], {
      env: { OUTRIDER_URL: server.url, OUTRIDER_KEY: keys.live },
    });
    expect(refused).toMatchObject({ exit: 77, out: "" });
    await using ann = await assistant(keys.live, "--live");
    expect(ann.client.getInstructions()).toContain("mail is real");
    expect((await ann.use("list_campaigns")).data).toEqual([]);
  });
});
