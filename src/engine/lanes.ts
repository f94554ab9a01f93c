/** Every timer of the product, on one page. */

import type { MasterKeys } from "#platform/secrets/master-keys.ts";
import type { World } from "#world.ts";
import { type BackupSchedule, backupsLane } from "./backups.ts";
import { experimentsLane } from "./experiments.ts";
import { feedLane } from "./feed.ts";
import { healthLane } from "./health.ts";
import { inboxLane } from "./inbox.ts";
import type { Lane } from "./lane.ts";
import { keysLane } from "./master-key.ts";
import { placementLane } from "./placement.ts";
import { reconcileLane } from "./reconcile.ts";
import { searchLane } from "./search.ts";
import { sendLane } from "./send.ts";
import { signingLane } from "./signing.ts";
import { trackingLane } from "./tracking.ts";
import { upkeepLane } from "./upkeep.ts";
import { webhooksLane } from "./webhooks.ts";

/** What only a program on a data directory has. */
export interface Installation {
  backups?: BackupSchedule | undefined;
  keys?: MasterKeys | undefined;
}

/** In the order in which they are stepped at one instant: what came back stops what would go out. */
export function createLanes(world: World, { backups, keys }: Installation = {}): Lane[] {
  return [
    ...(keys === undefined ? [] : [keysLane(world, keys)]),
    ...(backups === undefined ? [] : [backupsLane(world, backups)]),
    inboxLane(world),
    reconcileLane(world),
    upkeepLane(world),
    searchLane(world),
    healthLane(world),
    signingLane(world),
    experimentsLane(world),
    placementLane(world),
    sendLane(world),
    trackingLane(world),
    webhooksLane(world),
    feedLane(world),
  ];
}
