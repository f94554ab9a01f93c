/** Experiments as tests need them: a campaign with people to write to, its mailboxes, and its variants. */

import type { TestApp } from "./app.ts";

export interface ExperimentOptions {
  /** People to write to; 200 unless told otherwise. */
  leads?: number;
  /** New leads a day; all of them within four days unless told otherwise. */
  perDay?: number;
  /** The step's own text. */
  body?: string;
  /** Mailboxes that write, made once for a team. */
  accounts?: number;
  variants?: readonly object[];
  /** Further fields of the experiment. */
  fields?: object;
  /** Further fields of the campaign. */
  campaign?: object;
  /** Told apart from other campaigns of the same team. */
  name?: string;
  /** False: the campaign stays a draft. */
  starts?: boolean;
}

export interface MadeExperiment {
  id: string;
  campaignId: string;
  stepId: string;
  variants: { id: string; name: string }[];
}

export const TWO_VARIANTS = [
  { name: "A" },
  { name: "B", config: { subject: "Another word", body: "The second way to say it" } },
] as const;

const EVERY_DAY = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;

/** Nobody writes back, nothing bounces. */
export const SILENCE = {
  reply: 0,
  interested: 0,
  auto_reply: 0,
  hard_bounce: 0,
  soft_bounce: 0,
  complaint: 0,
  unsubscribe: 0,
  spam: 0,
} as const;

/** A running experiment on the first step of a campaign of its own. */
export async function makeExperiment(
  app: TestApp,
  options: ExperimentOptions = {},
): Promise<MadeExperiment> {
  const { leads = 200, name = "spring", starts = true } = options;
  await ensureAccounts(app, options.accounts ?? 4);
  const campaign = await ok(app, "/campaigns", {
    name,
    max_leads_per_day: options.perDay ?? Math.max(1, Math.ceil(leads / 4)),
    send_window: { timezone: "UTC", days: EVERY_DAY, start_hour: 8, end_hour: 20 },
    ...options.campaign,
  });
  const step = await ok(app, `/campaigns/${campaign.id}/steps`, {
    type: "email",
    subject: "A word",
    body: options.body ?? "The first way to say it",
  });
  const experiment = await ok(app, "/experiments", {
    campaign_id: campaign.id,
    name,
    variants: options.variants ?? TWO_VARIANTS,
    ...options.fields,
  });
  if (leads > 0) {
    const people = Array.from({ length: leads }, (_, nth) => ({ email: personOf(name, nth) }));
    await ok(app, `/campaigns/${campaign.id}/leads`, { leads: people });
  }
  if (starts) {
    await ok(app, `/campaigns/${campaign.id}/start`);
  }
  const { variants } = (await app.call("GET", `/experiments/${experiment.id}`)).body;
  return { id: experiment.id, campaignId: campaign.id, stepId: step.id, variants };
}

/** Person `nth` of a campaign: a few to a company. */
export function personOf(campaign: string, nth: number): string {
  return `person${nth}@${campaign}-${nth % 97}.example`;
}

/** The team's mailboxes, fast enough for everything that a test sends. */
async function ensureAccounts(app: TestApp, count: number): Promise<void> {
  const { data } = (await app.call("GET", "/accounts")).body;
  for (let nth = data.length; nth < count; nth += 1) {
    await ok(app, "/accounts", {
      email: `mailbox${nth}@sender.example`,
      provider: "smtp",
      daily_limit: 2_000,
      hourly_limit: 500,
      min_gap_seconds: 0,
    });
  }
}

/** Makes people answer by what an email says: `rates` for all, and for emails that contain a text. */
export async function setPeople(
  app: TestApp,
  rates: object,
  effects: readonly { contains: string; rates: object }[] = [],
  delays: object = {},
): Promise<void> {
  const body = { rates: { ...SILENCE, ...rates }, effects, delays };
  const { status, text } = await app.call("PATCH", "/sandbox/settings", body);
  if (status !== 200) {
    throw new Error(text);
  }
}

export async function resultsOf(app: TestApp, id: string) {
  return (await app.call("GET", `/experiments/${id}/results`)).body;
}

async function ok(app: TestApp, path: string, body?: object) {
  const answer = await app.call("POST", path, body);
  if (answer.status >= 300) {
    throw new Error(`${path}: ${answer.text}`);
  }
  return answer.body;
}
