/** Teams: made on the command line, in the live environment first; the test environment has a row with the same id. */

import { type InterestWords, NO_WORDS, readTeamWords } from "#domain/inbox/interest.ts";
import { canonicalHost } from "#domain/mailboxes/host.ts";
import { found, invalid } from "#domain/problem.ts";
import type { Language } from "#domain/sending/languages.ts";
import type { Caller, Environment } from "#environment.ts";
import type { TeamRow } from "#store/tables/teams.ts";
import { findTeam, insertTeam, insertTeamOnce, listTeams, updateTeam } from "#store/team/teams.ts";
import { audit } from "#usecases/events/record.ts";

export const TEAM_NAME_MAX = 255;
export const POSTAL_ADDRESS_MAX = 500;
export const UNSUBSCRIBE_TEXT_MAX = 200;

export function createTeam(env: Environment, name: string): TeamRow {
  const now = env.wall.now();
  const row: TeamRow = {
    id: env.ids.next(now),
    name: readName(name),
    postalAddress: null,
    footer: true,
    unsubscribeText: null,
    language: "en",
    trackingHost: null,
    interestWords: NO_WORDS,
    createdAt: now,
    updatedAt: now,
  };
  insertTeam(env.db, row);
  const operator: Caller = { teamId: row.id, actor: "operator", scopes: [] };
  audit(env, operator, {
    action: "team.create",
    target: `team:${row.id}`,
    after: { name: row.name },
  });
  return row;
}

/** The oldest team, made now where there is none. */
export function firstTeam(env: Environment): TeamRow {
  return listTeams(env.db)[0] ?? createTeam(env, "My team");
}

/** Makes `environment` know the team under the id that it has in the other environment. */
export function mirrorTeam(env: Environment, team: TeamRow): void {
  if (findTeam(env.db, team.id) === undefined) {
    insertTeamOnce(env.db, team);
  }
}

export interface TeamPatch {
  name?: string;
  postalAddress?: string | null;
  footer?: boolean;
  unsubscribeText?: string | null;
  language?: Language;
  trackingHost?: string | null;
  /** Labels that are left out keep their words. */
  interestWords?: Partial<InterestWords>;
}

/** The caller's team in this environment. */
export function requireTeam(env: Environment, caller: Caller): TeamRow {
  return found(findTeam(env.db, caller.teamId), "team");
}

/** Throws `not_found`, or `validation_error` naming what is empty or too long. */
export function patchTeam(env: Environment, caller: Caller, patch: TeamPatch): TeamRow {
  const before = requireTeam(env, caller);
  const address = patch.postalAddress === undefined ? before.postalAddress : patch.postalAddress;
  if (address !== null && (address.trim() === "" || address.length > POSTAL_ADDRESS_MAX)) {
    throw invalid("postal_address", `must be 1 to ${POSTAL_ADDRESS_MAX} characters, or null`);
  }
  const after: TeamRow = {
    ...before,
    name: patch.name === undefined ? before.name : readName(patch.name),
    postalAddress: address,
    footer: patch.footer ?? before.footer,
    unsubscribeText:
      patch.unsubscribeText === undefined
        ? before.unsubscribeText
        : readUnsubscribeText(patch.unsubscribeText),
    language: patch.language ?? before.language,
    trackingHost:
      patch.trackingHost === undefined ? before.trackingHost : readHost(patch.trackingHost),
    interestWords: readTeamWords({ ...before.interestWords, ...patch.interestWords }),
  };
  if (JSON.stringify(before) === JSON.stringify(after)) {
    return before;
  }
  const row = { ...after, updatedAt: env.clock.now() };
  updateTeam(env.db, row);
  audit(env, caller, { action: "team.patch", target: `team:${row.id}`, before, after });
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

function readUnsubscribeText(text: string | null): string | null {
  const trimmed = text?.trim() ?? null;
  if (trimmed !== null && (trimmed === "" || trimmed.length > UNSUBSCRIBE_TEXT_MAX)) {
    throw invalid("unsubscribe_text", `must be 1 to ${UNSUBSCRIBE_TEXT_MAX} characters, or null`);
  }
  return trimmed;
}

function readName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === "" || trimmed.length > TEAM_NAME_MAX) {
    throw invalid("name", `must be 1 to ${TEAM_NAME_MAX} characters`);
  }
  return trimmed;
}
