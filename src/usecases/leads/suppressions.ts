/**
 * Suppressions: who must not be written to. The guard of every send asks here, so a suppression holds at
 * once; the statuses of what was under way follow in the same transaction for an address, and in slices
 * for a domain.
 */

import { type EnrollmentStatus, isOpen } from "#domain/campaigns/enrollment.ts";
import { parseAddress, parseDomainPattern } from "#domain/email-address.ts";
import { isAboutPerson, isStronger, type SuppressionReason } from "#domain/leads/suppression.ts";
import { found, invalid } from "#domain/problem.ts";
import type { UnixMs } from "#domain/time.ts";
import { type Caller, type Environment, engineCaller } from "#environment.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { effectsOn } from "#store/inbox/effects.ts";
import { FIRST_ID, scanEnrollments } from "#store/leads/enrollment-scan.ts";
import { enrollmentById, enrollmentsOfLead } from "#store/leads/enrollments.ts";
import { leadByEmail } from "#store/leads/leads.ts";
import {
  findSuppression,
  formerAddresses,
  hasSuppression,
  insertSuppression,
  moveSweeps,
  pendingSweeps,
  removeSuppression,
  suppressionByHash,
  updateSuppression,
} from "#store/leads/suppressions.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { EnrollmentRow, LeadRow, SuppressionRow } from "#store/tables/leads.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { type Cause, newCause, note } from "#usecases/events/effect-log.ts";
import { audit, emit } from "#usecases/events/record.ts";
import { endEnrollment } from "./enrollments.ts";

/** What an address or a domain pattern is stored and looked up as. */
export interface SuppressionKey {
  /** The address, or `@domain`: trimmed, lower case, international domains in their ASCII form. */
  email: string;
  isDomain: boolean;
  /** SHA-256 of `email`. */
  hash: Uint8Array;
}

/** The same of an erased person, of whose address nothing but its hash is known. */
interface ErasedKey {
  email: null;
  isDomain: false;
  hash: Uint8Array;
}

/** Throws `validation_error` naming `email` for what is neither an address nor `@domain`. */
export function suppressionKey(text: string): SuppressionKey {
  const pattern = parseDomainPattern(text);
  const email = pattern ?? parseAddress(text)?.address;
  if (email === undefined) {
    throw invalid(
      "email",
      "must be an address or a domain, for example ann@example.com or @example.com",
    );
  }
  return { email, isDomain: pattern !== null, hash: sha256(email) };
}

/**
 * Suppresses an address or, as `@example.com`, a domain (not its subdomains). Where there is a
 * suppression already it stands, with the stronger of the two reasons. Throws as
 * {@link suppressionKey} does.
 */
export function suppress(
  env: Environment,
  caller: Caller,
  input: { email: string; reason: SuppressionReason },
  cause: Cause = newCause(env),
): { row: SuppressionRow; created: boolean } {
  return suppressByKey(env, caller, suppressionKey(input.email), input.reason, cause);
}

function suppressByKey(
  env: Environment,
  caller: Caller,
  key: SuppressionKey | ErasedKey,
  reason: SuppressionReason,
  cause: Cause,
): { row: SuppressionRow; created: boolean } {
  const known = suppressionByHash(env.db, caller.teamId, key.hash);
  const row =
    known === undefined
      ? addSuppression(env, caller, key, reason)
      : strengthen(env, caller, known, key, reason);
  const whose = { teamId: caller.teamId, subjectId: row.id };
  note(env, cause, whose, "suppression", [known?.reason ?? null, reason]);
  if (key.isDomain) {
    env.wake();
  } else if (row.email !== null) {
    const lead = leadByEmail(env.db, row.teamId, row.email);
    if (lead?.email === row.email) {
      endOpen(env, row, lead.id, cause);
    } else if (lead !== undefined && isAboutPerson(reason)) {
      suppress(env, caller, { email: lead.email, reason }, cause);
    }
  }
  return { row, created: known === undefined };
}

/** The recipient of a message is not written to again; one who was erased is suppressed by the hash. */
export function suppressRecipient(
  env: Environment,
  { teamId, recipient, recipientHash }: Pick<MessageRow, "teamId" | "recipient" | "recipientHash">,
  reason: SuppressionReason,
  cause: Cause,
): void {
  const caller = engineCaller(teamId);
  if (recipient !== "") {
    suppress(env, caller, { email: recipient, reason }, cause);
  } else if (recipientHash !== null) {
    suppressErased(env, teamId, recipientHash, { reason, cause });
  }
}

/**
 * An erased person is not written to again. Where the address has been imported anew, the guard of every
 * send ends what is under way to it: no index finds a lead by the hash.
 */
export function suppressErased(
  env: Environment,
  teamId: Id,
  hash: Uint8Array,
  { reason, cause }: { reason: SuppressionReason; cause: Cause },
): void {
  const key: ErasedKey = { email: null, isDomain: false, hash };
  suppressByKey(env, engineCaller(teamId), key, reason, cause);
}

