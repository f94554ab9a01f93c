/**
 * A new master key beside a server that works: secrets are stored, replaced and used all the while, the
 * key is replaced several times, once with the server killed on the way. No call fails, and in the end
 * the newest key alone opens everything, each secret as it was last set.
 */

import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openEnvironments } from "#app/environments.ts";
import { readConfig } from "#config/config.ts";
import { ENVS, type Env } from "#domain/team/api-key.ts";
import { silentLog } from "#platform/log.ts";
import { createVault } from "#platform/secrets/crypto.ts";
import { webhookById } from "#store/events/webhooks.ts";
import { secretOf } from "#usecases/events/webhooks.ts";
import { countOlder } from "#usecases/team/secrets.ts";
import { outrider, type Server, startServer, temporaryDirectory } from "../support/executable.ts";
import { tried } from "../support/promises.ts";
import { type Call, caller, done, until } from "./support.ts";

const ROTATIONS = 4;
const WORKERS = 3;
/** A team has twenty at most; two rounds of workers leave theirs. */
const KEPT_MAX = 2;
const WAIT_MS_MAX = 60_000;
const TEST_MS_MAX = 300_000;

test(
  "a new master key while the server stores, replaces and uses secrets",
  async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    const keyFile = join(data, "master.key");
    const keysThere = () => readFileSync(keyFile, "utf8").trim().split("\n");
    const start = () => startServer({ data, env: { OUTRIDER_RATE_LIMIT: "0" } });
    const rotate = async () => {
      const { exit, out, err } = await outrider(["master-key", "rotate", "--data", data, "--json"]);
      expect([exit, err]).toEqual([0, ""]);
      return JSON.parse(out);
    };
    const known: Known = { live: new Map(), test: new Map() };
    const keys = {} as Record<Env, string>;
    const calls = (server: Server, envName: Env) => caller(server, keys[envName]);

    const server = await start();
    for (const envName of ENVS) {
      keys[envName] = (await server.createKey(envName)).key;
    }
    const asked = { headers: { "Idempotency-Key": "asked-before" } };
    const body = { url: "https://hooks.example.com/once", events: ["*"] };
    const answered = await done(calls(server, "live")("POST", "/webhooks", body, asked));
    const busy = work(
      ENVS.flatMap((envName) => workersOf(envName, calls(server, envName), known[envName])),
    );
    for (let nth = 1; nth <= ROTATIONS; nth += 1) {
      const before = keysThere();
      expect(await rotate()).toMatchObject({ new_key: true, keys: nth + 1, unreadable: 0 });
      expect(keysThere().slice(1)).toEqual(before);
    }
    const again = await done(calls(server, "live")("POST", "/webhooks", body, asked));
    expect(again).toEqual(answered);
    tried("secrets", await busy.end());

    // Killed with a key in the file that it may have adopted, or not, or by half.
    const before = keysThere().length;
    const cut = outrider(["master-key", "rotate", "--data", data, "--json"]);
    await until(WAIT_MS_MAX, "a new key", async () => keysThere().length > before || undefined);
    expect(await server.stop("SIGKILL")).not.toBe(0);
    await using next = await start();
    await cut;
    await done(calls(next, "live")("GET", "/webhooks"));
    await rotate();
    const late = work(
      ENVS.flatMap((envName) => workersOf(envName, calls(next, envName), known[envName])),
    );
    await rotate();
    tried("secrets", await late.end());
    expect(statSync(`${keyFile}.lock`).mode & 0o777).toBe(0o600);
    expect(await next.stop()).toBe(0);

    const [newest = ""] = keysThere();
    const env = { OUTRIDER_MASTER_KEY: newest };
    const { config } = readConfig({ flags: { data }, env, workingDir: data });
    const environments = openEnvironments(config, silentLog);
    try {
      const alone = createVault(new Uint8Array(Buffer.from(newest, "base64")));
      for (const name of ENVS) {
        const opened = countOlder(environments[name], { all: alone, newest: alone });
        expect(opened).toEqual({ resealed: 0, unreadable: 0 });
        expect(known[name].size).toBeGreaterThan(WORKERS);
        for (const [id, secret] of known[name]) {
          const row = webhookById(environments[name].db, id);
          expect(row && secretOf(environments[name], row)).toBe(secret);
        }
      }
    } finally {
      await environments.close();
    }
  },
  TEST_MS_MAX,
);

/** Secrets of webhooks as they were last set, by id. */
type Known = Record<Env, Map<string, string>>;
type Worker = () => Promise<void>;

/** Each makes webhooks of its own, gives them new secrets, reads and removes them. */
function workersOf(envName: Env, call: Call, known: Map<string, string>): Worker[] {
  return Array.from({ length: WORKERS }, (_, worker) => {
    const own: string[] = [];
    let turn = 0;
    return async () => {
      turn += 1;
      const url = `https://hooks.example.com/${envName}/${worker}/${turn}`;
      const made = await done(call("POST", "/webhooks", { url, events: ["*"] }));
      known.set(made.id, made.secret);
      own.push(made.id);
      const one = own[turn % own.length] ?? made.id;
      const renewed = await done(call("POST", `/webhooks/${one}/rotate-secret`));
      known.set(one, renewed.secret);
      await done(call("GET", `/webhooks/${one}`));
      if (own.length > KEPT_MAX) {
        const gone = own.shift() ?? "";
        await done(call("DELETE", `/webhooks/${gone}`));
        known.delete(gone);
      }
    };
  });
}

/** All of them, again and again until the end; answers how many turns there were. Rejects where one fails. */
function work(workers: readonly Worker[]): { end: () => Promise<number> } {
  let isOver = false;
  let turns = 0;
  const running = workers.map(async (worker) => {
    do {
      await worker();
      turns += 1;
    } while (!isOver);
  });
  const all = Promise.all(running);
  all.catch(() => undefined);
  return {
    end: async () => {
      isOver = true;
      await all;
      return turns;
    },
  };
}
