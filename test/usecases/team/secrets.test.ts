/**
 * Guarantees of a new master key: every column that holds a sealed secret is known and reached, whenever
 * the program ends on the way everything opens and the next run finishes, and no row is sealed
 * under the old key afterwards.
 */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createVault } from "#platform/secrets/crypto.ts";
import { accountsWithSecrets } from "#store/mailboxes/accounts.ts";
import { createCommitter } from "#store/sqlite/commit.ts";
import { closeDatabase, openDatabase } from "#store/sqlite/database.ts";
import { SEALED_COLUMNS } from "#store/sqlite/sealed.ts";
import { startConsent } from "#usecases/mailboxes/consents.ts";
import {
  keepRefreshToken,
  openCredentials,
  openSigningKey,
} from "#usecases/mailboxes/credentials.ts";
import { type Resealed, resealAll } from "#usecases/team/secrets.ts";
import { createTestApp, START } from "../../support/app.ts";
import { tried } from "../../support/promises.ts";
import { writeEverything } from "../../support/writes.ts";

const OLD = new Uint8Array(32).fill(7);
const NEW = new Uint8Array(32).fill(9);
const KEYS = { all: createVault(Buffer.concat([NEW, OLD])), newest: createVault(NEW) };
const SEALED = /v1\.[\w-]{16}\.[\w-]*\.[\w-]{22}/g;
const [HOST, PUBLIC_URL] = ["mail.sender.example", "https://mail.example.com"];

let top: string;
/** An environment after a day with every kind of secret. */
let file: Uint8Array;

beforeAll(async () => {
  top = mkdtempSync(join(tmpdir(), "outrider-master-key-"));
  const app = await createTestApp({ publicUrl: PUBLIC_URL });
  await writeEverything(app);
  const add = async (email: string, body: object) =>
    (await app.call("POST", "/accounts", { email, ...body })).body.id;
  const server = { host: HOST, password: "a password" };
  const smtp = await add("a@s.example", { provider: "smtp", smtp: server, imap: server });
  await app.call("POST", `/accounts/${smtp}/dkim`, { selector: "one" });
  const gone = await add("d@s.example", { provider: "smtp", smtp: server, imap: server });
  expect((await app.call("DELETE", `/accounts/${gone}`)).status).toBe(204);
  const client = { client_id: "id", client_secret: "a client's secret" };
  const oauth = { ...client, refresh_token: "a refresh token" };
  const google = await add("b@s.example", { provider: "google", oauth });
  const { db, vault } = app.environments.test;
  const rotated = { db, vault, accountId: google, token: "another token", now: START };
  keepRefreshToken({ ...rotated, older: ["a refresh token"] });
  const waiting = await add("c@s.example", { provider: "google", oauth: client });
  const { url } = (await app.call("POST", `/accounts/${waiting}/connect`)).body;
  const ticket = new URL(url).searchParams.get("ticket") ?? "";
  expect(await startConsent(app.environments, "google", ticket)).toMatchObject({ kind: "away" });
  const ours = { url: "https://hooks.example.com/in", headers: { "X-Token": "a token" } };
  const hook = (await app.call("POST", "/webhooks", ours)).body;
  await app.call("POST", `/webhooks/${hook.id}/rotate-secret`, { overlap_seconds: 3_600 });
  const headers = { "Idempotency-Key": "once" };
  await app.call("POST", "/keys", { name: "k" }, { headers });
  const seed = { email: "seed@gmail.com", imap: server };
  await app.call("POST", "/placement/seeds", seed);
  const tenant = { provider: "microsoft", tenant: "sender.example", domains: ["sender.example"] };
  const ofTenant = { client_id: "id", client_secret: "a workspace's secret" };
  expect((await app.call("POST", "/workspaces", { ...tenant, ...ofTenant })).status).toBe(201);
  file = db.raw.serialize();
  await app.close();
}, 120_000);
afterAll(() => rmSync(top, { recursive: true, force: true }));

let copies = 0;
function layOut(): string {
  copies += 1;
  const path = join(top, `${copies}.db`);
  writeFileSync(path, file);
  return path;
}

/** Every sealed text of a file, by where it is. */
function sealedIn(path: string): Map<string, string[]> {
  const db = new Database(path);
  const found = new Map<string, string[]>();
  const tables = db
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all();
  for (const { name } of tables) {
    for (const row of db.query<Record<string, unknown>, []>(`SELECT * FROM "${name}"`).all()) {
      for (const [column, value] of Object.entries(row)) {
        const texts = typeof value === "string" ? (value.match(SEALED) ?? []) : [];
        const place = `${name}.${column}`;
        if (texts.length > 0) {
          found.set(place, [...(found.get(place) ?? []), ...texts]);
        }
      }
    }
  }
  db.close();
  return found;
}

