/**
 * Guarantees of the TypeScript client: its types are those of today's document; the package as the
 * server hands it out drives a campaign from its setup to its export, in Node; nothing is done twice by trying
 * again; a webhook is believed only with its signature.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Webhook } from "standardwebhooks";
import { VERSION } from "#app/version.ts";
import { clientSources } from "../../.ci/client.ts";
import {
  etagOf,
  type Options,
  OutriderError,
  OutriderUnreachable,
  outrider,
  pages,
  verifyWebhook,
} from "../../clients/typescript/src/index.ts";
import { startTestServer, type TestServer } from "../support/running-app.ts";

const ROOT = resolve(import.meta.dir, "../..");
const PACKAGE = join(ROOT, "clients/typescript");
const NOBODY = "0190a5b2-0000-7000-8000-000000000000";
let server: TestServer;
let dir: string;
let key: string;

beforeAll(async () => {
  server = await startTestServer();
  dir = server.dir;
  key = await server.keyOf("test");
});
afterAll(() => server.stop());

test("the generated halves of all clients are those of today's document, and of this version", async () => {
  // When this fails: bun .ci/client.ts
  const sources = Object.entries(await clientSources());
  const stale = sources.filter(([file, source]) => source !== readFileSync(file, "utf8"));
  expect(stale.map(([file]) => file)).toEqual([]);
  const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  const project = readFileSync(join(ROOT, "clients/python/pyproject.toml"), "utf8");
  // Python writes pre-releases in its own way (PEP 440).
  const inPython = VERSION.replace("-rc.", "rc");
  expect([version, /^version = "(.*)"$/m.exec(project)?.[1]]).toEqual([VERSION, inPython]);
});

function run(command: readonly string[], cwd: string, env: Record<string, string> = {}): string {
  const { PATH = "", HOME = "" } = process.env;
  const ran = Bun.spawnSync([...command], { cwd, env: { PATH, HOME, ...env } });
  const said = `${ran.stdout}\n${ran.stderr}`;
  expect({ command, exit: ran.exitCode, said: ran.exitCode === 0 ? "" : said }).toEqual({
    ...{ command, exit: 0, said: "" },
  });
  return ran.stdout.toString();
}

async function runInNode(code: string): Promise<string> {
  writeFileSync(join(dir, "user/main.mjs"), code);
  const { PATH = "" } = process.env;
  const child = Bun.spawn(["node", "main.mjs"], {
    cwd: join(dir, "user"),
    env: { PATH, OUTRIDER_URL: server.url, OUTRIDER_KEY: key },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  return out;
}

describe("The package as the server hands it out", () => {
  beforeAll(async () => {
    const user = join(dir, "user");
    mkdirSync(user);
    const file = join(user, "typescript.tgz");
    writeFileSync(file, await (await fetch(`${server.url}/sdk/typescript.tgz`)).bytes());
    const install = ["npm", "install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts"];
    run([...install, "./typescript.tgz"], user);
  });

  test("sets up, starts, watches, answers and exports a campaign, by itself", async () => {
    const out = await runInNode(`
      import { outrider, pages } from "outrider-client";
      const api = outrider({ url: process.env.OUTRIDER_URL, key: process.env.OUTRIDER_KEY });
      await api.createAccount({ body: { email: "ann@sender.example", provider: "sandbox" } });
      const { id } = await api.createCampaign({ body: { name: "Spring" } });
      await api.createCampaignStep({ id, body: { type: "email", subject: "A question", body: "Hi" } });
      const lines = Array.from({ length: 120 }, (_, n) => "lea@customer-" + n + ".example");
      const file = { body: "email\\n" + lines.join("\\n"), contentType: "text/csv" };
      const { imported } = await api.importCampaignFile({ id, ...file });
      await api.startCampaign({ id });
      let watched = await api.getCampaignStats({ id });
      for (let day = 0; day < 30 && watched.replied === 0; day += 1) {
        await api.moveSandboxClock({ body: { advance: "1d" } });
        watched = await api.getCampaignStats({ id });
      }
      const events = await api.listEvents({ type: "reply.received" });
      await api.moveSandboxClock({ body: { advance: "21d" } });
      const stats = await api.getCampaignStats({ id });
      const [thread] = (await api.listInboxThreads({ limit: 1 })).data;
      const answer = await api.replyToInboxThread({ id: thread.id, body: { body: "Thanks" } });
      await api.moveSandboxClock({ body: { advance: "1d" } });
      const { status } = await api.getMessage({ id: answer.id });
      const leads = [];
      for await (const lead of pages(api.listCampaignLeads, { id, limit: 50 })) leads.push(lead.email);
      const csv = await (await api.exportLeads({ campaign_id: id })).text();
      const rows = async (file) =>
        (await file.text()).trim().split("\\n").map((line) => JSON.parse(line));
      const messages = await rows(await api.exportMessages({ campaign_id: id, format: "ndjson" }));
      const results = await rows(await api.exportResults({ campaign_id: id, format: "ndjson" }));
      console.log(JSON.stringify({
        imported, sent: stats.sent, status,
        replied: watched.replied > 0 && events.data.length > 0,
        leads: new Set(leads).size, lines: csv.trim().split("\\n").length,
        answered: messages.some((one) => one.id === answer.id), results: results.map((one) => one.sent),
      }));
    `);
    expect(JSON.parse(out)).toEqual({
      ...{ imported: 120, sent: 120, status: "sent", replied: true },
      ...{ leads: 120, lines: 121, answered: true, results: [120] },
    });
  });

  test("does what its README shows", async () => {
    const readme = readFileSync(join(PACKAGE, "README.md"), "utf8");
    const [, shown = ""] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
    const code = new Bun.Transpiler({ loader: "ts" }).transformSync(shown);
    const lines = (await runInNode(code)).trim().split("\n");
    expect(lines).toContain("lea@customer.example");
    expect(lines.at(-1)).toBe("no such campaign");
  });
});

describe("A refusal", () => {
  test("is an error with the API's words", async () => {
    const api = outrider({ url: server.url, key });
    const error = await api.createCampaign({ body: { name: "" } }).catch((caught) => caught);
    expect(error).toBeInstanceOf(OutriderError);
    expect(error).toMatchObject({ type: "validation_error", status: 422, field: "name" });
    expect(error.requestId).toBeString();
    const missing = await api.getCampaign({ id: NOBODY }).catch((caught) => caught);
    expect(missing).toMatchObject({ type: "not_found", message: "no such campaign" });
  });

  test("comes where somebody else has changed the record that was read", async () => {
    const api = outrider({ url: server.url, key });
    const { id } = await api.createCampaign({ body: { name: "First" } });
    const read = await api.getCampaign({ id });
    const changed = await api.patchCampaign({ id, body: { name: "Second" } });
    const late = api.patchCampaign({ id, body: { name: "Third" } }, { ifMatch: etagOf(read) });
    expect(await late.catch((caught) => caught)).toMatchObject({ type: "precondition_failed" });
    const next = { ifMatch: etagOf(changed) };
    expect((await api.patchCampaign({ id, body: { name: "Third" } }, next)).name).toBe("Third");
  });

  test("comes before the request where an id is missing", () => {
    const api = outrider({ url: server.url, key });
    expect(api.getCampaign({ id: "" })).rejects.toThrow("id is required");
  });
});

describe("Trying again", () => {
  const broken = new TypeError("connection lost");
  const busy = () => new Response("{}", { status: 429, headers: { "Retry-After": "0" } });
  const done = () => Response.json({ id: "x", data: [] });

  /** A client whose requests end as told, one after another. */
  function scripted(...ends: (Error | (() => Response))[]) {
    return scriptedWith({}, ...ends);
  }

  function scriptedWith(options: Options, ...ends: (Error | (() => Response))[]) {
    const sent: { method: string; idempotencyKey: string | undefined }[] = [];
    const api = outrider({
      ...options,
      fetch: (_, { method = "", headers }) => {
        const idempotencyKey = (headers as Record<string, string>)["Idempotency-Key"];
        sent.push({ method, idempotencyKey });
        const end = ends.shift() ?? broken;
        return end instanceof Error ? Promise.reject(end) : Promise.resolve(end());
      },
    });
    return { api, sent };
  }

  test("sends a POST under the key of the first, so that it is done once", async () => {
    const { api, sent } = scripted(broken, done);
    await api.createCampaign({ body: { name: "x" } });
    expect(sent).toHaveLength(2);
    expect(sent[0]?.idempotencyKey).toBeString();
    expect(sent[1]).toEqual(sent[0]!);
  });

  test("waits out a busy server", async () => {
    const { api, sent } = scripted(busy, done);
    expect((await api.listCampaigns()).data).toEqual([]);
    expect(sent).toHaveLength(2);
  });

  test("takes a Retry-After that is a date, or makes no sense, for what it is", async () => {
    const until = (header: string) => () =>
      new Response("{}", { status: 503, headers: { "Retry-After": header } });
    const past = new Date(0).toUTCString();
    const { api, sent } = scripted(until(past), until("soon"), done);
    await api.listCampaigns();
    expect(sent).toHaveLength(3);
  });

  test("does not send a DELETE whose connection broke", async () => {
    const { api, sent } = scripted(broken, done);
    const error = await api.deleteCampaign({ id: NOBODY }).catch((caught) => caught);
    expect(error).toBeInstanceOf(OutriderUnreachable);
    expect(error.cause).toBe(broken);
    expect(sent).toHaveLength(1);
  });

  test("is for a response that broke off, too", async () => {
    const half = new ReadableStream({ pull: (controller) => controller.error(broken) });
    const { api, sent } = scripted(() => new Response(half), done);
    expect((await api.listCampaigns()).data).toEqual([]);
    expect(sent).toHaveLength(2);
  });

  test("needs no Idempotency-Key where it is turned off, and takes one that is given", async () => {
    const { api, sent } = scriptedWith({ tries: 1 }, done, done);
    await api.createCampaign({ body: { name: "x" } });
    await api.createCampaign({ body: { name: "x" } }, { idempotencyKey: "mine" });
    expect(sent.map(({ idempotencyKey }) => idempotencyKey)).toEqual([undefined, "mine"]);
  });

  test("ends where the caller has canceled, with the caller's reason", async () => {
    const { api, sent } = scripted(broken, done);
    const signal = AbortSignal.abort("enough");
    expect(await api.listCampaigns({}, { signal }).catch((caught) => caught)).toBe(broken);
    expect(sent).toHaveLength(1);
  });
});

