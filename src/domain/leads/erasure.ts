/** What the receipt of an erasure tells: what was removed, by kind and number, and nothing of the person. */

/** Kinds of records of a person. Emails sent and events stay, emptied of what names them. */
export const ERASED_KINDS = [
  ...(["leads", "campaignLeads", "tasks", "sentEmails", "receivedEmails"] as const),
  ...(["conversations", "reports", "copies", "trackedActions", "importLines"] as const),
  ...(["events", "sandboxEmails"] as const),
] as const;
export type ErasedKind = (typeof ERASED_KINDS)[number];

/** Only what there was. */
export type Removed = Partial<Record<ErasedKind, number>>;

export function removedTogether(one: Removed, other: Removed): Removed {
  const sums = ERASED_KINDS.map((kind): [ErasedKind, number] => [
    kind,
    (one[kind] ?? 0) + (other[kind] ?? 0),
  ]);
  return Object.fromEntries(sums.filter(([, count]) => count > 0));
}

/** Who asked for an erasure, and what came of it. Holds for good, so it names nobody who was erased. */
export interface ErasureFacts {
  id: string;
  /** The lead's former id. */
  leadId: string;
  actor: string;
  requestId: string | null;
  /** By the wall's clock, as of all below. */
  askedAt: number;
  erasedAt: number;
  removed: Removed;
}
