/** `/campaigns/{id}/rehearsal`: a draft, played before it is started. */

import { type Static, Type } from "@sinclair/typebox";
import { CampaignParams } from "#api/campaigns/schema.ts";
import { resource } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { Count, IdOf, Nullable, OneOf, Shape, TimestampOf } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { CAMPAIGN_STATUS_REASONS, CAMPAIGN_STATUSES } from "#domain/campaigns/campaign.ts";
import { ENROLLMENT_STATUSES } from "#domain/campaigns/enrollment.ts";
import { EVENT_TYPES } from "#domain/events/event.ts";
import { ACCOUNT_STATUSES } from "#domain/mailboxes/account.ts";
import { requireCampaign } from "#usecases/campaigns/campaigns.ts";
import {
  REHEARSED_DAYS_MAX,
  REHEARSED_LEADS_MAX,
  rehearseCampaign,
} from "#usecases/sandbox/rehearsal.ts";

const RehearsalQuery = Shape({
  days: Type.Integer({
    minimum: 1,
    maximum: REHEARSED_DAYS_MAX,
    default: 30,
    description: "Days to play",
  }),
  seed: Type.Integer({
    minimum: 0,
    maximum: 4_294_967_295,
    default: 1,
    description: "The same seed plays the same people; another one plays others",
  }),
});

const counts = {
  sent: Count("Emails that were sent"),
  replied: Count("Leads that replied, on the day of their first reply"),
  positive: Count("Conversations with the interest `interested` or `meeting`"),
  bounced: Count("Emails that bounced"),
  unsubscribed: Count("Leads that opted out"),
};

const Rehearsal = Shape({
  campaign_id: IdOf("The campaign's id"),
  from: TimestampOf("Start of the rehearsal: now"),
  until: TimestampOf("End of the rehearsal"),
  timezone: Type.String({
    description: "Time zone of the days: the campaign's",
    examples: ["UTC"],
  }),
  seed: Type.Integer({ minimum: 0, description: "The seed that was played" }),
  status: OneOf(CAMPAIGN_STATUSES, { description: "Status of the campaign at the end" }),
  status_reason: Nullable(
    OneOf(CAMPAIGN_STATUS_REASONS, {
      description: "Why it was paused by then; null when it was not",
    }),
  ),
  leads: Count("Leads of the draft whose sequence has not ended"),
  played: Count(`Leads that were played, the first ${REHEARSED_LEADS_MAX}`),
  lead_statuses: Type.Array(
    Shape({
      status: OneOf(ENROLLMENT_STATUSES, { description: "Status at the end" }),
      leads: Count("Leads with this status"),
    }),
    { description: "Where the leads stood at the end" },
  ),
  totals: Shape(counts, { description: "Sums over all days" }),
  days: Type.Array(
    Shape({
      date: Type.String({
        format: "date",
        description: "Local date of the campaign",
        examples: ["2026-03-02"],
      }),
      ...counts,
    }),
    { description: "Every day that was played, oldest first" },
  ),
  first_sent_at: Nullable(TimestampOf("When the first email was sent; null when none was")),
  last_sent_at: Nullable(TimestampOf("When the last email was sent; null when none was")),
  mailboxes: Type.Array(
    Shape({
      account_id: IdOf("The account's id"),
      email: Type.String({ description: "Its address", examples: ["ann@example.com"] }),
      sent: Count("Emails of the campaign that it sent"),
      bounced: Count("Those of them that bounced"),
      health: Type.Integer({ minimum: 0, maximum: 100, description: "Health score at the end" }),
      status: OneOf(ACCOUNT_STATUSES, { description: "Status at the end" }),
    }),
    { description: "Accounts that sent something" },
  ),
  events: Type.Array(
    Shape({
      type: OneOf(EVENT_TYPES, { description: "Kind of the event" }),
      created_at: TimestampOf("When it happened in the rehearsal"),
      data: Type.Record(Type.String(), Type.Unknown(), { description: "What happened" }),
    }),
    { description: "What limits and guards did, and the end of the campaign; the first 100" },
  ),
  checked: Count("Promises of sending that were counted in what was sent, such as no email twice"),
  broken: Type.Array(Type.String(), {
    description: "Those of them that did not hold; none, unless Outrider has a bug",
  }),
});

export const rehearsalRoutes = resource("campaigns", "/campaigns/:id").get(
  "/rehearsal",
  async ({ env, caller, params, request, state }): Promise<Static<typeof Rehearsal>> => {
    const options = readQuery(RehearsalQuery, request);
    const row = requireCampaign(env, caller, params.id);
    state.disableIdleTimeout();
    const { days, ...told } = await rehearseCampaign(env, row, options, request.signal);
    const { totals } = told;
    return present(Rehearsal, { ...told, totals, days, campaignId: row.id, seed: options.seed });
  },
  {
    params: CampaignParams,
    response: { 200: Rehearsal },
    detail: {
      summary: "Rehearse a campaign",
      description:
        "Plays a draft as it is, in seconds and before you start it: in a sandbox of its own in memory, " +
        "with its steps, mailboxes, limits and leads, and people who reply, bounce and opt out by chance " +
        "at the sandbox's usual rates. Returns what would be sent and what the limits and guards would " +
        "do. Nothing is sent and nothing is kept. Other campaigns of the same mailboxes aren't played. " +
        "Refused with 409 when the campaign isn't a draft, and with 422 when it can't be started.",
      "x-errors": [409],
      ...queryOf(RehearsalQuery),
    },
  },
);
