/** Teams: made on the command line, in the live world first; the test world has a row with the same id. */

import { type InterestWords, NO_WORDS, readTeamWords } from "#domain/inbox/interest.ts";
import { canonicalHost } from "#domain/mailboxes/host.ts";
import { found, invalid } from "#domain/problem.ts";
import type { TeamRow } from "#store/tables/teams.ts";
import { findTeam, insertTeam, insertTeamOnce, listTeams, updateTeam } from "#store/team/teams.ts";
import { audit } from "#usecases/events/journal.ts";
import type { Caller, World } from "#world.ts";

export const TEAM_NAME_MAX = 255;
export const POSTAL_ADDRESS_MAX = 500;

export function createTeam(world: World, name: string): TeamRow {
  const now = world.wall.now();
  const row: TeamRow = {
    id: world.ids.next(now),
    name: readName(name),
    postalAddress: null,
    footer: true,
    trackingHost: null,
    interestWords: NO_WORDS,
    createdAt: now,
    updatedAt: now,
  };
  insertTeam(world.db, row);
  const operator: Caller = { teamId: row.id, actor: "operator", scopes: [] };
  audit(world, operator, {
    action: "team.create",
    target: `team:${row.id}`,
    after: { name: row.name },
  });
  return row;
}

/** The oldest team, made now where there is none. */
export function firstTeam(world: World): TeamRow {
  return listTeams(world.db)[0] ?? createTeam(world, "My team");
}

/** Makes `world` know the team under the id that it has in the other world. */
export function mirrorTeam(world: World, team: TeamRow): void {
  if (findTeam(world.db, team.id) === undefined) {
    insertTeamOnce(world.db, team);
  }
}

export interface TeamPatch {
  name?: string;
  postalAddress?: string | null;
  footer?: boolean;
  trackingHost?: string | null;
  /** Labels that are left out keep their words. */
  interestWords?: Partial<InterestWords>;
}

/** The caller's team in this world. */
export function ownTeam(world: World, caller: Caller): TeamRow {
  return found(findTeam(world.db, caller.teamId), "team");
}

/** Throws `not_found`, or `validation_error` naming what is empty or too long. */
export function patchTeam(world: World, caller: Caller, patch: TeamPatch): TeamRow {
  const before = ownTeam(world, caller);
  const address = patch.postalAddress === undefined ? before.postalAddress : patch.postalAddress;
  if (address !== null && (address.trim() === "" || address.length > POSTAL_ADDRESS_MAX)) {
    throw invalid("postal_address", `must be 1 to ${POSTAL_ADDRESS_MAX} characters, or null`);
  }
  const after: TeamRow = {
    ...before,
    name: patch.name === undefined ? before.name : readName(patch.name),
    postalAddress: address,
    footer: patch.footer ?? before.footer,
    trackingHost:
      patch.trackingHost === undefined ? before.trackingHost : readHost(patch.trackingHost),
    interestWords: readTeamWords({ ...before.interestWords, ...patch.interestWords }),
  };
  if (JSON.stringify(before) === JSON.stringify(after)) {
    return before;
  }
  const row = { ...after, updatedAt: world.clock.now() };
  updateTeam(world.db, row);
  audit(world, caller, { action: "team.patch", target: `team:${row.id}`, before, after });
  return row;
}

/** A name that a certificate can be had for. */
function readHost(text: string | null): string | null {
  const host = text === null ? null : canonicalHost(text);
  if (text !== null && (host === null || !NAMED.test(host))) {
    throw invalid("tracking_host", "must be a host name such as links.example.com, or null");
  }
  return host;
}

const NAMED = /\.[a-z][a-z0-9-]*$/;

function readName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === "" || trimmed.length > TEAM_NAME_MAX) {
    throw invalid("name", `must be 1 to ${TEAM_NAME_MAX} characters`);
  }
  return trimmed;
}
