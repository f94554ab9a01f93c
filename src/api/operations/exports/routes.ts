/** `/exports`: a team's data as files of any size. */

import { Type } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { defined } from "#api/defined.ts";
import { type Download, downloadOf, exportFormat, fileResponse, PAGE_ROWS } from "#api/download.ts";
import { CampaignLead } from "#api/leads/enrollments/schema.ts";
import { presentLead } from "#api/leads/schema.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { IdOf, Instant, Shape } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { toIsoOrNull } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { lastSeq, readEvents } from "#store/events/events.ts";
import {
  campaignLeadsAfter,
  type ExportedLead,
  type ExportedMessage,
  type ExportedStep,
  leadsAfter,
  messagesAfter,
  resultsAfter,
} from "#store/operations/exports.ts";
import type { EventRow } from "#store/tables/events.ts";
import { requireCampaign } from "#usecases/campaigns/campaigns.ts";
import { presentEvent } from "#usecases/events/deliveries.ts";
import { nextAttempt } from "#usecases/leads/campaign-leads.ts";

const format = exportFormat;
const campaign_id = (what: string) => Type.Optional(IdOf(`Only ${what} of this campaign`));

const LeadExport = Shape({ format, campaign_id: campaign_id("leads") });
const ResultExport = Shape({ format, campaign_id: campaign_id("steps") });
const MessageExport = Shape({
  format,
  campaign_id: campaign_id("messages"),
  from: Type.Optional(Instant("Only messages created at or after this time")),
  until: Type.Optional(Instant("Only messages created before this time")),
});
const EventExport = Shape({ format });

/** For the campaign of another team. */
const MISSING = { "x-errors": [404] };
const EXPORT_CAVEATS =
  "The file is written while you download it, so it may include records added meanwhile. In CSV, " +
  "an apostrophe precedes values that a spreadsheet would read as a formula; NDJSON leaves them as they are.";

export const leadExportRoutes = resource("leads", "/exports/leads", "exports").get(
  "",
  ({ env, caller, request }) => {
    const query = readQuery(LeadExport, request);
    const campaignId = own(env, caller, query.campaignId);
    return downloadOf<ExportedLead>({
      name: "leads",
      format: query.format,
      next: (last) =>
        campaignId === undefined
          ? leadsAfter(env.db, caller.teamId, last?.lead.id, PAGE_ROWS)
          : campaignLeadsAfter(env.db, campaignId, last?.enrollment?.id, PAGE_ROWS),
      columns: {
        ...LEAD_COLUMNS,
        ...(campaignId === undefined ? {} : ENROLLMENT_COLUMNS),
      },
      object: ({ lead, enrollment }) =>
        enrollment === null
          ? presentLead(env.db, lead)
          : {
              ...presentLead(env.db, lead),
              campaign_lead: present(CampaignLead, {
                ...enrollment,
                email: lead.email,
                nextAttemptAt: nextAttempt(enrollment),
              }),
            },
    });
  },
  {
    detail: {
      summary: "Export leads",
      description: `Returns the leads as a file, those of a campaign with where they stand in it. ${EXPORT_CAVEATS}`,
      ...MISSING,
      ...fileResponse("A row for each lead"),
      ...queryOf(LeadExport),
    },
  },
);

export const messageExportRoutes = resource("inbox", "/exports/messages", "exports").get(
  "",
  ({ env, caller, request }) => {
    const query = readQuery(MessageExport, request);
    const range = defined({
      campaignId: own(env, caller, query.campaignId),
      from: query.from,
      until: query.until,
    });
    return downloadOf<ExportedMessage>({
      name: "messages",
      format: query.format,
      next: (last) => messagesAfter(env.db, caller.teamId, range, last?.id, PAGE_ROWS),
      columns: MESSAGE_COLUMNS,
    });
  },
  {
    detail: {
      summary: "Export messages",
      description: `Returns the messages as a file, without their bodies. ${EXPORT_CAVEATS}`,
      ...MISSING,
      ...fileResponse("A row for each message"),
      ...queryOf(MessageExport),
    },
  },
);