/**
 * The address may be written to again. Sequences that have ended stay ended: `undo.ts` lets them go on.
 * Throws `not_found`.
 */
export function unsuppress(
  env: Environment,
  caller: Caller,
  id: Id,
  why: string | null = null,
): void {
  const row = requireSuppression(env, caller, id);
  removeSuppression(env.db, id);
  env.suppressionLog.note(row.teamId, row.hash);
  audit(env, caller, {
    action: "suppression.delete",
    target: `suppression:${id}`,
    before: suppressionFacts(row),
    ...(why === null ? {} : { after: { why } }),
  });
}

/** Puts a weaker reason back: the stronger one has been taken back. */
export function weaken(env: Environment, caller: Caller, id: Id, reason: SuppressionReason): void {
  const row = requireSuppression(env, caller, id);
  updateSuppression(env.db, { ...row, reason });
  env.suppressionLog.note(row.teamId, row.hash);
  audit(env, caller, {
    action: "suppression.patch",
    target: `suppression:${id}`,
    before: suppressionFacts(row),
    after: suppressionFacts({ ...row, reason }),
  });
}

/** Throws `not_found` for another team's suppression as for one that never was. */
export function requireSuppression(env: Environment, caller: Caller, id: Id): SuppressionRow {
  return found(findSuppression(env.db, caller.teamId, id), "suppression");
}

/** What blocks writing to `email`, which is in its stored form and whose domain is `domain`. */
export function isSuppressed(
  db: Db,
  teamId: Id,
  email: string,
  domain: string,
): null | "address" | "domain" {
  if (hasSuppression(db, teamId, sha256(email))) {
    return "address";
  }
  return hasSuppression(db, teamId, sha256(`@${domain}`)) ? "domain" : null;
}

export interface SuppressionMatch {
  match: "address" | "domain";
  row: SuppressionRow;
}

/**
 * The suppression that blocks an address or a domain: the address's own first, and last what the person refused at an
 * address that was merged into it.
 */
export function matchSuppression(
  env: Environment,
  teamId: Id,
  text: string,
): SuppressionMatch | null {
  const key = suppressionKey(text);
  const own = suppressionByHash(env.db, teamId, key.hash);
  if (own !== undefined) {
    return { match: key.isDomain ? "domain" : "address", row: own };
  }
  const [row] = suppressionsOf(env, teamId, key.email);
  if (row !== undefined) {
    return { match: "domain", row };
  }
  const lead = leadByEmail(env.db, teamId, key.email);
  const refusal = lead?.email === key.email ? refusalOf(env, lead) : undefined;
  return refusal === undefined
    ? null
    : { match: refusal.email?.startsWith("@") ? "domain" : "address", row: refusal };
}

/** What suppresses an address and its domain. */
export function suppressionsOf({ db }: Environment, teamId: Id, email: string): SuppressionRow[] {
  const domain = email.slice(email.lastIndexOf("@"));
  return [email, domain].flatMap((text) => suppressionByHash(db, teamId, sha256(text)) ?? []);
}

/** What a suppression says of the person: a bounce is the stronger reason, and may stand over a refusal. */
export function refusalsIn(
  { db }: Environment,
  { id, reason }: SuppressionRow,
): SuppressionReason[] {
  const given = effectsOn(db, "suppression", id).map(({ after }) => after as SuppressionReason);
  return [reason, ...given].filter(isAboutPerson);
}

/** What a person has refused at an address that they had before leads were merged, or what keeps us from its domain. */
export function refusalOf(
  env: Environment,
  { id, teamId }: Pick<LeadRow, "id" | "teamId">,
): SuppressionRow | undefined {
  return formerAddresses(env.db, id)
    .flatMap((email) => suppressionsOf(env, teamId, email))
    .find((row) => refusalsIn(env, row).length > 0);
}

/** Upkeep: what could not be written down beside the database is, some at a time. Resolves to when there is more. */
export async function listOwed(env: Environment, now: UnixMs): Promise<UnixMs | undefined> {
  const { suppressionLog } = env;
  return suppressionLog.isOwing() && (await env.commit(suppressionLog.writeOwed)) ? now : undefined;
}

/** Domains swept in one pass over the enrollments. */
const SWEEPS_MAX = 1000;
const SWEEP_SLICE = 500;

/** Upkeep: one slice of the sweep behind suppressed domains. Resolves to when there is more. */
export async function sweepDue(env: Environment, now: UnixMs): Promise<UnixMs | undefined> {
  const isPending = pendingSweeps(env.db, 1).length > 0;
  const looked = isPending ? await env.commit(() => sweepSuppressedDomains(env, SWEEP_SLICE)) : 0;
  return looked === SWEEP_SLICE ? now : undefined;
}

