/** Invariants of sequences that change under those who are on their way through them. */

import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import type { Chronicle, Handed } from "./chronicle.ts";
import { lineOf, type Place, type Stand } from "./lines.ts";
import { delivered, describe, type Scene } from "./scene.ts";

export function* checkDeleted({ chronicle }: Scene): Iterable<string> {
  for (const mail of delivered(chronicle)) {
    if (placeOf(chronicle, mail) === undefined) {
      yield `${describe(mail)}: the step had been deleted`;
    }
  }
}

/** A calendar day may be an hour shorter than a day. */
const SHORTER_MS = HOUR_MS;

export function* checkWait({ chronicle }: Scene): Iterable<string> {
  for (const { mails, stands } of journeys(chronicle)) {
    for (const [index, mail] of mails.entries()) {
      const before = mails.slice(0, index).findLast((one) => one.delivered);
      const isFree = stands.some(
        ({ kind, seq, messageId }) =>
          (kind === "booked" && before !== undefined && before.seq < seq && seq < mail.seq) ||
          (kind === "unsure" && [before?.messageId, mail.messageId].includes(messageId)),
      );
      const { waitDays = 0, waitMinutes = 0 } = placeOf(chronicle, mail) ?? {};
      const days = waitDays === 0 ? 0 : waitDays * DAY_MS - SHORTER_MS;
      const least = days + waitMinutes * MINUTE_MS;
      if (before !== undefined && mail.delivered && !isFree && mail.at - before.at < least) {
        yield `${describe(mail)}: ${waitDays} days and ${waitMinutes} minutes after ${describe(before)}`;
      }
    }
  }
}

/** Each step goes to whoever stands ahead of it, and nobody goes past one or back. */
export function* checkOrder({ chronicle }: Scene): Iterable<string> {
  for (const journey of journeys(chronicle)) {
    yield* missteps(chronicle, journey);
  }
}

interface Journey {
  mark: string;
  who: string;
  mails: Handed[];
  stands: Stand[];
}

/** Of every lead all that was sent to it and became of it, in order. */
function journeys(chronicle: Chronicle): Iterable<Journey> {
  const found = new Map<string, Journey>();
  const of = (who: string): Journey => {
    const mark = who.slice(0, who.indexOf(":"));
    const journey = found.get(who) ?? { mark, who, mails: [], stands: [] };
    found.set(who, journey);
    return journey;
  };
  for (const mail of chronicle.handed) {
    of(`${mail.campaign}:${mail.to}`).mails.push(mail);
  }
  for (const stand of chronicle.stands) {
    of(stand.who).stands.push(stand);
  }
  return found.values();
}

/** Where a lead may stand: at one place, or at several while it is in doubt whether an email was sent. */
interface Walk {
  at: (Place | null)[];
  /** Marks of the steps that it had, or may have had. */
  had: Set<string>;
  /** Where it stood before an email. */
  before: Map<string, (Place | null)[]>;
  /** When it got the last email. */
  gotAt: number;
}

function* missteps(chronicle: Chronicle, { who, mails, stands }: Journey): Iterable<string> {
  const walk: Walk = { at: [null], had: new Set(), before: new Map(), gotAt: 0 };
  const moments = [...mails, ...stands].sort((a, b) => a.seq - b.seq);
  for (const moment of moments) {
    if ("delivered" in moment) {
      const misstep = go(chronicle, walk, moment);
      if (misstep !== undefined) {
        yield `${describe(moment)}: ${misstep}`;
      }
    } else {
      const missed = moment.kind === "finished" ? missedBy(chronicle, moment, walk) : undefined;
      if (missed !== undefined) {
        yield `${who} has finished without ${missed.step}`;
      }
      follow(walk, moment);
    }
  }
}

/** On by an email; what is wrong with it. */
function go(chronicle: Chronicle, walk: Walk, mail: Handed): string | undefined {
  const place = placeOf(chronicle, mail);
  const isStep = mail.delivered && place !== undefined;
  const line = lineOf(chronicle, mail.campaign, mail.seq);
  const misstep = isStep ? misstepTo(line, walk, place) : undefined;
  walk.had.add(mail.step);
  if (isStep) {
    walk.before.set(mail.messageId, walk.at);
    walk.at = [place];
    walk.gotAt = mail.seq;
  }
  return misstep;
}

function follow(walk: Walk, { kind, place, messageId }: Stand): void {
  switch (kind) {
    case "moved":
      walk.at = [place];
      return;
    case "anew":
      walk.at = [null];
      walk.had.clear();
      return;
    case "task":
    case "unsure":
      walk.at = [...(walk.before.get(messageId ?? "") ?? walk.at), place];
      walk.had.add(place?.step ?? "");
      return;
    default:
  }
}

/** What is wrong with this step being the next, wherever the lead may stand. */
function misstepTo(line: readonly Place[], { at, had }: Walk, place: Place): string | undefined {
  const to = line.indexOf(place);
  const faults = at.map((from) => {
    const start = indexOf(line, from);
    const missed = line.slice(start + 1, to).find((one) => !one.isLeft && !had.has(one.step));
    return to <= start
      ? `it stood at ${from?.step} behind it`
      : missed && `it missed ${missed.step}`;
  });
  return faults.every((fault) => fault !== undefined) ? faults[0] : undefined;
}

/**
 * A step that should have followed, wherever the lead may stand. It is not said of one who may have finished
 * before, and been called otherwise until that was taken back.
 */
function missedBy(
  chronicle: Chronicle,
  { who, seq }: Stand,
  { at, had, gotAt }: Walk,
): Place | undefined {
  const isBack = chronicle.facts.some(
    (fact) => ["freed", "lifted"].includes(fact.kind) && gotAt < fact.seq && fact.seq < seq,
  );
  const line = lineOf(chronicle, who.slice(0, who.indexOf(":")), seq);
  const missed = at.map((from) =>
    line.slice(indexOf(line, from) + 1).find((one) => !one.isLeft && !had.has(one.step)),
  );
  return !isBack && missed.every((place) => place !== undefined) ? missed[0] : undefined;
}

function indexOf(line: readonly Place[], place: Place | null): number {
  return line.findIndex(({ id }) => id === place?.id);
}

/** Where the step of an email stood when it was sent. */
function placeOf(chronicle: Chronicle, { campaign, step, seq }: Handed): Place | undefined {
  const line = lineOf(chronicle, campaign, seq);
  return line.find((place) => place.step === step && !place.isLeft);
}
