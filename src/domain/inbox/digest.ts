/** What a member is told by email of what waits in the inbox, and when. */

import { WEEKDAYS } from "#domain/campaigns/window.ts";
import { nextRunAt } from "#domain/placement/placement-schedule.ts";
import { type UnixMs, unixMs } from "#domain/time.ts";

export interface DigestTime {
  /** Local hour, 0 to 23. */
  hour: number;
  /** IANA zone. */
  timezone: string;
}

export interface Waiting {
  team: string;
  /** Conversations with unread emails, those given to the reader, and those whose notes name them. */
  unread: number;
  assigned: number;
  mentioned: number;
  /** The latest of the unread ones. */
  conversations: readonly { name: string; subject: string; url: string | null }[];
  /** Where the reader turns the digest off; null: the console's address isn't known. */
  settingsUrl: string | null;
}

const WORKING_DAYS = WEEKDAYS.slice(0, 5);

/** The first working day's hour after `after`. */
export function nextDigestAt(time: DigestTime, after: UnixMs): UnixMs {
  const next = WORKING_DAYS.map((weekday) => nextRunAt({ weekday, ...time }, after));
  return unixMs(Math.min(...next));
}

/** Undefined where nothing waits. */
export function writeDigest(waiting: Waiting): { subject: string; text: string } | undefined {
  const { team, unread, assigned, mentioned, conversations, settingsUrl } = waiting;
  const counts = [
    [unread, "unread"],
    [assigned, "assigned to you"],
    [mentioned, "mentioning you"],
  ] as const;
  const some = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  if (some.length === 0) {
    return undefined;
  }
  const lines = conversations.flatMap(({ name, subject, url }) => [
    `- ${name}: ${subject}`,
    ...(url === null ? [] : [`  ${url}`]),
  ]);
  const more = unread - conversations.length;
  const where = settingsUrl === null ? "in the console under Settings, You" : `at ${settingsUrl}`;
  const text = [
    `Conversations in the inbox of ${team}: ${some.join(", ")}.`,
    ...(lines.length > 0 ? ["", ...lines] : []),
    ...(more > 0 && lines.length > 0 ? [`and ${more} more`] : []),
    ...["", `Sent on working days when something waits. Turn it off ${where}.`],
  ];
  return { subject: `${some[0]} in ${team}`, text: text.join("\n") };
}
