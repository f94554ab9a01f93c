/** How a mailbox's health came to be: its parts, its days, and how it is let grow. */

import type { Account, AccountHealth, AccountUsage } from "#client.ts";
import { Lines } from "../../charts/lines.tsx";
import { count, date, plural } from "../../lib/format.ts";
import { sum } from "../../lib/sum.ts";
import { sentence } from "./words.ts";

const PART_NAMES: Readonly<Record<AccountHealth["parts"][number]["name"], string>> = {
  hard_bounces: "Hard bounces",
  complaints: "Complaints",
  smtp_errors: "Server errors",
  placement: "Placement",
};

export function Parts({ health }: { health: AccountHealth }) {
  return (
    <ul class="health-parts small">
      {health.parts.map(({ name, points, most, message }) => (
        <li key={name}>
          <span>{PART_NAMES[name]}</span>
          <span class="number">{points === 0 ? "0" : `−${points}`}</span>
          <progress
            class="meter thin lost"
            aria-label={PART_NAMES[name]}
            max={most}
            value={points}
          />
          <p class="faint">{sentence(message)}</p>
        </li>
      ))}
    </ul>
  );
}

export function HealthHistory({ health }: { health: AccountHealth }) {
  const { days } = health;
  const sends = sum(days.map((day) => day.sends));
  const [lowest] = days.toSorted((a, b) => a.score - b.score);
  const last = days.at(-1);
  const dayOf = (day: { date: string }) => date(`${day.date}T00:00:00Z`);
  const title =
    lowest === undefined || last === undefined || lowest.score >= 80
      ? "Health was good every day"
      : lowest.score === last.score
        ? `Health fell to ${lowest.score} of 100`
        : `Health fell to ${lowest.score} on ${dayOf(lowest)} and is now ${last.score}`;
  return (
    <Lines
      title={title}
      note={`Score out of 100 at the end of each day; ${plural(sends, "email")} sent in this period. Below 80, limits are halved; below 60, no new leads are started; below 40, the mailbox is paused.`}
      labels={days.map(dayOf)}
      series={[{ name: "Health", colour: 2, values: days.map(({ score }) => score) }]}
      least={100}
    />
  );
}

const DAYS_MAX = 60;
const DAYS_MIN = 14;
const DAY_MS = 86_400_000;

/** What the ramp allows from its first day until the limit holds. */
export function Ramp({ account, usage }: { account: Account; usage: AccountUsage }) {
  const { ramp, daily_limit: limit } = account;
  if (ramp === null) {
    return (
      <>
        <h2>No ramp set</h2>
        <p class="quiet small">
          It can send its full limit of {count(limit)} a day right away. A new mailbox does better
          with a ramp: a few emails on the first day, and a few more each day after. Set one below.
        </p>
      </>
    );
  }
  const toFull = ramp.increment === 0 ? DAYS_MAX : (limit - ramp.start) / ramp.increment + 2;
  const length = Math.min(DAYS_MAX, Math.max(DAYS_MIN, Math.ceil(toFull)));
  const first = Date.parse(`${ramp.from}T00:00:00Z`);
  const days = Array.from({ length }, (_, at) => ({
    label: date(new Date(first + at * DAY_MS).toISOString()),
    cap: Math.min(limit, ramp.start + at * ramp.increment),
  }));
  const full = days.find(({ cap }) => cap === limit);
  return (
    <Lines
      title={
        full === undefined
          ? `The ramp doesn’t reach the limit of ${count(limit)} a day within ${length} days`
          : `The ramp reaches the full limit on ${full.label}`
      }
      note={`Emails a day the ramp allows: ${count(ramp.start)} on the first day, ${count(ramp.increment)} more each day after; ${count(usage.ramp?.today ?? usage.day.cap)} today`}
      labels={days.map(({ label }) => label)}
      series={[{ name: "Allowed per day", colour: 1, values: days.map(({ cap }) => cap) }]}
    />
  );
}
