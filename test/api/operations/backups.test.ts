/**
 * The operator's doors, `/backups`, `/system` and `/metrics`: on a data directory, with long work done by
 * the command line inside the test instead of by a process of its own.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOperations } from "#app/operations.ts";
import { createApp, createEngines } from "#app.ts";
import { readConfig } from "#config/config.ts";
import { listAudit } from "#store/events/audit.ts";
import { isRestoreStaged } from "#store/operations/restore.ts";
import { createKey } from "#usecases/team/keys.ts";
import { run } from "../../cli/support.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";

const TOKEN = "a-token-for-metrics-alone";

let dir: string;
let made: TestApp;
let server: ReturnType<typeof createApp>;
let key: string;
let restarts: number;
/** The process that works on a backup is killed at once. */
let crashing = false;

beforeEach(() => open("0s"));

async function open(every: string) {
  dir = mkdtempSync(join(tmpdir(), "outrider-operator-"));
  writeFileSync(join(dir, "master.key"), `${Buffer.alloc(32, 7).toString("base64")}\n`, {
    mode: 0o600,
  });
  made = await createTestApp({ paths: { live: join(dir, "live.db"), test: join(dir, "test.db") } });
  const { environments, team } = made;
  const flags = { data: dir, backup_every: every, backup_keep: "3" };
  const { config } = readConfig({ flags, env: {}, workingDir: dir });
  restarts = 0;
  const engines = createEngines(environments);
  const operations = createOperations({
    config,
    environments,
    engines: () => engines,
    startedAt: environments.live.wall.now(),
    findings: async () => [{ check: "disk", verdict: "ok", detail: "much" }],
    restart: () => {
      restarts += 1;
    },
    run: async (args, env) =>
      crashing ? { exit: 137, out: "", err: "" } : await run(args, { env }),
  });
  server = createApp(environments, engines, {
    rateLimit: 0,
    docs: false,
    closing: () => false,
    checkResponses: true,
    operations,
    metricsToken: TOKEN,
  });
  const caller = { teamId: team.id, actor: "operator", scopes: ["admin", "operator"] };
  const input = { name: "ops", scopes: ["operator"] };
  key = (await environments.live.commit(() => createKey(environments.live, caller, input))).key;
}
async function close() {
  await made.close();
  rmSync(dir, { recursive: true, force: true });
}
afterEach(close);

