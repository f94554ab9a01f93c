/** Invariants of single emails: to whom, when, in what order, and what is known of them afterwards. */

import { isAnnounced } from "../public-holidays.ts";
import { type Chronicle, type Fact, type Handed, inForce, isGone } from "./chronicle.ts";
import { delivered, describe, type Scene, wallAt } from "./scene.ts";

/** Of zones that leads have of their own. */
const COUNTRIES: Readonly<Record<string, string>> = {
  "Europe/Berlin": "DE",
  "America/New_York": "US",
  "America/Los_Angeles": "US",
  "Asia/Kolkata": "IN",
};

export function* checkWindow({ chronicle }: Scene): Iterable<string> {
  for (const mail of delivered(chronicle)) {
    const window = inForce(chronicle.campaigns.get(mail.campaign), mail.seq)?.window;
    const zone = inForce(chronicle.zones.get(mail.to), mail.seq)?.zone;
    if (window !== undefined) {
      const { weekday, hour, date } = wallAt(zone ?? window.timezone, mail.begunAt);
      const own = window.skipHolidays.filter((country) => country === COUNTRIES[zone ?? ""]);
      const skipped = own.length === 0 ? window.skipHolidays : own;
      if (skipped.some((country) => isAnnounced(country, date))) {
        yield `${describe(mail)}: ${date} is a holiday in one of ${skipped}`;
      }
      if (!window.days.includes(weekday) || hour < window.startHour || hour >= window.endHour) {
        yield `${describe(mail)}: ${weekday} ${hour} h is not in ${JSON.stringify(window)}`;
      }
    }
  }
}

/**
 * Nothing of `kind` since a fact about it, unless what it was due to has been taken back, or a person has let
 * that lead go on: one that had failed before its colleague's reply may be resumed after it.
 */
function* checkStops(
  chronicle: Chronicle,
  kind: Fact["kind"],
  aboutOf: (mail: Handed) => readonly string[],
): Iterable<string> {
  const stops = Map.groupBy(
    chronicle.facts.filter((fact) => fact.kind === kind),
    ({ about }) => about,
  );
  const ends = chronicle.facts.filter((fact) => ["freed", "lifted", "resumed"].includes(fact.kind));
  const endOf = (stop: Fact) =>
    ends.find(
      ({ seq, kind: how, about, by }) =>
        seq > stop.seq &&
        (how === "freed"
          ? by === stop.by
          : kind === (how === "lifted" ? "suppressed" : "stopped") && about === stop.about),
    )?.seq ?? Number.POSITIVE_INFINITY;
  for (const mail of delivered(chronicle)) {
    for (const about of aboutOf(mail)) {
      const stop = stops.get(about)?.find((one) => one.seq < mail.seq && mail.seq < endOf(one));
      if (stop !== undefined) {
        yield `${describe(mail)}: ${about} ${kind} since ${stop.seq}, sent at ${mail.seq}`;
      }
    }
  }
}

export function checkSuppressed({ chronicle }: Scene): Iterable<string> {
  return checkStops(chronicle, "suppressed", ({ to }) => [to, to.slice(to.indexOf("@"))]);
}

export function checkReplies({ chronicle }: Scene): Iterable<string> {
  return checkStops(chronicle, "stopped", ({ campaign, to }) => [`${campaign}:${to}`]);
}

export function* checkPauses({ chronicle }: Scene): Iterable<string> {
  const moves = new Map<string, Fact[]>();
  for (const fact of chronicle.facts) {
    if (fact.kind === "paused" || fact.kind === "resumed") {
      moves.set(fact.about, [...(moves.get(fact.about) ?? []), fact]);
    }
  }
  for (const mail of delivered(chronicle)) {
    const campaign = chronicle.marks.get(mail.campaign) ?? "";
    for (const about of [campaign, mail.accountId, `${mail.campaign}:${mail.to}`]) {
      const last = moves.get(about)?.findLast(({ seq }) => seq < mail.seq);
      if (last?.kind === "paused") {
        yield `${describe(mail)}: ${about} is paused`;
      }
    }
  }
}

export function* checkTwice({ chronicle }: Scene): Iterable<string> {
  const again = chronicle.facts.filter(({ kind }) => kind === "again");
  const seen = new Map<string, Handed>();
  for (const mail of delivered(chronicle)) {
    const key = `${mail.campaign} ${mail.step} ${mail.to}`;
    const before = seen.get(key);
    const isAsked = again.some(
      ({ about, seq }) => about === before?.messageId && before.seq < seq && seq < mail.seq,
    );
    // A person decided on the one that is held in place of what the data has forgotten, with an id of its own.
    const isDecided = chronicle.isRewound && chronicle.decided.has(`${mail.campaign}:${mail.to}`);
    // Data that went back can't know of it: no Sent folder has it, and people have changed what would be sent.
    const isUntold =
      before !== undefined && chronicle.isRewound && !chronicle.filed.has(before.messageId);
    if (isUntold) {
      chronicle.untold.add(before.messageId);
    } else if (before !== undefined && !isAsked && !isDecided) {
      yield `${describe(mail)}, and before that ${describe(before)}`;
    }
    seen.set(key, mail);
  }
}

