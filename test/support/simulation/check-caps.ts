/** Invariants of pace: caps by local hour and day, and the gap between two emails. */

import { type Chronicle, type Handed, inForce } from "./chronicle.ts";
import { delivered, deliveredByMailboxes, describe, type Scene, wallAt } from "./scene.ts";

/** No local day is longer, whatever its clocks do; and no clock is set back further. */
const DAY_MS_MAX = 50 * 3_600_000;

interface Cap {
  /** Whose cap it is; undefined: the email does not count. */
  ownerOf: (mail: Handed) => string | undefined;
  /** In force when the email went out. */
  zoneOf: (mail: Handed) => string;
  by?: "day" | "hour";
  capOf: (mail: Handed, date: string) => number | null | undefined;
}

/**
 * Counts what each owner sent on the local day, or in the local hour, of each email, by the zone in force
 * then, and reports the email for which the count, itself included, is over.
 */
function* checkCap(
  mails: readonly Handed[],
  { ownerOf, zoneOf, by = "day", capOf }: Cap,
): Iterable<string> {
  const byOwner = new Map<string, Handed[]>();
  for (const mail of mails) {
    const owner = ownerOf(mail);
    if (owner === undefined) {
      continue;
    }
    const own = byOwner.get(owner) ?? [];
    byOwner.set(owner, own);
    own.push(mail);
    const zone = zoneOf(mail);
    const bucketOf = (at: number) => {
      const { date, hour } = wallAt(zone, at);
      return by === "day" ? date : `${date} ${hour}`;
    };
    const bucket = bucketOf(mail.at);
    const isNear = ({ at }: Handed) => Math.abs(mail.at - at) < DAY_MS_MAX;
    const count = own.filter((one) => isNear(one) && bucketOf(one.at) === bucket).length;
    const cap = capOf(mail, wallAt(zone, mail.at).date) ?? Number.POSITIVE_INFINITY;
    if (count > cap) {
      yield `${describe(mail)} is number ${count} of ${cap} of ${owner} ${bucket} ${zone}`;
    }
  }
}

const accountTerms = (chronicle: Chronicle, mail: Handed) =>
  inForce(chronicle.accounts.get(mail.accountId), mail.seq);
const campaignTerms = (chronicle: Chronicle, mail: Handed) =>
  inForce(chronicle.campaigns.get(mail.campaign), mail.seq);

export function* checkAccountHour({ chronicle }: Scene): Iterable<string> {
  yield* checkCap(deliveredByMailboxes(chronicle), {
    ownerOf: ({ accountId }) => accountId,
    zoneOf: (mail) => accountTerms(chronicle, mail)?.zone ?? "UTC",
    by: "hour",
    capOf: (mail) => accountTerms(chronicle, mail)?.hourlyLimit,
  });
}

export function* checkAccountDay({ chronicle }: Scene): Iterable<string> {
  yield* checkCap(deliveredByMailboxes(chronicle), {
    ownerOf: ({ accountId }) => accountId,
    zoneOf: (mail) => accountTerms(chronicle, mail)?.zone ?? "UTC",
    capOf: (mail, date) => {
      const terms = accountTerms(chronicle, mail);
      if (terms === undefined || terms.ramp === null) {
        return terms?.dailyLimit;
      }
      const { start, increment, from } = terms.ramp;
      const days = Math.round((Date.parse(date) - Date.parse(from)) / 86_400_000);
      return Math.min(terms.dailyLimit, start + increment * Math.max(0, days));
    },
  });
}

const AT: Readonly<Record<string, "google" | "microsoft">> = {
  "@alpha.example": "google",
  "@gmail.com": "google",
  "@beta.example": "microsoft",
};

export function* checkProviderDay({ chronicle }: Scene): Iterable<string> {
  const hostOf = ({ to }: Handed) => AT[to.slice(to.indexOf("@"))];
  yield* checkCap(delivered(chronicle), {
    ownerOf: (mail) => hostOf(mail) && `${mail.accountId} ${hostOf(mail)}`,
    zoneOf: (mail) => accountTerms(chronicle, mail)?.zone ?? "UTC",
    capOf: (mail) => accountTerms(chronicle, mail)?.providerLimits[hostOf(mail) ?? "google"],
  });
}

/** Of one of a campaign's caps, which are for its own days. */
const ofCampaign = (chronicle: Chronicle) => ({
  ownerOf: ({ campaign }: Handed): string | undefined => campaign,
  zoneOf: (mail: Handed) => campaignTerms(chronicle, mail)?.window.timezone ?? "UTC",
});

