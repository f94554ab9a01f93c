/** Recent activity, the newest first. */

import { now } from "../../lib/clock.ts";
import { useData } from "../../lib/data.ts";
import { ago, dateTime } from "../../lib/format.ts";
import { to } from "../../lib/route.ts";
import { Card, Loaded } from "../../parts/page.tsx";
import { type Happened, latestEvents, sentenceOf } from "./events.ts";

const FAMILIES = ["email", "reply", "lead", "campaign", "account", "suppression", "task"];

export function Ticker() {
  const events = useData(latestEvents, FAMILIES);
  return (
    <Card title="Recent activity" flush>
      <Loaded data={events} lines={6}>
        {(latest) =>
          latest.length === 0 ? (
            <p class="quiet inset">
              No activity yet. Sent emails, replies, and status changes show up here.
            </p>
          ) : (
            <ol class="ticker">
              {latest.map((event) => (
                <Line key={event.id} event={event} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </Card>
  );
}

function Line({ event }: { event: Happened }) {
  const { tone, text, who, page } = sentenceOf(event);
  return (
    <li>
      <i data-tone={tone} />
      <span class="what">
        {page === null ? (
          `${text} ${who}`
        ) : who === "" ? (
          <a href={to(page)}>{text}</a>
        ) : (
          <>
            {text} <a href={to(page)}>{who}</a>
          </>
        )}
      </span>
      <time class="faint small" dateTime={event.created_at} title={dateTime(event.created_at)}>
        {ago(event.created_at, now.value)}
      </time>
    </li>
  );
}
