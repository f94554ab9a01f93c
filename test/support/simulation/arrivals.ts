/** What has come to a mailbox, or is on its way to it. */

import type { UnixMs } from "#domain/time.ts";
import type { ReactionKind } from "#sandbox/settings.ts";
import { type Chronicle, type Handed, isGone } from "./chronicle.ts";
import { recordEffect } from "./consequences.ts";

export interface Arrival {
  /** Its place in the mailbox, from 1. */
  place: number;
  arrivesAt: UnixMs;
  raw: Uint8Array;
  kind: ReactionKind | "stranger";
  about: Handed | null;
  messageId: string;
  /** It is in the chronicle. */
  isNoted?: boolean;
}

/** Gives places in the mailbox to what has arrived by now, in the order of arrival. */
export function arrange(box: Arrival[], now: UnixMs): void {
  let last = lastPlace(box);
  const arrived = box.filter(({ place, arrivesAt }) => place === 0 && arrivesAt <= now);
  for (const arrival of arrived.sort((a, b) => a.arrivesAt - b.arrivesAt)) {
    last += 1;
    arrival.place = last;
  }
}

export function lastPlace(box: readonly Arrival[]): number {
  return Math.max(0, ...box.map(({ place }) => place));
}

/** What an email that was read asks for. */
export function takeEffect(chronicle: Chronicle, arrival: Arrival): void {
  const { kind, about, messageId } = arrival;
  if (about !== null && !isGone(about.to) && arrival.isNoted !== true) {
    recordEffect(chronicle, kind, { ...about, by: messageId });
  }
  arrival.isNoted = true;
}
