/** The keys lane: takes up a master key that was put before those in use, and seals the secrets under it. */

import { messageOf } from "#domain/thrown.ts";
import { plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Vault } from "#platform/secrets/crypto.ts";
import type { MasterKeys } from "#platform/secrets/master-keys.ts";
import { resealAll } from "#usecases/team/secrets.ts";
import type { World } from "#world.ts";
import type { Lane } from "./lane.ts";

/** Between two looks at the file. */
const LOOK_MS = 2 * SECOND_MS;

export function keysLane(world: World, keys: MasterKeys): Lane {
  let sealedUnder: Vault | undefined;
  let trouble = "";
  let lookedAt: UnixMs | undefined;
  const look = (): Vault | undefined => {
    try {
      const newest = keys.newest();
      trouble = "";
      return newest;
    } catch (error) {
      const cause = messageOf(error);
      if (cause !== trouble) {
        world.log.error("the master key's file cannot be used; the keys in use stay", { cause });
      }
      trouble = cause;
      return undefined;
    }
  };
  return {
    name: "keys",
    time: "wall",
    step: async (now) => {
      // Roused by every write, it looks no sooner for that; nor later where the clock was set back.
      if (lookedAt !== undefined && now >= lookedAt && now < plus(lookedAt, LOOK_MS)) {
        return plus(lookedAt, LOOK_MS);
      }
      lookedAt = now;
      const newest = look();
      if (newest !== undefined && newest !== sealedUnder && keys.hasOlder()) {
        const done = await resealAll(world, { all: keys.vault, newest });
        // What was sealed just before, and stored after its turn, is found the next time.
        if (done.resealed === 0) {
          sealedUnder = newest;
        } else {
          world.log.info("secrets were sealed under the newest master key", { ...done });
        }
      }
      return plus(now, LOOK_MS);
    },
    settled: () => Promise.resolve(),
  };
}
