/**
 * A data directory that another program has left: commit 18be191 was killed in the middle of sending in
 * the sandbox, with an email of a sequence and a reply by hand that servers had taken, a test email that
 * none had, and replies that waited. Today's program opens it, counts the same, and goes on to the end.
 */

import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DAY_MS } from "#domain/time.ts";
import { recover } from "#engine/recover.ts";
import { checkInvariants } from "#usecases/operations/invariants.ts";
import kept from "../../fixtures/kept-directory/kept.json" with { type: "json" };
import { createTestApp } from "../../support/app.ts";
import { layOut } from "../../support/schema-fixture.ts";

const FIXTURE = resolve(import.meta.dir, "../../fixtures/kept-directory");

test("data that commit 18be191 left in the middle of sending goes on, and nothing goes out twice", async () => {
  const directory = mkdtempSync(join(tmpdir(), "outrider-kept-"));
  const paths = { live: join(directory, "live.db"), test: join(directory, "test.db") };
  for (const [envName, path] of Object.entries(paths)) {
    layOut(Bun.zstdDecompressSync(readFileSync(join(FIXTURE, `${envName}.db.zst`))), path);
  }
  const app = await createTestApp({ paths, seed: 2 });
  const env = app.environments.test;
  const get = async (path: string) => (await app.call("GET", path, undefined, kept)).body;
  expect(env.clock.now()).toBe(kept.at as typeof app.team.createdAt);
  expect(await get(`/campaigns/${kept.campaign}/stats`)).toMatchObject(kept.stats);
  const threads = (await get("/inbox/threads?limit=100")).data;
  expect(threads.map((one: Thread) => [one.id, one.mails, one.unread])).toEqual(kept.inbox);

  expect(await recover(env)).toMatchObject({ retried: 1, found: 2, unknown: 0 });
  await app.advance(4 * DAY_MS);
  expect(checkInvariants(env, kept.team).filter(({ holds }) => !holds)).toEqual([]);
  const count = (sql: string) => env.db.raw.query(sql).values();
  expect(count("select distinct status from messages order by 1")).toEqual([["sent"]]);
  expect(count("select distinct status from placement_runs")).toEqual([["completed"]]);
  expect(count("select kind, count(*) from messages group by 1")).toEqual(
    count(
      "select m.kind, count(distinct s.id) from sandbox_messages s join messages m on m.message_id = s.message_id group by 1",
    ),
  );
  await app.close();
  rmSync(directory, { recursive: true, force: true });
});

interface Thread {
  id: string;
  mails: number;
  unread: number;
}
