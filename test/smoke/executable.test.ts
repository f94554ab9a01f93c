/** The one file that is shipped: it starts, answers, refuses a second of itself, and stops. */

import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import notices from "#cli/third-party.txt" with { type: "text" };
import { version } from "../../package.json" with { type: "json" };
import { EXECUTABLE, outrider, startServer, temporaryDirectory } from "../support/executable.ts";

describe("The executable", () => {
  test("says what it is, and which commit it was built from", async () => {
    const { exit, out } = await outrider(["version", "--json"]);
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toEqual({
      version,
      commit: expect.stringMatching(/^([0-9a-f]{12}(-dirty)?|unknown)$/),
      bun: Bun.version,
    });
  });

  test("runs nothing that lies in the directory it is started in", async () => {
    using dir = temporaryDirectory();
    writeFileSync(join(dir.path, "preload.ts"), 'console.log("foreign code");\n');
    writeFileSync(join(dir.path, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
    writeFileSync(join(dir.path, ".env"), "OUTRIDER_PORT=1\n");
    const { exit, out } = await outrider(["config", "--json"], { cwd: dir.path });
    expect(exit).toBe(0);
    expect(JSON.parse(out).port).toEqual({ value: "8480", origin: "default" });
  });

  test("writes no colour into a pipe", async () => {
    const { out } = await outrider(["config"], { env: { TERM: "xterm-256color" } });
    expect(out).not.toContain("\u001b");
  });

  test("hands everything to a reader that is slow", async () => {
    const { out } = await outrider(["notices"], {
      under: ["/bin/sh", "-c", '"$@" | { sleep 0.3; cat; }', "sh"],
    });
    expect(out.endsWith(notices.slice(-1000))).toBe(true);
    expect(out).toHaveLength(notices.length);
  });

  test("replaces itself under the name that its release has", async () => {
    using dir = temporaryDirectory();
    const own = join(dir.path, "outrider-linux-x64");
    copyFileSync(EXECUTABLE, own);
    chmodSync(own, 0o755);
    const { exit, out } = await outrider(["--from", EXECUTABLE, "--json"], {
      under: ["/bin/sh", "-c", `shift; exec "${own}" update "$@"`, "sh"],
    });
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ target: own, version, previous: `${own}.old` });
  });

  test("plays the demo to its end where nobody can press Ctrl-C, and keeps what is asked for", async () => {
    using dir = temporaryDirectory();
    const data = join(dir.path, "kept");
    const play = ["demo", "--speed", "0", "--leads", "3", "--data", data];
    const { exit, out, err } = await outrider(play);
    expect(exit).toBe(0);
    expect(existsSync(join(data, "test.db"))).toBe(true);
    const again = await outrider(play);
    expect([again.exit, again.err]).toEqual([73, expect.stringContaining("isn't empty")]);
    expect(out).toMatch(/^Campaign .*Sent .*Replied/m);
    expect(err).toContain("Use --stay to keep it running");
  });

  test("makes a key, the directory and its first team where there are none", async () => {
    using dir = temporaryDirectory();
    const data = join(dir.path, "new/data");
    const make = ["keys", "create", "--data", data, "--name", "CI", "--env", "live", "--json"];
    const { exit, out } = await outrider(make);
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      key: expect.stringMatching(/^outrider_live_[0-9A-Za-z]{38}$/),
      id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      name: "CI",
      env: "live",
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
    });
    const { out: list } = await outrider(["keys", "list", "--data", data, "--json"]);
    expect(JSON.parse(list).data).toHaveLength(1);
    const { out: teams } = await outrider(["teams", "list", "--data", data, "--json"]);
    expect(JSON.parse(teams).data).toHaveLength(1);
  });

  test("keeps its files from other users, whatever the caller's umask", async () => {
    using dir = temporaryDirectory();
    const data = join(dir.path, "data");
    await outrider(["teams", "list", "--data", data]);
    const open = [data, ...readdirSync(data).map((name) => join(data, name))].filter(
      (path) => (statSync(path).mode & 0o077) !== 0,
    );
    expect(open).toEqual([]);
  });

  test("refuses a data directory that it cannot make with exit code 73", async () => {
    using dir = temporaryDirectory();
    const file = join(dir.path, "file");
    writeFileSync(file, "");
    const { exit, err } = await outrider(["teams", "list", "--data", join(file, "data")]);
    expect({ exit, err: err.split("\n")[0] }).toEqual({
      exit: 73,
      err: expect.stringContaining("outrider: "),
    });
  });

  test("doctor sees a key file that others may read, and a damaged database", async () => {
    using dir = temporaryDirectory();
    const data = join(dir.path, "data");
    await outrider(["teams", "list", "--data", data]);
    const doctor = ["doctor", "--data", data, "--port", "0", "--json"];
    expect((await outrider(doctor)).exit).toBe(0);

    chmodSync(join(data, "master.key"), 0o644);
    writeFileSync(join(data, "test.db"), "not a database".repeat(100));
    const { exit, out } = await outrider(doctor);
    const { findings } = JSON.parse(out) as { findings: { check: string; verdict: string }[] };
    const faults = findings.filter(({ verdict }) => verdict === "fault");
    expect(exit).toBe(1);
    expect(faults.map(({ check }) => check)).toEqual(["master key", "test database"]);
  });
});

