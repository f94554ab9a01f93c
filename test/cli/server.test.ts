/**
 * Guarantees of the commands by which an installation is kept: `status` and `wait` of a running server,
 * `migrate` of its data, `export` and `import` of a team, from one data directory into another.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTestServer, type TestServer } from "../support/running-app.ts";
import { run } from "./support.ts";

const path = (name: string) => join(server.dir, name);
const keys = { operator: "", admin: "" };
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  keys.operator = await server.keyOf("live", ["admin", "operator"]);
  keys.admin = await server.keyOf("live");
});
afterAll(() => server.stop());

const cli = (args: readonly string[], key = keys.operator) =>
  run(args, { env: { OUTRIDER_URL: server.url, OUTRIDER_KEY: key }, workingDir: server.dir });

describe("status", () => {
  test("shows both environments and what doctor says", async () => {
    const { exit, out, err } = await cli(["status"]);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out).toMatch(/^live +\d+\.\d MiB/m);
    expect(out).toMatch(/^test +\d+\.\d MiB/m);
    const { healthy, live } = JSON.parse((await cli(["status", "--json"])).out);
    expect(healthy).toBe(true);
    expect(live.workers.length).toBeGreaterThan(3);
  });

  test("is the operator's", async () => {
    expect(await cli(["status"], keys.admin)).toMatchObject({ exit: 77, out: "" });
  });
});

describe("wait", () => {
  test("returns once the server is ready", async () => {
    expect(await cli(["wait"])).toEqual({ exit: 0, out: `${server.url} is ready\n`, err: "" });
    expect(JSON.parse((await cli(["wait", "--json"])).out)).toEqual({
      url: server.url,
      ready: true,
    });
  });

  test("refuses a time that is none", async () => {
    expect((await cli(["wait", "--timeout", "0"])).exit).toBe(64);
  });
});

describe("migrate", () => {
  test("has nothing to do on data of this version, beside a server too", async () => {
    const args = ["migrate", "--data", path("data")];
    expect(await cli(args)).toEqual({ exit: 0, out: "up to date\n", err: "" });
    expect(await cli([...args, "--dry-run"])).toEqual({ exit: 0, out: "up to date\n", err: "" });
    const { out } = await cli([...args, "--json"]);
    expect(JSON.parse(out)).toEqual({ dry_run: false, migrations: [], backup: null });
  });

  test("makes no data directory", async () => {
    expect((await cli(["migrate", "--data", path("nowhere")])).exit).not.toBe(0);
    expect(existsSync(path("nowhere"))).toBe(false);
  });
});

describe("export and import", () => {
  const keyFile = () => join(path("data"), "master.key");

  test("carry a team from one data directory into another", async () => {
    const body = { name: "Spring" };
    const made = await fetch(`${server.url}/api/v1/campaigns`, {
      method: "POST",
      headers: { Authorization: `Bearer ${keys.admin}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(made.status).toBe(201);
    const exported = await cli(["export", "team.ndjson", "--data", path("data"), "--json"]);
    expect(exported).toMatchObject({ exit: 0, err: "" });
    const { team_id, rows } = JSON.parse(exported.out);
    expect(statSync(path("team.ndjson")).mode & 0o777).toBe(0o600);
    const lines = readFileSync(path("team.ndjson"), "utf8").trim().split("\n");
    expect(lines).toHaveLength(rows + 2);

    const into = ["import", "team.ndjson", "--data", path("other"), "--key-file", keyFile()];
    const imported = await cli([...into, "--json"]);
    expect(imported).toMatchObject({ exit: 0, err: "" });
    expect(JSON.parse(imported.out)).toEqual({ team_id, team: "My team", rows });
    const teams = await cli(["teams", "list", "--data", path("other"), "--json"]);
    expect(JSON.parse(teams.out).data.map(({ id }: { id: string }) => id)).toEqual([team_id]);
    expect((await cli(into)).exit).toBe(1);
  });

  test("refuse what would overwrite, a key that is none, a file that is none, a running server", async () => {
    writeFileSync(path("there"), "");
    expect((await cli(["export", "there", "--data", path("data")])).exit).toBe(73);
    const into = ["--data", path("third"), "--without-secrets"];
    expect((await cli(["import", "there", ...into])).exit).toBe(64);
    expect((await cli(["import", "nowhere", ...into])).exit).toBe(65);
    expect((await cli(["import", "there", "--data", path("third")])).exit).toBe(64);
    const key = ["--data", path("third"), "--key-file", path("there")];
    expect((await cli(["import", "there", ...key])).exit).toBe(65);
    const here = ["import", "team.ndjson", "--data", path("data"), "--without-secrets"];
    expect((await cli(here)).exit).toBe(75);
  });
});
