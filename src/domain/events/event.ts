/**
 * The kinds of event that the product tells of, and how a webhook names those that it wants: a kind
 * (`email.sent`), a family (`email.*`) or all (`*`).
 *
 * Source: `email.sent` is the seed's; the others are ours.
 */

import { nearestWord } from "#domain/nearest-word.ts";
import { invalid } from "#domain/problem.ts";

export const EVENT_TYPES = [
  "email.sent",
  "email.failed",
  "email.deferred",
  "email.bounced",
  "email.opened",
  "email.clicked",
  "reply.received",
  "reply.auto",
  "reply.untracked",
  "lead.enrolled",
  "lead.status_changed",
  "lead.interested",
  "lead.unsubscribed",
  "lead.completed",
  "lead.merged",
  "lead.erased",
  "complaint.received",
  "campaign.started",
  "campaign.paused",
  "campaign.resumed",
  "campaign.completed",
  "account.error",
  "account.recovered",
  "account.health_changed",
  "workspace.refused",
  "workspace.connected",
  "domain.error",
  "domain.recovered",
  "experiment.variant_paused",
  "experiment.completed",
  "placement.completed",
  "suppression.created",
  "task.created",
  "billing.limit_warning",
  "billing.limit_reached",
  "webhook.disabled",
  "webhook.test",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const EVENT_ORDERS = ["asc", "desc"] as const;
/** Oldest or newest first. */
export type EventOrder = (typeof EVENT_ORDERS)[number];

const ALL = "*";
const FAMILIES = [...new Set(EVENT_TYPES.map(familyOf))];

/** Everything that a webhook may name in `events`. */
export const EVENT_PATTERNS: readonly string[] = [ALL, ...FAMILIES, ...EVENT_TYPES];

/** `email.*` of `email.sent`. */
export function familyOf(type: EventType): string {
  return `${type.split(".")[0]}.*`;
}

/** True where one of `patterns` means `type`. */
export function wantsEvent(patterns: readonly string[], type: EventType): boolean {
  return patterns.includes(ALL) || patterns.includes(type) || patterns.includes(familyOf(type));
}

/**
 * True where an event with this data is about one of the campaigns; `campaignIds` null: about anything.
 * An event that is about no campaign is then for nobody who names some.
 */
export function wantsCampaign(
  campaignIds: readonly string[] | null,
  data: Readonly<Record<string, unknown>>,
): boolean {
  return campaignIds === null || campaignIds.some((id) => id === data["campaign_id"]);
}

/** The kinds that `patterns` mean, in the order of {@link EVENT_TYPES}. */
export function typesWanted(patterns: readonly string[]): EventType[] {
  return EVENT_TYPES.filter((type) => wantsEvent(patterns, type));
}

/** Throws `validation_error` naming `field` where `pattern` means nothing. */
export function checkPattern(pattern: string, field: string): void {
  if (!EVENT_PATTERNS.includes(pattern)) {
    const nearest = nearestWord(pattern, EVENT_PATTERNS);
    const hint = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
    throw invalid(field, `unknown event type; see GET /event-types${hint}`);
  }
}