export function* checkSticky({ chronicle }: Scene): Iterable<string> {
  const senders = new Map<string, string>();
  for (const mail of delivered(chronicle)) {
    const person = `${mail.campaign} ${mail.to}`;
    const sender = senders.get(person) ?? mail.accountId;
    senders.set(person, sender);
    if (sender !== mail.accountId) {
      yield `${describe(mail)} by ${mail.accountId}, begun by ${sender}`;
    }
  }
}

export function* checkVisible({ chronicle, snapshot }: Scene): Iterable<string> {
  const statuses = new Map(snapshot.messages.map((row) => [row.messageId, row.status]));
  const again = idsOf(chronicle, "again");
  for (const mail of delivered(chronicle)) {
    const status = statuses.get(mail.messageId) ?? "lost";
    const isShown = status === "sent" || status === "unknown";
    if (!isShown && !(again.has(mail.messageId) && status !== "lost")) {
      yield `${describe(mail)} is ${status}`;
    }
  }
}

export function* checkThreads({ chronicle }: Scene): Iterable<string> {
  const again = idsOf(chronicle, "again");
  // A manual reply, and what it answers, is named as the emails of a sequence are.
  const answers = chronicle.answers.map(({ messageId }) => messageId);
  const between = new Set([...answers, ...chronicle.received]);
  const believed = idsOf(chronicle, "believed").union(between);
  const threads = new Map<string, Handed[]>();
  for (const mail of chronicle.handed) {
    const person = `${mail.campaign} ${mail.to}`;
    const thread = (threads.get(person) ?? []).filter(
      ({ messageId }) => messageId !== mail.messageId,
    );
    const fault = mail.delivered ? faultOfThread(mail, thread, { again, believed }) : null;
    if (fault !== null) {
      yield `${describe(mail)}: ${fault}`;
    }
    // One in doubt may begin a thread too, and may as well not have been.
    const begins = mail.inReplyTo === null && mail.delivered && !again.has(mail.messageId);
    threads.set(person, begins ? [mail] : [...thread, mail]);
  }
}

/** Of manual replies: taken once, unless a person had it sent again, and shown. */
export function* checkResponses({ chronicle, snapshot }: Scene): Iterable<string> {
  const statuses = new Map(snapshot.messages.map((row) => [row.messageId, row.status]));
  const again = idsOf(chronicle, "again");
  const seen = new Set<string>();
  for (const answer of chronicle.answers.filter((one) => one.delivered && !isGone(one.to))) {
    const { messageId, to } = answer;
    const status = statuses.get(messageId) ?? "lost";
    if (!["sent", "unknown"].includes(status) && !again.has(messageId)) {
      yield `the answer ${messageId} to ${to} is ${status}`;
    }
    if (seen.has(messageId) && !again.has(messageId)) {
      yield `the answer ${messageId} to ${to} was taken twice`;
    }
    seen.add(messageId);
  }
}

/** Messages about which a person decided so. */
function idsOf({ facts }: Chronicle, kind: "again" | "believed"): Set<string> {
  return new Set(facts.filter((fact) => fact.kind === kind).map(({ about }) => about));
}

/** A message that is believed to have been sent may be named though no server ever saw its body. */
function faultOfThread(
  mail: Handed,
  thread: readonly Handed[],
  { again, believed }: Record<"again" | "believed", ReadonlySet<string>>,
): string | null {
  const { inReplyTo, references, subject } = mail;
  if (inReplyTo === null) {
    return references.length > 0 ? "references without an answer" : null;
  }
  if (!/^re: /i.test(subject)) {
    return `answers with the subject ${subject}`;
  }
  if (references.at(-1) !== inReplyTo) {
    return `answers ${inReplyTo}, references end with ${references.at(-1)}`;
  }
  const ids = thread.map(({ messageId }) => messageId);
  // Behind a manual reply the chain is that of the email which it answered, be it of another campaign
  // whose reply was attached to this one: a branch of the thread.
  const isBranch = references.some((id) => !ids.includes(id) && believed.has(id));
  const seen = references.filter((id) => ids.includes(id) || !isBranch);
  const order = seen.map((id) => ids.indexOf(id));
  if (order.some((place, index) => place < 0 || place < (order[index - 1] ?? 0))) {
    return `references ${references.join(" ")} of ${ids.join(" ")}`;
  }
  const missing = (isBranch ? [] : thread).find(
    (before) =>
      before.delivered &&
      !again.has(before.messageId) &&
      !references.includes(before.messageId) &&
      // Emails in doubt ahead of the one that began the thread do not belong to it.
      ids.indexOf(before.messageId) > ids.indexOf(seen[0] ?? ""),
  );
  return missing === undefined ? null : `does not name ${missing.messageId}`;
}

export function* checkMessageIds({ chronicle, snapshot }: Scene): Iterable<string> {
  const owners = new Map<string, string>();
  for (const mail of delivered(chronicle)) {
    const owner = `${mail.campaign} ${mail.step} ${mail.to}`;
    const other = owners.get(mail.messageId) ?? owner;
    owners.set(mail.messageId, owner);
    if (other !== owner) {
      yield `${describe(mail)} has the id of ${other}`;
    }
  }
  const rows = new Set(snapshot.messages.map(({ messageId }) => messageId));
  if (rows.size !== snapshot.messages.length) {
    yield `${snapshot.messages.length} messages have ${rows.size} ids`;
  }
}
