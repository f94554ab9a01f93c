/** After a restore, emails that nothing can tell of count against the limits of the day, as if they had been sent. */

import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOUR_MS } from "#domain/time.ts";
import { reconcile } from "#engine/reconcile.ts";
import { copyOpen } from "#store/operations/snapshot.ts";
import { markUnconfirmed } from "#usecases/delivery/restored.ts";
import { START } from "../../support/app.ts";
import { createLive } from "../support.ts";
import { listing } from "./sent-folder.ts";

const STEPS = [{ type: "email", subject: "Hi", body: "Hello" }];
const DAILY_LIMIT = 6;
/** One, and as many as fit into a minute: {@link unconfirmedMax}. */
const MISSING_MAX = 3;

test.each([
  [true, DAILY_LIMIT - MISSING_MAX - 1],
  [false, 0],
])("copies are filed: %p, so that %i more are sent on that day", async (saves, rest) => {
  const top = mkdtempSync(join(tmpdir(), "outrider-untold-"));
  const paths = { live: join(top, "live.db"), test: join(top, "test.db") };
  const before = await createLive();
  const accountId = await before.addAccount();
  const pace = { daily_limit: DAILY_LIMIT, hourly_limit: DAILY_LIMIT, min_gap_seconds: 30 };
  await before.call("PATCH", `/accounts/${accountId}`, {
    ...{ ...pace, max_gap_seconds: 30 },
    imap: { save_sent: saves },
  });
  copyOpen(before.app.environments.live.db, paths.live, before.app.wall.now());
  await before.launch(STEPS, "x@five.example");
  await before.run(HOUR_MS);
  expect(before.mail.taken).toHaveLength(1);

  const after = await createLive({ paths, seed: 99 });
  after.app.wall.set(before.app.wall.now());
  after.mail.listing = await listing(before.mail.taken, before.app.wall.now());
  await after.env.commit(() => markUnconfirmed(after.env, START, after.env.clock.now()));
  await reconcile(after.env);
  const keyed: typeof after.call = (method, path, body) =>
    after.call(method, path, body, { key: before.app.keys.live });
  const { body } = await keyed("GET", `/accounts/${accountId}/usage`);
  expect(DAILY_LIMIT - body.day.used).toBe(rest);
  await before.app.close();
  await after.app.close();
  rmSync(top, { recursive: true, force: true });
});
