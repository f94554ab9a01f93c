/** Forgets what old imports kept of their lines: what they were told, and what undoing them would need. */

import { DAY_MS, plus, type UnixMs } from "#domain/time.ts";
import { pruneImports } from "#store/leads/imports.ts";
import type { World } from "#world.ts";

const KEPT_MS = 30 * DAY_MS;
/** Of each kind, in one transaction. */
const SLICE_ROWS = 1_000;
/** In one go; the rest an hour later. */
const SLICES_MAX = 500;

export async function forgetImports(world: World, now: UnixMs): Promise<void> {
  for (let slices = 0; slices < SLICES_MAX; slices += 1) {
    const gone = await world.commit(() => pruneImports(world.db, plus(now, -KEPT_MS), SLICE_ROWS));
    if (gone === 0) {
      return;
    }
  }
}
