/** Forgets events that are old enough, and what deleted webhooks have left, in slices. */

import { DAY_MS, plus, type UnixMs } from "#domain/time.ts";
import { hasEventBefore, pruneEvents } from "#store/events/events.ts";
import { deletedWebhook } from "#store/events/webhooks.ts";
import { sweepDeleted } from "#usecases/events/webhooks.ts";
import type { World } from "#world.ts";

export const EVENTS_KEPT_MS = 30 * DAY_MS;
const SLICE_ROWS = 500;
/** In one go; the rest an hour later. */
const SLICES_MAX = 1_000;

export async function forgetEvents(world: World, now: UnixMs): Promise<void> {
  const before = plus(now, -EVENTS_KEPT_MS);
  if (deletedWebhook(world.db) !== undefined) {
    await inSlices(world, () => sweepDeleted(world, SLICE_ROWS));
  }
  if (hasEventBefore(world.db, before)) {
    await inSlices(world, () => pruneEvents(world.db, before, SLICE_ROWS));
  }
}

/** Until a slice is not full: others get their turn in between. */
async function inSlices(world: World, forget: () => number): Promise<void> {
  for (let slices = 0; slices < SLICES_MAX; slices += 1) {
    if ((await world.commit(forget)) < SLICE_ROWS) {
      return;
    }
  }
}
