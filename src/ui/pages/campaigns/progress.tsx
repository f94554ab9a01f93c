/** How far the leads of a campaign are: one bar of five parts, and the same in words. */

import type { CampaignStats } from "#client.ts";
import { count } from "../../lib/format.ts";

export interface Part {
  name: string;
  value: number;
}

/** The leads of a campaign by where they stand; the parts add up to all of them. */
export function partsOf(stats: CampaignStats): Part[] {
  const written = Math.max(0, ...stats.steps.map(({ sent }) => sent));
  const able = Math.max(0, stats.open - stats.held);
  const waiting = Math.max(0, Math.min(able, stats.enrolled - written));
  const going = able - waiting;
  const known = waiting + going + stats.held;
  const replied = Math.min(stats.replied, Math.max(0, stats.enrolled - known));
  const bounced = Math.min(stats.bounced, Math.max(0, stats.enrolled - known - replied));
  const rest = Math.max(0, stats.enrolled - known - replied - bounced);
  return [
    { name: "Replied", value: replied },
    { name: "Finished", value: rest },
    { name: "Bounced", value: bounced },
    { name: "In sequence", value: going },
    { name: "On hold", value: stats.held },
    { name: "Waiting", value: waiting },
  ];
}

export function Progress({ stats, isLarge }: { stats: CampaignStats; isLarge?: boolean }) {
  const parts = partsOf(stats);
  const shown = parts.filter(({ value }) => value > 0);
  const said = shown.map(({ name, value }) => `${name} ${count(value)}`).join(", ");
  if (stats.enrolled === 0) {
    return <span class="faint small">No leads yet</span>;
  }
  return (
    <div class={isLarge ? "progress large" : "progress"}>
      <div class="progress-bar" role="img" aria-label={said} title={said}>
        {shown.map(({ name, value }) => (
          <i key={name} data-part={name} style={{ flexGrow: value }} />
        ))}
      </div>
      {isLarge && (
        <ul class="legend">
          {parts.map(({ name, value }) => (
            <li key={name}>
              <i data-part={name} />
              {name} <b class="number">{count(value)}</b>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
