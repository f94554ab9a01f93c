/**
 * A team as lines of JSON, and out of them again in another installation: configuration, leads, emails and
 * what happened. People, keys and the plan are the installation's and stay.
 *
 * Secrets of mailboxes and webhooks go as they are sealed: whoever has the lines can read none of them,
 * and whoever puts them in needs the key of the installation that they come from.
 */

import { Problem } from "#domain/problem.ts";
import { INSTANT_MS_MAX, toIso } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import type { Vault } from "#platform/secrets/crypto.ts";
import { queueTeam } from "#store/leads/search.ts";
import {
  type Cell,
  type CopiedRow,
  mailsUnderWay,
  reading,
  rowWriter,
  teamRows,
} from "#store/operations/team-copy.ts";
import { bytesToId, type Id } from "#store/sqlite/columns.ts";
import { schemaVersion } from "#store/sqlite/migrate.ts";
import { findTeam } from "#store/team/teams.ts";
import { audit } from "#usecases/events/record.ts";
import { newSealedSecret, resealSecret } from "#usecases/events/webhooks.ts";
import { resealCredentials, workspaceContext } from "#usecases/mailboxes/credentials.ts";

const FORMAT = "outrider-team-1";

interface Header {
  format: typeof FORMAT;
  schema: number;
  team_id: Id;
  name: string;
  exported_at: string;
}

export interface TeamCopied {
  teamId: Id;
  name: string;
  rows: number;
}

/** Writes every line to `write`, of one state of the database. Throws a `conflict` while an email is sent. */
export function exportTeam(
  env: Environment,
  teamId: Id,
  write: (line: string) => void,
): TeamCopied {
  return reading(env.db, () => {
    const team = findTeam(env.db, teamId);
    if (team === undefined) {
      throw new Problem("not_found", "no such team");
    }
    if (mailsUnderWay(env.db, teamId) > 0) {
      throw new Problem("conflict", "an email is being sent: pause the campaigns, and try again");
    }
    const header: Header = {
      format: FORMAT,
      schema: schemaVersion(env.db),
      team_id: teamId,
      name: team.name,
      exported_at: toIso(env.wall.now()),
    };
    write(JSON.stringify(header));
    let rows = 0;
    for (const { table, cells } of teamRows(env.db, teamId)) {
      rows += 1;
      write(JSON.stringify([table, encoded(cells)]));
    }
    write(JSON.stringify({ end: rows }));
    return { teamId, name: team.name, rows };
  });
}

/** What secrets are opened with: the vault of where they come from, or null to do without them. */
export type SourceVault = Vault | null;

/**
 * Puts a team in, all of it or nothing. Campaigns that were active are paused, since two installations
 * would write to everybody twice. Throws `conflict` where the team is here, and `validation_error` where
 * the lines are not those of a whole export of this version.
 */
export function importTeam(
  env: Environment,
  lines: Iterable<string>,
  source: SourceVault,
): TeamCopied {
  const reader = lines[Symbol.iterator]();
  const header = readHeader(reader.next().value, schemaVersion(env.db));
  if (findTeam(env.db, header.team_id) !== undefined) {
    throw new Problem("conflict", `the team ${header.name} already exists on this installation`);
  }
  const put = rowWriter(env.db);
  let rows = 0;
  for (let next = reader.next(); next.done !== true; next = reader.next()) {
    const value = parsed(next.value);
    if (Array.isArray(value)) {
      rows += 1;
      put(adapted(env, readRow(value), source));
    } else {
      return ended(env, header, value, rows);
    }
  }
  throw unusable("it's cut off before the end");
}

function ended(env: Environment, header: Header, value: unknown, rows: number): TeamCopied {
  const { end } = value as { end?: unknown };
  if (end !== rows || findTeam(env.db, header.team_id) === undefined) {
    throw unusable("rows are missing");
  }
  const { team_id: teamId, name } = header;
  queueTeam(env.db, teamId);
  const operator = { teamId, actor: "operator", scopes: [] };
  audit(env, operator, { action: "team.import", target: `team:${teamId}`, after: { name } });
  return { teamId, name, rows };
}

function readHeader(line: string | undefined, schema: number): Header {
  const header = line === undefined ? null : (parsed(line) as Partial<Header> | null);
  if (header?.format !== FORMAT) {
    throw unusable("it isn't a team export");
  }
  if (header.schema !== schema) {
    throw unusable(
      "it was exported by another version; use the same version on both installations",
    );
  }
  return header as Header;
}

function readRow(value: readonly unknown[]): CopiedRow {
  const [table, cells] = value;
  if (typeof table !== "string" || typeof cells !== "object" || cells === null) {
    throw unusable("a line isn't a valid row");
  }
  // Counts and sizes stay far below; an instant beyond would stop what plans with it.
  const far = Object.entries(cells).find(([, cell]) => Number(cell) > INSTANT_MS_MAX);
  if (far !== undefined) {
    throw unusable(`${table}.${far[0]} is beyond the year 9999`);
  }
  return { table, cells: decoded(cells as Record<string, unknown>) };
}

/** What another installation cannot take as it is. */
function adapted(env: Environment, { table, cells }: CopiedRow, source: SourceVault): CopiedRow {
  const row = { ...cells };
  if (table === "campaigns" && row["status"] === "active") {
    Object.assign(row, { status: "paused", status_reason: "manual" });
  }
  const id = row["id"] instanceof Uint8Array ? bytesToId(row["id"]) : "";
  const held = textOf(row["secrets"]);
  if ((table === "accounts" || table === "placement_seeds") && held !== null) {
    row["secrets"] =
      source === null ? null : opened(() => resealCredentials(source, env.vault, id, held));
  }
  if (table === "workspaces") {
    row["secret"] = resealedGrant(env, id, textOf(row["secret"]), source);
  }
  if (table === "webhooks" && row["secret"] !== "") {
    const [secret, previous] = [textOf(row["secret"]), textOf(row["previous_secret"])];
    const reseal = (text: string | null) =>
      source === null || text === null
        ? null
        : opened(() => resealSecret(source, env.vault, id, text));
    row["secret"] = reseal(secret) ?? newSealedSecret(env, id);
    row["previous_secret"] = reseal(previous);
    row["headers"] = reseal(textOf(row["headers"]));
    row["active"] = source === null ? 0 : (row["active"] ?? 0);
  }
  return { table, cells: row };
}

function resealedGrant(env: Environment, id: Id, text: string | null, source: SourceVault) {
  const context = workspaceContext(id);
  return source === null || text === null
    ? null
    : opened(() => env.vault.seal(source.open(text, context), context));
}

function opened<Result>(open: () => Result): Result {
  try {
    return open();
  } catch {
    throw unusable("the master key can't decrypt its secrets");
  }
}

function textOf(cell: Cell | undefined): string | null {
  return typeof cell === "string" ? cell : null;
}

/** Bytes as `{"$": base64}`: no column holds an object. */
function encoded(cells: Readonly<Record<string, Cell>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(cells).map(([name, cell]) => [
      name,
      cell instanceof Uint8Array ? { $: cell.toBase64() } : cell,
    ]),
  );
}

function decoded(cells: Readonly<Record<string, unknown>>): Record<string, Cell> {
  return Object.fromEntries(
    Object.entries(cells).map(([name, cell]) => {
      const base64 = (cell as { $?: unknown } | null)?.$;
      return [name, typeof base64 === "string" ? Uint8Array.fromBase64(base64) : (cell as Cell)];
    }),
  );
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw unusable("a line isn't valid JSON");
  }
}

function unusable(why: string): Problem {
  return new Problem("validation_error", `can't import the file: ${why}`);
}
