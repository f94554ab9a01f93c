/** Numbers, dates and words as people read them. Absent values are a dash, never a zero. */

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const moment = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

export const NONE = "–";

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? NONE : whole.format(value);
}

export function short(value: number): string {
  return compact.format(value);
}

/** `share` is 0 to 1; one digit after the point below ten per cent. */
export function percent(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) {
    return NONE;
  }
  const digits = share === 0 || share >= 0.1 ? 0 : 1;
  return `${(share * 100).toFixed(digits)}%`;
}

/** `part` of `all` as a percentage; a dash where there is nothing to divide. */
export function rate(part: number, all: number): string {
  return all === 0 ? NONE : percent(part / all);
}

export function dateTime(iso: string | null | undefined): string {
  return iso ? moment.format(Date.parse(iso)) : NONE;
}

export function date(iso: string | null | undefined): string {
  return iso ? day.format(Date.parse(iso)) : NONE;
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** "in 3 hours", "yesterday", "just now"; `now` is the environment's clock in Unix milliseconds. */
export function ago(iso: string | null | undefined, now: number): string {
  if (!iso) {
    return NONE;
  }
  const apart = Date.parse(iso) - now;
  for (const [unit, ms] of UNITS) {
    if (Math.abs(apart) >= ms) {
      return relative.format(Math.round(apart / ms), unit);
    }
  }
  return "just now";
}

/** `1 lead`, `2 leads`; `many` where the plural is no plain "s". */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A wire word for people: `follow_ups` is "Follow ups". */
export function words(value: string): string {
  const text = value.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