describe("The server", () => {
  test("answers, and stops in good order at SIGTERM and at SIGINT", async () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      await using server = await startServer();
      expect((await server.fetch("/healthz")).status).toBe(200);
      expect((await server.fetch("/readyz")).status).toBe(200);
      expect((await server.fetch("/api/v1/campaigns")).status).toBe(401);
      expect(await server.stop(signal)).toBe(0);
    }
  });

  test("logs a fault with its place in the sources, which the map beside it knows", async () => {
    await using server = await startServer();
    const { key } = await server.createKey("live");
    const db = new Database(join(server.data, "live.db"));
    db.run("ALTER TABLE campaigns RENAME TO others");
    db.close();
    expect((await server.fetch("/api/v1/campaigns", { key })).status).toBe(500);
    await server.stop();
    const place = /at listCampaigns \((src\/[^:]+):(\d+):\d+\)/.exec(server.log());
    const [, path = "", line = "0"] = place ?? [];
    const source = readFileSync(resolve(import.meta.dir, "../..", path), "utf8").split("\n");
    expect(path).toBe("src/store/campaigns/campaigns.ts");
    expect(source[Number(line) - 1]).toMatch(/page\(db|total\(db/);
  });

  test("is alone on its data directory: a second one is told who holds it, exit code 75", async () => {
    await using server = await startServer();
    const { exit, err } = await outrider(["serve", "--data", server.data, "--port", "0"]);
    expect(exit).toBe(75);
    expect(err).toContain(String(server.pid));
    expect((await server.fetch("/healthz")).status).toBe(200);
  });

  test("is alone on its port: another one ends with exit code 69", async () => {
    await using server = await startServer();
    using other = temporaryDirectory();
    const port = new URL(server.url).port;
    const { exit } = await outrider(["serve", "--data", other.path, "--port", port]);
    expect(exit).toBe(69);
  });

  test("knows a key made beside it, and refuses it once it is revoked beside it", async () => {
    await using server = await startServer();
    const { key, id } = await server.createKey("test");
    expect((await server.fetch("/api/v1/campaigns", { key })).status).toBe(200);
    const revoke = ["keys", "revoke", id, "--data", server.data];
    expect((await outrider(revoke)).exit).toBe(0);
    expect((await server.fetch("/api/v1/campaigns", { key })).status).toBe(401);
  });

  test("starts again after it was killed", async () => {
    using dir = temporaryDirectory();
    const data = join(dir.path, "data");
    const first = await startServer({ data });
    const { key } = await first.createKey("live");
    await first.stop("SIGKILL");
    await using second = await startServer({ data });
    expect((await second.fetch("/api/v1/campaigns", { key })).status).toBe(200);
  });
});
