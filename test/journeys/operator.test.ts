/**
 * What whoever runs the executable may rely on: its files are theirs alone, one server has a data
 * directory, keys are made and revoked beside it, older programs keep off newer data, and it goes in
 * good order.
 */

import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outrider, startServer, temporaryDirectory } from "../support/executable.ts";
import { caller, createCampaign, done, until } from "./support.ts";

const BEGUN_MS_MAX = 60_000;

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("The data directory", () => {
  test("is its owner's alone, and so is every file in it, while it runs", async () => {
    await using server = await startServer();
    await server.createKey("live");
    const call = caller(server, (await server.createKey("test")).key);
    await createCampaign(call, { name: "x" });
    const files = readdirSync(server.data);
    expect(files).toContain("live.db-wal");
    const modes = files.map((name) => [name, modeOf(join(server.data, name))]);
    expect(modes).toEqual(files.map((name) => [name, "600"]));
    expect(modeOf(server.data)).toBe("700");
  });

  test("that somebody made open to others stays as it is; what is put into it is not open", async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    mkdirSync(data);
    chmodSync(data, 0o755);
    await using server = await startServer({ data });
    expect((await server.fetch("/readyz")).status).toBe(200);
    expect(modeOf(data)).toBe("755");
    expect(new Set(readdirSync(data).map((name) => modeOf(join(data, name))))).toEqual(
      new Set(["600"]),
    );
  });

  test("holds no password and no key in clear", async () => {
    await using server = await startServer();
    const { key } = await server.createKey("live");
    const call = caller(server, key);
    const host = { host: "127.0.0.1", port: 9, security: "none" };
    const password = "correct horse battery";
    await done(
      call("POST", "/accounts", {
        ...{ email: "ann@acme.test", provider: "smtp" },
        ...{ smtp: { ...host, password }, imap: { ...host, password } },
      }),
    );
    await server.stop();
    for (const name of readdirSync(server.data)) {
      const content = readFileSync(join(server.data, name), "latin1");
      expect([name, content.includes(password), content.includes(key)]).toEqual([
        name,
        false,
        false,
      ]);
    }
  });

  test("of a newer program is refused by every command, and left as it is", async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    await outrider(["teams", "list", "--data", data]);
    for (const name of ["live.db", "test.db"]) {
      const path = join(data, name);
      const version = Number(versionOf(path));
      setVersion(path, 9999);
      for (const args of [
        ["serve", "--port", "0"],
        ["keys", "create", "--name", "x", "--env", "live"],
      ]) {
        const { exit, err } = await outrider([...args, "--data", data]);
        expect({ exit, err }).toEqual({ exit: 65, err: expect.stringMatching(/9999.*newer/s) });
      }
      expect(versionOf(path)).toBe(9999);
      setVersion(path, version);
    }
    await using server = await startServer({ data });
    expect((await server.fetch("/readyz")).status).toBe(200);
  });

  test("has one server: a second is refused, does no harm, and comes in once the first is gone", async () => {
    await using first = await startServer();
    const { key } = await first.createKey("live");
    const { exit, err } = await outrider(["serve", "--data", first.data, "--port", "0"]);
    expect(exit).toBe(75);
    expect(err).toContain(`process ${first.pid}`);
    const call = caller(first, key);
    const id = await createCampaign(call, { name: "Mine" });
    expect((await call("GET", `/campaigns/${id}`)).status).toBe(200);
    await first.stop("SIGTERM");
    await using second = await startServer({ data: first.data });
    expect(await done(caller(second, key)("GET", `/campaigns/${id}`))).toMatchObject({ id });
  });
});