describe("A response", () => {
  const answering = (response: Response) =>
    outrider({ tries: 1, fetch: () => Promise.resolve(response) });

  test("that takes too long is none", async () => {
    const api = outrider({
      ...{ tries: 1, timeoutMs: 1 },
      fetch: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
    });
    const error = await api.listCampaigns().catch((caught) => caught);
    expect(error).toBeInstanceOf(OutriderUnreachable);
    expect(error.cause.name).toBe("TimeoutError");
  });

  test.each([200, 502])("that is a page of a proxy, with %p, is an error", async (status) => {
    const page = new Response("<h1>Hello</h1>", { status });
    const error = await answering(page)
      .listCampaigns()
      .catch((caught) => caught);
    expect(error).toBeInstanceOf(OutriderError);
    expect(error).toMatchObject({ type: "unknown", status });
  });

  test("that is a file is left to the caller", async () => {
    const file = await answering(new Response("a,b")).exportLeads({ format: "csv" });
    expect(await file.text()).toBe("a,b");
  });
});

test("a browser's session needs neither a key nor an address", async () => {
  const asked: [string, HeadersInit | undefined][] = [];
  const api = outrider({
    url: "/live",
    fetch: (url, { headers }) => {
      asked.push([url, headers]);
      return Promise.resolve(Response.json({ data: [] }));
    },
  });
  await api.listLeads({ limit: 2, search: "a b", email: undefined });
  expect(asked).toEqual([["/live/api/v1/leads?limit=2&search=a+b", {}]]);
});

