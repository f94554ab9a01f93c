/**
 * The executable is killed (SIGKILL) again and again while it stores a file of leads, answers writers and
 * makes backups, and is started each time on what it left. What was answered is there, what was cut off
 * is said to be, the rest of the file goes on from where it stands, and no backup is half of one.
 *
 * A kill leaves what the kernel was given; `power.test.ts` leaves only what was synchronised.
 */

import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { hash01 } from "#domain/random.ts";
import { startSmtpSink } from "../mail/smtp/smtp-sink.ts";
import { outrider, type Server, startServer, temporaryDirectory } from "../support/executable.ts";
import { tried } from "../support/promises.ts";
import { type Call, caller, createCampaign, done, until } from "./support.ts";

const SEED = process.env["OUTRIDER_TEST_SEED"] ?? "1";
const KILLS = 12;
/** Of a life that is killed, from the moment at which it answers. */
const LIFE_MS_MAX = 700;
const ROWS = 60_000;
const WRITERS = 4;
const WAIT_MS_MAX = 60_000;
const TEST_MS_MAX = 300_000;
const PAGE = 100;
const ACCOUNTS = 20;
const PASSWORD = "correct horse battery";
const CSV = { "Content-Type": "text/csv" };
const ENV = { OUTRIDER_RATE_LIMIT: "0", OUTRIDER_LOG_LEVEL: "error" };

const LOCAL = { ...ENV, OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8" };

const ROW = (n: number) => `u${n}@x.test,Company number ${n} and its sons\n`;
const FILE = `email,company\n${Array.from({ length: ROWS }, (_, n) => ROW(n)).join("")}`;

const started: Server[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server[Symbol.asyncDispose]()));
});

async function start(data: string, env = ENV): Promise<Server> {
  const server = await startServer({ data, env });
  started.push(server);
  return server;
}

test(
  "what was answered is there after every kill, and a file goes on where it stands",
  async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    let server = await start(data);
    const { key } = await server.createKey("live");
    const campaign = await createCampaign(caller(server, key), { name: "A file" });
    const importId = crypto.randomUUID();
    const answered: string[] = [];
    let reached = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const call = caller(server, key);
      const life = { isOver: false };
      const work = [
        sendFile(server, key, { campaign, importId }),
        backUp(data),
        ...Array.from({ length: WRITERS }, (_, n) => write(call, life, `${kill}-${n}`, answered)),
      ];
      await Bun.sleep(hash01(SEED, "life", kill) * LIFE_MS_MAX);
      await server.stop("SIGKILL");
      life.isOver = true;
      await Promise.all(work);

      server = await start(data);
      const now = caller(server, key);
      const names = await campaignNames(now);
      expect(answered.filter((name) => !names.has(name))).toEqual([]);
      const { status, body } = await until(WAIT_MS_MAX, "the import is not running", async () => {
        const reply = await now("GET", `/imports/${importId}`);
        return reply.body.status === "running" ? undefined : reply;
      });
      if (status === 200) {
        expect(["interrupted", "done"]).toContain(body.status);
        expect((await now("GET", "/leads?limit=1")).body.total).toBe(body.imported);
        expect(body.imported).toBeGreaterThanOrEqual(reached);
        reached = body.imported;
      }
    }
    expect(answered.length).toBeGreaterThan(KILLS);

    const call = caller(server, key);
    await sendFile(server, key, { campaign, importId });
    expect((await done(call("GET", `/imports/${importId}`))).status).toBe("done");
    expect((await call("GET", "/leads?limit=1")).body.total).toBe(ROWS);
    expect(await server.stop()).toBe(0);
    for (const env of ["live", "test"]) {
      expect(integrityOf(join(data, `${env}.db`))).toBe("ok");
    }
    await checkBackups(data);
    tried("kills", KILLS);
  },
  TEST_MS_MAX,
);

test(
  "asked to end under load it answers what it has begun, and what it answered is there",
  async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    const answered: string[] = [];
    let key = "";
    for (let round = 0; round < 3; round += 1) {
      const server = await start(data);
      key = key === "" ? (await server.createKey("live")).key : key;
      const life = { isOver: false };
      const call = caller(server, key);
      const work = Array.from({ length: 2 * WRITERS }, (_, n) =>
        write(call, life, `${round}-${n}`, answered),
      );
      const before = answered.length;
      await until(WAIT_MS_MAX, "writes are answered", async () => {
        return answered.length > before + 20 || undefined;
      });
      expect(await server.stop("SIGTERM")).toBe(0);
      life.isOver = true;
      await Promise.all(work);
    }
    const server = await start(data);
    const names = await campaignNames(caller(server, key));
    expect(answered.filter((name) => !names.has(name))).toEqual([]);
  },
  TEST_MS_MAX,
);

