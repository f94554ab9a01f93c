/** Every sealed secret of a world under the newest master key. */

import type { Vault } from "#runtime/crypto.ts";
import {
  replaceSealed,
  SEALED_COLUMNS,
  type SealedCell,
  type SealedColumn,
  sealedCells,
} from "#store/sealed.ts";
import type { World } from "#world.ts";
import { verifierContext } from "./consents.ts";
import { resealCredentials } from "./credentials.ts";
import { resealSecret } from "./webhooks.ts";

/** In one transaction. */
const CELLS_MAX = 500;

export interface Resealed {
  /** Cells that an older key had sealed. */
  resealed: number;
  /** Cells that no key opens: left as they are. */
  unreadable: number;
}

export interface Keys {
  /** All that there are. */
  all: Vault;
  /** The newest alone. */
  newest: Vault;
}

/**
 * Whenever it ends on the way, the rest is found by the next call: what the newest key opens is done.
 * Nobody else may write secrets meanwhile.
 */
export async function resealAll(
  world: Pick<World, "db" | "commit">,
  keys: Keys,
): Promise<Resealed> {
  const total = { resealed: 0, unreadable: 0 };
  for (const column of SEALED_COLUMNS) {
    let after = 0;
    for (let cells = 1; cells > 0; ) {
      const page = await world.commit(() => resealPage(world, keys, column, after));
      cells = page.cells;
      after = page.last;
      total.resealed += page.resealed;
      total.unreadable += page.unreadable;
    }
  }
  return total;
}

function resealPage({ db }: Pick<World, "db">, keys: Keys, column: SealedColumn, after: number) {
  const cells = sealedCells(db, column, after, CELLS_MAX);
  const page = { cells: cells.length, last: cells.at(-1)?.rowid ?? after };
  const sum = { resealed: 0, unreadable: 0 };
  for (const cell of cells) {
    if (sealedFor(column, cell, keys.newest, keys.newest) !== null) {
      continue;
    }
    const text = sealedFor(column, cell, keys.all, keys.newest);
    if (text === null) {
      sum.unreadable += 1;
    } else {
      replaceSealed(db, column, { rowid: cell.rowid, text });
      sum.resealed += 1;
    }
  }
  return { ...page, ...sum };
}

/** Null where `from` opens none of it, or not all. */
function sealedFor(
  { table }: SealedColumn,
  { names, text }: SealedCell,
  from: Vault,
  to: Vault,
): string | null {
  const [first = "", second = ""] = names;
  const again = (context: string) => to.seal(from.open(text, context), context);
  try {
    switch (table) {
      case "accounts":
      case "placement_seeds":
        return resealCredentials(from, to, first, text);
      case "webhooks":
        return resealSecret(from, to, first, text);
      case "consents":
        return again(verifierContext(first));
      case "idempotency":
        return again(answerContext(first, second));
      default:
        return table satisfies never;
    }
  } catch {
    return null;
  }
}

/** What an answer is sealed for that is kept for a repeat. */
export function answerContext(teamId: string, key: string): string {
  return `idempotency.answer:${teamId}:${key}`;
}
