/** What a file of campaigns would change on a server: requests in order, each with words for a person. */

import { CommandError, EXIT } from "#cli/exit.ts";
import type { Client } from "#cli/requests/client.ts";
import type { DeclaredCampaign, DeclaredExperiment, Fields } from "./file.ts";
import { campaignsOf, experimentsOf, mailboxesOf, type ServerCampaign, stepsOf } from "./server.ts";

export interface Change {
  campaign: string;
  /** `+` makes, `~` changes, `-` deletes. */
  sign: "+" | "~" | "-";
  what: string;
  /** Fields with what they are (undefined where made) and what they'd be. */
  fields: readonly { name: string; from: unknown; to: unknown }[];
  method: "POST" | "PATCH" | "DELETE";
  /** `{id}` is the campaign's, which may not be there yet. */
  path: string;
  body?: Fields;
}

export interface Difference {
  declared: DeclaredCampaign;
  /** Null where it would be made. */
  found: ServerCampaign | null;
  changes: readonly Change[];
  /** What the file doesn't have and is left. */
  left: readonly string[];
}

export async function differencesOf(
  client: Client,
  declared: readonly DeclaredCampaign[],
  mayDelete: boolean,
): Promise<Difference[]> {
  const campaigns = await campaignsOf(client);
  const mailboxes = await mailboxesOf(client);
  refuseTwice(declared);
  const found: Difference[] = [];
  for (const one of declared) {
    const { mailboxes: addresses, fields } = one;
    const ids = addresses?.map(mailboxes.idOf);
    const wanted = { ...fields, ...(ids === undefined ? {} : { account_ids: ids }) };
    const match = matchOf(one, campaigns);
    const { changes, left } =
      match === null
        ? { changes: made(one, wanted), left: [] }
        : await changed(client, one, wanted, match, mayDelete);
    const shown = changes.map((change) => inWords(change, mailboxes.addressOf));
    found.push({ declared: one, found: match, changes: shown, left });
  }
  return found;
}

/** With what people see in place of ids. */
function inWords(change: Change, addressOf: (id: string) => string): Change {
  const fields = change.fields
    .filter(({ name }) => name !== "campaign_id")
    .map(({ name, from, to }) => {
      const addresses = (ids: unknown) => (Array.isArray(ids) ? ids.map(addressOf) : ids);
      return name === "account_ids"
        ? { name: "mailboxes", from: addresses(from), to: addresses(to) }
        : { name, from, to };
    });
  return { ...change, fields };
}

function refuseTwice(declared: readonly DeclaredCampaign[]): void {
  const seen = new Set<string>();
  for (const { id, name } of declared) {
    const key = id ?? name;
    if (seen.has(key)) {
      throw new CommandError(
        EXIT.badData,
        `the file has two campaigns "${name}"; give each its id`,
      );
    }
    seen.add(key);
  }
}

function matchOf(
  { id, name }: DeclaredCampaign,
  campaigns: readonly ServerCampaign[],
): ServerCampaign | null {
  const matches = campaigns.filter((one) => (id === undefined ? one.name === name : one.id === id));
  if (id !== undefined && matches.length === 0) {
    throw new CommandError(EXIT.badData, `there is no campaign ${id} ("${name}")`);
  }
  if (matches.length > 1) {
    const ids = matches.map((one) => one.id).join(", ");
    throw new CommandError(
      EXIT.badData,
      `${matches.length} campaigns are called "${name}"; give its id: ${ids}`,
    );
  }
  return matches[0] ?? null;
}

function made(declared: DeclaredCampaign, wanted: Fields): Change[] {
  const { name, steps = [], experiments = [] } = declared;
  return [
    create(name, "campaign", "/campaigns", { name, ...wanted }),
    ...steps.map((step, index) => createStep(name, index, step)),
    ...experiments.map((one) => createExperiment(name, one)),
  ];
}

