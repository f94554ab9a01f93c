/**
 * The node for n8n against the product: every operation, and a trigger from its registration to its end. The
 * host is a small one with the part of n8n that the node uses; how it was run in a real n8n says
 * `docs/adr/events-and-webhooks.md`.
 */

import { afterAll, beforeAll, describe, expect, mock, test } from "bun:test";
import { createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { startTestServer, type TestServer } from "../support/running-app.ts";

const PACKAGE = resolve(import.meta.dir, "../../clients/n8n");

class HostError extends Error {
  readonly httpCode: string | undefined;
  constructor(_node: unknown, error: string | { message: string; httpCode?: string }) {
    super(typeof error === "string" ? error : error.message);
    this.httpCode = typeof error === "string" ? undefined : error.httpCode;
  }
}
mock.module("n8n-workflow", () => ({
  NodeApiError: HostError,
  NodeOperationError: HostError,
  NodeConnectionTypes: { Main: "main" },
}));

type Json = Record<string, unknown>;
type Loaded = Record<string, new () => Json>;

const load = async (file: string): Promise<Json> =>
  new (Object.values((await import(join(PACKAGE, file))) as Loaded)[0] as new () => Json)();

let server: TestServer;
let key: string;
let node: Json;
let trigger: Json;
let credential: Json;

beforeAll(async () => {
  server = await startTestServer({ allow_cidrs: "127.0.0.0/8" });
  key = await server.keyOf("test");
  node = await load("nodes/Outrider/Outrider.node.ts");
  trigger = await load("nodes/Outrider/OutriderTrigger.node.ts");
  credential = await load("credentials/OutriderApi.credentials.ts");
});
afterAll(() => server.stop());

interface Call {
  method: string;
  url: string;
  qs?: Json;
  body?: Json;
}

/** As n8n's: signs in as the credential says, and throws for a refusal with its status as text. */
async function authenticated(
  _type: string,
  { method, url, qs = {}, body }: Call,
): Promise<unknown> {
  const { properties } = credential["authenticate"] as {
    properties: { headers: Record<string, string> };
  };
  const headers = Object.fromEntries(
    Object.entries(properties.headers).map(([name, value]) => [
      name,
      value.replace(/^=/, "").replace("{{$credentials.apiKey}}", key),
    ]),
  );
  const target = new URL(url);
  for (const [name, value] of Object.entries(qs)) {
    target.searchParams.set(name, String(value));
  }
  const response = await fetch(target, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) {
    const message = (JSON.parse(text) as { message: string }).message;
    throw Object.assign(new Error(message), { httpCode: String(response.status) });
  }
  return text === "" ? "" : JSON.parse(text);
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
type Body = any;

const api = (method: string, path: string, body?: Json): Promise<Body> =>
  authenticated("", { method, url: `${server.url}/api/v1${path}`, ...(body && { body }) });

interface Hosted {
  parameters: Json;
  items?: number;
  continueOnFail?: boolean;
  staticData?: Json;
  webhookUrl?: string;
}

function host(given: Hosted): Json {
  return {
    getNode: () => ({ name: "Outrider" }),
    getWorkflow: () => ({ name: "Replies" }),
    getCredentials: async () => ({ url: `${server.url}/`, apiKey: key }),
    getInputData: () => Array.from({ length: given.items ?? 1 }, () => ({ json: {} })),
    getNodeParameter: (name: string) => given.parameters[name],
    getNodeWebhookUrl: () => given.webhookUrl,
    getWorkflowStaticData: () => given.staticData,
    continueOnFail: () => given.continueOnFail ?? false,
    helpers: { httpRequestWithAuthentication: authenticated },
  };
}

/** What an operation gives for one item. */
async function run(resource: string, operation: string, parameters: Json = {}, more: object = {}) {
  const context = host({ parameters: { resource, operation, ...parameters }, ...more });
  const execute = node["execute"] as (this: Json) => Promise<{ json: Body }[][]>;
  const [rows = []] = await execute.call(context);
  return rows.map(({ json }) => json);
}

const ALL = { returnAll: true };

describe("the node", () => {
  test("does each of its operations", async () => {
    const done = new Set<string>();
    const does = async (resource: string, operation: string, parameters: Json = {}) => {
      done.add(`${resource}.${operation}`);
      return await run(resource, operation, parameters);
    };
    const account = await api("POST", "/accounts", { email: "ann@s.example", provider: "smtp" });
    const [{ id: campaignId }] = await does("campaign", "create", { name: "Spring" });
    await api("POST", `/campaigns/${campaignId}/steps`, {
      type: "email",
      subject: "Hello",
      body: "Hello",
    });
    await api("PATCH", `/campaigns/${campaignId}`, { account_ids: [account.id] });
    const lead = {
      campaignId,
      email: "bob@client.example",
      fields: { company: "Client", phone: "", variables: '{"plan":"pro"}' },
    };
    expect(await does("lead", "addToCampaign", lead)).toMatchObject([{ imported: 1 }]);
    const [found] = await does("lead", "getAll", { search: "", ...ALL });
    expect(found).toMatchObject({ company: "Client", phone: null, variables: { plan: "pro" } });
    const leadId = found.id;
    await does("lead", "update", { leadId, fields: { company: "Acme" } });
    expect(await does("lead", "get", { leadId })).toMatchObject([{ company: "Acme" }]);
    expect(await does("campaign", "getStats", { campaignId })).toMatchObject([{ sent: 0 }]);
    expect(await does("campaign", "start", { campaignId })).toMatchObject([{ status: "active" }]);
    expect(await does("campaign", "pause", { campaignId })).toMatchObject([{ status: "paused" }]);
    expect(await does("campaign", "get", { campaignId })).toMatchObject([{ name: "Spring" }]);
    expect(await does("campaign", "getAll", { returnAll: false, limit: 1 })).toHaveLength(1);
    const email = "eve@client.example";
    expect(await does("suppression", "create", { email })).toMatchObject([{ email }]);
    expect(await does("suppression", "check", { email })).toMatchObject([{ suppressed: true }]);
    // The mailbox is read once before, so that what comes then is new.
    await api("POST", "/sandbox/clock", { advance: "1h" });
    const from = lead.email;
    const reply = { kind: "reply", account_id: account.id, from, text: "Hello there" };
    await api("POST", "/sandbox/inject", reply);
    await api("POST", "/sandbox/clock", { advance: "1h" });
    const [thread] = await does("conversation", "getAll", ALL);
    expect(thread).toMatchObject({ from_address: from });
    const text = "Hello yourself";
    expect(await does("conversation", "reply", { conversationId: thread.id, text })).toMatchObject([
      { text: expect.stringContaining(text) },
    ]);
    // The reply that was just written must be out before its lead can go.
    await api("POST", "/sandbox/clock", { advance: "1h" });
    expect(await does("lead", "delete", { leadId })).toEqual([{ deleted: true }]);
    const { OPERATIONS } = (await import(join(PACKAGE, "nodes/Outrider/operations.ts"))) as {
      OPERATIONS: { resource: string; value: string }[];
    };
    expect([...done].toSorted()).toEqual(
      OPERATIONS.map(({ resource, value }) => `${resource}.${value}`).toSorted(),
    );
  });

  test("turns pages until it has what was asked for", async () => {
    const leads = Array.from({ length: 250 }, (_, n) => ({ email: `l${n}@many.example` }));
    const { id } = await api("POST", "/campaigns", { name: "Many" });
    await api("POST", `/campaigns/${id}/leads`, { leads });
    const rows = await run("lead", "getAll", { search: "", returnAll: false, limit: 240 });
    expect(new Set(rows.map(({ email }) => email)).size).toBe(240);
  });

  test("gives the server's words for a refusal, or goes on where the workflow says so", async () => {
    const wrong = { email: "not an address" };
    await expect(run("suppression", "create", wrong)).rejects.toThrow(/address/);
    const rows = await run("suppression", "create", wrong, { items: 2, continueOnFail: true });
    expect(rows).toEqual([
      { error: expect.stringMatching(/address/) },
      { error: expect.stringMatching(/address/) },
    ]);
  });
});

describe("the trigger", () => {
  type Methods = Record<"checkExists" | "create" | "delete", (this: Json) => Promise<boolean>>;
  const methods = () => (trigger["webhookMethods"] as { default: Methods }).default;
  const secretOf = (data: Json) => Buffer.from(String(data["secret"]).slice(6), "base64");

  interface Heard {
    status: number | undefined;
    items: unknown;
  }

  /** What n8n does with a request to the webhook's URL. */
  async function hear(staticData: Json, request: Request): Promise<Heard> {
    const rawBody = Buffer.from(await request.arrayBuffer());
    const heard: Heard = { status: undefined, items: undefined };
    const response = {
      status: (status: number) => {
        heard.status = status;
        return response;
      },
      json: () => response,
    };
    const webhook = trigger["webhook"] as (this: Json) => Promise<{ workflowData?: unknown }>;
    const result = await webhook.call({
      ...host({ parameters: {}, staticData }),
      getRequestObject: () => ({ rawBody }),
      getResponseObject: () => response,
      getHeaderData: () => Object.fromEntries(request.headers),
      getBodyData: () => JSON.parse(rawBody.toString()),
    });
    heard.items = result.workflowData;
    return heard;
  }

  test("registers a webhook, starts for each event once, refuses what is forged, and leaves nothing", async () => {
    const staticData: Json = {};
    const heard: Heard[] = [];
    const arrived = Promise.withResolvers<void>();
    const receiver = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async (request) => {
        const one = await hear(staticData, request);
        heard.push(one);
        arrived.resolve();
        return new Response("", { status: one.status ?? 500 });
      },
    });
    const parameters = { events: ["suppression.created"], include: ["lead"], campaignIds: [] };
    const webhookUrl = `http://127.0.0.1:${receiver.port}/webhook/1`;
    const context = host({ parameters, staticData, webhookUrl });
    expect(await methods().checkExists.call(context)).toBe(false);
    expect(await methods().create.call(context)).toBe(true);
    expect(await methods().checkExists.call(context)).toBe(true);
    expect(
      await methods().checkExists.call(
        host({ parameters, staticData, webhookUrl: "https://x.example/" }),
      ),
    ).toBe(false);
    expect((await api("GET", "/webhooks")).data).toMatchObject([
      { url: webhookUrl, name: "n8n: Replies", events: ["suppression.created"], include: ["lead"] },
    ]);
    await api("POST", "/suppressions", { email: "mia@client.example" });
    await arrived.promise;
    expect(heard).toMatchObject([
      {
        status: 200,
        items: [[{ json: { type: "suppression.created", included: { lead: null } } }]],
      },
    ]);
    const check = await api("POST", `/webhooks/${staticData["webhookId"]}/check`);
    expect(check.passed).toBe(true);
    // Twelve of the month, one with two signatures, and one with unknown fields; no repeat.
    expect(heard.filter(({ items }) => items !== undefined)).toHaveLength(1 + 14);
    expect(await methods().delete.call(context)).toBe(true);
    expect((await api("GET", "/webhooks")).data).toEqual([]);
    expect(staticData["secret"]).toBeUndefined();
    await receiver.stop(true);
  });

  test("doesn't mind a webhook that somebody has deleted", async () => {
    const staticData: Json = {};
    const parameters = { events: ["*"], include: [], campaignIds: [] };
    const context = host({ parameters, staticData, webhookUrl: "https://n8n.example.com/w" });
    await methods().create.call(context);
    await api("DELETE", `/webhooks/${staticData["webhookId"]}`);
    expect(await methods().checkExists.call(context)).toBe(false);
    expect(await methods().delete.call(context)).toBe(true);
  });

  test("starts nothing before it is registered, nor for the right signature of another body", async () => {
    const request = (staticData: Json) => {
      const [id, time] = ["1", String(Math.floor(Date.now() / 1000))];
      const mac = createHmac("sha256", secretOf(staticData)).update(`${id}.${time}.{}`);
      return new Request("http://127.0.0.1/", {
        method: "POST",
        headers: {
          "webhook-id": id,
          "webhook-timestamp": time,
          "webhook-signature": `v1,${mac.digest("base64")}`,
        },
        body: '{"id":"1"}',
      });
    };
    const none = { secret: "whsec_" };
    expect(await hear({}, request(none))).toEqual({ status: 401, items: undefined });
    const known = { secret: `whsec_${Buffer.alloc(24, 1).toString("base64")}` };
    expect(await hear(known, request(known))).toEqual({ status: 401, items: undefined });
  });

  test("offers the events and campaigns that the server has", async () => {
    const { loadOptions } = trigger["methods"] as {
      loadOptions: Record<string, (this: Json) => Promise<{ value: string }[]>>;
    };
    const values = async (name: string) =>
      ((await loadOptions[name]?.call(host({ parameters: {} }))) ?? []).map(({ value }) => value);
    expect(await values("getEvents")).toEqual(
      expect.arrayContaining(["*", "reply.*", "reply.received"]),
    );
    await api("POST", "/campaigns", { name: "To select" });
    expect((await values("getCampaigns")).length).toBeGreaterThan(0);
  });
});

test("the package names files that its build makes", () => {
  const { n8n, keywords } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  expect(keywords).toContain("n8n-community-node-package");
  const made = ["credentials", "nodes/Outrider"].flatMap((folder) =>
    readdirSync(join(PACKAGE, folder)).map(
      (file) => `dist/${folder}/${file.replace(/\.ts$/, ".js")}`,
    ),
  );
  expect(made).toEqual(expect.arrayContaining([...n8n.credentials, ...n8n.nodes]));
});
