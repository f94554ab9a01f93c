/**
 * What a delivery carries beside its event, where its webhook asks for it in `include`: the records as they
 * are when the delivery is attempted. Null where the event is about none, or the person was erased.
 *
 * Source: ours (`docs/adr/events-and-webhooks.md`, "Included records are read at each attempt").
 */

import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { CAMPAIGN_STATUSES } from "./campaigns/campaign.ts";

const closed = { additionalProperties: false };
const uuid = (description: string) => Type.String({ format: "uuid", description });
const text = (description: string) => Type.String({ description });

function orNull<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** Included for an event that is about none, or of an erased person. */
const NONE = "null when the event is about none, or the person was erased";

const IncludedLead = Type.Object(
  {
    id: uuid("The lead's id"),
    email: text("Email address"),
    first_name: orNull(text("First name; null without one")),
    last_name: orNull(text("Last name; null without one")),
    company: orNull(text("Company; null without one")),
    website: orNull(text("Company website; null without one")),
    phone: orNull(text("Phone number; null without one")),
    timezone: orNull(text("IANA time zone; null without one")),
    variables: Type.Record(
      Type.String(),
      Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
      { description: "Values for templates, by name" },
    ),
  },
  { ...closed, description: `Lead that the event is about (\`lead_id\`); ${NONE}` },
);

const IncludedCampaign = Type.Object(
  {
    id: uuid("The campaign's id"),
    name: text("Name of the campaign"),
    status: Type.Union(
      CAMPAIGN_STATUSES.map((status) => Type.Literal(status)),
      { description: "Status of the campaign" },
    ),
  },
  {
    ...closed,
    description: "Campaign that the event is about (`campaign_id`); null when it is about none",
  },
);

const IncludedReply = Type.Object(
  { text: text("What the person wrote, without quotes and signature") },
  { ...closed, description: `Reply that the event is about (\`mail_id\`); ${NONE}` },
);

const IncludedMessage = Type.Object(
  {
    id: uuid("The message's id"),
    to: text("Address of the recipient"),
    subject: text("Subject"),
    text: text("Plain text of the email"),
    sent_at: orNull(
      Type.String({ format: "date-time", description: "When it was sent; null before" }),
    ),
  },
  { ...closed, description: `Email of yours that the event is about (\`email_id\`); ${NONE}` },
);

/** Only what the webhook asks for is there: `reply.text` under `reply`. */
export const Included = Type.Object(
  {
    lead: Type.Optional(orNull(IncludedLead)),
    campaign: Type.Optional(orNull(IncludedCampaign)),
    reply: Type.Optional(orNull(IncludedReply)),
    message: Type.Optional(orNull(IncludedMessage)),
  },
  {
    ...closed,
    description:
      "Records that the webhook's `include` asks for, as they are when the delivery is attempted; absent without any",
  },
);
export type Included = Static<typeof Included>;
