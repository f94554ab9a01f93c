/** Invariants of pace: caps by local hour and day, and the gap between two mails. */

import { type Chronicle, type Handed, inForce } from "./chronicle.ts";
import { delivered, deliveredByMailboxes, describe, type Scene, wallAt } from "./scene.ts";

/** Counts mails by `keyOf` in order; reports each for which the count, itself included, is over. */
function* checkCap(
  mails: readonly Handed[],
  keyOf: (mail: Handed) => string | undefined,
  capOf: (mail: Handed) => number | null | undefined,
): Iterable<string> {
  const counts = new Map<string, number>();
  for (const mail of mails) {
    const key = keyOf(mail);
    if (key === undefined) {
      continue;
    }
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const cap = capOf(mail) ?? Number.POSITIVE_INFINITY;
    if (count > cap) {
      yield `${describe(mail)} is number ${count} of ${cap} of ${key}`;
    }
  }
}

export function* checkAccountHour({ chronicle }: Scene): Iterable<string> {
  const termsOf = (mail: Handed) => inForce(chronicle.accounts.get(mail.accountId), mail.seq);
  yield* checkCap(
    deliveredByMailboxes(chronicle),
    (mail) => {
      const { date, hour } = wallAt(termsOf(mail)?.zone ?? "UTC", mail.at);
      return `${mail.accountId} ${date} ${hour}`;
    },
    (mail) => termsOf(mail)?.hourlyLimit,
  );
}

export function* checkAccountDay({ chronicle }: Scene): Iterable<string> {
  const termsOf = (mail: Handed) => inForce(chronicle.accounts.get(mail.accountId), mail.seq);
  const dateOf = (mail: Handed) => wallAt(termsOf(mail)?.zone ?? "UTC", mail.at).date;
  yield* checkCap(
    deliveredByMailboxes(chronicle),
    (mail) => `${mail.accountId} ${dateOf(mail)}`,
    (mail) => {
      const terms = termsOf(mail);
      if (terms === undefined || terms.ramp === null) {
        return terms?.dailyLimit;
      }
      const { start, increment, from } = terms.ramp;
      const days = Math.round((Date.parse(dateOf(mail)) - Date.parse(from)) / 86_400_000);
      return Math.min(terms.dailyLimit, start + increment * Math.max(0, days));
    },
  );
}

function campaignDay(chronicle: Chronicle, mail: Handed): string {
  const terms = inForce(chronicle.campaigns.get(mail.campaign), mail.seq);
  return `${mail.campaign} ${wallAt(terms?.window.timezone ?? "UTC", mail.at).date}`;
}

export function* checkNewLeads({ chronicle }: Scene): Iterable<string> {
  // Whose first mail was in doubt was counted on the day of that try, whatever was decided of it.
  const known = new Set<string>();
  yield* checkCap(
    delivered(chronicle),
    (mail) => {
      const person = `${mail.campaign} ${mail.to}`;
      const isFirst = !known.has(person);
      known.add(person);
      const isDecided = chronicle.decided.has(`${mail.campaign}:${mail.to}`);
      return isFirst && !isDecided ? campaignDay(chronicle, mail) : undefined;
    },
    (mail) => inForce(chronicle.campaigns.get(mail.campaign), mail.seq)?.maxNewPerDay,
  );
}

export function* checkCampaignDay({ chronicle }: Scene): Iterable<string> {
  yield* checkCap(
    delivered(chronicle),
    (mail) => campaignDay(chronicle, mail),
    (mail) => inForce(chronicle.campaigns.get(mail.campaign), mail.seq)?.dailyLimit,
  );
}

export function* checkDomainDay({ chronicle }: Scene): Iterable<string> {
  yield* checkCap(
    delivered(chronicle),
    (mail) => `${campaignDay(chronicle, mail)} ${mail.to.slice(mail.to.indexOf("@"))}`,
    (mail) => inForce(chronicle.campaigns.get(mail.campaign), mail.seq)?.maxPerDomainPerDay,
  );
}

export function* checkGap({ chronicle }: Scene): Iterable<string> {
  const setBack = chronicle.facts.flatMap(({ kind, seq }) => (kind === "set_back" ? [seq] : []));
  const last = new Map<string, Handed>();
  for (const mail of deliveredByMailboxes(chronicle)) {
    const before = last.get(mail.accountId);
    const least = inForce(chronicle.accounts.get(mail.accountId), mail.seq)?.minGapMs ?? 0;
    // The Date header says whole seconds.
    const isSetBack = setBack.some((seq) => (before?.seq ?? 0) < seq && seq < mail.seq);
    if (before !== undefined && !isSetBack && mail.at - before.at < least - 1000) {
      yield `${describe(mail)} ${mail.at - before.at} ms after ${describe(before)}`;
    }
    last.set(mail.accountId, mail);
  }
}

/** Mails of sequences; a mail in doubt counts too, so fewer have arrived. */
export function* checkPlan({ chronicle }: Scene): Iterable<string> {
  const [plans] = chronicle.plans.values();
  yield* checkCap(
    delivered(chronicle),
    (mail) => new Date(mail.at).toISOString().slice(0, 7),
    (mail) => (mail.seq < (plans?.[0]?.seq ?? 0) ? null : inForce(plans, mail.seq)?.mails),
  );
}
