/**
 * Where simulated providers put an email, by what it says, how much its sender sends, and what the sender
 * is known for. Pure, and the same for the same seed.
 *
 * Source: ours; the signs are those that the providers name in their rules for senders, their weights
 * are made up.
 */

import type { MailProvider } from "#domain/mailboxes/mail-provider.ts";
import type { Placement, Tab } from "#domain/placement/placement.ts";
import { hash01 } from "#domain/random.ts";
import { MINUTE_MS, SECOND_MS } from "#domain/time.ts";

export interface PlacedContent {
  subject: string;
  text: string;
  html: string | null;
  /** The message names a way to unsubscribe in its headers. */
  offersOptOut: boolean;
}

/** What the provider has seen of the mailbox that sends. */
export interface SenderHistory {
  /** Messages in the last day, and in the last two weeks. */
  day: number;
  fortnight: number;
  /** Share of the fortnight's that went nowhere, 0 to 1. */
  bounced: number;
  /** Share of recipients who complain, 0 to 1. */
  complaints: number;
}

export interface Placing {
  placement: Placement;
  /** Null where the provider has no categories. */
  tab: Tab | null;
  /** Milliseconds until the email has arrived. */
  after: number;
}

/** The same for the same parts: the sandbox's seed, the two mailboxes, how many emails came before. */
export type Draw = readonly (string | number)[];

const SPAM_PHRASES =
  /\b(act now|buy now|cash bonus|click here|congratulations|100% free|free money|guaranteed|limited time|make money|no obligation|risk[- ]free|special promotion|urgent|winner|you have been selected)\b/gi;
const PROMOTION_WORDS =
  /\b(coupon|deal|discount|newsletter|offer|promo|sale|shop|subscribe|\d{1,3} ?% off)\b/gi;
const UPDATE_WORDS = /\b(confirm|invoice|order|receipt|shipped|statement|your account)\b/i;

/** Messages a day that a mailbox may send without being noticed for it. */
const QUIET_DAY = 40;
const LOUD_DAY = 200;
/** A mailbox with less in two weeks is nobody yet. */
const KNOWN_FROM = 5;

/** How much of the signs each provider makes. */
const STRICTNESS: Readonly<Record<MailProvider, number>> = {
  google: 1,
  microsoft: 1.2,
  yahoo: 1,
  icloud: 0.9,
  zoho: 0.8,
  custom: 0.7,
};

export function placeMail(
  provider: MailProvider,
  content: PlacedContent,
  sender: SenderHistory,
  draw: Draw,
): Placing {
  const suspicion =
    STRICTNESS[provider] * (contentSigns(content) + volumeSigns(sender) + fame(sender));
  const after = delayOf(draw);
  const [lost, junk] = [hash01("lost", ...draw), hash01("junk", ...draw)];
  if (lost < 0.005 + 0.4 * Math.max(0, suspicion - 0.8)) {
    return { placement: "not_delivered", tab: null, after };
  }
  if (junk < Math.min(0.97, Math.max(0.02, 1.6 * (suspicion - 0.12)))) {
    return { placement: "spam", tab: null, after };
  }
  if (provider !== "google") {
    return { placement: "inbox", tab: null, after };
  }
  const tab = tabOf(content, hash01("tab", ...draw));
  return { placement: tab === "promotions" ? "promotions" : "inbox", tab, after };
}

/** 0 for plain words between people, about 1 for what nobody writes who means well. */
export function contentSigns({ subject, text, html, offersOptOut }: PlacedContent): number {
  const words = `${subject}\n${text}`;
  const phrases = count(words, SPAM_PHRASES);
  const links = count(`${text}\n${html ?? ""}`, /https?:\/\//gi);
  const letters = subject.replace(/[^\p{L}]/gu, "");
  const isShouted = letters.length >= 6 && letters === letters.toUpperCase();
  const marks = count(words, /[!$€£]{2,}/g);
  const isImage = /<img\b/i.test(html ?? "") && text.trim().length < 100;
  return (
    0.18 * phrases +
    0.04 * Math.max(0, links - 3) +
    (isShouted ? 0.25 : 0) +
    0.1 * marks +
    (isImage ? 0.25 : 0) +
    (offersOptOut ? 0 : 0.1)
  );
}

function volumeSigns({ day }: SenderHistory): number {
  return Math.min(0.6, Math.max(0, (day - QUIET_DAY) / LOUD_DAY));
}

/** Bounces and complaints count once there is enough email to count them in. */
function fame({ fortnight, bounced, complaints }: SenderHistory): number {
  return fortnight < KNOWN_FROM
    ? 0.04
    : Math.min(0.6, 4 * Math.max(0, bounced - 0.02)) + Math.min(0.8, 60 * complaints);
}

function tabOf({ subject, text, html }: PlacedContent, draw: number): Tab {
  const words = `${subject}\n${text}`;
  const images = count(html ?? "", /<img\b/gi);
  const offers = count(words, PROMOTION_WORDS);
  if (draw < 0.03 + 0.22 * offers + 0.15 * images) {
    return "promotions";
  }
  return UPDATE_WORDS.test(words) && draw > 0.6 ? "updates" : "primary";
}

/** Most email is there within seconds; one in twenty is asked to come again later. */
function delayOf(draw: Draw): number {
  const spread = hash01("delay", ...draw);
  const isGreylisted = hash01("greylist", ...draw) < 0.05;
  const ms = SECOND_MS * (1 + 11 * spread ** 3) + (isGreylisted ? 5 * MINUTE_MS : 0);
  return Math.round(ms);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
