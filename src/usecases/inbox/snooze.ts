/** Conversations that were put off come back, unread, when their time has come. */

import { isDue, type UnixMs } from "#domain/time.ts";
import { type Environment, engineCaller } from "#environment.ts";
import {
  fileThread,
  nextSnoozedAt,
  refreshThread,
  snoozedUntilNow,
  updateThread,
} from "#store/inbox/threads.ts";
import { audit } from "#usecases/events/record.ts";
import { markNewestUnread } from "./threads.ts";

const RETURNED_SLICE = 50;

/** In slices. Resolves to when the next is due; `now` when a slice was left over. */
export async function returnSnoozed(env: Environment, now: UnixMs): Promise<UnixMs | undefined> {
  if (!isDue(nextSnoozedAt(env.db), now)) {
    return nextSnoozedAt(env.db);
  }
  await env.commit(() => {
    for (const thread of snoozedUntilNow(env.db, now, RETURNED_SLICE)) {
      updateThread(env.db, fileThread(thread, false, null));
      markNewestUnread(env, thread.id);
      refreshThread(env.db, thread.id, now);
      const target = `thread:${thread.id}`;
      const [before, after] = [{ folder: "snoozed" }, { folder: "open" }];
      audit(env, engineCaller(thread.teamId), { action: "thread.return", target, before, after });
    }
  });
  return nextSnoozedAt(env.db);
}
