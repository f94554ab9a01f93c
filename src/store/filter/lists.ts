/** What each list can be filtered and sorted by. */

import { and, type Column, eq, exists, or, sql } from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/sqlite-core";
import { CAMPAIGN_STATUSES } from "#domain/campaigns/campaign.ts";
import { ENROLLMENT_STATUSES, INTERESTS } from "#domain/campaigns/enrollment.ts";
import type { TagKind } from "#domain/campaigns/tag.ts";
import { ACCOUNT_STATUSES } from "#domain/mailboxes/account.ts";
import { PROVIDERS } from "#domain/mailboxes/mailbox.ts";
import { idToBytes } from "#store/sqlite/columns.ts";
import { accounts } from "#store/tables/accounts.ts";
import { campaigns } from "#store/tables/campaigns.ts";
import { enrollments, leads } from "#store/tables/leads.ts";
import { type Field, type FilterList, testOf } from "./filter.ts";

/** By the tags that a record has. */
const tagged = (kind: TagKind, id: Column) =>
  ({
    kind: "text",
    where: (test, { teamId }) => sql`exists (select 1 from tags where team_id = ${idToBytes(teamId)}
      and kind = ${kind} and target_id = ${id} and ${testOf(sql`name`, test)})`,
  }) as const satisfies Field;

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

export const LEAD_LIST = {
  table: leads,
  fields: {
    email: { kind: "text", column: leads.email },
    first_name: { kind: "text", column: leads.firstName },
    last_name: { kind: "text", column: leads.lastName },
    company: { kind: "text", column: leads.company },
    website: { kind: "text", column: leads.website },
    created: { kind: "date", column: leads.createdAt },
    tag: tagged("lead", leads.id),
    "variables.": {
      kind: "text",
      where: (test, { part }) =>
        testOf(sql`json_extract(${leads.variables}, ${`$."${part ?? ""}"`})`, test),
    },
    // By the campaign's name or id. Together with the next ones: in the same campaign.
    campaign: {
      kind: "text",
      where: (test, { teamId }) => {
        const id = sql`lower(hex(${campaigns.id})) = ${"text" in test ? test.text.replaceAll("-", "").toLowerCase() : ""}`;
        const named = or(testOf(campaigns.name, test), id);
        const ids = query
          .select({ id: campaigns.id })
          .from(campaigns)
          .where(and(eq(campaigns.teamId, teamId), named));
        return sql`+${enrollments.campaignId} in ${ids}`;
      },
    },
    status: { kind: "choice", values: ENROLLMENT_STATUSES, column: enrollments.status },
    interest: { kind: "choice", values: INTERESTS, column: enrollments.interest },
    enrolled: { kind: "date", column: enrollments.enrolledAt },
    last_sent: { kind: "date", column: enrollments.lastSentAt },
  },
  together: {
    fields: ["campaign", "status", "interest", "enrolled", "last_sent"],
    where: (conditions) =>
      exists(
        query
          .select(one)
          .from(enrollments)
          .where(and(sql`${enrollments.leadId} = ${leads.id}`, conditions)),
      ),
  },
  words: sql`${leads.email} || ' ' || coalesce(${leads.firstName}, '') || ' ' ||
    coalesce(${leads.lastName}, '') || ' ' || coalesce(${leads.company}, '') || ' ' || ${leads.variables}`,
  sorts: { created: leads.id, email: leads.email },
} as const satisfies FilterList;
