/** The keys worker looks at the key's file every two seconds, however often it is roused. */

import { expect, test } from "bun:test";
import { plus, SECOND_MS, type UnixMs, unixMs } from "#domain/time.ts";
import { keysWorker } from "#engine/installation.ts";
import type { MasterKeys } from "#platform/secrets/master-keys.ts";
import { createTestApp } from "../../support/app.ts";

const START = unixMs(Date.UTC(2026, 2, 2, 15));

test("a roused worker reads the file no sooner, and a clock that was set back holds up nothing", async () => {
  const app = await createTestApp();
  const env = app.environments.live;
  let looks = 0;
  const { vault } = env;
  const keys: MasterKeys = {
    vault,
    newest: () => {
      looks += 1;
      return vault;
    },
    hasOlder: () => false,
  };
  const worker = keysWorker(env, keys);
  const seen: [UnixMs | undefined, number][] = [];
  for (const after of [0, 1, 1_999, 2_000, 2_500, -3_600_000]) {
    const next = await worker.step(plus(START, after));
    seen.push([next, looks]);
  }
  const due = (after: number) => plus(START, after + 2 * SECOND_MS);
  expect(seen).toEqual([
    [due(0), 1],
    [due(0), 1],
    [due(0), 1],
    [due(2_000), 2],
    [due(2_000), 2],
    [due(-3_600_000), 3],
  ]);
  await app.close();
});
