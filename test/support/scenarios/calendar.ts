/** Local time by `Intl` alone, so that nothing of the product's own calendar is trusted. */

export interface Local {
  /** `YYYY-MM-DD`. */
  date: string;
  hour: number;
  /** Milliseconds since local midnight, as a clock on the wall shows them. */
  ofDay: number;
  weekday: string;
}

const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

export function localTime(at: number, zone: string): Local {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      weekday: "long",
    });
    formats.set(zone, format);
  }
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const hour = Number(part["hour"]);
  const seconds = (hour * 60 + Number(part["minute"])) * 60 + Number(part["second"]);
  return {
    date: `${part["year"]}-${part["month"]}-${part["day"]}`,
    hour,
    ofDay: seconds * 1000 + (at % 1000),
    weekday: (part["weekday"] ?? "").toLowerCase(),
  };
}

/** True where the clock on the wall shows at `later` at least `days` whole days more than at `earlier`. */
export function areDaysBetween(
  earlier: number,
  later: number,
  { days, zone }: { days: number; zone: string },
): boolean {
  const shown = (at: number) => {
    const { date, ofDay } = localTime(at, zone);
    return Date.parse(date) + ofDay;
  };
  return shown(later) >= shown(earlier) + days * DAY_MS;
}
