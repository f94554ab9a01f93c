/**
 * The link under which anybody reads an experiment's report, without an account: signed, for some days, and
 * revoked at any time. It names itself and not the experiment, so a new link ends the one before it.
 */

import { notFound } from "#domain/problem.ts";
import { DAY_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import {
  experimentById,
  putShare,
  removeShare,
  shareById,
  shareOfExperiment,
} from "#store/experiments/experiments.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { ExperimentRow, ShareRow } from "#store/tables/experiments.ts";
import { audit } from "#usecases/events/record.ts";
import { requireExperiment } from "./experiments.ts";

export const SHARE_DEFAULTS = { expiresInDays: 30, includesTexts: false } as const;
export const SHARE_DAYS_MAX = 365;
export const REPORT_PATH = "/r/";

const PURPOSE = "experiment_report";
const ENVIRONMENT_LETTER = { live: "l", test: "t" } as const;

export interface Share {
  /** Without a public address, a path. */
  url: string;
  includesTexts: boolean;
  expiresAt: UnixMs;
  createdAt: UnixMs;
}

export function shareExperiment(
  env: Environment,
  caller: Caller,
  id: Id,
  given: { expiresInDays?: number; includesTexts?: boolean } = {},
): Share {
  const { expiresInDays, includesTexts } = { ...SHARE_DEFAULTS, ...given };
  const experiment = requireExperiment(env, caller, id);
  const now = env.wall.now();
  const row: ShareRow = {
    experimentId: experiment.id,
    teamId: experiment.teamId,
    id: env.ids.next(now),
    showsTexts: includesTexts,
    endsAt: plus(now, expiresInDays * DAY_MS),
    createdAt: now,
  };
  putShare(env.db, row);
  audit(env, caller, {
    action: "experiment.share",
    target: `experiment:${experiment.id}`,
    after: { expires_in_days: expiresInDays, includes_texts: includesTexts },
  });
  return shareOf(env, row);
}

/** Throws `not_found` where there is no link. */
export function unshareExperiment(env: Environment, caller: Caller, id: Id): void {
  const experiment = requireExperiment(env, caller, id);
  if (currentShare(env, experiment.id) === null) {
    throw notFound("link to this experiment's report");
  }
  removeShare(env.db, experiment.id);
  audit(env, caller, { action: "experiment.unshare", target: `experiment:${experiment.id}` });
}

/** Null where there is none, or it has expired. */
export function currentShare(env: Environment, experimentId: Id): Share | null {
  const row = shareOfExperiment(env.db, experimentId);
  return row === undefined || row.endsAt <= env.wall.now() ? null : shareOf(env, row);
}

function shareOf(env: Environment, row: ShareRow): Share {
  const token = ENVIRONMENT_LETTER[env.name] + env.vault.sign(PURPOSE, row.id);
  return {
    url: `${env.publicUrl ?? ""}${REPORT_PATH}${token}`,
    includesTexts: row.showsTexts,
    expiresAt: row.endsAt,
    createdAt: row.createdAt,
  };
}

/** What a token lets its bearer read. */
export interface SharedReport {
  env: Environment;
  experiment: ExperimentRow;
  share: ShareRow;
}

/** Null for a token that we did not sign, and for a link that was revoked, replaced or has expired. */
export function findShared(
  environments: { readonly live: Environment; readonly test: Environment },
  token: string,
): SharedReport | null {
  const env = [environments.live, environments.test].find(
    ({ name }) => ENVIRONMENT_LETTER[name] === token[0],
  );
  const id = env?.vault.verify(PURPOSE, token.slice(1)) ?? null;
  const share = env === undefined || id === null ? undefined : shareById(env.db, id);
  if (env === undefined || share === undefined || share.endsAt <= env.wall.now()) {
    return null;
  }
  const experiment = experimentById(env.db, share.experimentId);
  return experiment === undefined ? null : { env, experiment, share };
}