/**
 * Ends open enrollments at suppressed domains; looks at `limit` enrollments at most and remembers how
 * far it came. Returns how many it looked at: fewer than `limit` when nothing is left for now.
 */
export function sweepSuppressedDomains(env: Environment, limit: number): number {
  const pending = pendingSweeps(env.db, SWEEPS_MAX);
  const last = pending.at(-1);
  if (last === undefined) {
    return 0;
  }
  const marks = pending.map(({ sweepAfter }) => sweepAfter ?? FIRST_ID);
  const from = marks.sort()[0] ?? FIRST_ID;
  const slice = scanEnrollments(env.db, from, limit);
  const byDomain = new Map(pending.map((row) => [`${row.teamId} ${row.email}`, row]));
  for (const { id, teamId, domain, status } of slice) {
    const row = byDomain.get(`${teamId} @${domain}`);
    if (row !== undefined && isOpen(status)) {
      endBySuppression(env, enrollmentById(env.db, id), row, causeOf(env, row));
    }
  }
  const isDone = slice.length < limit;
  moveSweeps(env.db, last.id, isDone ? null : (slice.at(-1)?.id ?? null));
  return isDone && pending.length < SWEEPS_MAX ? slice.length : limit;
}

/**
 * Ends an enrollment whose next email the guard has stopped, as the sweep will do or has done with the
 * others; `email` is undefined for a lead that is gone.
 */
export function endSuppressed(
  env: Environment,
  enrollment: EnrollmentRow,
  email: string | undefined,
): void {
  const row =
    email === undefined ? undefined : matchSuppression(env, enrollment.teamId, email)?.row;
  if (row === undefined) {
    endEnrollment(env, enrollment, "suppressed", "suppressed");
  } else {
    endBySuppression(env, enrollment, row, causeOf(env, row));
  }
}

/** The occurrence that a suppression stands for now, so that lifting it finds what it has ended. */
function causeOf(env: Environment, row: SuppressionRow): Cause | undefined {
  return effectsOn(env.db, "suppression", row.id).at(-1)?.causeId;
}

function addSuppression(
  env: Environment,
  caller: Caller,
  key: SuppressionKey | ErasedKey,
  reason: SuppressionReason,
): SuppressionRow {
  const now = env.clock.now();
  const row: SuppressionRow = {
    id: env.ids.next(now),
    teamId: caller.teamId,
    hash: key.hash,
    email: key.email,
    reason,
    createdAt: now,
    sweepAfter: key.isDomain ? FIRST_ID : null,
  };
  insertSuppression(env.db, row);
  env.suppressionLog.note(row.teamId, row.hash);
  audit(env, caller, {
    action: "suppression.create",
    target: `suppression:${row.id}`,
    after: suppressionFacts(row),
  });
  emit(env, caller.teamId, "suppression.created", {
    suppression_id: row.id,
    email_hash: Buffer.from(row.hash).toString("hex"),
    reason,
  });
  return row;
}

/** An address that was erased and is given again is known again. */
function strengthen(
  env: Environment,
  caller: Caller,
  known: SuppressionRow,
  key: SuppressionKey | ErasedKey,
  reason: SuppressionReason,
): SuppressionRow {
  const row = {
    ...known,
    email: key.email ?? known.email,
    reason: isStronger(reason, known.reason) ? reason : known.reason,
  };
  if (row.email === known.email && row.reason === known.reason) {
    return known;
  }
  updateSuppression(env.db, row);
  env.suppressionLog.note(row.teamId, row.hash);
  audit(env, caller, {
    action: "suppression.patch",
    target: `suppression:${row.id}`,
    before: suppressionFacts(known),
    after: suppressionFacts(row),
  });
  return row;
}

/** Ends what is under way to a lead whose address the suppression is of. */
export function endOpen(env: Environment, row: SuppressionRow, leadId: Id, cause: Cause): void {
  for (const enrollment of enrollmentsOfLead(env.db, leadId)) {
    endBySuppression(env, enrollment, row, cause);
  }
}

const ENDS: Readonly<Record<SuppressionReason, EnrollmentStatus>> = {
  unsubscribe: "unsubscribed",
  bounce: "bounced",
  complaint: "suppressed",
  manual: "suppressed",
  import: "suppressed",
};

function endBySuppression(
  env: Environment,
  enrollment: EnrollmentRow | undefined,
  { reason }: SuppressionRow,
  cause?: Cause,
): void {
  if (enrollment !== undefined && isOpen(enrollment.status)) {
    endEnrollment(env, enrollment, ENDS[reason], reason, cause);
  }
}

/** For the audit log: the hash, not the address, so that an erasure leaves nothing behind. */
function suppressionFacts({ hash, reason }: SuppressionRow): Record<string, unknown> {
  return { emailHash: Buffer.from(hash).toString("hex"), reason };
}
