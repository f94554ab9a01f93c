/**
 * Folders of the inbox: each conversation is in exactly one, by what it is and what its lead is interested in.
 * One that somebody is done with is in `done`, until another email comes in; one that is put off is in
 * `snoozed`, until then or until its time has come.
 */

import type { Interest } from "#domain/campaigns/enrollment.ts";
import type { UnixMs } from "#domain/time.ts";
import type { InboundKind } from "./classify.ts";

export const FOLDERS = [
  "interested",
  "meeting",
  "questions",
  "not_interested",
  "out_of_office",
  "bounces",
  "other",
  "snoozed",
  "done",
] as const;
export type Folder = (typeof FOLDERS)[number];

const BY_KIND: Readonly<Partial<Record<InboundKind, Folder>>> = {
  reply: "questions",
  unsubscribe: "not_interested",
  complaint: "not_interested",
  auto_reply: "out_of_office",
  bounce: "bounces",
};

/** Of what a conversation is filed by. A reply that says nothing clear waits for somebody, as a question does. */
export function folderOf(of: {
  kind: InboundKind;
  interest: Interest | null;
  isDone: boolean;
  /** Null: it isn't put off. */
  snoozedUntil: UnixMs | null;
}): Folder {
  const { kind, interest, isDone, snoozedUntil } = of;
  if (isDone) {
    return "done";
  }
  if (snoozedUntil !== null) {
    return "snoozed";
  }
  const byKind = BY_KIND[kind] ?? "other";
  const isClear = interest !== null && interest !== "neutral";
  return isClear && byKind !== "not_interested" ? interest : byKind;
}
