import { type Static, Type } from "@sinclair/typebox";
import { defined } from "#api/defined.ts";
import {
  Documented,
  Id,
  inFlight,
  Line,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Shape,
  Timestamp,
} from "#api/schema.ts";
import {
  CAMPAIGN_STATUS_REASONS,
  CAMPAIGN_STATUSES,
  type CampaignStatus,
  type OnHold as OnHoldCounts,
  PRIORITIES,
  SENDING_STATUSES,
  type SendingStatus,
  totalOnHold,
} from "#domain/campaigns/campaign.ts";
import { WEEKDAYS, type SendWindow as Window } from "#domain/campaigns/window.ts";
import { toIso, toIsoOrNull, type UnixMs } from "#domain/time.ts";
import { countInFlight } from "#store/sending/messages.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import type { CampaignFields } from "#usecases/campaigns/campaigns.ts";

const window = {
  timezone: Documented(
    Type.String({ minLength: 1, maxLength: 64, description: "IANA time zone name" }),
    { format: "timezone" },
  ),
  days: Type.Array(OneOf(WEEKDAYS), { minItems: 1, maxItems: 7, uniqueItems: true }),
  start_hour: Type.Integer({ minimum: 0, maximum: 23 }),
  end_hour: Type.Integer({
    minimum: 1,
    maximum: 24,
    description: "Local hour by which sending has stopped; 24 is midnight",
  }),
};
const SendWindow = Shape(window);
const SendWindowPatch = Type.Partial(SendWindow);

const Tracking = Shape({ opens: Type.Boolean(), clicks: Type.Boolean() });

const plain = {
  name: Line(255),
  stop_on_reply: Type.Boolean(),
  stop_on_auto_reply: Type.Boolean(),
  max_leads_per_day: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: "New leads started per local day of the campaign; follow-ups do not count",
  }),
  daily_limit: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: "Messages per local day; null: no limit",
    }),
  ),
  priority: OneOf(PRIORITIES),
  max_per_domain_per_day: Nullable(Type.Integer({ minimum: 1, maximum: 10_000 })),
  stop_company_on_reply: Type.Boolean(),
  evergreen: Type.Boolean({
    description: "A completed campaign goes on when leads are added (true)",
  }),
  account_ids: Type.Array(Id, {
    maxItems: 1000,
    description: "The accounts that send it; empty: all of the team",
  }),
};

/** Settable fields, in the order in which the ETag covers them. */
export const CAMPAIGN_SETTABLE = [
  ...Object.keys(plain),
  "send_window",
  "tracking",
  "status",
] as const;

export const CAMPAIGN_READ_ONLY = [
  "status_reason",
  "started_at",
  "updated_at",
  "on_hold",
  "sending_status",
  "next_send_at",
  "in_flight",
] as const;

const OnHold = Shape(
  {
    total: Type.Integer({ minimum: 0 }),
    missing_variable: Type.Integer({
      minimum: 0,
      description: "The next email says what the lead has no value for",
    }),
    unknown_send: Type.Integer({
      minimum: 0,
      description: "An email may or may not have been delivered",
    }),
    task: Type.Integer({ minimum: 0, description: "The next step is a task that nobody has done" }),
    account_gone: Type.Integer({
      minimum: 0,
      description: "The account that wrote to the lead was deleted",
    }),
    planning_failed: Type.Integer({
      minimum: 0,
      description: "The next email could not be planned; resume the lead to try again",
    }),
  },
  { description: "Leads that wait for a person, by the reason; the campaign is not over before" },
);

const record = {
  id: Id,
  team_id: Id,
  status: OneOf(CAMPAIGN_STATUSES),
  status_reason: Nullable(OneOf(CAMPAIGN_STATUS_REASONS)),
  ...plain,
  send_window: SendWindow,
  tracking: Tracking,
  on_hold: OnHold,
  started_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const Campaign = Shape(record);
export type Campaign = Static<typeof Campaign>;

/** As it is after a change. */
export const CampaignChanged = Shape({ ...record, ...inFlight });

/** The single read says whether it sends now, and if not, why. */
export const CampaignDetail = Shape({
  ...record,
  sending_status: OneOf(SENDING_STATUSES),
  next_send_at: Nullable(Timestamp),
});

export const CampaignPage = Page(Campaign);

export const CampaignQuery = Shape({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(CAMPAIGN_STATUSES)),
});

/** Only the name is required; `domain/campaigns/campaign.ts` fills in the rest. */
export const CampaignCreate = Shape({
  ...Type.Partial(Shape(plain)).properties,
  name: plain.name,
  send_window: Type.Optional(SendWindowPatch),
  tracking: Type.Optional(Type.Partial(Tracking)),
});
export type CampaignCreate = Static<typeof CampaignCreate>;

