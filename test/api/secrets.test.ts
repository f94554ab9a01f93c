/**
 * Nothing that was given or made as a secret is found in clear anywhere afterwards: not in the databases
 * nor their logs, a copy, a backup, the program's log, the audit log, events, deliveries, exports, nor any
 * answer or refusal but the one that hands it over. And a sealed secret opens in its own row only.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiRoutes } from "#api/resources.ts";
import { ENVS, type Env } from "#domain/team/api-key.ts";
import { DAY_MS } from "#domain/time.ts";
import { recover } from "#engine/recover.ts";
import { createLog } from "#platform/log.ts";
import { makeBackup } from "#store/operations/backups.ts";
import { copyFile } from "#store/operations/snapshot.ts";
import { createTestApp, START, type TestApp } from "../support/app.ts";
import { ANN, firstPerson, ORIGIN, visitor } from "../support/people.ts";
import { tried } from "../support/promises.ts";
import { deliverDue, type ScriptedHttp, scriptedHttp } from "../support/webhooks.ts";
import { writeEverything } from "../support/writes.ts";

const MASTER_KEY = new Uint8Array(32).fill(7);
const ROUTES = apiRoutes(undefined as never, undefined as never).routes.map(({ method, path }) => ({
  method,
  path: path.replace("/api/v1", ""),
}));
/** They answer at their end, or are the operator's. */
const UNREAD = /\/stream$|^\/backups|^\/system/;

let directory: string;
let app: TestApp;
let http: ScriptedHttp;
const lines: string[] = [];
/** Everything that was answered after its secret was handed over, refusals among it. */
const answers: string[] = [];
/** By what each is. */
const secrets = new Map<string, string>();

const keep = (what: string, secret: unknown) => {
  expect(typeof secret === "string" && secret.length >= 12).toBe(true);
  secrets.set(what, String(secret));
};
const canary = (what: string) => {
  const secret = `canary-${what.replaceAll(" ", "-")}-${crypto.randomUUID()}`;
  keep(what, secret);
  return secret;
};

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "outrider-secrets-"));
  const paths = { live: join(directory, "live.db"), test: join(directory, "test.db") };
  http = scriptedHttp();
  const clock = { now: () => START };
  const write = (line: string) => {
    lines.push(line);
  };
  const log = createLog({ clock, level: "debug", format: "json", write });
  app = await createTestApp({
    paths,
    http,
    log,
    publicUrl: "https://mail.example.com",
    requestBodiesMs: DAY_MS,
  });
  keep("the first live key", app.keys.live);
  keep("the first test key", app.keys.test);
  keep("the master key", Buffer.from(MASTER_KEY).toString("base64"));
  await writeEverything(app);
  await giveSecrets();
  await makeSecrets();
  await makeMistakes();
  await deliverDue(app.environments.live);
  await readEverything();
}, 120_000);
afterAll(async () => {
  await app.close();
  rmSync(directory, { recursive: true, force: true });
});

/** All that a person or program hands over. */
async function giveSecrets(): Promise<void> {
  const host = { host: "mail.sender.example" };
  const smtp = { ...host, password: canary("an SMTP password") };
  const imap = { ...host, password: canary("an IMAP password") };
  const account = { email: "ann@sender.example", provider: "smtp", smtp, imap };
  const { id } = (await app.live("POST", "/accounts", account)).body;
  const changed = { smtp: { password: canary("a changed SMTP password") } };
  await app.live("PATCH", `/accounts/${id}`, changed);
  const oauth = {
    client_id: "an-id",
    client_secret: canary("a client secret"),
    refresh_token: canary("a refresh token"),
  };
  const google = { email: "ben@sender.example", provider: "google", oauth };
  expect((await app.live("POST", "/accounts", google)).status).toBe(201);
  const seed = {
    email: "seed@gmail.com",
    imap: { ...host, password: canary("a seed's password") },
  };
  expect((await app.live("POST", "/placement/seeds", seed)).status).toBe(201);
  const secret = `whsec_${Buffer.from(canary("a webhook's secret")).toString("base64")}`;
  keep("a webhook's secret, as it is given", secret);
  const webhook = { url: "https://hooks.example.com/in", secret };
  const headers = { "Idempotency-Key": "once" };
  const made = await app.live("POST", "/webhooks", webhook, { headers });
  expect(made.status).toBe(201);
  // A repeat is handed the same answer, out of the store.
  const again = await app.live("POST", "/webhooks", webhook, { headers });
  expect(again.headers.get("idempotent-replayed")).toBe("true");
}

