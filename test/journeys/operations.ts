/**
 * The operations of the interface that the user gave us, as far as they exist: how each is called, and
 * the fields that its answer has by that interface. Source: the seed's tables.
 */

import { expect } from "bun:test";
import { type Call, createCampaign, done, type Reply } from "./support.ts";

type Field = "uuid" | "time" | "string" | "number" | "integer" | "boolean" | "object";
/** A trailing `?` allows null: the value does not exist yet. */
type Fields = Readonly<Record<string, Field | `${Field}?`>>;

const CAMPAIGN: Fields = {
  ...{ id: "uuid", team_id: "uuid", name: "string", status: "string" },
  ...{ stop_on_reply: "boolean", stop_on_auto_reply: "boolean", send_window: "object" },
  ...{ max_leads_per_day: "integer", created_at: "time", updated_at: "time" },
};
const STEP: Fields = {
  ...{ id: "uuid", campaign_id: "uuid", position: "integer", type: "string", subject: "string?" },
  ...{ body: "string?", wait_days: "integer", created_at: "time", updated_at: "time" },
};
const CAMPAIGN_LEAD: Fields = {
  ...{ id: "uuid", campaign_id: "uuid", lead_id: "uuid", status: "string" },
  ...{ current_step: "integer", next_attempt_at: "time?", enrolled_at: "time" },
};
const ACCOUNT: Fields = {
  ...{ id: "uuid", team_id: "uuid", email: "string", display_name: "string?", provider: "string" },
  ...{ status: "string", health_score: "number", daily_limit: "integer", hourly_limit: "integer" },
  ...{ consecutive_smtp_errors: "integer", last_error: "string?" },
  ...{ created_at: "time", updated_at: "time" },
};
const SUPPRESSION: Fields = {
  ...{ id: "uuid", team_id: "uuid", email_hash: "string", email: "string", reason: "string" },
  created_at: "time",
};
const KEY: Fields = {
  key: "string",
  id: "uuid",
  name: "string",
  env: "string",
  created_at: "time",
};
const PLACEMENT_RUN: Fields = {
  ...{ id: "uuid", trigger_type: "string", status: "string", total_tests: "integer" },
  ...{ inbox_count: "integer", spam_count: "integer", promotions_count: "integer" },
  ...{ not_delivered_count: "integer", inbox_rate: "number", started_at: "time?" },
  ...{ completed_at: "time?", results: "object", by_provider: "object" },
};
const WEBHOOK: Fields = {
  ...{ id: "uuid", team_id: "uuid", url: "string", events: "object", secret: "string" },
  ...{ active: "boolean", created_at: "time", updated_at: "time" },
};
const IMPORT: Fields = { imported: "integer", skipped: "integer", errors: "object" };
const PAGE: Fields = {
  ...{ data: "object", total: "integer", limit: "integer", offset: "integer", hasMore: "boolean" },
};
const LIST: Fields = { data: "object" };

/** Records that operations are tried on. */
export interface Fixture {
  campaignId: string;
  stepId: string;
  /** Of the enrollment. */
  leadId: string;
  accountId: string;
  /** Of a placement run; in the live environment there is none, since no mailbox is ready there. */
  runId: string;
  webhookId: string;
}

export interface Operation {
  method: "GET" | "POST" | "PATCH";
  /** `:name` stands for an id of the fixture. */
  path: string;
  /** A body that is right, new at every call. */
  body?: () => Record<string, unknown>;
  status: 200 | 201;
  fields: Fields;
  /** Fields of each item of `data`. */
  item?: Fields;
  /** The only environment in which its record can be had without mail servers. */
  only?: "test";
}

let serial = 0;
const fresh = (): string => {
  serial += 1;
  return `contract-${serial}@acme.test`;
};