/** Ends as a program does that is killed after so many statements; left out: it goes through. */
async function reseal(path: string, statements = Number.POSITIVE_INFINITY): Promise<Resealed> {
  let left = statements;
  const tell = () => {
    left -= 1;
    if (left < 0) {
      throw new Error("killed");
    }
  };
  const db = openDatabase(path, { ms: -1, tell });
  const { commit } = createCommitter(db);
  try {
    return await resealAll({ db, commit }, KEYS);
  } finally {
    left = Number.POSITIVE_INFINITY;
    if (db.raw.inTransaction) {
      // As whoever opens the file of a killed program does.
      db.raw.run("ROLLBACK");
    }
    closeDatabase(db);
  }
}

test("the columns that are known are those in which there are sealed texts", () => {
  const found = new Set(sealedIn(layOut()).keys());
  const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect([...found].toSorted()).toEqual(known.toSorted());
  const names = new Set<string>();
  const { raw } = openDatabase(layOut());
  for (const { secrets } of raw
    .query<{ secrets: string }, []>("SELECT secrets FROM accounts WHERE secrets IS NOT NULL")
    .all()) {
    Object.keys(JSON.parse(secrets)).map((name) => names.add(name));
  }
  raw.close(false);
  const all = ["imapPassword", "oauth", "oauthClient", "rotated", "signingKey", "smtpPassword"];
  expect([...names].toSorted()).toEqual(all);
});

test("nothing seals but what a new master key reaches, and the cookie of a sign-in", async () => {
  const sealing: string[] = [];
  for await (const file of new Bun.Glob("src/**/*.ts").scan({
    cwd: join(import.meta.dir, "../../.."),
  })) {
    const text = await Bun.file(join(import.meta.dir, "../../..", file)).text();
    if (/(vault|to)\.seal\(/.test(text)) {
      sealing.push(file.replace("src/", ""));
    }
  }
  expect(sealing.toSorted()).toEqual([
    "api/write.ts",
    "usecases/events/webhooks.ts",
    "usecases/mailboxes/consents.ts",
    "usecases/mailboxes/credentials.ts",
    "usecases/mailboxes/workspaces.ts",
    "usecases/operations/team-copy.ts",
    "usecases/team/secrets.ts",
    "web/errand.ts",
  ]);
});

describe("under a new master key", () => {
  test("every secret is sealed anew and says the same, and no row holds an old one", async () => {
    const path = layOut();
    const before = sealedIn(path);
    const secretsOf = (vault: typeof KEYS.all) => {
      const db = openDatabase(path);
      const rows = accountsWithSecrets(db);
      const said = rows.map((row) => [openCredentials(vault, row), openSigningKey(vault, row)]);
      closeDatabase(db);
      return said;
    };
    const said = secretsOf(createVault(OLD));
    const { resealed, unreadable } = await reseal(path);
    expect(resealed).toBeGreaterThan(2);
    expect(unreadable).toBe(0);
    expect(secretsOf(KEYS.newest)).toEqual(said);
    const after = sealedIn(path);
    expect([...after.keys()]).toEqual([...before.keys()]);
    const old = new Set([...before.values()].flat());
    expect([...after.values()].flat().filter((text) => old.has(text))).toEqual([]);
    expect(await reseal(path)).toEqual({ resealed: 0, unreadable: 0 });
  });

  test("killed at any statement, all opens with both keys, and the next run finishes", async () => {
    let kills = 0;
    for (let isOver = false; !isOver; kills += 1) {
      const path = layOut();
      isOver = await reseal(path, kills).then(
        () => true,
        () => false,
      );
      expect((await reseal(path)).unreadable).toBe(0);
      expect(await reseal(path)).toEqual({ resealed: 0, unreadable: 0 });
    }
    expect(kills).toBeGreaterThan(SEALED_COLUMNS.length);
    tried("secrets", kills);
  }, 60_000);

  test("what no key opens stays as it is, and the rest is sealed anew", async () => {
    const path = layOut();
    const stranger = createVault(new Uint8Array(32).fill(3)).seal("x", "elsewhere");
    const db = new Database(path);
    db.run("UPDATE webhooks SET secret = ? WHERE rowid = (SELECT max(rowid) FROM webhooks)", [
      stranger,
    ]);
    db.close();
    const { resealed, unreadable } = await reseal(path);
    expect(unreadable).toBe(1);
    expect(resealed).toBeGreaterThan(0);
    expect(sealedIn(path).get("webhooks.secret")).toContain(stranger);
  });
});
