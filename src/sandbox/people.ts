/**
 * The simulated recipients: what each makes of a message, by a magic address or by rates. Pure, and the
 * same for the same seed: a draw is a hash of (seed, what is drawn, address, how many messages came
 * before), so that neither the order of sending nor a restart changes anybody's mind.
 *
 * Source: ours; the magic addresses are the product's documented ones.
 */

import { hash01 } from "#domain/random.ts";
import { MINUTE_MS, SECOND_MS } from "#domain/time.ts";
import { LANGUAGES, type Language } from "./phrases.ts";
import type { ReactionKind, SandboxSettings } from "./settings.ts";

export const MAGIC_DOMAIN = "sandbox.test";

/** Local parts at {@link MAGIC_DOMAIN} that do one thing, always. `+label` may follow. */
export const MAGIC_NAMES = [
  "reply",
  "interested",
  "ooo",
  "bounce",
  "softbounce",
  "complaint",
  "unsubscribe",
  "smtp421",
  "smtp550",
  "timeout",
] as const;
export type MagicName = (typeof MAGIC_NAMES)[number];

const MAGIC: Readonly<Partial<Record<MagicName, { kind: ReactionKind; after: number }>>> = {
  reply: { kind: "reply", after: 5 * MINUTE_MS },
  interested: { kind: "interested", after: 5 * MINUTE_MS },
  ooo: { kind: "auto_reply", after: 5 * SECOND_MS },
  bounce: { kind: "hard_bounce", after: 10 * SECOND_MS },
  softbounce: { kind: "soft_bounce", after: 10 * SECOND_MS },
  complaint: { kind: "complaint", after: 10 * MINUTE_MS },
  unsubscribe: { kind: "unsubscribe", after: 5 * MINUTE_MS },
};

export const VERDICTS = ["delivered", "bounced", "spam"] as const;
/** Where a message ended: in front of a person, nowhere, or in a folder that nobody reads. */
export type Verdict = (typeof VERDICTS)[number];

export interface Reaction {
  kind: ReactionKind;
  /** Milliseconds after the message was taken. */
  after: number;
}

export interface Behaviour {
  verdict: Verdict;
  reactions: readonly Reaction[];
}

/** The magic name in an address, label aside. */
export function magicName(address: string): MagicName | undefined {
  const [local = "", domain = ""] = address.toLowerCase().split("@");
  const name = local.split("+")[0];
  return domain === MAGIC_DOMAIN ? MAGIC_NAMES.find((magic) => magic === name) : undefined;
}

/** Tried in this order; the first whose rate strikes is all that happens. */
const ORDER = [
  "soft_bounce",
  "spam",
  "auto_reply",
  "complaint",
  "unsubscribe",
  "interested",
  "reply",
] as const;

/** What `recipient` makes of the message that `ordinal` others came before. */
export function behave(settings: SandboxSettings, recipient: string, ordinal: number): Behaviour {
  const name = magicName(recipient);
  if (name !== undefined) {
    const magic = MAGIC[name];
    return magic === undefined ? QUIET : outcome(magic.kind, magic.after);
  }
  const { seed, rates } = settings;
  // Whether somebody is there at all does not change from one message to the next.
  if (hash01(seed, "hard_bounce", recipient) < rates.hard_bounce) {
    return outcome("hard_bounce", delay(settings, "hard_bounce", recipient, ordinal));
  }
  const kind = ORDER.find((name) => hash01(seed, name, recipient, ordinal) < rates[name]);
  if (kind === undefined) {
    return QUIET;
  }
  return kind === "spam"
    ? { verdict: "spam", reactions: [] }
    : outcome(kind, delay(settings, kind, recipient, ordinal));
}

const QUIET: Behaviour = { verdict: "delivered", reactions: [] };

function outcome(kind: ReactionKind, after: number): Behaviour {
  const verdict = kind === "hard_bounce" || kind === "soft_bounce" ? "bounced" : "delivered";
  return { verdict, reactions: [{ kind, after }] };
}

/** Between the bounds, log-uniform: most people reply soon, some after days. */
function delay(
  settings: SandboxSettings,
  kind: ReactionKind,
  recipient: string,
  ordinal: number,
): number {
  const { minSeconds, maxSeconds } = settings.delays[kind];
  const draw = hash01(settings.seed, "delay", kind, recipient, ordinal);
  const spread = (maxSeconds + 1) / (minSeconds + 1);
  const seconds = (minSeconds + 1) * spread ** draw - 1;
  return Math.round(Math.min(maxSeconds, Math.max(minSeconds, seconds)) * SECOND_MS);
}

const ENGLISH_SHARE = 0.7;

/**
 * The language of a recipient: a `+de` label, the country of the domain, English for magic addresses,
 * else drawn.
 */
export function languageOf(seed: number, recipient: string): Language {
  const [local = "", domain = ""] = recipient.split("@");
  const said = [local.split("+")[1], COUNTRIES[domain.slice(domain.lastIndexOf(".") + 1)]];
  const language = LANGUAGES.find((one) => said.includes(one));
  if (language !== undefined || magicName(recipient) !== undefined) {
    return language ?? "en";
  }
  const draw = hash01(seed, "language", recipient);
  const place = Math.floor(((draw - ENGLISH_SHARE) / (1 - ENGLISH_SHARE)) * LANGUAGES.length);
  return draw < ENGLISH_SHARE ? "en" : (LANGUAGES[place] ?? "en");
}

const COUNTRIES: Readonly<Record<string, Language>> = {
  de: "de",
  at: "de",
  fr: "fr",
  es: "es",
  mx: "es",
  nl: "nl",
  it: "it",
  pt: "pt",
  br: "pt",
  uk: "en",
};
