/**
 * Guarantees of backups as files: whole while others write, refused when damaged, nothing half after a
 * crash, and put in place all or not at all.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unixMs } from "#domain/time.ts";
import { isSealedFile, UnusableBackup, unpackBackup } from "#store/operations/backup-archive.ts";
import {
  findBackup,
  listBackups,
  pruneBackups,
  tidyBackupFiles,
} from "#store/operations/backup-files.ts";
import { type BackupPlace, makeBackup } from "#store/operations/backups.ts";
import {
  applyRestore,
  emptyDirectory,
  isRestoreStaged,
  stageRestore,
} from "#store/operations/restore.ts";
import { copiedAt } from "#store/operations/restored.ts";
import { copyOpen } from "#store/operations/snapshot.ts";
import { closeDatabase, type Db, openDatabase } from "#store/sqlite/database.ts";
import { readFact, writeFact } from "#store/sqlite/facts.ts";
import { MIGRATIONS, migrate } from "#store/sqlite/migrate.ts";

const KEY = new Uint8Array(32).fill(7);
const PASSPHRASE = "correct horse battery";
const AT = unixMs(Date.UTC(2026, 2, 2, 15));

let dir: string;
let data: string;
let backupFiles: string;
let live: Db;
let db: Db;
let made = 0;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "outrider-backups-"));
  data = join(dir, "data");
  backupFiles = join(dir, "backups");
  mkdirSync(data);
  live = openDatabase(join(data, "live.db"));
  db = openDatabase(join(data, "test.db"));
  migrate(live);
  migrate(db);
  writeFact(live, "mark", "first");
  made = 0;
});
afterEach(() => {
  closeDatabase(live);
  closeDatabase(db);
  rmSync(dir, { recursive: true, force: true });
});

function place(change: Partial<BackupPlace> = {}): BackupPlace {
  return {
    directory: backupFiles,
    masterKey: () => KEY,
    passphrase: null,
    version: "1.2.3",
    clock: { now: () => unixMs(AT + made * 1000) },
    newId: () => {
      made += 1;
      return `00000000-0000-7000-8000-${String(made).padStart(12, "0")}`;
    },
    copy: (env, to, at) => copyOpen(env === "live" ? live : db, to, at),
    ...change,
  };
}

const stage = (file: string, change: object = {}) =>
  stageRestore({
    file,
    passphrase: null,
    dataDir: join(dir, "other"),
    masterKey: KEY,
    keyInDirectory: true,
    withoutKey: false,
    ...change,
  });

/** Facts of the live database of a directory, without opening it for others. */
function factIn(directory: string, name: string): string | undefined {
  const other = openDatabase(join(directory, "live.db"));
  try {
    return readFact(other, name);
  } finally {
    closeDatabase(other);
  }
}

describe("a backup", () => {
  test("holds what was committed, says since when it knows nothing, and leaves the original alone", async () => {
    const { path } = await makeBackup(place(), { reason: "manual" });
    writeFact(live, "mark", "second");
    await stage(path);
    applyRestore(join(dir, "other"));

    expect(factIn(join(dir, "other"), "mark")).toBe("first");
    expect(factIn(join(dir, "other"), "copied_at")).toBe(String(AT));
    expect(copiedAt(live)).toBeNull();
  });

  test("without a passphrase has no master key in it; sealed it has, and opens with the passphrase alone", async () => {
    const open = await makeBackup(place(), { reason: "manual" });
    const sealed = await makeBackup(place({ passphrase: PASSPHRASE }), { reason: "manual" });

    expect(open.manifest.masterKey).toBe("left_out");
    expect(isSealedFile(open.path)).toBe(false);
    expect(sealed.manifest.masterKey).toBe("included");
    expect(isSealedFile(sealed.path)).toBe(true);
    expect(stage(sealed.path)).rejects.toThrow("enter its passphrase");
    expect(stage(sealed.path, { passphrase: "wrong horse battery" })).rejects.toThrow("wrong");
    await stage(sealed.path, { passphrase: PASSPHRASE, masterKey: null });
    applyRestore(join(dir, "other"));
    expect(readFileSync(join(dir, "other/master.key"), "utf8").trim()).toBe(
      Buffer.from(KEY).toString("base64"),
    );
  });

  test("its list is newest first, and of scheduled ones alone the oldest go", async () => {
    for (const reason of ["schedule", "manual", "schedule", "schedule"] as const) {
      await makeBackup(place(), { reason });
    }
    const gone = pruneBackups(backupFiles, 1);

    expect(gone).toHaveLength(2);
    expect(listBackups(backupFiles).map(({ note }) => note?.reason)).toEqual([
      "schedule",
      "manual",
    ]);
    expect(readdirSync(backupFiles).filter((name) => name.startsWith("."))).toEqual([]);
    const [newest] = listBackups(backupFiles);
    expect(newest?.note).toMatchObject({
      version: "1.2.3",
      schema: MIGRATIONS.length,
      warnings: [],
    });
    expect(findBackup(backupFiles, newest?.id ?? "")).toEqual(newest);
  });

  test("that cannot be made leaves nothing", async () => {
    const copy = () => {
      throw new Error("the disk is full");
    };
    expect(makeBackup(place({ copy }), { reason: "manual" })).rejects.toThrow("full");
    await Promise.resolve();
    expect(listBackups(backupFiles)).toEqual([]);
  });

  test("what a killed program left of one is no backup, and goes in time", () => {
    const left = join(backupFiles, ".making-outrider-20260302T150000Z-x.tar.zst");
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, "live.db"), "half");

    expect(listBackups(backupFiles)).toEqual([]);
    tidyBackupFiles(backupFiles, Date.now());
    expect(existsSync(left)).toBe(true);
    tidyBackupFiles(backupFiles, Date.now() + 2 * 24 * 60 * 60 * 1000);
    expect(existsSync(left)).toBe(false);
  });
});