export const CampaignPatch = Shape({
  ...Type.Partial(Shape(plain)).properties,
  send_window: Type.Optional(SendWindowPatch),
  tracking: Type.Optional(Type.Partial(Tracking)),
  status: Type.Optional(OneOf(CAMPAIGN_STATUSES)),
});
export type CampaignPatch = Static<typeof CampaignPatch>;

export const CampaignStats = Shape({
  campaign_id: Id,
  enrolled: Type.Integer(),
  open: Type.Integer(),
  sent: Type.Integer(),
  replied: Type.Integer(),
  auto_replied: Type.Integer(),
  bounced: Type.Integer(),
  unsubscribed: Type.Integer(),
  completed: Type.Integer(),
  failed: Type.Integer(),
  held: Type.Integer(),
  reply_rate: Nullable(Type.Number()),
  bounce_rate: Nullable(Type.Number()),
  steps: Type.Array(
    Shape({
      step_id: Id,
      position: Type.Integer(),
      sent: Type.Integer(),
      replied: Type.Integer(),
      bounced: Type.Integer(),
      unsubscribed: Type.Integer(),
    }),
  ),
});

/** Row to wire. The return type makes the compiler check every field against the schema above. */
export function presentCampaign(row: CampaignRow): Campaign {
  return {
    id: row.id,
    team_id: row.teamId,
    name: row.name,
    status: row.status,
    status_reason: row.statusReason,
    stop_on_reply: row.stopOnReply,
    stop_on_auto_reply: row.stopOnAutoReply,
    send_window: presentWindow(row.sendWindow),
    max_leads_per_day: row.maxLeadsPerDay,
    daily_limit: row.dailyLimit,
    priority: row.priority,
    max_per_domain_per_day: row.maxPerDomainPerDay,
    stop_company_on_reply: row.stopCompanyOnReply,
    tracking: { opens: row.trackOpens, clicks: row.trackClicks },
    on_hold: presentOnHold(row.onHold),
    evergreen: row.evergreen,
    account_ids: row.accountIds,
    started_at: toIsoOrNull(row.startedAt),
    created_at: toIso(row.createdAt),
    updated_at: toIso(row.updatedAt),
  };
}

export function presentDetail(
  row: CampaignRow,
  sending: { status: SendingStatus; nextSendAt: UnixMs | null },
): Static<typeof CampaignDetail> {
  return {
    ...presentCampaign(row),
    sending_status: sending.status,
    next_send_at: toIsoOrNull(sending.nextSendAt),
  };
}

/** After a change; `status`: what it was set to. */
export function presentChanged(
  db: Db,
  row: CampaignRow,
  status: CampaignStatus | undefined,
): Static<typeof CampaignChanged> {
  const { id: campaignId, teamId } = row;
  return status === "paused" || status === "archived"
    ? { ...presentCampaign(row), in_flight: countInFlight(db, teamId, { campaignId }) }
    : presentCampaign(row);
}

function presentOnHold(onHold: OnHoldCounts): Static<typeof OnHold> {
  return {
    total: totalOnHold(onHold),
    missing_variable: onHold.missing_variable ?? 0,
    unknown_send: onHold.unknown_send ?? 0,
    task: onHold.task ?? 0,
    account_gone: onHold.account_gone ?? 0,
    planning_failed: onHold.planning_failed ?? 0,
  };
}

function presentWindow(window: Window): Static<typeof SendWindow> {
  return {
    timezone: window.timezone,
    days: [...window.days],
    start_hour: window.startHour,
    end_hour: window.endHour,
  };
}

/** Wire to use case: only what was given. */
export function readCampaign(input: CampaignPatch): Partial<CampaignFields> {
  const { send_window: given, tracking } = input;
  return defined({
    name: input.name,
    stopOnReply: input.stop_on_reply,
    stopOnAutoReply: input.stop_on_auto_reply,
    sendWindow:
      given === undefined
        ? undefined
        : defined({
            timezone: given.timezone,
            days: given.days,
            startHour: given.start_hour,
            endHour: given.end_hour,
          }),
    maxLeadsPerDay: input.max_leads_per_day,
    dailyLimit: input.daily_limit,
    priority: input.priority,
    maxPerDomainPerDay: input.max_per_domain_per_day,
    stopCompanyOnReply: input.stop_company_on_reply,
    trackOpens: tracking?.opens,
    trackClicks: tracking?.clicks,
    evergreen: input.evergreen,
    accountIds: input.account_ids,
  });
}
