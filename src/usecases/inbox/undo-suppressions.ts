/**
 * Undoing an upload of suppressions: what it added goes, and the sequences that ended with it resume; what
 * somebody has confirmed since, by an unsubscribe, a bounce, another upload or by hand, stays.
 */

import type { Caller, Environment } from "#environment.ts";
import { suppressionEffects } from "#store/inbox/effects.ts";
import { dropSlice, shortenSlice, slicesOf } from "#store/leads/imports.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { ImportRow } from "#store/tables/imports.ts";
import type { EffectRow } from "#store/tables/inbox.ts";
import { undoing } from "#usecases/leads/import/import-undo.ts";
import { changeImport, requireImport } from "#usecases/leads/import/imports.ts";
import { takeBackSuppression } from "./undo.ts";

/** Suppressions that one transaction takes back: each may let sequences go on. */
const TAKEN_BACK_MAX = 25;

/** Throws as `undoImport` does, but for emails that were sent meanwhile. */
export function undoSuppressionImport(
  env: Environment,
  caller: Caller,
  id: Id,
): Promise<ImportRow> {
  return undoing(env, caller, id, async () => {
    // Newest first: where a file names somebody twice, across a resume, its last word goes first.
    for (const slice of slicesOf(env.db, id).toReversed()) {
      const effects = suppressionEffects(env.db, slice.firstId, slice.lastId);
      let from = 0;
      do {
        const some = effects.slice(from, from + TAKEN_BACK_MAX);
        from += TAKEN_BACK_MAX;
        const next = effects[from];
        await env.commit(() => {
          takeBackSome(env, caller, id, some);
          // What is dealt with is not counted again by an undo that goes on after a crash.
          if (next === undefined) {
            dropSlice(env.db, slice.seq);
          } else {
            shortenSlice(env.db, slice.seq, next.id);
          }
        });
      } while (from < effects.length);
    }
  });
}

function takeBackSome(
  env: Environment,
  caller: Caller,
  id: Id,
  effects: readonly EffectRow[],
): void {
  const done = effects.map((effect) =>
    takeBackSuppression(env, caller, effect, `import ${id} was undone`),
  );
  const row = requireImport(env, caller, id);
  const times = (word: (typeof done)[number]) => done.filter((one) => one === word).length;
  changeImport(env, row, {
    removed: row.removed + times("removed"),
    left: row.left + times("left"),
    restored: row.restored + times("restored"),
  });
}
