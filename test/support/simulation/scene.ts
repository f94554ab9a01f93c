/** What checks share: the email that arrived, and the clock on the wall when it did. */

import { WEEKDAYS } from "#domain/campaigns/window.ts";
import type { Chronicle, Handed } from "./chronicle.ts";
import type { Snapshot } from "./snapshot.ts";

export interface Scene {
  chronicle: Chronicle;
  snapshot: Snapshot;
  /** The latest instant that the clock was set back from; absent: never. */
  setBackFrom?: number | undefined;
}

export function delivered({ handed }: Chronicle): Handed[] {
  return handed.filter((mail) => mail.delivered);
}

/** In their order, with test emails: mailboxes count and hold those as any other. */
export function deliveredByMailboxes({ handed, tests }: Chronicle): Handed[] {
  return [...handed, ...tests].filter((mail) => mail.delivered).sort((a, b) => a.seq - b.seq);
}

export function describe(mail: Handed): string {
  const at = new Date(mail.at).toISOString();
  return `${mail.campaign} ${mail.step} to ${mail.to} at ${at} (${mail.messageId})`;
}

export interface Wall {
  date: string;
  hour: number;
  weekday: (typeof WEEKDAYS)[number];
}

const walls = new Map<string, Wall>();

/** What the clock on the wall showed. */
export function wallAt(zone: string, at: number): Wall {
  const key = `${zone} ${at}`;
  let wall = walls.get(key);
  if (wall === undefined) {
    const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
    const date = local.toPlainDate().toString();
    wall = { date, hour: local.hour, weekday: WEEKDAYS[local.dayOfWeek - 1]! };
    walls.set(key, wall);
  }
  return wall;
}

/** Forgets what was worked out for a run that has ended. */
export function forgetWalls(): void {
  walls.clear();
}