async function call(method: string, path: string, body?: BodyInit, headers: object = {}) {
  const response = await server.handle(
    new Request(`http://localhost${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, ...headers },
      ...(body === undefined ? {} : { body }),
    }),
  );
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return { status: response.status, text, body: isJson ? JSON.parse(text) : null };
}

/** The last task, once it has ended. */
async function ended() {
  for (;;) {
    const { task } = (await call("GET", "/api/v1/backups/task")).body;
    if (task.status !== "running") {
      return task;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function makeOne(): Promise<string> {
  expect((await call("POST", "/api/v1/backups")).status).toBe(202);
  return (await ended()).backup_id;
}

describe("/backups", () => {
  test("is made, listed, read, downloaded, checked, taken in again and deleted, each in the audit log", async () => {
    const id = await makeOne();
    const { data, total } = (await call("GET", "/api/v1/backups")).body;
    expect(total).toBe(1);
    expect(data[0]).toMatchObject({ id, reason: "manual", sealed: false, has_master_key: false });
    expect((await call("GET", `/api/v1/backups/${id}`)).body).toEqual(data[0]);

    const archive = await server.handle(
      new Request(`http://localhost/api/v1/backups/${id}/download`, {
        headers: { Authorization: `Bearer ${key}` },
      }),
    );
    const bytes = await archive.arrayBuffer();
    expect(bytes.byteLength).toBe(data[0].bytes);
    expect((await call("POST", `/api/v1/backups/${id}/verify`)).status).toBe(202);
    expect((await ended()).error).toBeNull();

    const type = { "Content-Type": "application/octet-stream" };
    const taken = await call("POST", "/api/v1/backups/upload", bytes, type);
    expect(taken).toMatchObject({ status: 201, body: { bytes: bytes.byteLength, reason: null } });
    expect((await call("DELETE", `/api/v1/backups/${id}`)).status).toBe(204);
    expect((await call("GET", `/api/v1/backups/${id}`)).status).toBe(404);

    const { rows } = listAudit(
      made.environments.live.db,
      made.team.id,
      {},
      { limit: 50, offset: 0 },
    );
    const actions = rows.map(({ action }) => action).filter((one) => one.startsWith("backup."));
    expect(actions.toReversed()).toEqual([
      "backup.create",
      "backup.verify",
      "backup.upload",
      "backup.delete",
    ]);
  });

  test("says when they are made by themselves: never, until somebody sets how often", async () => {
    const schedule = async () => (await call("GET", "/api/v1/backups/schedule")).body;
    const directory = join(dir, "backups");
    expect(await schedule()).toEqual({
      every_seconds: null,
      kept: 3,
      directory,
      sealed: false,
      next_at: null,
    });
    await close();
    await open("24h");
    const now = new Date(made.wall.now()).toISOString();
    // None is there: the first is due at once.
    expect(await schedule()).toMatchObject({ every_seconds: 86_400, next_at: now });
  });

  test("a restore saves the present, lies ready, and starts the server anew", async () => {
    const id = await makeOne();
    expect((await call("POST", `/api/v1/backups/${id}/restore`)).status).toBe(202);
    expect(await ended()).toMatchObject({ status: "done", error: null });

    expect(restarts).toBe(1);
    expect(isRestoreStaged(dir)).toBe(true);
    const { data } = (await call("GET", "/api/v1/backups")).body;
    expect(data.map(({ reason }: { reason: string }) => reason)).toContain("before_restore");
  });

  test("409 for each kind of work while one is under way, and nothing of it in the audit log", async () => {
    const id = await makeOne();
    const asked = ["", `/${id}/verify`, `/${id}/restore`];
    for (const first of asked.slice(0, 2)) {
      const begun = call("POST", `/api/v1/backups${first}`);
      const others = asked.flatMap((path) => [path, path]);
      const answers = await Promise.all(
        others.map((path) => call("POST", `/api/v1/backups${path}`)),
      );
      expect((await begun).status).toBe(202);
      for (const { status, body } of answers) {
        expect([status, body.type]).toEqual([409, "conflict"]);
        expect(body.message).toContain("is running");
      }
      expect((await ended()).status).toBe("done");
    }
    expect(restarts).toBe(0);
    const { rows } = listAudit(
      made.environments.live.db,
      made.team.id,
      {},
      { limit: 50, offset: 0 },
    );
    const actions = rows.map(({ action }) => action).filter((one) => one.startsWith("backup."));
    expect(actions).toEqual(["backup.verify", "backup.create", "backup.create"]);
  });

  test("one is made after another that crashed", async () => {
    crashing = true;
    expect((await call("POST", "/api/v1/backups")).status).toBe(202);
    expect(await ended()).toMatchObject({ status: "failed", error: "it ended with 137: " });
    crashing = false;
    expect(await makeOne()).toBeString();
  });

  test("a damaged one is not restored, and nothing has changed", async () => {
    const id = await makeOne();
    const { name } = (await call("GET", `/api/v1/backups/${id}`)).body;
    writeFileSync(join(dir, "backups", name), "damaged");
    await call("POST", `/api/v1/backups/${id}/restore`);

    expect((await ended()).status).toBe("failed");
    expect(restarts).toBe(0);
    expect(isRestoreStaged(dir)).toBe(false);
  });

  test("what is no backup is not taken in", async () => {
    const type = { "Content-Type": "application/octet-stream" };
    const { status } = await call("POST", "/api/v1/backups/upload", "not one", type);
    expect(status).toBe(422);
    expect((await call("GET", "/api/v1/backups")).body.total).toBe(0);
  });
});

test("/system shows sizes, queues, workers and what doctor says", async () => {
  const { status, body } = await call("GET", "/api/v1/system");
  expect(status).toBe(200);
  expect(body.live.database_bytes).toBeGreaterThan(0);
  expect(body.live.workers.map(({ name }: { name: string }) => name)).toContain("send");
  expect(body.checks).toEqual([{ check: "disk", verdict: "ok", detail: "much" }]);
});

test("/metrics opens to an operator's key and to the token, and to no other key", async () => {
  const asked = (bearer: string) =>
    call("GET", "/metrics", undefined, { Authorization: `Bearer ${bearer}` });
  expect((await asked(key)).text).toContain('outrider_queue_due{env="live",queue="sends"} 0');
  expect((await asked(TOKEN)).status).toBe(200);
  expect((await asked(made.keys.live)).status).toBe(403);
  expect((await asked("wrong")).status).toBe(401);
});
