/**
 * What a variant's emails said. A variant that changes nothing says what its step says, and the step is
 * rewritten one day, by hand or by the winner: what was compared is kept with the variant.
 */

import type { UnixMs } from "#domain/time.ts";

export interface SentContent {
  /** Null: it went on in the thread. */
  subject: string | null;
  body: string;
  /** When the first email with these words was claimed. */
  since: UnixMs;
}

/** Contents kept of one variant. Of more, the last one kept is the latest. */
export const CONTENTS_MAX = 10;

/** `contents` with these words at its end; the same list where they are its last already. */
export function withContent(
  contents: readonly SentContent[],
  { subject, body }: { subject: string | null; body: string | null },
  now: UnixMs,
): readonly SentContent[] {
  const last = contents.at(-1);
  if (last !== undefined && last.subject === subject && last.body === (body ?? "")) {
    return contents;
  }
  const kept = contents.slice(0, CONTENTS_MAX - 1);
  return [...kept, { subject, body: body ?? "", since: now }];
}
