import { Type } from "@sinclair/typebox";
import { taggedQuery } from "#api/filter.ts";
import { foreseen } from "#api/foresee.ts";
import {
  AsIs,
  Count,
  CreatedAt,
  CursorQuery,
  Documented,
  FilteredPage,
  Id,
  IdOf,
  IdParamsOf,
  inFlight,
  Name,
  Nullable,
  OneOf,
  Shape,
  TeamId,
  Text,
  TimestampOf,
  UpdatedAt,
  withDefaults,
} from "#api/schema.ts";
import {
  CAMPAIGN_DEFAULTS,
  CAMPAIGN_STATUS_REASONS,
  CAMPAIGN_STATUSES,
  PRIORITIES,
  PROVIDER_MATCHINGS,
  RISKY_ADDRESSES,
  SENDING_STATUSES,
  START_DELAY_SECONDS_MAX,
} from "#domain/campaigns/campaign.ts";
import { RULE_EVENTS, RULE_WAIT_DAYS } from "#domain/campaigns/rule.ts";
import { WAIT_DAYS_MAX, WAIT_MINUTES_MAX } from "#domain/campaigns/step.ts";
import { SKIP_HOLIDAYS_MAX, WEEKDAYS } from "#domain/campaigns/window.ts";
import { CAMPAIGN_LIST } from "#store/filter/lists.ts";

const window = {
  timezone: Documented(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        "IANA time zone in which the hours are read; a lead's own time zone takes precedence",
      examples: ["America/New_York"],
    }),
    { format: "timezone" },
  ),
  days: Type.Array(OneOf(WEEKDAYS), {
    minItems: 1,
    maxItems: 7,
    uniqueItems: true,
    description: "Weekdays on which emails may be sent",
    examples: [["monday", "tuesday", "wednesday", "thursday"]],
  }),
  start_hour: Type.Integer({
    minimum: 0,
    maximum: 23,
    description: "Local hour at which sending starts",
    examples: [8],
  }),
  end_hour: Type.Integer({
    minimum: 1,
    maximum: 24,
    description: "Local hour before which sending stops; 24 is midnight. Later than `start_hour`",
    examples: [18],
  }),
};
const SendWindow = Shape(
  {
    ...window,
    skip_holidays: Type.Array(
      Type.String({
        description: "ISO 3166 code of a country, in capitals",
        examples: ["DE"],
      }),
      {
        maxItems: SKIP_HOLIDAYS_MAX,
        uniqueItems: true,
        description:
          "Countries on whose public holidays nothing is sent. A lead whose time zone is in one of them " +
          "skips only that country's holidays, all other leads skip all of them. Holidays of regions " +
          "aren't included",
        examples: [["DE", "FR"]],
      },
    ),
  },
  {
    description: "Hours of the week in which emails may be sent",
  },
);
const SendWindowPatch = Type.Partial(SendWindow);

const Tracking = Shape(
  {
    opens: Type.Boolean({ description: "Track opens with an invisible image in the HTML part" }),
    clicks: Type.Boolean({
      description: "Track clicks by leading links through this installation's `public_url`",
    }),
  },
  { description: "What to track in sent emails; nothing by default" },
);

const Rule = Shape({
  on: OneOf(RULE_EVENTS, {
    description:
      "What happens to the lead: a reply, or a person, gives it this interest; it has `replied`, and no other rule " +
      "is about the interest; or it has `completed` the steps without a reply",
  }),
  campaign_id: IdOf("Campaign that the lead moves to"),
  wait_days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: WAIT_DAYS_MAX,
      description: `Calendar days until its first email there is due; ${RULE_WAIT_DAYS} if you don't say`,
      examples: [2],
    }),
  ),
  wait_minutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: WAIT_MINUTES_MAX,
      description: "Minutes to wait after these days; 0 if you don't say",
      examples: [30],
    }),
  ),
});

const plain = {
  name: Name(255, {
    description: "Name, shown to your team only",
    examples: ["Spring launch, US founders"],
  }),
  notes: Nullable(
    Text(2000, {
      description: "Notes for your team, never part of an email; null for none",
      examples: ["Only founders we met at the fair. Ann handles the replies."],
    }),
  ),
  stop_on_reply: Type.Boolean({ description: "A reply ends the lead's sequence" }),
  stop_on_auto_reply: Type.Boolean({
    description: "An auto-reply ends the lead's sequence, too; otherwise it only pauses it",
  }),
  max_leads_per_day: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: "New leads to start per local day of the campaign; follow-ups do not count",
    examples: [80],
  }),
  daily_limit: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: "Emails per local day, follow-ups included; null for no limit",
      examples: [400],
    }),
  ),
  priority: OneOf(PRIORITIES, {
    description: "What goes first when a mailbox cannot send everything that is due",
  }),
  max_per_domain_per_day: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: "Emails per local day to addresses of one domain; null for no limit",
      examples: [10],
    }),
  ),
  stop_company_on_reply: Type.Boolean({
    description: "A reply ends the sequences of all leads at the same company domain",
  }),
  evergreen: Type.Boolean({
    description: "Resume the campaign when leads are added after it has completed",
  }),
  rules: Type.Array(Rule, {
    maxItems: RULE_EVENTS.length,
    description:
      "Rules that move a lead on to another campaign, one for each event. The lead gets nothing more from this " +
      "campaign. It stays if it is suppressed, has refused, is or was in that campaign, or is in a third one",
  }),
  risky_addresses: OneOf(RISKY_ADDRESSES, {
    description:
      "What to do with new leads whose address is risky: `send` as to others, `spread` them, so that a mailbox's " +
      "first emails go to one of them a day, and to at most one in 20, or `hold` them for a person. Leads with an " +
      "invalid address are always put on hold",
  }),
  provider_matching: OneOf(PROVIDER_MATCHINGS, {
    description:
      "Whether new leads go from mailboxes at their own provider, such as Microsoft's from Microsoft's: `off`, `prefer`, " +
      "so that a mailbox that has none of its own left takes the others, or `only`, so that they wait for one that can " +
      "start leads. Leads at a provider that none of these mailboxes is at go from any",
  }),
  account_ids: Type.Array(Id, {
    maxItems: 1000,
    description: "Accounts to send from; empty for all of the team's accounts",
    examples: [["01952c6a-4000-7000-8000-000000000300"]],
  }),
};

