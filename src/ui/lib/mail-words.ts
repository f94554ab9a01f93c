/** What the API's words about email that came back are called on a page. */

import type { Interest } from "#domain/campaigns/enrollment.ts";
import type { SettableKind } from "#domain/inbox/conversation.ts";
import type { SuppressionReason } from "#domain/leads/suppression.ts";
import type { Tone } from "../parts/page.tsx";
import { words } from "./format.ts";

interface Word {
  name: string;
  tone: Tone;
}

export const KINDS: Readonly<Record<SettableKind, Word>> = {
  reply: { name: "Reply", tone: "brand" },
  auto_reply: { name: "Auto-reply", tone: "plain" },
  bounce: { name: "Bounce", tone: "bad" },
  notice: { name: "Mail server notice", tone: "plain" },
  complaint: { name: "Complaint", tone: "bad" },
  unsubscribe: { name: "Opt-out", tone: "warn" },
  unrelated: { name: "Unrelated", tone: "plain" },
};

export const INTEREST_LABELS: Readonly<Record<Interest, Word>> = {
  interested: { name: "Interested", tone: "good" },
  meeting: { name: "Meeting", tone: "good" },
  neutral: { name: "Neutral", tone: "plain" },
  not_interested: { name: "Not interested", tone: "warn" },
};

export const SUPPRESSED_BY: Readonly<Record<SuppressionReason, Word>> = {
  complaint: { name: "Complaint", tone: "bad" },
  unsubscribe: { name: "Unsubscribed", tone: "warn" },
  bounce: { name: "Bounced", tone: "bad" },
  manual: { name: "Added manually", tone: "plain" },
  import: { name: "Imported", tone: "plain" },
};

/** By what an email was found to belong to a conversation. */
export const MATCHES: Readonly<Record<string, string>> = {
  token: "by the address it was sent to",
  message_id: "by the email it replies to",
  provider_id: "by the ID the sending server gave our email",
  thread: "by the conversation it’s in",
  recipient: "by the recipient named in the report",
  sender: "by the sender’s address (a guess)",
  quote: "by the recipient of the email it quotes (a guess)",
  company: "by the sender’s company (a guess)",
  person: "by hand",
};

/** The rule that gave an email its kind, and the words in the email that it found: `interested: yes, please`. */
export function evidenceWords(evidence: string): string {
  const colon = evidence.indexOf(": ");
  if (colon < 0) {
    return words(evidence);
  }
  return `${words(evidence.slice(0, colon))}: “${evidence.slice(colon + 2)}”`;
}