async function changed(
  client: Client,
  declared: DeclaredCampaign,
  wanted: Fields,
  { id, name, record }: ServerCampaign,
  mayDelete: boolean,
): Promise<{ changes: Change[]; left: string[] }> {
  const changes: Change[] = [];
  const left: string[] = [];
  const own = { ...wanted, ...(declared.name === name ? {} : { name: declared.name }) };
  changes.push(...update(name, "campaign", `/campaigns/${id}`, record, own));
  if (declared.steps !== undefined) {
    const steps = await stepsOf(client, id);
    for (const [index, step] of declared.steps.entries()) {
      const before = steps[index];
      const path = `/campaigns/${id}/steps/${before?.["id"]}`;
      changes.push(
        ...(before === undefined
          ? [createStep(name, index, step)]
          : update(name, `step ${index + 1}`, path, before, step)),
      );
    }
    // From the last, so that the others keep their positions.
    for (const extra of steps.slice(declared.steps.length).reverse()) {
      const what = `step ${extra["position"]}`;
      if (mayDelete) {
        const path = `/campaigns/${id}/steps/${extra["id"]}`;
        changes.push({ campaign: name, sign: "-", what, fields: [], method: "DELETE", path });
      } else {
        left.push(what);
      }
    }
  }
  changes.push(...(await changedExperiments(client, name, id, declared.experiments ?? [])));
  return { changes, left };
}

/** One that has ended stays as it is: its results are of what was sent. */
async function changedExperiments(
  client: Client,
  campaign: string,
  id: string,
  declared: readonly DeclaredExperiment[],
): Promise<Change[]> {
  const known = declared.length === 0 ? [] : await experimentsOf(client, id);
  return declared.flatMap((one) => {
    const before = known.find(({ name }) => name === one.name);
    if (before === undefined) {
      return [createExperiment(campaign, one)];
    }
    if (before.status !== "running" && before.status !== "paused") {
      return [];
    }
    const now = { ...before.record, variants: before.variants };
    const changes = update(campaign, `experiment "${one.name}"`, `/experiments/${before.id}`, now, {
      ...one.fields,
      variants: one.variants,
    });
    return changes.map((change) =>
      change.body?.["variants"] === undefined
        ? change
        : { ...change, body: { ...change.body, variants: one.variants.map(presentVariant) } },
    );
  });
}

function create(campaign: string, what: string, path: string, body: Fields): Change {
  const fields = Object.entries(body).map(([name, to]) => ({ name, from: undefined, to }));
  return { campaign, sign: "+", what, fields, method: "POST", path, body };
}

function createStep(campaign: string, index: number, step: Fields): Change {
  const body = { ...step, position: index + 1 };
  return create(campaign, `step ${index + 1}`, "/campaigns/{id}/steps", body);
}

function createExperiment(campaign: string, one: DeclaredExperiment): Change {
  const variants = one.variants.map(presentVariant);
  const body = { ...one.fields, name: one.name, campaign_id: "{id}", variants };
  return create(campaign, `experiment "${one.name}"`, "/experiments", body);
}

function presentVariant({ name, weight, ...config }: Fields): Fields {
  return { name, config, ...(weight === undefined ? {} : { weight }) };
}

/** Nothing, or the one request that makes `before` what is `wanted` of it. */
function update(
  campaign: string,
  what: string,
  path: string,
  before: Fields,
  wanted: Fields,
): Change[] {
  const fields = Object.entries(wanted)
    .filter(([name, to]) => !covers(before[name], to))
    .map(([name, to]) => ({ name, from: before[name], to: merged(before[name], to) }));
  const body = Object.fromEntries(fields.map(({ name, to }) => [name, to]));
  return fields.length === 0
    ? []
    : [{ campaign, sign: "~", what, fields, method: "PATCH", path, body }];
}

/** True where `have` says all that `want` does; lists of names have no order. */
function covers(have: unknown, want: unknown): boolean {
  if (Array.isArray(want) && Array.isArray(have)) {
    const plain = want.every((one) => typeof one !== "object");
    const [a, b] = plain ? [have.toSorted(), want.toSorted()] : [have, want];
    return a.length === b.length && a.every((one, index) => covers(one, b[index]));
  }
  if (isObject(want) && isObject(have)) {
    return Object.entries(want).every(([name, one]) => covers(have[name], one));
  }
  return (have ?? null) === (want ?? null);
}

function merged(have: unknown, want: unknown): unknown {
  return isObject(have) && isObject(want) ? { ...have, ...want } : want;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
