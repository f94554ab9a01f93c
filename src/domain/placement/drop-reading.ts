/** What is said of a share of test emails in the inbox over time: the one sentence that everything else repeats. */

import { MAIL_PROVIDERS, type MailProvider } from "#domain/mailboxes/mail-provider.ts";
import type { UnixMs } from "#domain/time.ts";
import { DROP_E, dropOf, type RunShare } from "./drop.ts";

export const DROP_VERDICTS = ["drop", "unclear", "steady", "too_few"] as const;
/** `unclear`: it fell, which could be chance. `too_few`: fewer than two runs. */
export type DropVerdict = (typeof DROP_VERDICTS)[number];

export interface Counts {
  inbox: number;
  total: number;
}

export interface DropReading {
  verdict: DropVerdict;
  eValue: number;
  /** When it fell, or may have; null where nothing points at it, as are the counts then. */
  since: UnixMs | null;
  before: Counts | null;
  after: Counts | null;
  message: string;
}

/** A change by which the bets make less than this isn't worth a word. */
const SIGN_GAIN = 2;
/** What an e-value is cut at: nobody needs to know it more closely. */
const E_SHOWN_MAX = 1e9;

/** The oldest run comes first; dates are those of `zone`. */
export function readDrop(runs: readonly RunShare[], zone: string): DropReading {
  const { e, before: count, gain } = dropOf(runs);
  const eValue = Math.min(E_SHOWN_MAX, e);
  const all = sumOf(runs);
  if (runs.length < 2) {
    const message = `${part(all)} in the inbox; a drop can be seen from the second run on.`;
    return { ...NOTHING, verdict: "too_few", eValue, message };
  }
  const [before, after] = [sumOf(runs.slice(0, count)), sumOf(runs.slice(count))];
  const since = runs[count]?.at ?? null;
  const fell = since !== null && after.inbox * before.total < before.inbox * after.total;
  if (!fell || gain < SIGN_GAIN) {
    const message = `${part(all)} in the inbox, and no sign of a drop.`;
    return { ...NOTHING, verdict: "steady", eValue, message };
  }
  const verdict = e >= DROP_E ? "drop" : "unclear";
  const counts = `${part(before)} in the inbox before, ${part(after)} since ${dateOf(since, zone)}.`;
  const message =
    verdict === "drop"
      ? `${counts} A drop: chance alone gets this far in at most 1 of ${shown(e)} series (e = ${shown(e)}).`
      : `${counts} This could be chance (e = ${shown(e)}; a drop is reported from ${DROP_E}).`;
  return { verdict, eValue, since, before, after, message };
}

/**
 * Of all providers: the mean of their e-values is one for "none of them fell". All that there are count, also
 * those without a test, so that the mean stays an e-process when a provider joins.
 */
export function readAllDrops(
  readings: readonly { provider: MailProvider; reading: DropReading }[],
): Pick<DropReading, "verdict" | "eValue" | "message"> {
  const sum = readings.reduce((total, { reading }) => total + reading.eValue, 0);
  const count = MAIL_PROVIDERS.length;
  const eValue = (sum + count - readings.length) / count;
  const fell = readings.filter(({ reading }) => reading.verdict === "drop");
  const names = fell.map(({ provider }) => PROVIDER_NAMES[provider]).join(" and ");
  if (eValue >= DROP_E) {
    const message = `A drop at ${names}, even though ${count} providers are looked at (e = ${shown(eValue)}).`;
    return { verdict: "drop", eValue, message };
  }
  if (fell.length > 0) {
    const message = `A drop at ${names}; as one of ${count} providers that are looked at, it could still be chance (e = ${shown(eValue)}).`;
    return { verdict: "unclear", eValue, message };
  }
  const verdict = (["unclear", "steady"] as const).find((one) =>
    readings.some(({ reading }) => reading.verdict === one),
  );
  return { verdict: verdict ?? "too_few", eValue, message: OVERALL[verdict ?? "too_few"] };
}

export const PROVIDER_NAMES: Readonly<Record<MailProvider, string>> = {
  google: "Google",
  microsoft: "Microsoft",
  yahoo: "Yahoo",
  icloud: "iCloud",
  zoho: "Zoho",
  custom: "other providers",
};

const OVERALL = {
  unclear: "No provider shows a drop that chance doesn’t explain.",
  steady: "No provider shows a sign of a drop.",
  too_few: "A drop can be seen from the second run on.",
} as const;

const NOTHING = { since: null, before: null, after: null } as const;

function sumOf(runs: readonly Counts[]): Counts {
  return {
    inbox: runs.reduce((sum, { inbox }) => sum + inbox, 0),
    total: runs.reduce((sum, { total }) => sum + total, 0),
  };
}

function part({ inbox, total }: Counts): string {
  return `${inbox} of ${total}`;
}

/** Rounded down, so that nothing is claimed that isn't so. */
function shown(e: number): string {
  const floor = e < 10 ? Math.floor(e * 10) / 10 : Math.floor(Math.min(e, 1_000_000));
  return floor.toLocaleString("en-US");
}

function dateOf(at: UnixMs, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toLocaleString("en-US", { day: "numeric", month: "long", year: "numeric" });
}
