/** Guarantees of `store/team/keys.ts`: a key is looked up once a turn, and never taken for what it was. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { unixMs } from "#domain/time.ts";
import type { ApiKeyRow } from "#store/tables/teams.ts";
import { findKey, keySent, listKeys, updateKey } from "#store/team/keys.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";

let app: TestApp;
let looks: number;
beforeEach(async () => {
  app = await createTestApp();
  looks = 0;
});
afterEach(() => app.close());

const db = () => app.environments.test.db;
const row = () => listKeys(db(), app.team.id, { limit: 1, offset: 0 }).rows[0] as ApiKeyRow;
/** What a request with the key `sent` finds. */
const sent = (key: ApiKeyRow) =>
  keySent(db(), "sent", () => {
    looks += 1;
    return findKey(db(), key.teamId, key.id);
  });

test("requests that come together look once, and the next ones again", async () => {
  const key = row();
  expect([sent(key)?.id, sent(key)?.id, looks]).toEqual([key.id, key.id, 1]);
  await new Promise((resolve) => setImmediate(resolve));
  sent(key);
  expect(looks).toBe(2);
});

test("a key that changes is looked up again at once", () => {
  const key = row();
  expect(sent(key)?.revokedAt).toBeNull();
  updateKey(db(), { ...key, revokedAt: unixMs(1) });
  expect(sent(key)?.revokedAt).toBe(unixMs(1));
});

test("a key that nobody has is looked for each time", () => {
  const nobody = () => {
    looks += 1;
    return undefined;
  };
  expect([keySent(db(), "none", nobody), keySent(db(), "none", nobody)]).toEqual([
    undefined,
    undefined,
  ]);
  expect(looks).toBe(2);
});