describe("a restore refuses, and nothing has changed", () => {
  let path: string;
  beforeEach(async () => {
    ({ path } = await makeBackup(place(), { reason: "manual" }));
  });

  const damage = (change: (bytes: Buffer) => Uint8Array) => {
    const file = join(dir, "damaged.tar.zst");
    writeFileSync(file, change(readFileSync(path)));
    return file;
  };

  test.each([
    ["cut short", (bytes: Buffer) => bytes.subarray(0, bytes.length - 100)],
    ["cut to a start", (bytes: Buffer) => bytes.subarray(0, 200)],
    [
      "changed in the middle",
      (bytes: Buffer) => {
        const at = Math.floor(bytes.length / 2);
        bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at);
        return bytes;
      },
    ],
    [
      "something else",
      () => Buffer.from("PK\u0003\u0004 not a backup at all, but a text of some length"),
    ],
    ["empty", () => Buffer.alloc(0)],
    ["zstd of something else", () => Bun.zstdCompressSync(Buffer.alloc(10_000, "x"))],
  ] as const)("an archive that is %s", async (_name, change) => {
    const file = damage(change);
    const refused = await stage(file).then(
      () => null,
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(UnusableBackup);
    expect(isRestoreStaged(join(dir, "other"))).toBe(false);
    expect(applyRestore(join(dir, "other"))).toBe(false);
  });

  test("a directory that is not empty", () => {
    expect(() => emptyDirectory(data)).toThrow("not empty");
  });

  test("another master key, unless told so", async () => {
    const other = new Uint8Array(32).fill(8);
    const refused = await stage(path, { masterKey: other }).catch((error: unknown) => error);
    expect(String(refused)).toContain("a different one");
    await stage(path, { masterKey: other, withoutKey: true });
    expect(isRestoreStaged(join(dir, "other"))).toBe(true);
  });
});

test("a restore that a crash interrupted is carried to its end", async () => {
  const { path } = await makeBackup(place(), { reason: "manual" });
  const other = join(dir, "other");
  mkdirSync(other);
  writeFileSync(join(other, "live.db"), "the present");
  writeFileSync(join(other, "live.db-wal"), "of the present");
  await stage(path);
  expect(readFileSync(join(other, "live.db"), "utf8")).toBe("the present");

  // As after a crash between the two databases.
  const ready = join(other, ".restore-ready");
  rmSync(join(other, "live.db"));
  writeFileSync(join(other, "live.db"), readFileSync(join(ready, "live.db")));
  rmSync(join(ready, "live.db"));
  rmSync(join(other, "live.db-wal"));
  expect(applyRestore(other)).toBe(true);

  expect(factIn(other, "mark")).toBe("first");
  expect(existsSync(join(other, "test.db"))).toBe(true);
  expect(applyRestore(other)).toBe(false);
});

test("backups under load are whole: each is a state that existed", async () => {
  let stop = false;
  let n = 0;
  const writing = (async () => {
    while (!stop) {
      live.raw.run("BEGIN IMMEDIATE");
      n += 1;
      writeFact(live, "left", String(n));
      writeFact(live, "right", String(n));
      live.raw.run("COMMIT");
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  for (let round = 0; round < 5; round += 1) {
    const into = join(dir, `whole-${round}`);
    mkdirSync(into);
    const { path } = await makeBackup(place(), { reason: "manual" });
    const { examined } = await unpackBackup(path, null, into);
    expect(examined.live).toEqual({ schema: MIGRATIONS.length, faults: [], warnings: [] });
    expect(factIn(into, "left")).toBe(factIn(into, "right"));
  }
  stop = true;
  await writing;
});