/** What a new campaign has where nothing else is given. */
const DEFAULTS = {
  ...CAMPAIGN_DEFAULTS,
  accountIds: [],
  tracking: { opens: CAMPAIGN_DEFAULTS.trackOpens, clicks: CAMPAIGN_DEFAULTS.trackClicks },
};

const OnHold = AsIs(
  Shape(
    {
      total: Count("Leads on hold, for any reason"),
      missing_variable: Count(
        "The next email uses a variable that the lead has no value for, or has files that can't be sent",
      ),
      unknown_send: Count("An email is unconfirmed: it may or may not have been delivered"),
      task: Count("The next step is a task that is not done"),
      account_gone: Count("The account that emailed the lead was deleted"),
      planning_failed: Count("The next email could not be planned; resume the lead to try again"),
      invalid_address: Count("The address's domain takes no email, or its server doesn't know it"),
      risky_address: Count("The address is risky, and the campaign's `risky_addresses` is `hold`"),
    },
    {
      description:
        "Leads that wait for a person, by reason. A campaign does not complete while it has any",
    },
  ),
);

const record = {
  id: IdOf("The campaign's id"),
  team_id: TeamId,
  status: OneOf(CAMPAIGN_STATUSES, {
    description:
      "A draft is started once; an active campaign sends; a completed one has nothing left to send",
  }),
  status_reason: Nullable(
    OneOf(CAMPAIGN_STATUS_REASONS, { description: "Why the campaign is paused; null otherwise" }),
  ),
  ...plain,
  send_window: SendWindow,
  tracking: Tracking,
  on_hold: OnHold,
  started_at: Nullable(
    TimestampOf(
      "When the campaign was last started or resumed; with `delay_seconds`, when that ends; null for a draft",
    ),
  ),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
};

export const Campaign = Shape(record);

/** As it is after a change. */
export const CampaignChanged = Shape({ ...record, ...inFlight, ...foreseen });

/** The single read says whether it sends now, and if not, why. */
export const CampaignDetail = Shape({
  ...record,
  sending_status: OneOf(SENDING_STATUSES, {
    description: "Whether the campaign is sending now, or what it is waiting for",
  }),
  next_send_at: Nullable(TimestampOf("When the next email is due; null when none is planned")),
});

export const CampaignPage = FilteredPage(Campaign);

export const CampaignParams = IdParamsOf("The campaign's id");

export const CampaignQuery = Shape({
  ...CursorQuery.properties,
  ...taggedQuery(CAMPAIGN_LIST),
  status: Type.Optional(
    OneOf(CAMPAIGN_STATUSES, { description: "Only campaigns with this status" }),
  ),
});

/** Only the name is required; `domain/campaigns/campaign.ts` fills in the rest. */
export const CampaignCreate = withDefaults(
  Shape({
    ...Type.Partial(Shape(plain)).properties,
    name: plain.name,
    send_window: Type.Optional(SendWindowPatch),
    tracking: Type.Optional(Type.Partial(Tracking)),
  }),
  DEFAULTS,
);

export const CampaignPatch = Shape({
  ...Type.Partial(Shape(plain)).properties,
  send_window: Type.Optional(SendWindowPatch),
  tracking: Type.Optional(Type.Partial(Tracking)),
  status: Type.Optional(
    OneOf(CAMPAIGN_STATUSES, {
      description: "`active` starts or resumes the campaign, `paused` and `archived` stop it",
    }),
  ),
});

/** Without a body, as with an empty one. */
export const CampaignStart = Type.Optional(
  Shape({
    delay_seconds: Type.Optional(
      Documented(
        Type.Integer({
          minimum: 0,
          maximum: START_DELAY_SECONDS_MAX,
          description:
            "Seconds before the first email, in which pausing the campaign takes the start back",
        }),
        { default: 0 },
      ),
    ),
  }),
);

const counters = {
  sent: Count("Emails sent"),
  replied: Count("Leads that replied"),
  bounced: Count("Emails that bounced"),
  unsubscribed: Count("Leads that opted out"),
};

export const CampaignStats = Shape({
  campaign_id: IdOf("The campaign's id"),
  enrolled: Count("Leads added"),
  open: Count("Leads whose sequence has not ended"),
  ...counters,
  contacted: Count("Leads that were emailed"),
  auto_replied: Count("Leads that sent an auto-reply"),
  completed: Count("Leads that went through all steps"),
  failed: Count("Leads that could not be emailed"),
  moved: Count("Leads that its rules have moved to other campaigns"),
  held: Count("Leads on hold"),
  reply_rate: Nullable(
    Type.Number({
      description: "`replied` divided by `contacted`, 0 to 1; null before the first email",
      examples: [0.064],
    }),
  ),
  bounce_rate: Nullable(
    Type.Number({
      description: "Emails that bounced, of those sent, 0 to 1; null before the first email",
      examples: [0.012],
    }),
  ),
  steps: Type.Array(
    Shape({
      step_id: IdOf("The step's id"),
      position: Type.Integer({ minimum: 1, description: "Position in the sequence, from 1" }),
      ...counters,
    }),
    { description: "The same by step, in order" },
  ),
});
