/** What each list that people work with can be filtered and sorted by. */

import { and, eq, exists, isNotNull, sql } from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/sqlite-core";
import { CAMPAIGN_STATUSES } from "#domain/campaigns/campaign.ts";
import { ENROLLMENT_STATUSES, HOLD_REASONS, INTERESTS } from "#domain/campaigns/enrollment.ts";
import { WRITABLE_KINDS } from "#domain/inbox/conversation.ts";
import { FOLDERS } from "#domain/inbox/folder.ts";
import { IMPORT_KINDS, IMPORT_STATUSES } from "#domain/leads/import/import.ts";
import { SUPPRESSION_REASONS } from "#domain/leads/suppression.ts";
import { ACCOUNT_STATUSES } from "#domain/mailboxes/account.ts";
import { PROVIDERS } from "#domain/mailboxes/mailbox.ts";
import { RUN_STATUSES, TRIGGER_TYPES } from "#domain/placement/placement.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { accounts } from "#store/tables/accounts.ts";
import { campaigns } from "#store/tables/campaigns.ts";
import { imports } from "#store/tables/imports.ts";
import { threads } from "#store/tables/inbox.ts";
import { enrollments, leads, suppressions, tasks } from "#store/tables/leads.ts";
import { placementRuns } from "#store/tables/placement.ts";
import {
  LEAD_FIELDS,
  LEAD_WORDS,
  ofAccount,
  ofCampaign,
  ofLead,
  tagged,
  wordsOfLead,
  yesOrNo,
} from "./fields.ts";
import { type FilterList, testOf } from "./filter.ts";

export const CAMPAIGN_LIST = {
  table: campaigns,
  fields: {
    name: { kind: "text", column: campaigns.name },
    notes: { kind: "text", column: campaigns.notes },
    status: { kind: "choice", values: CAMPAIGN_STATUSES, column: campaigns.status },
    created: { kind: "date", column: campaigns.createdAt },
    tag: tagged("campaign", campaigns.id),
    started: { kind: "date", column: campaigns.startedAt },
    leads: { kind: "number", column: campaigns.enrolled },
    sent: { kind: "number", column: campaigns.sent },
    replied: { kind: "number", column: campaigns.replied },
    bounced: { kind: "number", column: campaigns.bounced },
  },
  words: sql`${campaigns.name} || ' ' || coalesce(${campaigns.notes}, '')`,
  sorts: { created: campaigns.id },
} as const satisfies FilterList;

export const ACCOUNT_LIST = {
  table: accounts,
  fields: {
    email: { kind: "text", column: accounts.email },
    name: { kind: "text", column: accounts.displayName },
    status: { kind: "choice", values: ACCOUNT_STATUSES, column: accounts.status },
    provider: { kind: "choice", values: PROVIDERS, column: accounts.provider },
    health: { kind: "number", column: accounts.healthScore },
    daily_limit: { kind: "number", column: accounts.dailyLimit },
    created: { kind: "date", column: accounts.createdAt },
    tag: tagged("account", accounts.id),
  },
  words: sql`${accounts.email} || ' ' || coalesce(${accounts.displayName}, '')`,
  sorts: { created: accounts.id, email: accounts.email },
} as const satisfies FilterList;

const query = new QueryBuilder();
const one = { one: sql`1` };

/** How a lead stands in a campaign. */
const STANDING = {
  status: { kind: "choice", values: ENROLLMENT_STATUSES, column: enrollments.status },
  interest: { kind: "choice", values: INTERESTS, column: enrollments.interest },
  enrolled: { kind: "date", column: enrollments.enrolledAt },
  last_sent: { kind: "date", column: enrollments.lastSentAt },
} as const;

export const LEAD_LIST = {
  table: leads,
  fields: {
    ...LEAD_FIELDS,
    created: { kind: "date", column: leads.createdAt },
    // Together with the next ones: in the same campaign.
    campaign: ofCampaign(enrollments.campaignId),
    ...STANDING,
    // Of the sequence that stands: one that gave way has ended for its sake.
    status: {
      ...STANDING.status,
      column: sql`iif(${enrollments.merged} = 0, ${enrollments.status}, null)`,
    },
  },
  together: {
    fields: ["campaign", ...Object.keys(STANDING)],
    where: (conditions) =>
      exists(
        query
          .select(one)
          .from(enrollments)
          .where(and(sql`${enrollments.leadId} = ${leads.id}`, conditions)),
      ),
  },
  words: LEAD_WORDS,
  sorts: { created: leads.id, email: leads.email },
} as const satisfies FilterList;

/** Of one campaign, whose index is walked. */
export const inCampaign = (id: Id) => eq(enrollments.campaignId, id);

