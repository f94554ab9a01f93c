/** Campaigns as a server has them, in the words of a file of campaigns. */

import type { ApiOperation, Schema } from "#api/document/read.ts";
import { CommandError, EXIT } from "#cli/exit.ts";
import type { Client } from "#cli/requests/client.ts";
import { loadApi } from "#cli/requests/operations.ts";
import type { Fields, Shape } from "./file.ts";

const PAGE_SIZE = 100;
/** A hundred thousand records. */
const PAGES_MAX = 1000;

export interface ServerCampaign {
  id: string;
  name: string;
  status: string;
  record: Fields;
}

export interface ServerExperiment {
  id: string;
  name: string;
  status: string;
  record: Fields;
  variants: readonly Fields[];
}

/** What may stand in a file, and the fields of each part. */
export interface Forms {
  shape: Shape;
  campaign: readonly string[];
  step: readonly string[];
  experiment: readonly string[];
}

/** By the schemas of the operations that create each. */
export async function formsOf(): Promise<Forms> {
  const { operations } = await loadApi();
  const fields = (id: string, without: readonly string[]) => {
    const body = operations.find((one: ApiOperation) => one.id === id)?.body ?? {};
    const shape = shapeOf(body) as Readonly<Record<string, Shape>>;
    return Object.fromEntries(Object.entries(shape).filter(([name]) => !without.includes(name)));
  };
  const campaign = fields("createCampaign", ["name", "account_ids"]);
  const step = fields("createCampaignStep", ["position"]);
  const experiment = fields("createExperiment", ["name", "campaign_id", "variants"]);
  const variant = { name: null, subject: null, body: null, format: null, weight: null };
  return {
    shape: {
      ...{ name: null, id: null, mailboxes: [null] },
      ...campaign,
      steps: [step],
      experiments: [{ name: null, ...experiment, variants: [variant] }],
    },
    campaign: Object.keys(campaign),
    step: Object.keys(step),
    experiment: Object.keys(experiment),
  };
}

/** The shape of values that fit `schema`. */
function shapeOf({ properties, items, type }: Schema): Shape {
  if (properties !== undefined && Object.keys(properties).length > 0) {
    const entries = Object.entries(properties).map(([name, one]) => [name, shapeOf(one)]);
    return Object.fromEntries(entries);
  }
  return type === "array" && items !== undefined ? [shapeOf(items)] : null;
}

/** All but archived ones, the oldest first. */
export async function campaignsOf(client: Client): Promise<ServerCampaign[]> {
  const records = await all(client, "/campaigns");
  return records
    .filter(({ status }) => status !== "archived")
    .map((record) => ({
      ...{ id: String(record["id"]), name: String(record["name"]) },
      ...{ status: String(record["status"]), record },
    }))
    .reverse();
}

export async function stepsOf(client: Client, campaignId: string): Promise<Fields[]> {
  return await all(client, `/campaigns/${campaignId}/steps`);
}

export async function experimentsOf(
  client: Client,
  campaignId: string,
): Promise<ServerExperiment[]> {
  const found = (await all(client, "/experiments")).filter(
    (one) => one["campaign_id"] === campaignId && one["status"] !== "cancelled",
  );
  return await Promise.all(
    found.map(async ({ id }) => {
      const record = await client.call<Fields>("GET", `/experiments/${id}`);
      const variants = record["variants"] as readonly Fields[];
      return {
        ...{ id: String(id), name: String(record["name"]), status: String(record["status"]) },
        ...{ record, variants: variants.map(variantOf) },
      };
    }),
  );
}

function variantOf({ name, config, weight }: Fields): Fields {
  const { subject, body, format } = (config ?? {}) as Fields;
  return {
    name,
    ...(subject === undefined ? {} : { subject }),
    ...(body === undefined ? {} : { body }),
    ...(format === undefined ? {} : { format }),
    ...(weight === 1 ? {} : { weight }),
  };
}

/** Mailboxes by address and back. */
export async function mailboxesOf(client: Client) {
  const accounts = await all(client, "/accounts");
  const pairs = accounts.map(({ id, email }) => [String(id), String(email)] as const);
  const byId = new Map(pairs);
  const byAddress = new Map(pairs.map(([id, email]) => [email.toLowerCase(), id]));
  return {
    addressOf: (id: string) => byId.get(id) ?? id,
    /** Throws a {@link CommandError} for an address that no mailbox has. */
    idOf: (address: string) => {
      const id = byAddress.get(address.trim().toLowerCase());
      if (id === undefined) {
        throw new CommandError(EXIT.badData, `there is no mailbox ${address}; connect it first`);
      }
      return id;
    },
  };
}

/** Every record of a list, whichever way it pages. */
async function all(client: Client, path: string): Promise<Fields[]> {
  const rows: Fields[] = [];
  let query = `limit=${PAGE_SIZE}`;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const pages = !path.endsWith("/steps");
    const answer = await client.call<Fields[] | Page>("GET", pages ? `${path}?${query}` : path);
    const { data, hasMore, next_cursor: next } = Array.isArray(answer) ? { data: answer } : answer;
    rows.push(...data);
    if (!pages || data.length === 0 || !(hasMore === true || typeof next === "string")) {
      break;
    }
    query = `limit=${PAGE_SIZE}&${typeof next === "string" ? `after=${next}` : `offset=${rows.length}`}`;
  }
  return rows;
}

interface Page {
  data: Fields[];
  hasMore?: boolean;
  next_cursor?: string | null;
}