export const eventExportRoutes = resource("webhooks", "/exports/events", "exports").get(
  "",
  ({ env, caller, request }) => {
    const query = readQuery(EventExport, request);
    // Up to here only: a file that grows while it is written would have no end.
    const end = lastSeq(env.db);
    return downloadOf<EventRow>({
      name: "events",
      format: query.format,
      next: (last) => {
        const rows = readEvents(env.db, caller.teamId, {
          after: last?.seq ?? 0,
          limit: PAGE_ROWS,
        });
        return rows.filter(({ seq }) => seq <= end);
      },
      columns: {
        seq: ({ seq }) => seq,
        id: ({ id }) => id,
        type: ({ type }) => type,
        created_at: ({ createdAt }) => toIsoOrNull(createdAt),
        data: ({ data }) => JSON.stringify(data),
      },
      object: (row) => presentEvent(env, row),
    });
  },
  {
    detail: {
      summary: "Export events",
      description: `Returns the events of the last 30 days as a file. ${EXPORT_CAVEATS}`,
      ...fileResponse("A row for each event"),
      ...queryOf(EventExport),
    },
  },
);

export const resultExportRoutes = resource("campaigns", "/exports/results", "exports").get(
  "",
  ({ env, caller, request }) => {
    const query = readQuery(ResultExport, request);
    const campaignId = own(env, caller, query.campaignId);
    return downloadOf<ExportedStep>({
      name: "results",
      format: query.format,
      next: (last) => resultsAfter(env.db, caller.teamId, campaignId, last?.id, PAGE_ROWS),
      columns: RESULT_COLUMNS,
    });
  },
  {
    detail: {
      summary: "Export step results",
      description: `Returns the counters of each step of each campaign as a file. ${EXPORT_CAVEATS}`,
      ...MISSING,
      ...fileResponse("A row for each step"),
      ...queryOf(ResultExport),
    },
  },
);

/** Throws `not_found` for another team's campaign. */
function own(env: Environment, caller: Caller, campaignId: string | undefined): string | undefined {
  return campaignId === undefined ? undefined : requireCampaign(env, caller, campaignId).id;
}

const LEAD_COLUMNS: Download<ExportedLead>["columns"] = {
  id: ({ lead }) => lead.id,
  email: ({ lead }) => lead.email,
  first_name: ({ lead }) => lead.firstName,
  last_name: ({ lead }) => lead.lastName,
  company: ({ lead }) => lead.company,
  website: ({ lead }) => lead.website,
  phone: ({ lead }) => lead.phone,
  timezone: ({ lead }) => lead.timezone,
  variables: ({ lead }) => JSON.stringify(lead.variables),
  tags: ({ tags }) => tags.join(", "),
  created_at: ({ lead }) => toIsoOrNull(lead.createdAt),
};

const ENROLLMENT_COLUMNS: Download<ExportedLead>["columns"] = {
  status: ({ enrollment }) => enrollment?.status,
  interest: ({ enrollment }) => enrollment?.interest,
  current_step: ({ enrollment }) => enrollment?.currentStep,
  stop_reason: ({ enrollment }) => enrollment?.stopReason,
  last_sent_at: ({ enrollment }) => toIsoOrNull(enrollment?.lastSentAt ?? null),
  enrolled_at: ({ enrollment }) => toIsoOrNull(enrollment?.enrolledAt ?? null),
  variant_ids: ({ enrollment }) =>
    enrollment?.assignments.map(({ variantId }) => variantId).join(", "),
};

const MESSAGE_COLUMNS: Download<ExportedMessage>["columns"] = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  status: ({ status }) => status,
  campaign_id: ({ campaignId }) => campaignId,
  lead_id: ({ leadId }) => leadId,
  account_id: ({ accountId }) => accountId,
  step: ({ stepPosition }) => stepPosition,
  recipient: ({ recipient }) => recipient,
  subject: ({ subject }) => subject,
  message_id: ({ messageId }) => messageId,
  attempts: ({ attempts }) => attempts,
  sent_at: ({ sentAt }) => toIsoOrNull(sentAt),
  replied_at: ({ repliedAt }) => toIsoOrNull(repliedAt),
  bounced_at: ({ bouncedAt }) => toIsoOrNull(bouncedAt),
  code: ({ code }) => code,
  response: ({ response }) => response,
  experiment_id: ({ assigned }) => assigned?.experimentId ?? null,
  variant_id: ({ assigned }) => assigned?.variantId ?? null,
};

const RESULT_COLUMNS: Download<ExportedStep>["columns"] = {
  campaign_id: ({ campaignId }) => campaignId,
  campaign: ({ campaign }) => campaign,
  status: ({ status }) => status,
  step: ({ position }) => position,
  type: ({ type }) => type,
  subject: ({ subject }) => subject,
  sent: ({ sent }) => sent,
  replied: ({ replied }) => replied,
  bounced: ({ bounced }) => bounced,
  unsubscribed: ({ unsubscribed }) => unsubscribed,
};