export const CAMPAIGN_LEAD_LIST = {
  table: enrollments,
  fields: {
    ...STANDING,
    hold_reason: { kind: "choice", values: HOLD_REASONS, column: enrollments.holdReason },
    mailbox: ofAccount(enrollments.accountId),
    ...ofLead(enrollments.leadId, [
      ...(["email", "first_name", "last_name", "company", "website", "tag"] as const),
      ...(["verdict", "address_reason", "variables."] as const),
    ]),
  },
  words: wordsOfLead(enrollments.leadId),
  sorts: { enrolled: enrollments.id },
} as const satisfies FilterList;

export const TASK_LIST = {
  table: tasks,
  fields: {
    done: yesOrNo(isNotNull(tasks.doneAt)),
    skipped: yesOrNo(sql`${tasks.skipped}`),
    campaign: ofCampaign(tasks.campaignId),
    subject: { kind: "text", column: tasks.subject },
    note: { kind: "text", column: tasks.note },
    created: { kind: "date", column: tasks.createdAt },
    done_at: { kind: "date", column: tasks.doneAt },
    ...ofLead(tasks.leadId, ["email", "first_name", "last_name", "company", "tag"]),
  },
  words: sql`${wordsOfLead(tasks.leadId)} || ' ' || coalesce(${tasks.subject}, '') || ' ' ||
    coalesce(${tasks.body}, '') || ' ' || coalesce(${tasks.note}, '')`,
  sorts: { created: tasks.id },
} as const satisfies FilterList;

export const SUPPRESSION_LIST = {
  table: suppressions,
  fields: {
    email: { kind: "text", column: suppressions.email },
    reason: { kind: "choice", values: SUPPRESSION_REASONS, column: suppressions.reason },
    created: { kind: "date", column: suppressions.createdAt },
  },
  words: sql`coalesce(${suppressions.email}, '')`,
  sorts: { created: suppressions.id },
} as const satisfies FilterList;

export const IMPORT_LIST = {
  table: imports,
  fields: {
    status: { kind: "choice", values: IMPORT_STATUSES, column: imports.status },
    kind: {
      kind: "choice",
      values: IMPORT_KINDS,
      where: (test) =>
        "text" in test && test.text === "leads"
          ? isNotNull(imports.campaignId)
          : sql`${imports.campaignId} is null`,
    },
    campaign: ofCampaign(imports.campaignId),
    file: { kind: "text", column: imports.fileName },
    dry_run: yesOrNo(sql`${imports.dryRun}`),
    created: { kind: "date", column: imports.createdAt },
    finished: { kind: "date", column: imports.finishedAt },
  },
  words: sql`coalesce(${imports.fileName}, '')`,
  sorts: { created: imports.createdAt },
} as const satisfies FilterList;

/** Those of leads alone. */
export const LEAD_IMPORT_LIST = {
  ...IMPORT_LIST,
  only: isNotNull(imports.campaignId),
} as const satisfies FilterList;

export const THREAD_LIST = {
  table: threads,
  fields: {
    from: {
      kind: "text",
      where: (test) =>
        testOf(sql`${threads.fromName} || ' <' || ${threads.fromAddress} || '>'`, test),
    },
    subject: { kind: "text", column: threads.subject },
    kind: { kind: "choice", values: WRITABLE_KINDS, column: threads.kind },
    interest: { kind: "choice", values: INTERESTS, column: threads.interest },
    folder: { kind: "choice", values: FOLDERS, column: threads.folder },
    tag: tagged("thread", threads.id),
    unread: yesOrNo(sql`${threads.unread} > 0`),
    campaign: ofCampaign(threads.campaignId),
    mailbox: ofAccount(threads.accountId),
    mails: { kind: "number", column: threads.mails },
    last_mail: { kind: "date", column: threads.lastMailAt },
    answered: { kind: "date", column: threads.answeredAt },
    snoozed: { kind: "date", column: threads.snoozedUntil },
    created: { kind: "date", column: threads.createdAt },
  },
  words: sql`${threads.fromName} || ' ' || ${threads.fromAddress} || ' ' || ${threads.subject} || ' ' || ${threads.snippet}`,
  sorts: { last_mail: threads.lastMailAt },
} as const satisfies FilterList;

export const RUN_LIST = {
  table: placementRuns,
  fields: {
    status: { kind: "choice", values: RUN_STATUSES, column: placementRuns.status },
    trigger: { kind: "choice", values: TRIGGER_TYPES, column: placementRuns.triggerType },
    campaign: ofCampaign(placementRuns.campaignId),
    tests: { kind: "number", column: placementRuns.total },
    inbox_rate: { kind: "number", column: placementRuns.inboxRate },
    created: { kind: "date", column: placementRuns.createdAt },
    completed: { kind: "date", column: placementRuns.completedAt },
  },
  words: sql`coalesce((select name from campaigns where id = ${placementRuns.campaignId}), '')`,
  sorts: { created: placementRuns.id },
} as const satisfies FilterList;