describe("Keys", () => {
  test("made beside a running server work at once, and revoked ones at once no more", async () => {
    await using server = await startServer();
    for (const env of ["live", "test"] as const) {
      const { key, id } = await server.createKey(env);
      const call = caller(server, key);
      expect((await call("GET", "/campaigns")).status).toBe(200);
      expect((await outrider(["keys", "revoke", id, "--data", server.data])).exit).toBe(0);
      expect((await call("GET", "/campaigns")).status).toBe(401);
    }
  });

  test("made while the server writes as fast as it can lose neither's writes", async () => {
    await using server = await startServer({ env: { OUTRIDER_RATE_LIMIT: "0" } });
    const call = caller(server, (await server.createKey("live")).key);
    const writes = Promise.all(
      Array.from({ length: 200 }, (_, n) => call("POST", "/campaigns", { name: `c${n}` })),
    );
    const keys = await Promise.all([1, 2, 3].map(() => server.createKey("live")));
    const statuses = (await writes).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([201]));
    expect((await done(call("GET", "/campaigns?limit=1"))).total).toBe(200);
    for (const { key } of keys) {
      expect((await caller(server, key)("GET", "/campaigns?limit=1")).status).toBe(200);
    }
  });
});

describe("The executable", () => {
  test("serves in a directory full of traps and runs none of them", async () => {
    using directory = temporaryDirectory();
    const trap = (name: string, text: string) => writeFileSync(join(directory.path, name), text);
    const code = `require("node:fs").writeFileSync(${JSON.stringify(join(directory.path, "sprung"))}, "x");\n`;
    trap("preload.ts", code);
    trap("bunfig.toml", 'preload = ["./preload.ts"]\n[serve]\nport = 1\n');
    trap(".env", "OUTRIDER_RATE_LIMIT=1\nOUTRIDER_PORT=1\nNODE_OPTIONS=--require ./preload.ts\n");
    trap(".env.local", "OUTRIDER_RATE_LIMIT=1\n");
    trap(".env.production", "OUTRIDER_RATE_LIMIT=1\n");
    trap(
      "package.json",
      '{"name": "trap", "main": "preload.ts", "imports": {"#*": "./preload.ts"}}',
    );
    trap("tsconfig.json", '{"compilerOptions": {"paths": {"*": ["./preload.ts"]}}}');
    trap("index.ts", code);
    await using server = await startServer({ cwd: directory.path });
    const call = caller(server, (await server.createKey("live")).key);
    for (let asked = 0; asked < 3; asked += 1) {
      const reply = await call("GET", "/campaigns");
      expect(reply.status).toBe(200);
      expect(reply.headers.get("ratelimit-limit")).toBe("600");
    }
    expect(readdirSync(directory.path)).not.toContain("sprung");
  });

  test("finishes what it was asked before it goes, and keeps it", async () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      await using server = await startServer({ env: { OUTRIDER_RATE_LIMIT: "0" } });
      const { key } = await server.createKey("test");
      const call = caller(server, key);
      const leads = Array.from({ length: 5000 }, (_, n) => ({ email: `u${n}@acme.test` }));
      const id = await createCampaign(call, { name: "Last words" });
      const first = call("POST", `/campaigns/${id}/leads`, { leads });
      await until(BEGUN_MS_MAX, "the server is at it", async () => {
        const { body } = await call("GET", `/campaigns/${id}/leads?limit=1`);
        return body.total > 0 ? true : undefined;
      });
      const exit = server.stop(signal);
      expect(await first).toMatchObject({ status: 200, body: { imported: 5000 } });
      expect(await exit).toBe(0);
      expect(readdirSync(server.data)).not.toContain("test.db-wal");
      await using again = await startServer({ data: server.data });
      const stats = await done(caller(again, key)("GET", `/campaigns/${id}/stats`));
      expect(stats).toMatchObject({ enrolled: 5000 });
    }
  });
});

function setVersion(path: string, version: number): void {
  const db = new Database(path);
  db.run(`PRAGMA user_version = ${version}`);
  db.close();
}

function versionOf(path: string): unknown {
  const db = new Database(path);
  const row = db.query<{ user_version: number }, []>("PRAGMA user_version").get();
  db.close();
  return row?.user_version;
}
