/** Webhooks: made, changed, rotated and removed by people; what becomes of their deliveries is not here. */

import { checkPattern } from "#domain/events/event.ts";
import { WELL } from "#domain/events/webhook.ts";
import { conflict, found, invalid } from "#domain/problem.ts";
import { DAY_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import { faultOfSecret, newSecret } from "#platform/http/webhook-signature.ts";
import type { Vault } from "#platform/secrets/crypto.ts";
import { dropDeliveries, nextDeliveryAt } from "#store/events/deliveries.ts";
import { hasEventBefore, lastSeq, pruneEvents } from "#store/events/events.ts";
import {
  countWebhooks,
  deletedWebhook,
  findWebhook,
  insertWebhook,
  removeWebhook,
  updateWebhook,
} from "#store/events/webhooks.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { WebhookRow } from "#store/tables/webhooks.ts";
import type { Caller, World } from "#world.ts";
import { audit } from "./journal.ts";
import { ensureRoom } from "./limits.ts";

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
}

/** Throws `validation_error` for what cannot be delivered to, `conflict` beyond {@link WEBHOOKS_MAX}. */
export function createWebhook(world: World, caller: Caller, input: WebhookInput): WebhookRow {
  if (countWebhooks(world.db, caller.teamId) >= WEBHOOKS_MAX) {
    throw conflict(`a team has at most ${WEBHOOKS_MAX} webhooks; delete one first`);
  }
  checkInput(world, input);
  const now = world.clock.now();
  const id = world.ids.next(now);
  const row: WebhookRow = {
    ...WELL,
    id,
    teamId: caller.teamId,
    url: input.url,
    events: [...input.events],
    secret: seal(world, id, input.secret ?? newSecret()),
    previousSecret: null,
    previousUntil: null,
    active: input.active,
    disabledReason: null,
    disabledAt: null,
    dueAt: null,
    sinceSeq: lastSeq(world.db),
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  ensureRoom(world, caller.teamId, "webhooks");
  insertWebhook(world.db, row);
  audit(world, caller, { action: "webhook.create", target: `webhook:${id}`, after: facts(row) });
  return row;
}

/** Throws `validation_error` as for a new one. Activating forgets what the endpoint did before. */
export function patchWebhook(
  world: World,
  caller: Caller,
  id: Id,
  patch: Partial<WebhookInput>,
): WebhookRow {
  const before = ownWebhook(world, caller, id);
  checkInput(world, patch);
  const merged: WebhookRow = {
    ...before,
    url: patch.url ?? before.url,
    events: patch.events === undefined ? before.events : [...patch.events],
    active: patch.active ?? before.active,
  };
  const isNewSecret = patch.secret !== undefined && patch.secret !== secretOf(world, before);
  if (JSON.stringify(before) === JSON.stringify(merged) && !isNewSecret) {
    return before;
  }
  const row = resubscribed(world, before, {
    ...merged,
    ...(isNewSecret
      ? { secret: seal(world, id, patch.secret ?? ""), previousSecret: null, previousUntil: null }
      : {}),
    updatedAt: world.clock.now(),
  });
  updateWebhook(world.db, row);
  audit(world, caller, {
    action: "webhook.patch",
    target: `webhook:${id}`,
    before: facts(before),
    after: { ...facts(row), ...(isNewSecret ? { secret: "changed" } : {}) },
  });
  world.wake();
  return row;
}

/** Events from now on are promised by what is subscribed now; what waited goes out once it is active. */
function resubscribed(world: World, before: WebhookRow, after: WebhookRow): WebhookRow {
  const isSame =
    before.active === after.active &&
    JSON.stringify(before.events) === JSON.stringify(after.events);
  const row = isSame ? after : { ...after, sinceSeq: lastSeq(world.db) };
  if (before.active === after.active) {
    return row;
  }
  return row.active
    ? {
        ...row,
        ...WELL,
        disabledReason: null,
        disabledAt: null,
        dueAt: nextDeliveryAt(world.db, row.id),
      }
    : { ...row, dueAt: null };
}

/** It is told nothing more, from this moment on. */
export function deleteWebhook(world: World, caller: Caller, id: Id): void {
  const row = ownWebhook(world, caller, id);
  updateWebhook(world.db, {
    ...row,
    active: false,
    secret: "",
    previousSecret: null,
    previousUntil: null,
    dueAt: null,
    deletedAt: world.wall.now(),
  });
  audit(world, caller, { action: "webhook.delete", target: `webhook:${id}`, before: facts(row) });
  world.wake();
}

/** Upkeep: forgets events that are old enough, and what deleted webhooks have left. */
export async function forgetEvents(world: World, now: UnixMs): Promise<void> {
  const before = plus(now, -EVENTS_KEPT_MS);
  if (deletedWebhook(world.db) !== undefined) {
    await inSlices(world, () => sweepDeleted(world, SLICE_ROWS));
  }
  if (hasEventBefore(world.db, before)) {
    await inSlices(world, () => pruneEvents(world.db, before, SLICE_ROWS));
  }
}

/** Until a slice is not full: others get their turn in between. */
async function inSlices(world: World, forget: () => number): Promise<void> {
  for (let slices = 0; slices < SLICES_MAX; slices += 1) {
    if ((await world.commit(forget)) < SLICE_ROWS) {
      return;
    }
  }
}

/** Removes what a deleted webhook has left, `limit` deliveries at most. Returns less when none is left. */
function sweepDeleted(world: World, limit: number): number {
  const row = deletedWebhook(world.db);
  if (row === undefined) {
    return 0;
  }
  const gone = dropDeliveries(world.db, row.id, limit);
  if (gone < limit) {
    removeWebhook(world.db, row.id);
  }
  return limit;
}

/** A new secret. The one before signs beside it for `overlapSeconds` more, so that nobody misses one. */
export function rotateSecret(
  world: World,
  caller: Caller,
  id: Id,
  overlapSeconds: number,
): WebhookRow {
  const before = ownWebhook(world, caller, id);
  const until = plus(world.wall.now(), overlapSeconds * SECOND_MS);
  const row: WebhookRow = {
    ...before,
    secret: seal(world, id, newSecret()),
    previousSecret: overlapSeconds === 0 ? null : before.secret,
    previousUntil: overlapSeconds === 0 ? null : until,
    updatedAt: world.clock.now(),
  };
  updateWebhook(world.db, row);
  audit(world, caller, {
    action: "webhook.rotate_secret",
    target: `webhook:${id}`,
    after: { overlap_seconds: overlapSeconds },
  });
  return row;
}

/** Throws `not_found` for another team's webhook as for one that never was. */
export function ownWebhook(world: World, caller: Caller, id: Id): WebhookRow {
  return found(findWebhook(world.db, caller.teamId, id), "webhook");
}

/** The secret in clear. */
export function secretOf(world: World, row: WebhookRow): string {
  return world.vault.open(row.secret, sealedAs(row.id));
}

/** All that sign at `now`, the newest first. */
export function secretsOf(world: World, row: WebhookRow, now: UnixMs): string[] {
  const { previousSecret, previousUntil } = row;
  const isValid = previousSecret !== null && previousUntil !== null && now < previousUntil;
  const previous = isValid ? [world.vault.open(previousSecret, sealedAs(row.id))] : [];
  return [secretOf(world, row), ...previous];
}

function checkInput(world: World, input: Partial<WebhookInput>): void {
  const fault = input.url === undefined ? null : world.http.check(input.url);
  if (fault !== null) {
    throw invalid("url", fault);
  }
  for (const [index, pattern] of (input.events ?? []).entries()) {
    checkPattern(pattern, `events.${index}`);
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
export function newSealedSecret(world: World, id: Id): string {
  return seal(world, id, newSecret());
}

function seal(world: World, id: Id, secret: string): string {
  return world.vault.seal(secret, sealedAs(id));
}

function sealedAs(id: Id): string {
  return `webhooks.secret:${id}`;
}

/** For the audit log. */
function facts({ url, events, active }: WebhookRow): Record<string, unknown> {
  return { url, events, active };
}
