/**
 * Telling people from machines among those who ask for an email's picture or follow its links. Email
 * programs fetch pictures ahead, and gateways follow every link before a person sees the email.
 *
 * Source: ours; the names are those under which proxies, previews and scanners present themselves.
 */

import { SECOND_MS, type UnixMs } from "#domain/time.ts";

/** What comes sooner after sending than this was not asked for by a person. */
export const TOO_SOON_MS = 10 * SECOND_MS;

/** Several links followed within this are followed by a machine. */
export const BURST_MS = 3 * SECOND_MS;

/** A touch waits so long before it is classified: a burst shows by what comes after. */
export const CLASSIFIED_AFTER_MS = 5 * SECOND_MS;

/** The same again within this counts once. */
export const REPEAT_MS = 60 * SECOND_MS;

/** Bare `Mozilla/5.0` is Apple's privacy proxy; no browser of a person says so little. */
const BARE = /^(?:mozilla\/5\.0)?$/i;

const MACHINES = [
  "googleimageproxy|yahoomailproxy|yahoo! slurp",
  "bot\\b|crawler|spider|preview|facebookexternalhit|whatsapp|slurp|headless|phantomjs",
  "barracuda|safelinks|mimecast|proofpoint|symantec|fireeye|cloudmark|sophos|trend ?micro|zscaler",
  "^(?:curl|wget|python|java|go-http-client|okhttp|libwww|apache-httpclient|node|axios|ruby|php)\\b",
].join("|");
const MACHINE = new RegExp(MACHINES, "i");

/** Longer names are cut before they are looked at. */
const AGENT_CHARS_MAX = 500;

/** True for what says of itself that it is no person: its name, or that it fetches ahead. */
export function saysMachine(agent: string | null, purpose: string | null): boolean {
  const name = (agent ?? "").slice(0, AGENT_CHARS_MAX).trim();
  return BARE.test(name) || MACHINE.test(name) || /prefetch|preview/i.test(purpose ?? "");
}

/** One request; `link` is the place of the link, null for the picture. */
export interface Touch {
  at: UnixMs;
  link: number | null;
  machine: boolean;
}

/** What is known of the message when its touches are classified. */
export interface Touched {
  /** Null: it has not been sent, as far as we know. */
  sentAt: UnixMs | null;
  burstAt: UnixMs | null;
  /** Those that came about the same time, this one among them. */
  near: readonly Touch[];
}

/** True where several links were followed about the time of `touch`. */
export function isInBurst(touch: Touch, { near, burstAt }: Touched): boolean {
  if (burstAt !== null && Math.abs(touch.at - burstAt) <= BURST_MS) {
    return true;
  }
  const links = near
    .filter(({ link, at }) => link !== null && Math.abs(at - touch.at) <= BURST_MS)
    .map(({ link }) => link);
  return new Set(links).size > 1;
}

/** True where no person did it. */
export function isByMachine(touch: Touch, known: Touched): boolean {
  const isTooSoon = known.sentAt === null || touch.at - known.sentAt < TOO_SOON_MS;
  return touch.machine || isTooSoon || isInBurst(touch, known);
}
