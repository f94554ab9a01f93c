/**
 * Guarantees of `outrider mcp`, by the protocol's official client: a campaign is set up, run, watched and
 * answered by tools alone; a key's limits hold; a live key is refused unless it is said.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type RunningApp, startApp } from "#app.ts";
import { readConfig } from "#config.ts";
import { silentLog } from "#runtime/log.ts";
import { createKey } from "#usecases/keys.ts";
import { firstTeam, mirrorTeam } from "#usecases/teams.ts";
import { run } from "./support.ts";

const ROOT = resolve(import.meta.dir, "../..");
const EXECUTABLE = process.env["OUTRIDER_EXECUTABLE"];
const PROGRAM = EXECUTABLE === undefined ? [process.execPath, "src/main.ts"] : [EXECUTABLE];
const NOBODY = "0190a5b2-0000-7000-8000-000000000000";

const dir = mkdtempSync(join(tmpdir(), "outrider-mcp-"));
const keys = { admin: "", reader: "", live: "" };
let app: RunningApp;

beforeAll(async () => {
  const { config } = readConfig({
    flags: { data: join(dir, "data"), port: "0", rate_limit: "0" },
    env: {},
    workingDir: dir,
  });
  app = await startApp(config, { log: silentLog });
  const { live, test: sandbox } = app.worlds;
  const team = await live.commit(() => firstTeam(live));
  await sandbox.commit(() => mirrorTeam(sandbox, team));
  const caller = { teamId: team.id, actor: "operator", scopes: ["admin"] };
  const make = (world: typeof live, scopes: string[]) =>
    world.commit(() => createKey(world, caller, { name: "mcp", scopes }).key);
  keys.admin = await make(sandbox, ["admin"]);
  keys.reader = await make(sandbox, ["campaigns:read"]);
  keys.live = await make(live, ["admin"]);
});
afterAll(async () => {
  await app.stop();
  rmSync(dir, { recursive: true, force: true });
});

interface Assistant extends AsyncDisposable {
  client: Client;
  /** What a tool answers, read as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  use(name: string, input?: Record<string, unknown>): Promise<any>;
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
      env: { PATH: process.env["PATH"] ?? "", OUTRIDER_URL: app.url, OUTRIDER_KEY: key },
    }),
  );
  const ask = async (name: string, input: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [first] = content as { type: string; text: string }[];
    return { text: first?.text ?? "", isError: isError === true };
  };
  return {
    client,
    use: async (name, input = {}) => {
      const { text, isError } = await ask(name, input);
      expect({ name, text: isError ? text : "" }).toEqual({ name, text: "" });
      return text === "done" ? undefined : JSON.parse(text);
    },
    refusal: async (name, input = {}) => {
      const { text, isError } = await ask(name, input);
      expect(isError).toBe(true);
      return text;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

test("a campaign is set up, started, watched and answered by tools alone", async () => {
  await using ann = await assistant(keys.admin);
  expect(ann.client.getInstructions()).toContain("sandbox");
  await ann.use("create_account", { body: { email: "ann@sender.example", provider: "sandbox" } });
  const { id } = await ann.use("create_campaign", { body: { name: "Spring" } });
  const body = { type: "email", subject: "A question", body: "Hello {{ first_name }}" };
  await ann.use("create_campaign_step", { id, body });
  const leads = Array.from({ length: 60 }, (_, n) => ({
    email: `lea@customer-${n}.example`,
    first_name: "Lea",
  }));
  const added = await ann.use("import_campaign_leads", { id, body: { leads } });
  expect(added.imported).toBe(60);
  const check = await ann.use("get_campaign_launch_check", { id });
  expect(check).toMatchObject({ ready: true });
  expect((await ann.use("start_campaign", { id })).status).toBe("active");
  await ann.use("move_sandbox_clock", { body: { advance: "14d" } });
  const stats = await ann.use("get_campaign_stats", { id });
  expect(stats.sent).toBe(60);
  expect(stats.replied).toBeGreaterThan(0);
  const [thread] = (await ann.use("list_inbox_threads", { limit: 1 })).data;
  const answer = await ann.use("reply_to_inbox_thread", {
    id: thread.id,
    body: { body: "Thank you!" },
  });
  expect(answer.id).toBeString();

  const found = await ann.use("find_operations", { words: "make a webhook" });
  expect(found.map((one: { operation: string }) => one.operation)).toContain("createWebhook");
  const called = { operation: "createWebhook", arguments: { body: { url: "https://x.example/" } } };
  expect((await ann.use("call_operation", called)).events).toEqual(["*"]);
});

describe("A tool's refusal", () => {
  test("is an answer with the API's words, and the connection goes on", async () => {
    await using ann = await assistant(keys.admin);
    expect(await ann.refusal("get_campaign", { id: NOBODY })).toContain('"not_found"');
    expect(await ann.refusal("create_campaign", { body: {} })).toContain('"field":"name"');
    expect(await ann.refusal("get_campaign")).toBe("id is required");
    expect(await ann.refusal("fly")).toContain("no tool fly");
    expect(await ann.refusal("call_operation", { operation: "fly" })).toContain("find_operations");
    expect((await ann.use("list_campaigns")).data).toBeArray();
  });

  test("keeps a key to its scopes", async () => {
    await using ann = await assistant(keys.reader);
    expect((await ann.use("list_campaigns")).data).toBeArray();
    const refused = await ann.refusal("create_campaign", { body: { name: "x" } });
    expect(refused).toContain('"permission_error"');
  });
});

describe("What is offered", () => {
  test("are tools with a schema and with hints of what they do", async () => {
    await using ann = await assistant(keys.admin);
    const { tools } = await ann.client.listTools();
    expect(tools.length).toBeGreaterThan(40);
    const create = tools.find(({ name }) => name === "create_campaign");
    expect(create?.inputSchema).toMatchObject({ type: "object", required: ["body"] });
    expect(create?.annotations).toMatchObject({ readOnlyHint: false });
    expect(JSON.stringify(tools)).not.toContain("$ref");
  });

  test("changes nothing with --read-only", async () => {
    await using ann = await assistant(keys.admin, "--read-only");
    const { tools } = await ann.client.listTools();
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    expect(tools.map(({ name }) => name)).toContain("list_campaigns");
    const body = { operation: "createCampaign", arguments: { body: { name: "x" } } };
    expect(await ann.refusal("call_operation", body)).toContain("no operation createCampaign");
  });

  test("is the live world only where that is said", async () => {
    const refused = await run(["mcp"], { env: { OUTRIDER_URL: app.url, OUTRIDER_KEY: keys.live } });
    expect(refused).toMatchObject({ exit: 77, out: "" });
    await using ann = await assistant(keys.live, "--live");
    expect(ann.client.getInstructions()).toContain("mail is real");
    expect((await ann.use("list_campaigns")).data).toEqual([]);
  });
});
