/**
 * A callout: asking a recipient's own server whether it would take email for an address, up to RCPT and never DATA.
 *
 * What a server says means something only beside what it says of addresses whose answer is known. So each session
 * asks first for a mailbox that can't exist: a server that takes that takes anything. And "no such user" counts only
 * from a server that takes email for somebody else in the same session, if only for `postmaster`, which every domain
 * has to have. Anything else is nothing learned.
 *
 * Source: RFC 5321 §3.3 (RCPT), §4.5.1 (postmaster) and §7.3 (why servers don't tell); Exim's callout verification
 * ("random", "postmaster"); Postfix, ADDRESS_VERIFICATION_README, "Limitations"; Spamhaus, "On the dubious merits of
 * email verification services". Bounds are ours (`docs/adr/mailboxes.md`).
 */

import { hashInt } from "#domain/random.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { SendOutcome } from "./send-outcome.ts";
import { classifyFault } from "./smtp-fault.ts";

/**
 * Of a lead's address. `retry`: asked once, and nothing was learned. `unclear`: the same twice, so it isn't asked again.
 * `released`: it was `unknown_user`, and a person lets it be written to.
 */
export type CalloutAnswer = "accepted" | "unknown_user" | "retry" | "unclear" | "released";

/** Addresses of one session, beside the one that can't exist and `postmaster`. */
export const ADDRESSES_A_SESSION = 5;
/** Past the times for which greylisting servers put a stranger off. */
const RETRY_MS = HOUR_MS;
/** Mailboxes come and go. */
const ACCEPTED_MS = 90 * DAY_MS;
/** How long a domain counts as one that takes anything. */
export const CATCH_ALL_MS = 14 * DAY_MS;
/** Between two sessions of one mailbox. */
export const SESSION_GAP_MS = 2 * MINUTE_MS;

/** How often a domain, or an operator of mail servers, is asked by anybody of this installation. */
export interface Pace {
  gapMs: number;
  dayMax: number;
}
export const DOMAIN_PACE: Pace = { gapMs: 15 * MINUTE_MS, dayMax: 8 };
export const OPERATOR_PACE: Pace = { gapMs: MINUTE_MS, dayMax: 100 };

/** A name's turns so far. */
export interface Turns {
  nextAt: UnixMs;
  /** The UTC day that `count` is of. */
  day: number;
  count: number;
}

/** After one more turn now. */
export function takeTurn(turns: Turns | undefined, now: UnixMs, { gapMs, dayMax }: Pace): Turns {
  const day = Math.floor(now / DAY_MS);
  const count = turns?.day === day ? turns.count + 1 : 1;
  const tomorrow = plus(now, DAY_MS - (now % DAY_MS));
  return { nextAt: count < dayMax ? plus(now, gapMs) : tomorrow, day, count };
}

/** May the address be asked for, as far as what was said of it before goes? */
export function isAskable(answer: CalloutAnswer | null, askedAt: UnixMs | null, now: UnixMs) {
  const isPast = (ms: number) => askedAt === null || plus(askedAt, ms) <= now;
  return (
    answer === null ||
    (answer === "retry" && isPast(RETRY_MS)) ||
    (answer === "accepted" && isPast(ACCEPTED_MS))
  );
}

/** What stands of an address while it is being asked for: a session that never ends counts as one, too. */
export function askedAgain(answer: CalloutAnswer | null): CalloutAnswer {
  return answer === "retry" ? "unclear" : "retry";
}

const CONTROL = "no-such-mailbox-";
const CONTROL_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

/** The same for a mailbox and a domain each time, so that a greylisting server knows it again. */
export function controlAddress(accountId: string, domain: string): string {
  const letters = Array.from({ length: 20 }, (_, at) =>
    CONTROL_LETTERS.charAt(hashInt(CONTROL_LETTERS.length, "callout", accountId, domain, at)),
  );
  return `${CONTROL}${letters.join("")}@${domain}`;
}

export function isControlAddress(address: string): boolean {
  return address.startsWith(CONTROL);
}

/** What a session asks for. */
export interface Questions {
  domain: string;
  control: string;
  leads: readonly string[];
}

