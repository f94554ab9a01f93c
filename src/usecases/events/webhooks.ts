/** Webhooks: made, changed, rotated and removed by people; what becomes of their deliveries is not here. */

import { INCLUDE_SCOPES, type Include } from "#domain/event-include.ts";
import { checkPattern } from "#domain/events/event.ts";
import { keptOf, mergeHeaders, type RequestHeaders } from "#domain/events/request-headers.ts";
import { WELL } from "#domain/events/webhook.ts";
import { conflict, found, invalid, Problem } from "#domain/problem.ts";
import { permits } from "#domain/team/api-key.ts";
import { DAY_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { faultOfSecret, newSecret } from "#platform/http/webhook-signature.ts";
import type { Vault } from "#platform/secrets/crypto.ts";
import { findCampaign } from "#store/campaigns/campaigns.ts";
import { dropDeliveries, nextDeliveryAt } from "#store/events/deliveries.ts";
import { hasEventBefore, lastSeq, pruneEvents } from "#store/events/events.ts";
import {
  countWebhooks,
  deletedWebhook,
  findWebhook,
  insertWebhook,
  purgedWebhook,
  removeWebhook,
  updateWebhook,
} from "#store/events/webhooks.ts";
import { findDeleted, insertDeleted, removeDeleted } from "#store/operations/deleted.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { WebhookRow } from "#store/tables/webhooks.ts";
import { ensureCapacity } from "./limits.ts";
import { audit } from "./record.ts";

/** Of one team in one environment. */
export const WEBHOOKS_MAX = 20;
/** How long both secrets sign after a rotation, at most. */
export const OVERLAP_SECONDS_MAX = 604_800;

const EVENTS_KEPT_MS = 30 * DAY_MS;
const SLICE_ROWS = 500;
/** Forgotten in one go; the rest an hour later. */
const SLICES_MAX = 1_000;

export interface WebhookInput {
  url: string;
  events: readonly string[];
  /** Made where it is left out. */
  secret?: string;
  active: boolean;
  name?: string | null;
  /** Campaigns of the team; null: all events. */
  campaignIds?: readonly Id[] | null;
  include?: readonly Include[];
  /** Merged into those that there are: null removes one, a masked value leaves it. */
  headers?: Readonly<Record<string, string | null>>;
}

/** Throws `validation_error` for what cannot be delivered to, `conflict` beyond {@link WEBHOOKS_MAX}. */
export function createWebhook(env: Environment, caller: Caller, input: WebhookInput): WebhookRow {
  checkCount(env, caller);
  checkInput(env, caller, input);
  checkScopes(caller, input.include ?? []);
  const headers = mergeHeaders({}, input.headers ?? {});
  const now = env.clock.now();
  const id = env.ids.next(now);
  const row: WebhookRow = {
    ...WELL,
    id,
    teamId: caller.teamId,
    url: input.url,
    name: input.name ?? null,
    events: [...input.events],
    campaignIds: input.campaignIds ? [...input.campaignIds] : null,
    include: [...(input.include ?? [])],
    headers: sealHeaders(env, id, headers),
    secret: seal(env, id, input.secret ?? newSecret()),
    previousSecret: null,
    previousUntil: null,
    active: input.active,
    disabledReason: null,
    disabledAt: null,
    dueAt: null,
    sinceSeq: lastSeq(env.db),
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  ensureCapacity(env, caller.teamId, "webhooks");
  insertWebhook(env.db, row);
  audit(env, caller, { action: "webhook.create", target: `webhook:${id}`, after: facts(row) });
  return row;
}

function checkCount({ db }: Environment, { teamId }: Caller): void {
  if (countWebhooks(db, teamId) >= WEBHOOKS_MAX) {
    throw conflict(`a team has at most ${WEBHOOKS_MAX} webhooks; delete one first`);
  }
}

/** Throws `validation_error` as for a new one. Activating forgets what the endpoint did before. */
export function patchWebhook(
  env: Environment,
  caller: Caller,
  id: Id,
  patch: Partial<WebhookInput>,
): WebhookRow {
  const before = requireWebhook(env, caller, id);
  checkInput(env, caller, patch);
  const headers = mergedHeaders(env, before, patch);
  const merged = { ...before, ...given(patch), headers };
  if (merged.url !== before.url || patch.include !== undefined) {
    checkScopes(caller, merged.include);
  }
  const isNewSecret = patch.secret !== undefined && patch.secret !== secretOf(env, before);
  if (JSON.stringify(before) === JSON.stringify(merged) && !isNewSecret) {
    return before;
  }
  const row = resubscribed(env, before, {
    ...merged,
    ...(isNewSecret
      ? { secret: seal(env, id, patch.secret ?? ""), previousSecret: null, previousUntil: null }
      : {}),
    updatedAt: env.clock.now(),
  });
  updateWebhook(env.db, row);
  audit(env, caller, {
    action: "webhook.patch",
    target: `webhook:${id}`,
    before: facts(before),
    after: {
      ...facts(row),
      ...(isNewSecret ? { secret: "changed" } : {}),
      ...(headers === before.headers ? {} : { headers: "changed" }),
    },
  });
  env.wake();
  return row;
}

/** What a patch says of the fields that are stored as they are given. */
function given(patch: Partial<WebhookInput>): Partial<WebhookRow> {
  const { url, name, events, campaignIds, include, active } = patch;
  const fields = { url, name, events, campaignIds, include, active };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Events from now on are promised by what is subscribed now; what waited goes out once it is active. */
function resubscribed(env: Environment, before: WebhookRow, after: WebhookRow): WebhookRow {
  const isSame =
    before.active === after.active &&
    JSON.stringify([before.events, before.campaignIds]) ===
      JSON.stringify([after.events, after.campaignIds]);
  const row = isSame ? after : { ...after, sinceSeq: lastSeq(env.db) };
  if (before.active === after.active) {
    return row;
  }
  return row.active
    ? {
        ...row,
        ...WELL,
        disabledReason: null,
        disabledAt: null,
        dueAt: nextDeliveryAt(env.db, row.id),
      }
    : { ...row, dueAt: null };
}

/** It is told nothing more, from this moment on. For a while it can be brought back. */
export function deleteWebhook(env: Environment, caller: Caller, id: Id): void {
  const row = requireWebhook(env, caller, id);
  updateWebhook(env.db, { ...row, dueAt: null, deletedAt: env.wall.now() });
  insertDeleted(env.db, {
    id,
    teamId: row.teamId,
    kind: "webhook",
    name: row.name ?? row.url,
    deletedAt: env.clock.now(),
    secrets: null,
    campaigns: [],
  });
  audit(env, caller, { action: "webhook.delete", target: `webhook:${id}`, before: facts(row) });
  env.wake();
}

/**
 * It is told of what happens from now on, and of what was still to be sent. One that is there already stays as it is.
 * Throws `not_found` for one that is purged, `conflict` beyond {@link WEBHOOKS_MAX}.
 */
export function restoreWebhook(env: Environment, caller: Caller, id: Id): WebhookRow {
  if (findDeleted(env.db, caller.teamId, id)?.kind !== "webhook") {
    return requireWebhook(env, caller, id);
  }
  const before = found(deletedWebhook(env.db, id), "webhook");
  checkCount(env, caller);
  ensureCapacity(env, caller.teamId, "webhooks");
  const row: WebhookRow = {
    ...before,
    dueAt: before.active ? (nextDeliveryAt(env.db, id) ?? null) : null,
    sinceSeq: lastSeq(env.db),
    updatedAt: env.clock.now(),
    deletedAt: null,
  };
  updateWebhook(env.db, row);
  removeDeleted(env.db, id);
  audit(env, caller, { action: "webhook.restore", target: `webhook:${id}`, after: facts(row) });
  env.wake();
  return row;
}

/** Its secrets go at once, its deliveries by upkeep. Inside a commit. */
export function purgeWebhook(env: Environment, id: Id): void {
  const row = deletedWebhook(env.db, id);
  if (row !== undefined) {
    const nothing = { secret: "", headers: null, previousSecret: null, previousUntil: null };
    updateWebhook(env.db, { ...row, ...nothing, active: false });
  }
}

/** Upkeep: forgets events that are old enough, and what purged webhooks have left. */
export async function forgetEvents(env: Environment, now: UnixMs): Promise<void> {
  const before = plus(now, -EVENTS_KEPT_MS);
  if (purgedWebhook(env.db) !== undefined) {
    await inSlices(env, () => sweepDeleted(env, SLICE_ROWS));
  }
  if (hasEventBefore(env.db, before)) {
    await inSlices(env, () => pruneEvents(env.db, before, SLICE_ROWS));
  }
}

/** Until a slice is not full: others get their turn in between. */
async function inSlices(env: Environment, forget: () => number): Promise<void> {
  for (let slices = 0; slices < SLICES_MAX; slices += 1) {
    if ((await env.commit(forget)) < SLICE_ROWS) {
      return;
    }
  }
}

/** Removes what a purged webhook has left, `limit` deliveries at most. Returns less when none is left. */
function sweepDeleted(env: Environment, limit: number): number {
  const row = purgedWebhook(env.db);
  if (row === undefined) {
    return 0;
  }
  const gone = dropDeliveries(env.db, row.id, limit);
  if (gone < limit) {
    removeWebhook(env.db, row.id);
  }
  return limit;
}

/** A new secret. The one before signs beside it for `overlapSeconds` more, so that nobody misses one. */
export function rotateSecret(
  env: Environment,
  caller: Caller,
  id: Id,
  overlapSeconds: number,
): WebhookRow {
  const before = requireWebhook(env, caller, id);
  const until = plus(env.wall.now(), overlapSeconds * SECOND_MS);
  const row: WebhookRow = {
    ...before,
    secret: seal(env, id, newSecret()),
    previousSecret: overlapSeconds === 0 ? null : before.secret,
    previousUntil: overlapSeconds === 0 ? null : until,
    updatedAt: env.clock.now(),
  };
  updateWebhook(env.db, row);
  audit(env, caller, {
    action: "webhook.rotate_secret",
    target: `webhook:${id}`,
    after: { overlap_seconds: overlapSeconds },
  });
  return row;
}

/** Throws `not_found` for another team's webhook as for one that never was. */
export function requireWebhook(env: Environment, caller: Caller, id: Id): WebhookRow {
  return found(findWebhook(env.db, caller.teamId, id), "webhook");
}

/** The secret in clear. */
export function secretOf(env: Environment, row: WebhookRow): string {
  return env.vault.open(row.secret, sealedAs(row.id));
}

/** All that sign at `now`, the newest first. */
export function secretsOf(env: Environment, row: WebhookRow, now: UnixMs): string[] {
  const { previousSecret, previousUntil } = row;
  const isValid = previousSecret !== null && previousUntil !== null && now < previousUntil;
  const previous = isValid ? [env.vault.open(previousSecret, sealedAs(row.id))] : [];
  return [secretOf(env, row), ...previous];
}

/** Headers of its own, in clear. */
export function headersOf(env: Environment, row: WebhookRow): RequestHeaders {
  const { headers } = row;
  return headers === null
    ? {}
    : (JSON.parse(env.vault.open(headers, sealedAs(row.id))) as RequestHeaders);
}

function sealHeaders(env: Environment, id: Id, headers: RequestHeaders): string | null {
  return Object.keys(headers).length === 0 ? null : seal(env, id, JSON.stringify(headers));
}

/**
 * Sealed, as they are after a patch. Headers may hold secrets of one receiver: whoever names another one has
 * to know them.
 */
function mergedHeaders(
  env: Environment,
  before: WebhookRow,
  { url = before.url, headers: patch = {} }: Partial<WebhookInput>,
): string | null {
  const known = headersOf(env, before);
  const merged = mergeHeaders(known, patch);
  const left = keptOf(known, patch);
  if (left !== undefined && URL.parse(before.url)?.origin !== URL.parse(url)?.origin) {
    throw invalid(
      `headers.${left}`,
      "is a secret of the present server; to send events to another one, give its value again, or null to remove it",
    );
  }
  const isSame = JSON.stringify(known) === JSON.stringify(merged);
  return isSame ? before.headers : sealHeaders(env, before.id, merged);
}

/** A delivery shows what the caller must be able to read. */
function checkScopes({ scopes }: Caller, include: readonly Include[]): void {
  const beyond = include.find((name) => !permits(scopes, INCLUDE_SCOPES[name], "read"));
  if (beyond !== undefined) {
    throw new Problem(
      "permission_error",
      `the key may not read what "${beyond}" includes; it needs the scope ${INCLUDE_SCOPES[beyond]}:read`,
      "include",
    );
  }
}

function checkInput(env: Environment, { teamId }: Caller, input: Partial<WebhookInput>): void {
  const fault = input.url === undefined ? null : env.http.check(input.url);
  if (fault !== null) {
    throw invalid("url", fault);
  }
  for (const [index, pattern] of (input.events ?? []).entries()) {
    checkPattern(pattern, `events.${index}`);
  }
  for (const [index, id] of (input.campaignIds ?? []).entries()) {
    if (findCampaign(env.db, teamId, id) === undefined) {
      throw invalid(`campaign_ids.${index}`, "must be the id of a campaign of this environment");
    }
  }
  const wrong = input.secret === undefined ? null : faultOfSecret(input.secret);
  if (wrong !== null) {
    throw invalid("secret", wrong);
  }
}

/** A secret of another installation, sealed for this one. Throws where `from` is not its key. */
export function resealSecret(from: Vault, to: Vault, id: Id, sealed: string): string {
  return to.seal(from.open(sealed, sealedAs(id)), sealedAs(id));
}

/** Of a webhook whose own secret nobody here can read. */
export function newSealedSecret(env: Environment, id: Id): string {
  return seal(env, id, newSecret());
}

function seal(env: Environment, id: Id, secret: string): string {
  return env.vault.seal(secret, sealedAs(id));
}

function sealedAs(id: Id): string {
  return `webhooks.secret:${id}`;
}

/** For the audit log. */
function facts(row: WebhookRow): Record<string, unknown> {
  const { url, name, events, campaignIds, include, active } = row;
  return { url, name, events, campaign_ids: campaignIds, include, active };
}
