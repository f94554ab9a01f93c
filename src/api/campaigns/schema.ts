import { Type } from "@sinclair/typebox";
import {
  AsIs,
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
  PRIORITIES,
  SENDING_STATUSES,
} from "#domain/campaigns/campaign.ts";
import { WEEKDAYS } from "#domain/campaigns/window.ts";

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

const OnHold = AsIs(
  Shape(
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
      task: Type.Integer({
        minimum: 0,
        description: "The next step is a task that nobody has done",
      }),
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
  ),
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

export const CampaignPatch = Shape({
  ...Type.Partial(Shape(plain)).properties,
  send_window: Type.Optional(SendWindowPatch),
  tracking: Type.Optional(Type.Partial(Tracking)),
  status: Type.Optional(OneOf(CAMPAIGN_STATUSES)),
});

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