test("pages gives every record once, by cursor and by offset", async () => {
  const all = Array.from({ length: 7 }, (_, n) => n);
  const byCursor = ({ after = "0" }: { after?: string }) => {
    const from = Number(after);
    const next = from + 3 < all.length ? String(from + 3) : null;
    return Promise.resolve({ data: all.slice(from, from + 3), hasMore: true, next_cursor: next });
  };
  const byOffset = ({ offset = 0 }: { offset?: number }) =>
    Promise.resolve({ data: all.slice(offset, offset + 3), hasMore: offset + 3 < all.length });
  expect(await Array.fromAsync(pages(byCursor, {}))).toEqual(all);
  expect(await Array.fromAsync(pages(byOffset, {}))).toEqual(all);
  // Events have a cursor on their last page, too: to go on from there when there are more.
  const endless = ({ after = "0" }: { after?: string }) => {
    const from = Number(after);
    const data = all.slice(from, from + 3);
    return Promise.resolve({ data, hasMore: from + 3 < all.length, next_cursor: String(from + 3) });
  };
  expect(await Array.fromAsync(pages(endless, {}))).toEqual(all);
  // Mailboxes say nothing of the kind, and experiments are the list alone.
  const silent = ({ offset = 0, limit = 9 }: { offset?: number; limit?: number }) =>
    Promise.resolve({ data: all.slice(offset, offset + limit) });
  expect(await Array.fromAsync(pages(silent, { limit: 3 }))).toEqual(all);
  const bare = (query: { offset?: number; limit?: number }) =>
    silent(query).then(({ data }) => data);
  expect(await Array.fromAsync(pages(bare, { limit: 7 }))).toEqual(all);
});

describe("A webhook", () => {
  const secret = `whsec_${btoa("a secret of some length, say")}`;
  const body = JSON.stringify({ id: "1", type: "email.sent", created_at: "", data: {} });
  const at = new Date("2026-03-02T12:00:00Z");
  const seconds = at.getTime() / 1_000;
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(seconds),
    "webhook-signature": `v1,AAAA ${new Webhook(secret).sign("msg_1", at, body)}`,
  };

  test("that is signed is believed", async () => {
    expect((await verifyWebhook(body, headers, secret, seconds)).type).toBe("email.sent");
    expect((await verifyWebhook(body, new Headers(headers), secret, seconds + 299)).id).toBe("1");
    const secrets = [`whsec_${btoa("the one that comes after it")}`, secret];
    expect((await verifyWebhook(body, headers, secrets, seconds)).id).toBe("1");
  });

  test.each<[string, string, Record<string, string>, number]>([
    ["with another body", `${body} `, headers, 0],
    ["with another id", body, { ...headers, "webhook-id": "msg_2" }, 0],
    ["that is old", body, headers, 301],
    ["from the future", body, headers, -301],
    ["without a time", body, { ...headers, "webhook-timestamp": "" }, 0],
    ["without a signature", body, { ...headers, "webhook-signature": "" }, 0],
  ])("%s is not", (_, text, given, late) => {
    expect(verifyWebhook(text, given, secret, seconds + late)).rejects.toThrow("the webhook is");
  });
});
