/** Events as sentences, and the newest of them. */

import type { EventType } from "#domain/events/event.ts";
import { api } from "../../lib/api.ts";
import { words } from "../../lib/format.ts";
import type { Tone } from "../../parts/page.tsx";

export interface Happened {
  id: string;
  type: EventType;
  created_at: string;
  data: Record<string, unknown>;
}

const SHOWN = 10;
/** Sends alone would fill the list, and tell nobody anything. */
const TYPES =
  "email.sent,email.bounced,email.failed,reply.*,lead.interested,lead.unsubscribed,complaint.*," +
  "campaign.*,account.*,experiment.*,placement.*,task.*,billing.*,webhook.disabled";

/** Newest first. */
export async function latestEvents(): Promise<Happened[]> {
  const { data } = await api().listEvents({ type: TYPES, limit: SHOWN, order: "desc" });
  return data;
}

interface Sentence {
  tone: Tone;
  text: string;
  /** Whom or what it is about. */
  who: string;
  /** Where that is shown; null: nowhere. */
  page: string | null;
}

const WORDS: Partial<Record<EventType, [tone: Tone, text: string]>> = {
  "email.sent": ["brand", "Sent to"],
  "email.failed": ["bad", "Couldn’t send to"],
  "email.bounced": ["bad", "Bounced:"],
  "reply.received": ["good", "Reply from"],
  "reply.auto": ["plain", "Auto-reply from"],
  "reply.untracked": ["plain", "Unmatched reply from"],
  "lead.interested": ["good", "Interested:"],
  "lead.unsubscribed": ["warn", "Unsubscribed:"],
  "complaint.received": ["bad", "Complaint from"],
  "campaign.started": ["good", "Campaign started:"],
  "campaign.paused": ["warn", "Campaign paused:"],
  "campaign.resumed": ["good", "Campaign resumed:"],
  "campaign.completed": ["brand", "Campaign completed:"],
  "account.error": ["bad", "Mailbox error:"],
  "account.recovered": ["good", "Mailbox recovered:"],
  "account.health_changed": ["plain", "Health changed:"],
  "experiment.variant_paused": ["warn", "Variant paused:"],
  "experiment.completed": ["brand", "Experiment completed:"],
  "placement.completed": ["brand", "Placement test completed"],
  "task.created": ["warn", "New task:"],
  "billing.limit_warning": ["warn", "Close to a plan limit"],
  "billing.limit_reached": ["bad", "Plan limit reached"],
  "webhook.disabled": ["bad", "Webhook turned off:"],
};

/** What names whom or what an event is about; the first that it has. */
const NAMES = ["to", "from", "email", "name", "variant", "url", "domain"];

export function sentenceOf({ type, data }: Happened): Sentence {
  const [tone, text] = WORDS[type] ?? ["plain", words(type.replace(".", " "))];
  const who = NAMES.map((key) => textOf(data[key])).find(Boolean) ?? "";
  const said = who === "" ? text.replace(/(:| from)$/u, "") : text;
  return { tone, text: said, who, page: pageOf(type, data) };
}

function pageOf(type: EventType, data: Happened["data"]): string | null {
  const [thread, lead, account, campaign] = [
    "thread_id",
    "lead_id",
    "account_id",
    "campaign_id",
  ].map((key) => textOf(data[key]));
  if (type.startsWith("reply.") && thread) {
    return `inbox/${thread}`;
  }
  if (type === "task.created") {
    return "tasks";
  }
  if (lead && type !== "campaign.started") {
    return `leads/${lead}`;
  }
  if (type.startsWith("account.") && account) {
    return `accounts/${account}`;
  }
  const experiment = textOf(data["experiment_id"]);
  if (experiment) {
    return `experiments/${experiment}`;
  }
  return campaign ? `campaigns/${campaign}` : null;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
