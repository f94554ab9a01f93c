/**
 * The kinds of event that the product tells of.
 *
 * Source: `email.sent` is the seed's; the others are ours.
 */

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
  "complaint.received",
  "campaign.started",
  "campaign.paused",
  "campaign.resumed",
  "campaign.completed",
  "account.error",
  "account.recovered",
  "account.health_changed",
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
