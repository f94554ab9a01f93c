/**
 * People are erased, and suppressed, by a real server that is then killed and put back to a backup, a snapshot of its files,
 * or into a new directory; during imports and exports too. Its files are looked through from outside.
 */

import { describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { outrider, type Server, startServer, temporaryDirectory } from "../support/executable.ts";
import { tracesIn } from "../support/traces.ts";
import { type Call, caller, createCampaign, done, until } from "./support.ts";

const ENV = { OUTRIDER_RATE_LIMIT: "0", OUTRIDER_LOG_LEVEL: "warn" };
const WORD = "quastenflosser";
const TEST_MS_MAX = 300_000;
const WAIT_MS_MAX = 120_000;

const address = (n: number) => `${WORD}${n}@quiet.example`;

/** A server with a campaign of `count` people in its live environment. */
async function prepared(data: string, count: number) {
  const server = await startServer({ data, env: ENV });
  const { key } = await server.createKey("live");
  const call = caller(server, key);
  const campaign = await createCampaign(call, { name: "Erasure" });
  await done(call("POST", `/campaigns/${campaign}/leads`, { leads: people(0, count) }));
  const found = (await done(call("GET", `/leads?limit=${count}`))).data;
  const leads = (found as { id: string; email: string }[]).map(({ id, email }) => ({ id, email }));
  return { server, key, call, campaign, leads };
}

const people = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ email: address(from + n), first_name: "Q" }));

async function emailsOf(call: Call): Promise<string[]> {
  const { data } = await done(call("GET", "/leads?limit=100"));
  return data.map(({ email }: { email: string }) => email);
}

function copyFiles(from: string, to: string, matches: RegExp): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(from).filter((one) => matches.test(one))) {
    copyFileSync(join(from, name), join(to, name));
  }
}

async function erase(call: Call, leads: readonly { id: string }[]): Promise<void> {
  for (const { id } of leads) {
    expect((await call("DELETE", `/leads/${id}`)).status).toBe(204);
  }
}

async function started(data: string, key: string): Promise<{ server: Server; call: Call }> {
  const server = await startServer({ data, env: ENV });
  return { server, call: caller(server, key) };
}

describe("who was erased after it", () => {
  test(
    "is erased again by a restore into a new directory that has the list",
    async () => {
      using directory = temporaryDirectory();
      const [data, next] = [join(directory.path, "data"), join(directory.path, "next")];
      const file = join(directory.path, "old.backup");
      const { server, key, call, leads } = await prepared(data, 4);
      const made = await outrider(["backup", file, "--with-key", "--data", data], { env: ENV });
      expect(made).toMatchObject({ exit: 0 });
      const kept = await outrider(["backup", "--data", data], { env: ENV });
      await erase(call, leads.slice(0, 2));
      const { data: receipts } = await done(call("GET", "/erasures"));
      const [name] = /outrider-[^/\s]+$/.exec(kept.out.trim()) ?? [];
      expect(receipts).toHaveLength(2);
      expect(receipts[0].copies).toMatchObject([{ name, kept_until: null }]);
      expect(await server.stop()).toBe(0);
      expect(readFileSync(join(data, "erasures.ndjson"), "utf8")).not.toContain(WORD);

      copyFiles(data, next, /^erasures\.ndjson$/);
      const back = await outrider(["restore", file, "--data", next], { env: ENV });
      expect(back).toMatchObject({ exit: 0 });
      const after = await started(next, key);
      expect((await emailsOf(after.call)).toSorted()).toEqual(
        leads
          .slice(2)
          .map(({ email }) => email)
          .toSorted(),
      );
      expect(after.server.log()).toContain("erased people again");
      for (const { id, asked_at, removed } of receipts) {
        const again = await done(after.call("GET", `/erasures/${id}`));
        expect(again).toMatchObject({ id, asked_at, removed, copies: [] });
        expect(again.erased_again).toHaveLength(1);
      }
      const names = leads.slice(0, 2).map(({ email }) => email);
      await until(WAIT_MS_MAX, "the files are clean", async () =>
        Object.keys(tracesIn(next, names)).length === 0 ? true : undefined,
      );
      expect(await after.server.stop()).toBe(0);
    },
    TEST_MS_MAX,
  );

  test(
    "is erased again where an older state of the files is put back after a kill",
    async () => {
      using directory = temporaryDirectory();
      const [data, old] = [join(directory.path, "data"), join(directory.path, "old")];
      const first = await prepared(data, 40);
      expect(await first.server.stop()).toBe(0);
      copyFiles(data, old, /./);
      const { server, call } = await started(data, first.key);
      const answered: string[] = [];
      const erasing = (async () => {
        for (const { id, email } of first.leads) {
          const reply = await call("DELETE", `/leads/${id}`).catch(() => undefined);
          if (reply?.status === 204) {
            answered.push(email);
          }
        }
      })();
      await until(WAIT_MS_MAX, "some are erased", async () =>
        answered.length >= 10 ? true : undefined,
      );
      await server.stop("SIGKILL");
      await erasing;
      rmSync(join(data, "live.db-wal"), { force: true });
      rmSync(join(data, "live.db-shm"), { force: true });
      copyFiles(old, data, /^live\.db/);

      const after = await started(data, first.key);
      const left = await emailsOf(after.call);
      expect(left.filter((email) => answered.includes(email))).toEqual([]);
      // At most the one that was asked for and not answered.
      expect(40 - left.length - answered.length).toBeLessThanOrEqual(1);
      await until(WAIT_MS_MAX, "the files are clean", async () =>
        Object.keys(tracesIn(data, answered)).length === 0 ? true : undefined,
      );
      expect(await after.server.stop()).toBe(0);
    },
    TEST_MS_MAX,
  );
});