export interface CalloutReply {
  recipient: string;
  outcome: SendOutcome;
}

/** `ended`: why there was no reply to the question that was up; null where there was none left. */
export interface CalloutSession {
  replies: readonly CalloutReply[];
  ended: SendOutcome | null;
}

type Standing = "accepted" | "unknown" | "later" | "blocked" | "unclear";

/** Whom to ask for next; null: nobody. */
export function nextQuestion(asked: Questions, replies: readonly CalloutReply[]): string | null {
  const known = standings(replies);
  const control = known.get(asked.control);
  if (control === undefined) {
    return replies.length === 0 ? asked.control : null;
  }
  const isOver = [...known.values()].includes("blocked");
  // Put off, the others are asked for all the same: a greylisting server takes those it knows next time.
  if (isOver || (control !== "unknown" && control !== "later")) {
    return null;
  }
  const lead = asked.leads.find((address) => !known.has(address));
  if (lead !== undefined) {
    return lead;
  }
  const isDoubtful = control === "unknown" && saysNoAlone(asked, known);
  const postmaster = postmasterOf(asked);
  return isDoubtful && !known.has(postmaster) ? postmaster : null;
}

function postmasterOf({ domain }: Questions): string {
  return `postmaster@${domain}`;
}

/** True for a server that has refused somebody and taken nobody yet. */
function saysNoAlone({ leads }: Questions, known: ReadonlyMap<string, Standing>): boolean {
  const of = leads.map((address) => known.get(address));
  return of.includes("unknown") && !of.includes("accepted");
}

export interface CalloutFindings {
  /** Null: it isn't known. */
  catchAll: boolean | null;
  answers: ReadonlyMap<string, "accepted" | "unknown_user">;
  /** The words in which the server turned away whoever asks; null where it didn't. */
  blocked: string | null;
  /** A server was there and said something. */
  reached: boolean;
}

export function readCallout(asked: Questions, session: CalloutSession): CalloutFindings {
  const known = standings(session.replies);
  const control = known.get(asked.control);
  const answers = new Map<string, "accepted" | "unknown_user">();
  const isDoubtful = saysNoAlone(asked, known) && known.get(postmasterOf(asked)) !== "accepted";
  for (const address of control === "unknown" ? asked.leads : []) {
    const standing = known.get(address);
    if (standing === "accepted") {
      answers.set(address, "accepted");
    } else if (standing === "unknown" && !isDoubtful) {
      answers.set(address, "unknown_user");
    }
  }
  const outcomes = [...session.replies.map(({ outcome }) => outcome), session.ended];
  const block = outcomes.find((outcome) => outcome !== null && standingOf(outcome) === "blocked");
  return {
    catchAll: control === "accepted" ? true : control === "unknown" ? false : null,
    answers,
    blocked: block !== undefined && block !== null && "response" in block ? block.response : null,
    reached: session.ended?.kind !== "unreachable" || session.ended.stage !== "connect",
  };
}

function standings(replies: readonly CalloutReply[]): Map<string, Standing> {
  return new Map(replies.map(({ recipient, outcome }) => [recipient, standingOf(outcome)]));
}

/** The server doesn't take email for the domain at all: that is said of neither the address nor who asks. */
const RELAY_WORDS = /\brelay(ing)?\b/i;

function standingOf(outcome: SendOutcome): Standing {
  if (outcome.kind === "accepted") {
    return "accepted";
  }
  if (outcome.kind === "unreachable" || RELAY_WORDS.test(outcome.response)) {
    return "unclear";
  }
  const fault = classifyFault(outcome).kind;
  // Its words outweigh its status: "5.1.1 … blocked" is said of who asks.
  const inWords = classifyFault({ ...outcome, enhanced: null }).kind;
  if (fault === "sender" || fault === "backoff" || inWords === "sender") {
    return "blocked";
  }
  if (outcome.kind === "deferred") {
    return outcome.stage === "rcpt" ? "later" : "unclear";
  }
  if (fault === "bounce") {
    return "unknown";
  }
  // A greeting that turns us away, and what policy says in no other words.
  const isPolicy = outcome.enhanced?.startsWith("5.7.") === true;
  return outcome.stage === "connect" || isPolicy ? "blocked" : "unclear";
}

