/**
 * Guarantees of `master-key rotate` on a data directory, beside a server or without one: the older key
 * stays behind the new one and goes on opening and verifying, and a rotation that was ended is finished
 * before another begins.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEnvironments } from "#app/environments.ts";
import { startApp } from "#app.ts";
import { readConfig } from "#config/config.ts";
import { ENVS } from "#domain/team/api-key.ts";
import { renewMasterKey } from "#platform/data-directory.ts";
import { silentLog } from "#platform/log.ts";
import { createVault, keysIn, masterKeyText, parseMasterKeys } from "#platform/secrets/crypto.ts";
import { webhookById } from "#store/events/webhooks.ts";
import { applyRestore } from "#store/operations/restore.ts";
import { createWebhook, secretOf } from "#usecases/events/webhooks.ts";
import { firstTeam, mirrorTeam } from "#usecases/team/teams.ts";
import { run } from "./support.ts";

const SECRET = `whsec_${Buffer.alloc(24, 5).toString("base64")}`;
const TRY_LATER = 75;

let dir: string;
const ids = { live: "", test: "" };
let [teamId, link] = ["", ""];
let digest: Uint8Array = new Uint8Array();
const data = () => join(dir, "data");
const keyFile = () => join(data(), "master.key");
const keysThere = () => readFileSync(keyFile(), "utf8").trim().split("\n");
const configOf = (env: Record<string, string> = {}) =>
  readConfig({ flags: { data: data(), port: "0" }, env, workingDir: dir }).config;
const rotate = (env: Record<string, string> = {}) =>
  run(["master-key", "rotate", "--data", data(), "--json"], { env, workingDir: dir });
const rotated = async (env: Record<string, string> = {}) => {
  const { exit, out, err } = await rotate(env);
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  return JSON.parse(out);
};

/** A webhook in each environment, whose secret is sealed. */
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "outrider-rotate-"));
  const environments = openEnvironments(configOf(), silentLog);
  const team = await environments.live.commit(() => firstTeam(environments.live));
  await environments.test.commit(() => mirrorTeam(environments.test, team));
  for (const envName of ENVS) {
    const caller = { teamId: team.id, actor: "operator", scopes: ["admin"] };
    const input = {
      url: "https://hooks.example.com/in",
      events: ["*"],
      secret: SECRET,
      active: true,
    };
    ids[envName] = (
      await environments[envName].commit(() => createWebhook(environments[envName], caller, input))
    ).id;
  }
  link = environments.live.vault.sign("a link", team.id);
  digest = environments.live.vault.digest("asked");
  teamId = team.id;
  await environments.close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** That what was sealed, signed and kept before is known with the keys that are there. */
async function expectKnown(env: Record<string, string> = {}): Promise<void> {
  const environments = openEnvironments(configOf(env), silentLog);
  try {
    for (const name of ENVS) {
      const row = webhookById(environments[name].db, ids[name]);
      expect(row && secretOf(environments[name], row)).toBe(SECRET);
    }
    const { vault } = environments.live;
    expect(vault.verify("a link", link)).toBe(teamId);
    expect(vault.recognises("asked", digest)).toBe(true);
    expect(vault.recognises("asked otherwise", digest)).toBe(false);
  } finally {
    await environments.close();
  }
}

test("puts a new key before the old one, and seals all under it", async () => {
  const [old = ""] = keysThere();
  expect(await rotated()).toEqual({ new_key: true, keys: 2, resealed: 2, unreadable: 0 });
  const [fresh = "", second] = keysThere();
  expect([second, fresh === old]).toEqual([old, false]);
  expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
  await expectKnown();
  // The new key alone opens everything; only links and answers of before need the old one.
  const alone = openEnvironments(configOf({ OUTRIDER_MASTER_KEY: fresh }), silentLog);
  const row = webhookById(alone.live.db, ids.live);
  expect(row && secretOf(alone.live, row)).toBe(SECRET);
  expect(alone.live.vault.verify("a link", link)).toBeNull();
  await alone.close();

  expect(await rotated()).toMatchObject({ new_key: true, keys: 3, resealed: 2 });
  expect(keysThere().slice(1)).toEqual([fresh, old]);
  await expectKnown();
});

test("finishes what was begun and makes no third key", async () => {
  renewMasterKey(data());
  const begun = keysThere();
  await expectKnown();
  expect(await rotated()).toEqual({ new_key: false, keys: 2, resealed: 2, unreadable: 0 });
  expect(keysThere()).toEqual(begun);
  await expectKnown();
});

test("beside a server: it takes the key up, and knows what was sealed and signed before", async () => {
  const app = await startApp(configOf(), { log: silentLog });
  const { vault, db } = app.environments.live;
  try {
    expect(await rotated()).toEqual({ new_key: true, keys: 2, resealed: 2, unreadable: 0 });
    const [fresh = ""] = keysThere();
    const row = webhookById(db, ids.live);
    expect(row && secretOf(app.environments.live, row)).toBe(SECRET);
    expect(vault.verify("a link", link)).toBe(teamId);
    expect(vault.recognises("asked", digest)).toBe(true);
    const alone = createVault(new Uint8Array(Buffer.from(fresh, "base64")));
    expect(alone.open(vault.seal("later", "x"), "x")).toBe("later");
    expect(alone.verify("a link", vault.sign("a link", teamId))).toBe(teamId);
    expect(await rotated()).toMatchObject({ new_key: true, keys: 3, resealed: 2 });
  } finally {
    await app.stop();
  }
  await expectKnown();
});