/** All that we hand over once. */
async function makeSecrets(): Promise<void> {
  const webhook = await app.live("POST", "/webhooks", { url: "https://hooks.example.com/two" });
  keep("a made webhook secret", webhook.body.secret);
  const rotated = await app.live("POST", `/webhooks/${webhook.body.id}/rotate-secret`);
  keep("a rotated webhook secret", rotated.body.secret);
  const key = await app.live("POST", "/keys", { name: "ci", scopes: ["read"] });
  keep("a key", key.body.key);
  keep("a rotated key", (await app.live("POST", `/keys/${key.body.id}/rotate`, {})).body.key);
  const ann = await firstPerson(app);
  keep("a person's password", ANN.password);
  keep("a session", ann.cookie.split("=")[1]);
  const given = { email: "cyd@example.com", role: "member" };
  const invited = await ann.ask("POST", "/live/api/v1/team/invitations", given);
  keep("an invitation", String(invited.body.url).split("#")[1]);
  const guest = visitor(app);
  const wrong = { email: ANN.email, password: canary("a wrong password") };
  expect((await guest.ask("POST", "/console/session", wrong)).status).toBe(401);
}

/** Secrets where they do not belong. */
async function makeMistakes(): Promise<void> {
  const note = async (ask: ReturnType<TestApp["live"]>) => {
    const { status, text } = await ask;
    expect(status).toBeGreaterThanOrEqual(400);
    answers.push(text);
  };
  const stray = canary("a stray password");
  await note(app.live("POST", "/accounts", { email: "x@sender.example", password: stray }));
  await note(app.live("POST", "/accounts", `{"smtp": {"password": "${stray}"`));
  const smtp = { host: "h.example", port: stray, password: stray };
  await note(app.live("POST", "/accounts", { email: "x@a.example", provider: "smtp", smtp }));
  await note(app.live("POST", "/webhooks", { url: "https://a.example", secret: stray }));
  await note(app.live("GET", `/campaigns?key=${app.keys.live}`));
  await note(app.live("GET", "/campaigns", undefined, { key: `${app.keys.live}x` }));
  await note(app.live("POST", "/keys", { name: "x", scopes: [stray] }));
  const refused = await visitor(app).ask("POST", "/console/session", { password: stray });
  answers.push(JSON.stringify(refused.body));
}

/** Every list and export, in both environments, and one of each thing that they name. */
async function readEverything(): Promise<void> {
  const reads = ROUTES.filter(({ method, path }) => method === "GET" && !UNREAD.test(path));
  // A webhook's secret is shown to who may set it.
  const reader = await app.live("POST", "/keys", { name: "reader", scopes: ["read"] });
  const keyFor = (envName: Env, path: string) =>
    envName === "live" && path.startsWith("/webhooks") ? reader.body.key : app.keys[envName];
  for (const envName of ENVS) {
    const ids = new Set<string>();
    const ask = async (path: string) => {
      const { text } = await app.call("GET", path, undefined, { key: keyFor(envName, path) });
      answers.push(text);
      return text;
    };
    for (const { path } of reads.filter((route) => !route.path.includes(":"))) {
      for (const id of (await ask(path)).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ??
        []) {
        ids.add(id);
      }
    }
    for (const { path } of reads.filter((route) => route.path.split(":").length === 2)) {
      for (const id of ids) {
        await ask(path.replace(/:\w+/, id));
      }
    }
  }
}

/** What is found of the secrets in `bytes`, as they are or in a usual coding. */
function foundIn(bytes: Uint8Array | string): string[] {
  const text = typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("latin1");
  return [...secrets].flatMap(([what, secret]) => {
    const raw = Buffer.from(secret);
    const forms = [secret, raw.toString("base64").replace(/=+$/, ""), raw.toString("hex")];
    return forms.some((form) => text.includes(form)) ? [what] : [];
  });
}