export function* checkNewLeads({ chronicle }: Scene): Iterable<string> {
  // Whose first email was in doubt was counted on the day of that try, whatever was decided of it.
  const known = new Set<string>();
  yield* checkCap(delivered(chronicle), {
    ...ofCampaign(chronicle),
    ownerOf: (mail) => {
      const person = `${mail.campaign} ${mail.to}`;
      const isFirst = !known.has(person);
      known.add(person);
      const isDecided = chronicle.decided.has(`${mail.campaign}:${mail.to}`);
      return isFirst && !isDecided ? mail.campaign : undefined;
    },
    capOf: (mail) => campaignTerms(chronicle, mail)?.maxNewPerDay,
  });
}

/** Of so many first emails of a mailbox and UTC day one may go to a risky address, and one a day. */
const EMAILS_PER_RISKY = 20;

/** What a mailbox handed over counts as a first email, delivered or in doubt. */
export function* checkSpread({ chronicle }: Scene): Iterable<string> {
  const known = new Set<string>();
  const days = new Map<string, { all: number; risky: number }>();
  for (const mail of chronicle.handed) {
    const person = `${mail.campaign} ${mail.to}`;
    if (known.has(person) || chronicle.decided.has(`${mail.campaign}:${mail.to}`)) {
      continue;
    }
    if (mail.delivered) {
      known.add(person);
    }
    const key = `${mail.accountId} ${wallAt("UTC", mail.at).date}`;
    const day = days.get(key) ?? { all: 0, risky: 0 };
    const most = Math.max(1, Math.floor(day.all / EMAILS_PER_RISKY));
    days.set(key, day);
    day.all += 1;
    if (mail.to.startsWith("info") && campaignTerms(chronicle, mail)?.spreads && mail.delivered) {
      day.risky += 1;
      if (day.risky > most) {
        yield `${describe(mail)} is number ${day.risky} of ${most} of ${key}`;
      }
    }
  }
}

/** First emails to Gmail from elsewhere, while a mailbox of the campaign there could start leads before and after. */
export function* checkMatch({ chronicle }: Scene): Iterable<string> {
  const known = new Set<string>();
  for (const mail of delivered(chronicle)) {
    const person = `${mail.campaign} ${mail.to}`;
    const isFirst = !known.has(person) && !chronicle.decided.has(`${mail.campaign}:${mail.to}`);
    known.add(person);
    const terms = campaignTerms(chronicle, mail);
    if (isFirst && mail.to.endsWith("@gmail.com") && terms?.matching === "only") {
      const able = [...chronicle.accounts].flatMap(([id, history]) => {
        const isOwn = terms.accountIds.length === 0 || terms.accountIds.includes(id);
        const now = inForce(history, mail.seq);
        const later = history.find(({ seq }) => seq > mail.seq)?.startsLeads;
        const isAble = now?.atGoogle && now.startsLeads && later !== false;
        return isOwn && isAble && !isPaused(chronicle, id, mail.seq) ? [id] : [];
      });
      if (able.length > 0 && accountTerms(chronicle, mail)?.atGoogle !== true) {
        yield `${describe(mail)} waits for ${able.join(" or ")}`;
      }
    }
  }
}

/** By a person, also while an email was on its way. */
function isPaused({ facts }: Chronicle, accountId: string, seq: number): boolean {
  const last = facts.findLast(
    (fact) =>
      fact.about === accountId &&
      fact.seq <= seq &&
      (fact.kind === "paused" || fact.kind === "resumed"),
  );
  return last?.kind === "paused";
}

export function* checkCampaignDay({ chronicle }: Scene): Iterable<string> {
  yield* checkCap(delivered(chronicle), {
    ...ofCampaign(chronicle),
    capOf: (mail) => campaignTerms(chronicle, mail)?.dailyLimit,
  });
}

export function* checkDomainDay({ chronicle }: Scene): Iterable<string> {
  yield* checkCap(delivered(chronicle), {
    ...ofCampaign(chronicle),
    ownerOf: ({ campaign, to }) => `${campaign} ${to.slice(to.indexOf("@"))}`,
    capOf: (mail) => campaignTerms(chronicle, mail)?.maxPerDomainPerDay,
  });
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

/** Emails of sequences; an email in doubt counts too, so fewer have arrived. */
export function* checkPlan({ chronicle }: Scene): Iterable<string> {
  const [plans] = chronicle.plans.values();
  const counts = new Map<string, number>();
  for (const mail of delivered(chronicle)) {
    const month = new Date(mail.at).toISOString().slice(0, 7);
    const count = (counts.get(month) ?? 0) + 1;
    counts.set(month, count);
    const allowed = mail.seq < (plans?.[0]?.seq ?? 0) ? null : inForce(plans, mail.seq)?.mails;
    if (count > (allowed ?? Number.POSITIVE_INFINITY)) {
      yield `${describe(mail)} is number ${count} of ${allowed} of ${month}`;
    }
  }
}