test("a server finishes at its start what was begun", async () => {
  renewMasterKey(data());
  const [fresh = ""] = keysThere();
  const app = await startApp(configOf(), { log: silentLog });
  try {
    // Waits for the server, finds nothing left, and makes a key of its own.
    expect(await rotated()).toMatchObject({ keys: expect.any(Number), unreadable: 0 });
  } finally {
    await app.stop();
  }
  expect(keysThere()).toContain(fresh);
  await expectKnown();
});

test("one at a time", async () => {
  const app = await startApp(configOf(), { log: silentLog });
  const [before = ""] = keysThere();
  try {
    const all = await Promise.all([rotate(), rotate(), rotate()]);
    const exits = all.map(({ exit }) => exit).sort((one, other) => one - other);
    expect(exits).toEqual([0, TRY_LATER, TRY_LATER]);
    expect(keysThere()).toEqual([expect.any(String), before]);
  } finally {
    await app.stop();
  }
  await expectKnown();
});

test("a file that lacks a key in use is not adopted, and the log says so once", async () => {
  const there = readFileSync(keyFile(), "utf8");
  const said: string[] = [];
  const note = (message: string) => void said.push(message);
  const log = { ...silentLog, error: note };
  const app = await startApp(configOf(), { log });
  try {
    const stranger = Buffer.alloc(32, 9).toString("base64");
    writeFileSync(keyFile(), `${stranger}\n`);
    while (said.length < 2) {
      await Bun.sleep(10);
    }
    const row = webhookById(app.environments.live.db, ids.live);
    expect(row && secretOf(app.environments.live, row)).toBe(SECRET);
    writeFileSync(keyFile(), there);
    expect(await rotated()).toMatchObject({ new_key: true, keys: 2, resealed: 2 });
  } finally {
    await app.stop();
  }
  // Once for each environment.
  expect(said).toEqual(Array(2).fill(expect.stringContaining("the keys in use stay")));
  await expectKnown();
});

test("of a key that the configuration gives waits for a new one before it", async () => {
  const [old = ""] = keysThere();
  const { exit, err } = await rotate({ OUTRIDER_MASTER_KEY: old });
  expect({ exit, err }).toEqual({ exit: 64, err: expect.stringContaining("add a new key before") });
  const fresh = Buffer.alloc(32, 9).toString("base64");
  const env = { OUTRIDER_MASTER_KEY: `${fresh} ${old}` };
  const said = { new_key: false, keys: 2, unreadable: 0 };
  expect(await rotated(env)).toEqual({ ...said, resealed: 2 });
  expect(await rotated(env)).toEqual({ ...said, resealed: 0 });
  expect(keysThere()).toEqual([old]);
  await expectKnown(env);
});

test("makes no key where there is none: the server is given one, or it is gone", async () => {
  rmSync(keyFile());
  const { exit, err } = await rotate();
  expect({ exit, err }).toEqual({ exit: 1, err: expect.stringContaining("doesn't exist") });
  expect(existsSync(keyFile())).toBe(false);
});

test("says where there is nothing, and where there are too many keys", async () => {
  expect((await run(["master-key", "rotate", "--data", join(dir, "none")])).exit).toBe(1);
  const many = Array.from({ length: 16 }, (_, n) => Buffer.alloc(32, n + 1).toString("base64"));
  const text = `${keysThere()[0]}\n${many.slice(1).join("\n")}\n`;
  writeFileSync(keyFile(), text, { mode: 0o600 });
  const { exit, err } = await rotate();
  expect(exit).toBe(1);
  expect(err).toContain("16 keys");
  expect(readFileSync(keyFile(), "utf8")).toBe(text);
});

test("a backup of before is restored by the keys of after, whose file stays", async () => {
  const shelf = join(dir, "shelf");
  const backup = async (extra: string[] = [], env: Record<string, string> = {}) => {
    const args = ["backup", "--data", data(), "--backup-dir", shelf, ...extra];
    const { exit, out } = await run(args, { env, workingDir: dir });
    expect(exit).toBe(0);
    return out.trim();
  };
  const env = { OUTRIDER_BACKUP_PASSPHRASE: "a long passphrase" };
  const files = [await backup(), await backup(["--with-key"], env)];
  await rotated();
  const keys = keysThere();
  for (const [at, file] of files.entries()) {
    const to = join(dir, `new-${at}`);
    const withKey = { ...env, OUTRIDER_MASTER_KEY_FILE: keyFile() };
    const args = ["restore", file, "--data", to];
    const { exit, err } = await run(args, { env: withKey, workingDir: dir });
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    const config = readConfig({ flags: { data: to }, env: withKey, workingDir: dir }).config;
    const environments = openEnvironments(config, silentLog);
    const row = webhookById(environments.live.db, ids.live);
    expect(row && secretOf(environments.live, row)).toBe(SECRET);
    await environments.close();
  }
  // In place: an older key file would forget the new key.
  const staged = ["restore", files[1] ?? "", "--data", data(), "--stage"];
  expect((await run(staged, { env, workingDir: dir })).exit).toBe(0);
  expect(applyRestore(data())).toBe(true);
  expect(keysThere()).toEqual(keys);
  await expectKnown();
});

test("keys are written as they are read", () => {
  const many = new Uint8Array(Buffer.alloc(96, 3));
  many.set(Buffer.alloc(32, 1));
  expect(parseMasterKeys(masterKeyText(many))).toEqual(many);
  expect(keysIn(many)).toHaveLength(3);
  const [one = ""] = masterKeyText(many).split("\n");
  for (const wrong of ["", "  ", `${one} x`, `${one}${one}`, Array(17).fill(one).join(" ")]) {
    expect(parseMasterKeys(wrong)).toBeNull();
  }
});