/** What a mailbox has met with while it asked. */
export interface CalloutTroubles {
  /** Operators of mail servers that turned it away, by the domain that their servers are under. */
  blocks: readonly { by: string; response: string; until: UnixMs }[];
  /** Sessions in a row in which no server could be reached. */
  unreached: number;
}

export const NO_TROUBLES: CalloutTroubles = { blocks: [], unreached: 0 };

/** Turned away by so many operators within a day, a mailbox asks nobody any more. */
export const BLOCKS_MAX = 3;
/** Out of so many tries not one connection: port 25 is closed on the way out. */
export const UNREACHED_MAX = 10;
/** For which an operator isn't asked again, and a mailbox that reaches nobody doesn't try. */
export const BLOCKED_MS = DAY_MS;
const RESPONSE_CHARS_MAX = 200;

/** After a session at `by`'s servers. */
export function troublesAfter(
  before: CalloutTroubles,
  by: string,
  found: Pick<CalloutFindings, "blocked" | "reached">,
  now: UnixMs,
): CalloutTroubles {
  const blocks = before.blocks.filter((block) => block.until > now && block.by !== by);
  const response = found.blocked?.slice(0, RESPONSE_CHARS_MAX);
  return {
    blocks:
      response === undefined
        ? blocks
        : [...blocks, { by, response, until: plus(now, BLOCKED_MS) }].slice(-BLOCKS_MAX),
    unreached: found.reached ? 0 : Math.min(UNREACHED_MAX, before.unreached + 1),
  };
}

/** True for a mailbox that asks nobody until a person turns it on again. */
export function isStopped(troubles: CalloutTroubles | null): boolean {
  return (troubles?.blocks.length ?? 0) >= BLOCKS_MAX;
}

/** The mailbox's next session; null: none, until a person turns it on again. */
export function nextSessionAt(troubles: CalloutTroubles, now: UnixMs): UnixMs | null {
  if (isStopped(troubles)) {
    return null;
  }
  return plus(now, troubles.unreached >= UNREACHED_MAX ? BLOCKED_MS : SESSION_GAP_MS);
}

/** What a person should know; null: nothing. */
export function troubleWords(troubles: CalloutTroubles, now: UnixMs): string | null {
  const blocks = troubles.blocks.filter(({ until }) => isStopped(troubles) || until > now);
  const names = blocks.map(({ by }) => by).join(", ");
  const said = blocks.at(-1)?.response;
  if (isStopped(troubles)) {
    return `${names} turned this mailbox away ("${said}"). No more servers are asked until you turn this off and on again.`;
  }
  if (troubles.unreached >= UNREACHED_MAX) {
    return "No mail server can be reached on port 25: most cloud providers block it. It's tried again once a day.";
  }
  return said === undefined
    ? null
    : `${names} turned this mailbox away ("${said}"), and isn't asked again for a day.`;
}

/** Operators that answer alike for everybody, or list who asks; beside those that `MailProvider` names. */
const NOT_ASKED = [
  ...["gmx.net", "web.de", "t-online.de", "ionos.com", "kundenserver.de", "mail.ru", "yandex.net"],
  ...["yandex.ru", "protonmail.ch", "qq.com", "163.com", "126.com", "comcast.net", "laposte.net"],
  ...[
    "orange.fr",
    "free.fr",
    "libero.it",
    "cox.net",
    "charter.net",
    "att.net",
    "messagingengine.com",
  ],
];

/** Under a country's name, anybody's: `co.uk`, `com.br`. */
const SHARED = /^(ac|co|com|edu|go|gob|gov|ne|net|or|org)$/;

/** The domain that a mail exchange stands under: of its operator, as far as a name says; null: not to be asked. */
export function operatorOf(exchange: string): string | null {
  const labels = exchange.toLowerCase().replace(/\.$/, "").split(".");
  const [second = "", top = ""] = labels.slice(-2);
  const isBroad = labels.length > 2 && top.length === 2 && SHARED.test(second);
  const name = labels.slice(isBroad ? -3 : -2).join(".");
  return NOT_ASKED.includes(name) ? null : name;
}