export const OPERATIONS: readonly Operation[] = [
  { method: "GET", path: "/campaigns", status: 200, fields: PAGE, item: CAMPAIGN },
  {
    ...{ method: "POST", path: "/campaigns", status: 201, fields: CAMPAIGN },
    body: () => ({ name: "Spring" }),
  },
  {
    ...{ method: "PATCH", path: "/campaigns/:campaignId", status: 200, fields: CAMPAIGN },
    body: () => ({ name: fresh() }),
  },
  { method: "GET", path: "/campaigns/:campaignId/steps", status: 200, fields: LIST, item: STEP },
  {
    ...{ method: "POST", path: "/campaigns/:campaignId/steps", status: 201, fields: STEP },
    body: () => ({ type: "email" }),
  },
  {
    ...{ method: "PATCH", path: "/campaigns/:campaignId/steps/:stepId", status: 200, fields: STEP },
    body: () => ({ type: "email", subject: fresh() }),
  },
  {
    ...{ method: "POST", path: "/campaigns/:campaignId/leads", status: 200, fields: IMPORT },
    body: () => ({ leads: [{ email: fresh() }] }),
  },
  {
    ...{ method: "PATCH", path: "/campaigns/:campaignId/leads/:leadId", status: 200 },
    ...{ fields: CAMPAIGN_LEAD, body: () => ({ interest: "interested" }) },
  },
  {
    ...{ method: "POST", path: "/accounts", status: 201, fields: ACCOUNT },
    body: () => ({ email: fresh(), provider: "google" }),
  },
  { method: "GET", path: "/accounts", status: 200, fields: LIST, item: ACCOUNT },
  { method: "GET", path: "/accounts/:accountId", status: 200, fields: ACCOUNT },
  {
    ...{ method: "PATCH", path: "/accounts/:accountId", status: 200, fields: ACCOUNT },
    body: () => ({ display_name: fresh() }),
  },
  {
    ...{ method: "POST", path: "/suppressions", status: 201, fields: SUPPRESSION },
    body: () => ({ email: fresh() }),
  },
  {
    ...{ method: "GET", path: "/placement/runs/:runId", status: 200, fields: PLACEMENT_RUN },
    only: "test",
  },
  { method: "GET", path: "/webhooks/:webhookId", status: 200, fields: WEBHOOK },
  {
    ...{ method: "PATCH", path: "/webhooks/:webhookId", status: 200, fields: WEBHOOK },
    body: () => ({ url: `https://hooks.acme.example/${fresh()}` }),
  },
  { method: "POST", path: "/keys", status: 201, fields: KEY, body: () => ({ name: "CI" }) },
];

export const titleOf = ({ method, path }: Operation): string => `${method} ${path}`;

export function pathOf({ path }: Operation, fixture: Fixture): string {
  return path.replace(/:(\w+)/g, (_, name: keyof Fixture) => fixture[name]);
}

const NO_RUN = "0190a5b2-0000-7000-8000-000000000001";

/** One of each record in the team and environment of `call`. */
export async function makeFixture(call: Call): Promise<Fixture> {
  const campaignId = await createCampaign(call, { name: "Contract" });
  const step = { type: "email", subject: "Hello", body: "Hi there." };
  const { id: stepId } = await done(call("POST", `/campaigns/${campaignId}/steps`, step));
  const leads = [{ email: "ann@acme.test" }];
  await done(call("POST", `/campaigns/${campaignId}/leads`, { leads }));
  const { data } = await done(call("GET", `/campaigns/${campaignId}/leads`));
  const account = { email: fresh(), provider: "microsoft" };
  const { id: accountId } = await done(call("POST", "/accounts", account));
  const imap = { host: "imap.acme.test", password: "secret" };
  await done(call("POST", "/placement/seeds", { email: fresh(), imap }));
  const { body: run } = await call("POST", "/placement/runs", {});
  const { id: webhookId } = await done(
    call("POST", "/webhooks", { url: "https://hooks.acme.example/in" }),
  );
  return { campaignId, stepId, leadId: data[0].id, accountId, runId: run.id ?? NO_RUN, webhookId };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** What of `body` is not as the interface has it: `name: what is there`. */
export function deviations(body: Reply["body"], fields: Fields): string[] {
  return Object.entries(fields)
    .filter(([name, field]) => !isA(body[name], field))
    .map(([name]) => `${name}: ${JSON.stringify(body[name])}`);
}

function isA(value: unknown, field: string): boolean {
  if (field.endsWith("?")) {
    return value === null || isA(value, field.slice(0, -1));
  }
  switch (field) {
    case "uuid":
      return typeof value === "string" && UUID.test(value);
    case "time":
      return typeof value === "string" && TIME.test(value);
    case "integer":
      return Number.isInteger(value);
    case "object":
      return typeof value === "object" && value !== null;
    default:
      return typeof value === field;
  }
}

/** A refusal is these four fields, as JSON, with a request id to quote, all that is wrong, and where to read on. */
export function expectProblem(
  reply: Reply,
  status: number,
  type: string,
  field: string | null = null,
) {
  expect({ status: reply.status, body: reply.body }).toEqual({
    status,
    body: {
      ...{ type, message: expect.stringMatching(/./), field, status },
      errors: expect.arrayContaining([expect.objectContaining({ field })]),
      docs_url: expect.stringMatching(/./),
    },
  });
  expect(reply.headers.get("content-type")).toStartWith("application/json");
  expect(reply.headers.get("x-request-id")).toMatch(/./);
}