const canTime = Bun.which("timeout") !== null;

test.skipIf(!canTime)(
  `a new master key whose making is killed is finished by the next run, and every mailbox sends${canTime ? "" : " (skipped: needs timeout)"}`,
  async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    // Nobody is let in whose password is not the one that was given.
    const login = Buffer.from(`\0sender\0${PASSWORD}`).toString("base64");
    const smtp = await startSmtpSink(({ moment, line }) =>
      moment === "AUTH" && !line.endsWith(login) ? "535 5.7.8 no" : undefined,
    );
    let server = await start(data, LOCAL);
    const { key } = await server.createKey("live");
    const call = caller(server, key);
    const accounts: string[] = [];
    for (let n = 0; n < ACCOUNTS; n += 1) {
      const at = { host: "127.0.0.1", security: "none", port: smtp.port };
      const own = { email: `sender${n}@out.test`, provider: "smtp" };
      const login = { username: "sender", password: PASSWORD };
      const { id } = await done(call("POST", "/accounts", { ...own, smtp: { ...at, ...login } }));
      accounts.push(id);
    }
    expect(await server.stop()).toBe(0);

    const rotate = ["master-key", "rotate", "--data", data, "--json"];
    const begun = performance.now();
    expect(await outrider(rotate)).toMatchObject({ exit: 0, err: "" });
    const wholeMs = performance.now() - begun;
    let killed = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const seconds = (hash01(SEED, "rotate", kill) * wholeMs) / 1_000;
      const under = ["timeout", "--signal=KILL", seconds.toFixed(3)];
      const { exit } = await outrider(rotate, { under });
      killed += exit === 0 ? 0 : 1;
    }
    expect(killed).toBeGreaterThan(0);
    const { exit, out } = await outrider(rotate);
    expect({ exit, ...JSON.parse(out) }).toMatchObject({ exit: 0, unreadable: 0 });

    server = await start(data, LOCAL);
    const now = caller(server, key);
    for (const id of accounts) {
      const { smtp: said } = await done(now("POST", `/accounts/${id}/test`, { send: false }));
      expect([id, said]).toMatchObject([id, { ok: true, error: null }]);
    }
    expect(smtp.commands.filter((line) => line.includes(login))).toHaveLength(ACCOUNTS);
    await smtp.stop();
    tried("kills", killed);
  },
  TEST_MS_MAX,
);

/** Sends the file, or what is left of it. The connection may break at any moment. */
async function sendFile(
  server: Server,
  key: string,
  { campaign, importId }: { campaign: string; importId: string },
): Promise<void> {
  const call = caller(server, key);
  try {
    const { status, body } = await call("GET", `/imports/${importId}`);
    if (status === 404) {
      const path = `/campaigns/${campaign}/leads/import?import_id=${importId}`;
      await call("POST", path, FILE, { headers: CSV });
    } else if (body.status === "interrupted") {
      const path = `/imports/${importId}/resume?offset=${body.offset}`;
      await call("POST", path, FILE.slice(body.offset), { headers: CSV });
    }
  } catch {
    // Killed meanwhile.
  }
}

/** Makes one campaign after the other, and notes those that were answered for. */
async function write(call: Call, life: { isOver: boolean }, mark: string, answered: string[]) {
  for (let n = 0; !life.isOver; n += 1) {
    const name = `c${mark}-${n}`;
    try {
      const { status } = await call("POST", "/campaigns", { name });
      if (status === 201) {
        answered.push(name);
      } else {
        await Bun.sleep(1);
      }
    } catch {
      return;
    }
  }
}

/** A backup beside the running server, whatever becomes of the server. */
async function backUp(data: string): Promise<void> {
  await outrider(["backup", "--data", data], { env: ENV });
}

async function campaignNames(call: Call): Promise<Set<string>> {
  const names = new Set<string>();
  let total = 1;
  for (let offset = 0; offset < total; offset += PAGE) {
    const page = await done(call("GET", `/campaigns?limit=${PAGE}&offset=${offset}`));
    total = page.total;
    for (const { name } of page.data) {
      names.add(name);
    }
  }
  return names;
}

/** Every archive that lies there opens, and is whole. */
async function checkBackups(data: string): Promise<void> {
  const folder = join(data, "backups");
  const archives = readdirSync(folder).filter((name) => name.endsWith(".zst"));
  expect(archives.length).toBeGreaterThan(0);
  for (const name of archives) {
    const { exit, err } = await outrider([
      "restore",
      join(folder, name),
      "--check",
      "--data",
      data,
    ]);
    expect({ name, exit, err }).toMatchObject({ name, exit: 0 });
  }
}

function integrityOf(path: string): unknown {
  const db = new Database(path);
  const row = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check").get();
  db.close();
  return row?.integrity_check;
}
