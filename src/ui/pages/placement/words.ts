/** Words, colours and marks of placement, the same on all of its pages. */

import type { PlacementRun, PlacementRunCreated } from "#client.ts";
import type { Part, PartTone } from "../../charts/share-bars.tsx";
import { words } from "../../lib/format.ts";
import type { Tone } from "../../parts/page.tsx";

export type Result = PlacementRunCreated["results"][number];

export const STATUS_TONES: Readonly<Record<PlacementRun["status"], Tone>> = {
  pending: "brand",
  running: "brand",
  completed: "good",
  cancelled: "plain",
  failed: "bad",
};

export const STATUS_WORDS: Readonly<Record<PlacementRun["status"], string>> = {
  pending: "Pending",
  running: "Running",
  completed: "Completed",
  cancelled: "Canceled",
  failed: "Failed",
};

/** Where an email ended, or why nothing is known. */
export type Place = "inbox" | "promotions" | "spam" | "not_delivered" | "waiting" | "unknown";

export const PLACES: Readonly<Record<Place, { name: string; mark: string; tone: PartTone }>> = {
  inbox: { name: "Inbox", mark: "✓", tone: "series-2" },
  promotions: { name: "Promotions", mark: "P", tone: "series-3" },
  spam: { name: "Spam", mark: "✗", tone: "bad" },
  not_delivered: { name: "Missing", mark: "?", tone: "series-5" },
  waiting: { name: "Waiting", mark: "…", tone: "line-strong" },
  unknown: { name: "Not tested", mark: "–", tone: "line-strong" },
};

export function placeOf({ placement, status }: Pick<Result, "placement" | "status">): Place {
  if (placement !== null && placement in PLACES) {
    return placement as Place;
  }
  return status === "failed" || status === "cancelled" ? "unknown" : "waiting";
}

export const PARTS: readonly Part[] = (
  ["inbox", "promotions", "spam", "not_delivered"] as const
).map((place) => PLACES[place]);

export function countsOf(results: readonly Result[]): number[] {
  return (["inbox", "promotions", "spam", "not_delivered"] as const).map(
    (place) => results.filter((result) => placeOf(result) === place).length,
  );
}

export function triggerName(trigger: PlacementRun["trigger_type"]): string {
  return trigger === "health" ? "Health check" : words(trigger);
}
