/** The signing lane: sees when the keys of new signatures have been published, so that they are used. */

import { isDue, type UnixMs } from "#domain/time.ts";
import { accountsToSign, nextDkimAt } from "#store/mailboxes/accounts.ts";
import { isPublished, notePublished } from "#usecases/mailboxes/dkim.ts";
import type { World } from "#world.ts";
import type { Lane } from "./lane.ts";

/** Questions to DNS of one step. */
const LOOKS_MAX = 16;

export function signingLane(world: World): Lane {
  return {
    name: "signing",
    step: async (now): Promise<UnixMs | undefined> => {
      const first = nextDkimAt(world.db);
      if (!isDue(first, now)) {
        return first;
      }
      const due = accountsToSign(world.db, now, LOOKS_MAX);
      await Promise.all(
        due.map(async (account) => {
          const found =
            account.dkim === null ? null : await isPublished(world, account.teamId, account.dkim);
          await world.commit(() => notePublished(world, account, found));
        }),
      );
      return due.length === LOOKS_MAX ? now : nextDkimAt(world.db);
    },
    settled: () => Promise.resolve(),
  };
}