describe("after a day with every secret", () => {
  test("the search finds what is there", () => {
    expect(secrets.size).toBeGreaterThan(18);
    for (const [what, secret] of secrets) {
      expect(foundIn(`x${secret}x`)).toContain(what);
      expect(foundIn(Buffer.from(secret).toString("base64"))).toContain(what);
    }
  });

  test("the databases and their logs hold none, nor do copies without free pages", () => {
    for (const envName of ENVS) {
      const { raw } = app.environments[envName].db;
      const copy = join(directory, `copy-${envName}.db`);
      raw.run("VACUUM INTO ?", [copy]);
      raw.run("PRAGMA wal_checkpoint(FULL)");
    }
    const files = readdirSync(directory).filter((name) => statSync(join(directory, name)).isFile());
    expect(files).toContainValues(["live.db", "live.db-wal", "test.db", "copy-live.db"]);
    const found = files.map((name) => [name, foundIn(readFileSync(join(directory, name)))]);
    expect(found).toEqual(files.map((name) => [name, []]));
  });

  test("a backup that is not sealed holds none, and is its owner's alone", async () => {
    const backups = join(directory, "backups");
    const { path } = await makeBackup(
      {
        directory: backups,
        masterKey: () => MASTER_KEY,
        passphrase: null,
        version: "0.0.0",
        clock: app.wall,
        newId: () => crypto.randomUUID(),
        copy: (envName, to, at) => copyFile(join(directory, `${envName}.db`), to, at),
      },
      { reason: "manual" },
    );
    const unpacked = Bun.zstdDecompressSync(readFileSync(path));
    expect(unpacked.byteLength).toBeGreaterThan(100_000);
    expect(foundIn(unpacked)).toEqual([]);
    for (const name of readdirSync(backups)) {
      expect([name, statSync(join(backups, name)).mode & 0o077]).toEqual([name, 0]);
    }
  });

  test("the log holds none", () => {
    const { log } = app.environments.live;
    const before = lines.length;
    log.error("a fault", { cause: `Error: ${app.keys.live} was refused` });
    expect(lines.length).toBe(before + 1);
    expect(foundIn(lines.join(""))).toEqual([]);
  });

  test("no answer, export, event, audit entry or refusal holds one", () => {
    expect(answers.length).toBeGreaterThan(500);
    expect(answers.filter((text) => foundIn(text).length > 0).map(foundIn)).toEqual([]);
    tried("secrets", answers.length * secrets.size);
  });

  test("no delivery holds one", () => {
    expect(http.sent.length).toBeGreaterThan(0);
    expect(
      http.sent.flatMap(({ headers, body }) => foundIn(JSON.stringify([headers, body]))),
    ).toEqual([]);
  });
});

describe("a sealed secret in another row", () => {
  test("does not open: both mailboxes are in error, and say why", async () => {
    const env = app.environments.live;
    const { raw } = env.db;
    const rows = raw
      .query<{ id: Uint8Array; secrets: string }, []>(
        "SELECT id, secrets FROM accounts WHERE secrets IS NOT NULL ORDER BY id",
      )
      .all();
    expect(rows.length).toBeGreaterThanOrEqual(2);
    const [one, two] = rows;
    // The same names in both, so that only their places differ.
    const swap = raw.prepare("UPDATE accounts SET secrets = ?, status = 'active' WHERE id = ?");
    swap.run(two?.secrets ?? "", one?.id ?? "");
    swap.run(one?.secrets ?? "", two?.id ?? "");
    expect((await recover(env)).unreadable).toBe(2);
    const { body } = await app.live("GET", "/accounts");
    const words = body.data.map(({ last_error }: { last_error: string | null }) => last_error);
    expect(words.filter((word: string | null) => word?.includes("cannot be read"))).toHaveLength(2);
    swap.run(one?.secrets ?? "", one?.id ?? "");
    swap.run(two?.secrets ?? "", two?.id ?? "");
    expect((await recover(env)).unreadable).toBe(0);
  });

  test("signs nothing for another webhook", async () => {
    const env = app.environments.live;
    const { raw } = env.db;
    const rows = raw
      .query<{ id: Uint8Array; secret: string }, []>(
        "SELECT id, secret FROM webhooks WHERE deleted_at IS NULL AND secret <> '' ORDER BY id",
      )
      .all();
    const [one, two] = rows;
    expect(two).toBeDefined();
    const swap = raw.prepare("UPDATE webhooks SET secret = ?, previous_secret = NULL WHERE id = ?");
    swap.run(two?.secret ?? "", one?.id ?? "");
    swap.run(one?.secret ?? "", two?.id ?? "");
    const before = http.sent.length;
    await app.live("POST", "/campaigns", { name: "told to nobody" });
    await deliverDue(env).catch(() => undefined);
    expect(http.sent.length).toBe(before);
  });
});

test("the console's cookie is for the browser alone", async () => {
  const guest = visitor(app);
  const given = { email: ANN.email, password: ANN.password };
  const { headers } = await guest.ask("POST", "/console/session", given, { Origin: ORIGIN });
  expect(headers.get("set-cookie")).toMatch(/HttpOnly; .*SameSite/i);
});
