/** Every sealed secret of an environment under the newest master key. */

import type { Environment } from "#environment.ts";
import type { Vault } from "#platform/secrets/crypto.ts";
import type { Db } from "#store/sqlite/database.ts";
import {
  replaceSealed,
  SEALED_COLUMNS,
  type SealedCell,
  type SealedColumn,
  sealedCells,
} from "#store/sqlite/sealed.ts";
import { resealSecret } from "#usecases/events/webhooks.ts";
import { verifierContext } from "#usecases/mailboxes/consents.ts";
import { resealCredentials, workspaceContext } from "#usecases/mailboxes/credentials.ts";

/** In one transaction: others wait for it. */
const CELLS_MAX = 200;

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
 * Secrets may be written meanwhile; who seals them with an older key stores them for a call of later.
 */
export async function resealAll(
  env: Pick<Environment, "db" | "commit">,
  keys: Keys,
): Promise<Resealed> {
  const total = { resealed: 0, unreadable: 0 };
  for (const column of SEALED_COLUMNS) {
    let page: Page | undefined;
    do {
      const after: number = page?.last ?? 0;
      page = await env.commit(() => {
        const found = readPage(env.db, keys, column, after);
        for (const cell of found.renewed) {
          replaceSealed(env.db, column, cell);
        }
        return found;
      });
      total.resealed += page.renewed.length;
      total.unreadable += page.unreadable;
    } while (page.cells > 0);
  }
  return total;
}

/** What {@link resealAll} would find. */
export function countOlder({ db }: Pick<Environment, "db">, keys: Keys): Resealed {
  const total = { resealed: 0, unreadable: 0 };
  for (const column of SEALED_COLUMNS) {
    let page: Page | undefined;
    do {
      page = readPage(db, keys, column, page?.last ?? 0);
      total.resealed += page.renewed.length;
      total.unreadable += page.unreadable;
    } while (page.cells > 0);
  }
  return total;
}

interface Page {
  cells: number;
  last: number;
  /** Those that the newest key does not open, sealed under it. */
  renewed: { rowid: number; text: string }[];
  unreadable: number;
}

function readPage(db: Db, keys: Keys, column: SealedColumn, after: number): Page {
  const cells = sealedCells(db, column, after, CELLS_MAX);
  const older = cells.filter((cell) => sealedFor(column, cell, keys.newest, keys.newest) === null);
  const renewed = older.flatMap((cell) => {
    const text = sealedFor(column, cell, keys.all, keys.newest);
    return text === null ? [] : [{ rowid: cell.rowid, text }];
  });
  const last = cells.at(-1)?.rowid ?? after;
  return { cells: cells.length, last, renewed, unreadable: older.length - renewed.length };
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
      case "deleted":
      case "placement_seeds":
        return resealCredentials(from, to, first, text);
      case "webhooks":
        return resealSecret(from, to, first, text);
      case "workspaces":
        return again(workspaceContext(first));
      case "consents":
        return again(verifierContext(first));
      case "idempotency":
        return again(responseContext(first, second));
      default:
        return table satisfies never;
    }
  } catch {
    return null;
  }
}

/** What an answer is sealed for that is kept for a repeat. */
export function responseContext(teamId: string, key: string): string {
  return `idempotency.answer:${teamId}:${key}`;
}