describe("who was suppressed after it", () => {
  test(
    "is suppressed again by a restore into a new directory that has the list, and nobody whose list is not there",
    async () => {
      using directory = temporaryDirectory();
      const path = (name: string) => join(directory.path, name);
      const { server, key, call, leads } = await prepared(path("data"), 3);
      const [file, env] = [path("old.backup"), { env: ENV }];
      await outrider(["backup", file, "--with-key", "--data", path("data")], env);
      const [ann, bob] = leads.map(({ email }) => email) as [string, string, string];
      await done(call("POST", "/suppressions", { email: ann }));
      const { id } = await done(call("POST", "/suppressions", { email: bob }));
      expect((await call("DELETE", `/suppressions/${id}`)).status).toBe(204);
      // Nothing that it was told is lost by a kill.
      await server.stop("SIGKILL");

      copyFiles(path("data"), path("with"), /^suppressions\.ndjson$/);
      for (const [name, suppressed] of [
        ["with", [ann]],
        ["without", []],
      ] as const) {
        const back = await outrider(["restore", file, "--data", path(name)], env);
        expect(back).toMatchObject({ exit: 0 });
        const after = await started(path(name), key);
        const { data } = await done(after.call("GET", "/suppressions"));
        expect(data.map(({ email }: { email: string }) => email)).toEqual([...suppressed]);
        expect(await after.server.stop()).toBe(0);
      }
    },
    TEST_MS_MAX,
  );
});

describe("an erasure", () => {
  test(
    "during an import that has passed the person, and during an export, leaves nothing",
    async () => {
      using directory = temporaryDirectory();
      const data = join(directory.path, "data");
      const { server, key, call, campaign } = await prepared(data, 1);
      const rows = (from: number, count: number) =>
        Array.from({ length: count }, (_, n) => `other${from + n}@many.example,Pat\n`).join("");
      const gate = Promise.withResolvers<void>();
      const bytes = new TextEncoder();
      const person = `${WORD}.x@quiet.example`;
      const form = `${WORD.toUpperCase()}.X@QUIET.EXAMPLE`;
      const body = new ReadableStream<Uint8Array>({
        start: async (controller) => {
          const head = `email,first_name\n${person},Q\n${form},Q\n`;
          controller.enqueue(bytes.encode(head + rows(0, 5_000)));
          await gate.promise;
          controller.enqueue(bytes.encode(rows(5_000, 5_000)));
          controller.close();
        },
      });
      const importing = server.fetch(`/api/v1/campaigns/${campaign}/leads/import`, {
        ...{ method: "POST", key, body },
        headers: { "Content-Type": "text/csv" },
      });
      const lead = await until(WAIT_MS_MAX, "the person is in", async () => {
        const found = await done(call("GET", `/leads?email=${encodeURIComponent(person)}`));
        return found.data[0] as { id: string } | undefined;
      });
      const exporting = await server.fetch("/api/v1/exports/leads", { key });
      const reader = exporting.body?.getReader();
      await reader?.read();
      expect((await call("DELETE", `/leads/${lead.id}`)).status).toBe(204);
      gate.resolve();
      const imported = await importing;
      expect([imported.status < 300, await imported.text()]).toEqual([true, expect.any(String)]);
      // What had been read before the erasure may still be on its way; what is read after it names nobody.
      for (let part = await reader?.read(); part?.done === false; ) {
        part = await reader?.read();
      }
      const again = await server.fetch("/api/v1/exports/leads", { key });
      const lines = (await again.text()).trim().split("\n");
      expect(lines.length).toBe(1 + 10_001);
      expect(lines.filter((line) => line.includes(person))).toEqual([]);
      expect((await done(call("GET", "/leads?limit=1"))).total).toBe(10_001);
      await until(WAIT_MS_MAX, "the files are clean", async () =>
        Object.keys(tracesIn(data, [`${WORD}.x`])).length === 0 ? true : undefined,
      );
      expect(await server.stop()).toBe(0);
    },
    TEST_MS_MAX,
  );
});
