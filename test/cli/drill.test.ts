/** `outrider drill`: what it finds of copies that would work, and of those that wouldn't. */

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./support.ts";

let dir: string;
let data: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "outrider-drill-"));
  data = join(dir, "data");
  expect(await run(["teams", "create", "--name", "Acme", "--data", data])).toMatchObject({
    exit: 0,
  });
  addLeads(40, Date.now() - 600_000);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Leads of the team whose ids are of `at`. */
function addLeads(count: number, at: number): void {
  const db = new Database(join(data, "live.db"));
  const team = db.query<{ id: Uint8Array }, []>("select id from teams limit 1").get()?.id;
  for (let n = 0; n < count; n += 1) {
    const id = `${at.toString(16).padStart(12, "0")}7000a000${n.toString(16).padStart(12, "0")}`;
    db.query(
      "insert into leads (id, team_id, email, variables, created_at, updated_at) values (?, ?, ?, '{}', ?, ?)",
    ).run(Buffer.from(id, "hex"), team ?? null, `lead${at}-${n}@x.example`, at, at);
  }
  db.close();
}

function drill(...args: string[]) {
  return run(["drill", ...args, "--data", data, "--json"]);
}

async function backUp(): Promise<void> {
  expect(await run(["backup", "--data", data])).toMatchObject({ exit: 0 });
}

const backups = () => join(data, "backups");
const noted = () => JSON.parse(readFileSync(join(backups(), "drill.json"), "utf8"));

describe("a drill", () => {
  test("finds in the newest backup what was there before it, and leaves nothing behind", async () => {
    await backUp();
    addLeads(5, Date.now());
    const { exit, out, err } = await drill();
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    const said = JSON.parse(out);
    expect(said).toMatchObject({ succeeded: true, faults: [] });
    expect(said.rows).toMatchObject({ copy: { leads: 40 }, original: { leads: 40 } });
    expect(noted()).toMatchObject({ succeeded: true });
    expect(readdirSync(backups()).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("fails where the copy lacks what was there before it", async () => {
    await backUp();
    addLeads(3, Date.now() - 500_000);
    const { exit, out } = await drill();
    expect(exit).toBe(1);
    expect(JSON.parse(out).faults).toEqual(["the copy lacks 3 of 43 leads made before it"]);
    expect(noted()).toMatchObject({ succeeded: false });
  });

  test("fails on a damaged backup, and says so in the metrics' note", async () => {
    await backUp();
    const [name = ""] = readdirSync(backups()).filter((one) => one.endsWith(".zst"));
    const bytes = readFileSync(join(backups(), name));
    writeFileSync(join(backups(), name), bytes.subarray(0, bytes.length - 200));
    expect((await drill()).exit).toBe(65);
    expect(noted()).toMatchObject({ succeeded: false });
  });

  test("fails where the key that is needed isn't there", async () => {
    await backUp();
    rmSync(join(data, "master.key"));
    const { exit, err } = await drill();
    expect({ exit, err }).toEqual({ exit: 65, err: expect.stringContaining("master key") });
  });

  test("takes a replica's directory, and leaves it as it is", async () => {
    const replica = join(dir, "replica");
    mkdirSync(replica);
    for (const name of ["live.db", "test.db"]) {
      const db = new Database(join(data, name));
      db.run("pragma wal_checkpoint(truncate)");
      db.close();
      copyFileSync(join(data, name), join(replica, name));
    }
    const { exit, out, err } = await drill(replica);
    expect(err).toBe("");
    expect([exit, JSON.parse(out).succeeded]).toEqual([0, true]);
    rmSync(join(replica, "test.db"));
    expect(await drill(replica)).toMatchObject({ exit: 65 });
  });

  test("without a backup says how to make one", async () => {
    expect(await drill()).toMatchObject({
      exit: 1,
      err: expect.stringContaining("outrider backup"),
    });
  });
});
