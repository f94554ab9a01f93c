/** A step's earlier texts, as the entries of the audit log tell them. */

import type { Audit, CampaignStep } from "#client.ts";

/** What an email is made of. */
export type Content = Pick<CampaignStep, "subject" | "body" | "format" | "attachment_ids">;

export interface PastText {
  seq: number;
  /** 1 for all that was written before the campaign was started. */
  revision: number;
  at: string;
  actor: string;
  content: Content;
}

export type Entry = Pick<Audit, "seq" | "actor" | "created_at" | "before" | "after">;

/** Texts of one person that grow within so long are one; from what was cut out, one can go back. */
const ONE_SITTING_MS = 10 * 60_000;

const CONTENT = /^(subject|body|format|attachment_ids)$/;

const contentIn = (facts: Entry["before"]): Partial<Content> =>
  Object.fromEntries(Object.entries(facts ?? {}).filter(([name]) => CONTENT.test(name)));

/** `entries` are those of the step, newest first. The first of the answer is what it says now. */
export function textsOf(step: CampaignStep, entries: readonly Entry[]): PastText[] {
  const { subject, body, format, attachment_ids } = step;
  let content: Content = { subject, body, format, attachment_ids };
  let revision = step.revision;
  const texts: PastText[] = [];
  for (const { seq, actor, created_at: at, before, after } of entries) {
    if (Object.keys(contentIn(after)).length > 0) {
      const newer = texts.at(-1);
      const isOneSitting =
        newer?.actor === actor &&
        newer.revision === revision &&
        Date.parse(newer.at) - Date.parse(at) < ONE_SITTING_MS &&
        charsOf(content) <= charsOf(newer.content);
      if (newer === undefined || (!isOneSitting && charsOf(content) > 0)) {
        texts.push({ seq, revision, at, actor, content });
      }
      content = { ...content, ...contentIn(before) };
      revision = Number(before?.["revision"] ?? revision);
    }
  }
  return texts;
}

function charsOf({ subject, body }: Content): number {
  return (subject ?? "").length + (body ?? "").length;
}
