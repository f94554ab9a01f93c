/**
 * Who asks for the pictures and links of tracked emails: found by what we signed, kept for a moment, and
 * told from machines then (`domain/sending/tracking.ts`). Machines are marked and not counted.
 */

import {
  CLASSIFIED_AFTER_MS,
  isByMachine,
  isInBurst,
  REPEAT_MS,
  type Touched,
} from "#domain/sending/tracking.ts";
import { plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { messageById } from "#store/sending/messages.ts";
import {
  countTouches,
  insertTouch,
  removeTouch,
  touchesDue,
  touchesOf,
  trackingOf,
  updateTracking,
} from "#store/sending/tracking.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import type { TouchRow, TrackingRow } from "#store/tables/tracking.ts";
import { countAt } from "#usecases/campaigns/figures.ts";
import { ENVIRONMENT_LETTER } from "#usecases/campaigns/tracked-mail.ts";
import { emailFacts } from "#usecases/events/email-events.ts";
import { emit } from "#usecases/events/record.ts";
import { isSuppressed } from "#usecases/leads/suppressions.ts";

/** Touches of one message that may wait; more get a response and are forgotten. */
const WAITING_MAX = 50;

/** Of one message and kind; more are not counted, nor told. */
const COUNTED_MAX = 1000;

const TOKEN = /^([lt])(?:(0|[1-9]\d{0,2})\.)?([A-Za-z0-9_-]{43})$/;

/** What a token names: one that we signed, whatever has become of the message. */
export interface Tracked {
  env: Environment;
  messageId: Id;
  /** Place of the link; null for the picture. */
  link: number | null;
  /** Undefined: the person has been erased. */
  tracking: TrackingRow | undefined;
}

/** Null for what we did not sign. */
export function findTracked(
  environments: { readonly live: Environment; readonly test: Environment },
  kind: "open" | "click",
  token: string,
): Tracked | null {
  const [, letter, index, signed = ""] = TOKEN.exec(token) ?? [];
  if (letter === undefined || (kind === "click") !== (index !== undefined)) {
    return null;
  }
  const env = letter === ENVIRONMENT_LETTER.live ? environments.live : environments.test;
  const purpose = index === undefined ? "open" : `click ${index}`;
  const messageId = env.vault.verify(purpose, signed);
  if (messageId === null) {
    return null;
  }
  const link = index === undefined ? null : Number(index);
  return { env, messageId, link, tracking: trackingOf(env.db, messageId) };
}

/** Whether a request under `host` may use this token: another team's host leads nowhere. */
export function isOwnHost({ env, tracking }: Tracked, host: string): boolean {
  const bases = [tracking?.base ?? null, env.publicUrl];
  return bases.some((base) => base !== null && URL.parse(base)?.hostname === host);
}

/** Keeps a request until it can be classified. Runs inside a commit. */
export function recordTouch(env: Environment, tracked: Tracked, machine: boolean): void {
  const { messageId, link, tracking } = tracked;
  if (tracking === undefined || countTouches(env.db, messageId) >= WAITING_MAX) {
    return;
  }
  const at = env.clock.now();
  insertTouch(env.db, {
    id: env.ids.next(at),
    teamId: tracking.teamId,
    messageId,
    kind: link === null ? "open" : "click",
    link,
    at,
    machine,
    dueAt: plus(at, CLASSIFIED_AFTER_MS),
  });
}

/** Classifies what has waited long enough, `limit` at most; returns how many. Runs inside a commit. */
export function classifyTouches(env: Environment, now: UnixMs, limit: number): number {
  const due = touchesDue(env.db, now, limit);
  for (const [messageId, touches] of Map.groupBy(due, (touch) => touch.messageId)) {
    classifyMessage(env, messageId, touches);
    for (const { id } of touches) {
      removeTouch(env.db, id);
    }
  }
  return due.length;
}

/** Nobody is counted who has been erased or wants no email. */
function classifyMessage(env: Environment, messageId: Id, due: readonly TouchRow[]): void {
  const message = messageById(env.db, messageId);
  const tracking = trackingOf(env.db, messageId);
  if (message === undefined || tracking === undefined || message.recipient === "") {
    return;
  }
  const domain = message.recipient.slice(message.recipient.lastIndexOf("@") + 1);
  if (isSuppressed(env.db, message.teamId, message.recipient, domain) !== null) {
    return;
  }
  const near = touchesOf(env.db, messageId);
  let row = tracking;
  for (const touch of due) {
    const known: Touched = { sentAt: message.sentAt, burstAt: row.burstAt, near };
    if (isInBurst(touch, known)) {
      row = { ...row, burstAt: touch.at };
    }
    row = isByMachine(touch, known)
      ? countMachine(env, message, row, touch)
      : countPerson(env, message, row, touch);
  }
  updateTracking(env.db, row);
  countFirst(env, message, tracking, row);
}

/** An email counts once as opened and once as clicked. */
function countFirst(
  env: Environment,
  message: MessageRow,
  before: TrackingRow,
  after: TrackingRow,
): void {
  const { firstOpenedAt, firstClickedAt } = after;
  if (before.firstOpenedAt === null && firstOpenedAt !== null && message.kind === "step") {
    countAt(env, message, firstOpenedAt, { opened: 1 });
  }
  if (before.firstClickedAt === null && firstClickedAt !== null && message.kind === "step") {
    countAt(env, message, firstClickedAt, { clicked: 1 });
  }
}

/** The first of its kind is told; all are counted apart from people's. */
function countMachine(
  env: Environment,
  message: MessageRow,
  row: TrackingRow,
  touch: TouchRow,
): TrackingRow {
  const name = touch.kind === "open" ? "machineOpens" : "machineClicks";
  if (row[name] === 0) {
    emitTouch(env, message, row, touch, true);
  }
  return { ...row, [name]: Math.min(COUNTED_MAX, row[name] + 1) };
}

function countPerson(
  env: Environment,
  message: MessageRow,
  row: TrackingRow,
  touch: TouchRow,
): TrackingRow {
  const isOpen = touch.kind === "open";
  const lastAt = isOpen ? row.lastOpenedAt : row.lastClickedAt;
  const isAgain =
    lastAt !== null && touch.at - lastAt < REPEAT_MS && (isOpen || row.lastLink === touch.link);
  if (isAgain || (isOpen ? row.opens : row.clicks) >= COUNTED_MAX) {
    return row;
  }
  emitTouch(env, message, row, touch, false);
  const { at, link } = touch;
  return isOpen
    ? { ...row, opens: row.opens + 1, firstOpenedAt: row.firstOpenedAt ?? at, lastOpenedAt: at }
    : {
        ...row,
        clicks: row.clicks + 1,
        firstClickedAt: row.firstClickedAt ?? at,
        lastClickedAt: at,
        lastLink: link,
      };
}

function emitTouch(
  env: Environment,
  message: MessageRow,
  row: TrackingRow,
  { link }: TouchRow,
  byMachine: boolean,
): void {
  const facts = { ...emailFacts(env, message), by_machine: byMachine };
  if (link === null) {
    emit(env, message.teamId, "email.opened", facts);
  } else {
    emit(env, message.teamId, "email.clicked", { ...facts, url: row.links[link] ?? null });
  }
}
