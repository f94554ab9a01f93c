/** Sending accounts and the counters that caps are checked against. */

import { isNotNull, ne, sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type {
  AccountStatus,
  AccountStatusReason,
  Alias,
  DkimSettings,
  NotReadyReason,
  Ramp,
  ServerSettings,
  UnconfirmedSends,
} from "#domain/mailboxes/account.ts";
import type { CalloutTroubles } from "#domain/mailboxes/callout.ts";
import type { HealthState } from "#domain/mailboxes/health.ts";
import type { MailProvider, MxAnswer, ProviderLimits } from "#domain/mailboxes/mail-provider.ts";
import type { Provider } from "#domain/mailboxes/mailbox.ts";
import type { Refusals } from "#domain/sending/refusals.ts";
import { flag, instant, json, uuid } from "#store/sqlite/columns.ts";
import { teams } from "./teams.ts";
import { workspaces } from "./workspaces.ts";

export const accounts = sqliteTable(
  "accounts",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id")
      .notNull()
      .references(() => teams.id),
    email: text("email").notNull(),
    displayName: text("display_name"),
    signature: text("signature"),
    aliases: json<readonly Alias[]>("aliases").notNull().default([]),
    /** The address that new conversations are begun from; null: the mailbox's own. */
    sendAs: text("send_as"),
    provider: text("provider").$type<Provider>().notNull(),
    status: text("status").$type<AccountStatus>().notNull(),
    statusReason: text("status_reason").$type<AccountStatusReason>(),
    notReadyReason: text("not_ready_reason").$type<NotReadyReason>(),
    timezone: text("timezone").notNull(),
    healthScore: integer("health_score").notNull(),
    /** What its health remembers (`domain/mailboxes/health.ts`). */
    health: json<HealthState>("health").notNull(),
    /** When time alone may change its health; null: it cannot. */
    healthAt: instant("health_at"),
    dailyLimit: integer("daily_limit").notNull(),
    hourlyLimit: integer("hourly_limit").notNull(),
    providerLimits: json<ProviderLimits>("provider_limits").notNull().default({}),
    minGapSeconds: integer("min_gap_seconds").notNull(),
    maxGapSeconds: integer("max_gap_seconds"),
    ramp: json<Ramp>("ramp"),
    /** Servers without their passwords. */
    smtp: json<ServerSettings>("smtp"),
    imap: json<ServerSettings>("imap"),
    saveSent: flag("save_sent").notNull(),
    /** JSON of sealed passwords and tokens by name (`usecases/mailboxes/credentials.ts`); null where there are none. */
    secrets: text("secrets"),
    /** The workspace by whose consent it logs in; null: by secrets of its own. */
    workspaceId: uuid("workspace_id").references(() => workspaces.id),
    /** The key that its email is signed with, without its private half. */
    dkim: json<DkimSettings>("dkim"),
    /** When it is next looked whether the key is published; null once it was, and without one. */
    dkimDueAt: instant("dkim_due_at"),
    consecutiveSmtpErrors: integer("consecutive_smtp_errors").notNull(),
    lastError: text("last_error"),
    /** The account rests until then (a provider's quota or rate). */
    backoffUntil: instant("backoff_until"),
    /** Next probe of an account in `error`; null where only a person can fix it. */
    probeAt: instant("probe_at"),
    probes: integer("probes").notNull().default(0),
    /** Hint for the send worker: nothing can be decided before. Any change that could bring work resets it. */
    wakeAt: instant("wake_at"),
    lastClaimAt: instant("last_claim_at"),
    /** Whose turn was last (`domain/sending/turns.ts`). */
    lastCampaignId: uuid("last_campaign_id"),
    lastOtherCampaignId: uuid("last_other_campaign_id"),
    /** Mailbox position, opaque; '' reads from now on. */
    pollCursor: text("poll_cursor").notNull().default(""),
    pollAt: instant("poll_at"),
    pollErrors: integer("poll_errors").notNull().default(0),
    /** The stretch of time of which it is not known what this mailbox sent; null: all is known. */
    unconfirmed: json<UnconfirmedSends>("unconfirmed"),
    /** Recipient providers that refuse it as a sender; null: none. */
    refusals: json<Refusals[]>("refusals"),
    /** Its owner lets recipients' servers be asked from it whether they would take email (`domain/mailboxes/callout.ts`). */
    verifyAddresses: flag("verify_addresses").notNull().default(false),
    /** When it next asks one; null: it doesn't. */
    calloutAt: instant("callout_at"),
    /** What it has met with meanwhile; null: nothing. */
    calloutTroubles: json<CalloutTroubles>("callout_troubles"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("accounts_email").on(table.teamId, table.email),
    index("accounts_team").on(table.teamId, table.id),
    index("accounts_workspace").on(table.workspaceId).where(isNotNull(table.workspaceId)),
    index("accounts_limited").on(table.wakeAt).where(sql`${table.providerLimits} <> '{}'`),
    index("accounts_wake").on(table.wakeAt, table.id).where(isNotNull(table.wakeAt)),
    index("accounts_poll").on(table.pollAt, table.id).where(isNotNull(table.pollAt)),
    index("accounts_dkim").on(table.dkimDueAt).where(isNotNull(table.dkimDueAt)),
    index("accounts_health").on(table.healthAt).where(isNotNull(table.healthAt)),
    index("accounts_unconfirmed").on(table.teamId, table.id).where(isNotNull(table.unconfirmed)),
    index("accounts_callout").on(table.calloutAt).where(isNotNull(table.calloutAt)),
    index("accounts_probe").on(table.probeAt).where(isNotNull(table.probeAt)),
    index("accounts_stopped").on(table.status).where(ne(table.status, sql`'active'`)),
  ],
);
export type AccountRow = typeof accounts.$inferSelect;

/** Whose an alias is. Triggers of the migration write it from `accounts.aliases`. */
export const accountAliases = sqliteTable(
  "account_aliases",
  {
    teamId: uuid("team_id").notNull(),
    email: text("email").notNull(),
    accountId: uuid("account_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.email] }),
    index("account_aliases_account").on(table.accountId),
  ],
);

/** Recipients' domains as they were last looked up: who runs their servers, and whether they have any. */
export const mailDomains = sqliteTable(
  "mail_domains",
  {
    domain: text("domain").primaryKey(),
    provider: text("provider").$type<MailProvider>().notNull(),
    mx: text("mx").$type<MxAnswer>().notNull().default("unknown"),
    /** Null: before this was recorded. */
    lookedUpAt: instant("looked_up_at"),
  },
  (table) => [
    index("mail_domains_provider").on(table.provider, table.domain),
    index("mail_domains_looked_up").on(table.lookedUpAt),
  ],
);
export type MailDomainRow = typeof mailDomains.$inferSelect;

/**
 * Turns at asking other people's servers, of the whole installation: by recipients' domain, and by `mx:` and the domain
 * that an operator's servers are under.
 */
export const callouts = sqliteTable(
  "callouts",
  {
    name: text("name").primaryKey(),
    nextAt: instant("next_at").notNull(),
    /** The UTC day that `count` is of. */
    day: integer("day").notNull(),
    count: integer("count").notNull(),
    /** The domain takes email for any address; until `nextAt`. */
    catchAll: flag("catch_all").notNull().default(false),
  },
  (table) => [index("callouts_next").on(table.nextAt)],
);

export type CalloutRow = typeof callouts.$inferSelect;

/** Domains of leads that are still to be looked up, each for the team that asked first. */
export const domainLookups = sqliteTable("domain_lookups", {
  domain: text("domain").primaryKey(),
  teamId: uuid("team_id").notNull(),
});

/**
 * How often something was done in a stretch of local time. `kind` and `bucket` are
 * `domain/sending/budget.ts`'s; rows of past days are pruned by upkeep.
 */
export const usage = sqliteTable(
  "usage",
  {
    owner: uuid("owner").notNull(),
    kind: text("kind").notNull(),
    bucket: text("bucket").notNull(),
    count: integer("count").notNull(),
    /** When it was first counted: an index on when it was last would be written with each email. */
    touchedAt: instant("touched_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.owner, table.kind, table.bucket] }),
    index("usage_age").on(table.touchedAt),
  ],
);
