/** Conversations as tests need them: a campaign under way in the test environment, and emails that come back. */

import { MINUTE_MS, SECOND_MS } from "#domain/time.ts";
import type { Answer, TestApp } from "./app.ts";
import { addAccount, addLeads, makeCampaign } from "./campaigns.ts";

export const ROUND_THE_CLOCK = {
  timezone: "UTC",
  days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
  start_hour: 0,
  end_hour: 24,
};

export const TWO_STEPS = [
  { type: "email", subject: "Offer", body: "Hello" },
  { type: "email", body: "Again", wait_days: 3 },
];

/** Nobody answers by themselves. */
export async function quiet(app: TestApp): Promise<void> {
  const none = { reply: 0, interested: 0, auto_reply: 0, hard_bounce: 0, soft_bounce: 0 };
  const rates = { ...none, complaint: 0, unsubscribe: 0, spam: 0 };
  await app.call("PATCH", "/sandbox/settings", { rates });
}

export interface Underway {
  account: string;
  campaign: string;
  steps: string[];
  /** Campaign leads, in the order of their addresses. */
  leads: { id: string; lead_id: string; email: string }[];
}

/** A campaign whose first email has gone out to every address. */
export async function underway(
  app: TestApp,
  emails: readonly string[] = ["bob@client.example"],
  change: object = {},
): Promise<Underway> {
  await quiet(app);
  const account = await addAccount(app);
  await app.call("PATCH", `/accounts/${account.id}`, { min_gap_seconds: 0, hourly_limit: 100 });
  const { id, steps } = await makeCampaign(app, TWO_STEPS);
  await app.call("PATCH", `/campaigns/${id}`, { send_window: ROUND_THE_CLOCK, ...change });
  const leads = await addLeads(app, id, ...emails);
  await app.call("POST", `/campaigns/${id}/start`);
  for (let minutes = 0; minutes < 24 * 60; minutes += 60) {
    await app.advance(60 * MINUTE_MS);
    const { sent } = (await app.call("GET", `/campaigns/${id}/stats`)).body;
    if (sent >= emails.length) {
      break;
    }
  }
  return { account: account.id, campaign: id, steps, leads };
}

/** Plays an email back and has it read. */
export async function comeBack(app: TestApp, mail: object): Promise<Answer> {
  const played = await app.call("POST", "/sandbox/inject", mail);
  await app.advance(SECOND_MS);
  return played;
}

/** How a lead stands in its campaign. */
export async function leadOf(app: TestApp, { campaign, leads }: Underway, index = 0) {
  return (await app.call("GET", `/campaigns/${campaign}/leads/${leads[index]?.id}`)).body;
}

export async function statsOf(app: TestApp, { campaign }: Underway) {
  return (await app.call("GET", `/campaigns/${campaign}/stats`)).body;
}

export async function suppressionOf(app: TestApp, email: string) {
  return (await app.call("GET", `/suppressions/check?email=${email}`)).body;
}

export async function threadsOf(app: TestApp, query = "") {
  return (await app.call("GET", `/inbox/threads${query}`)).body.data;
}

export async function threadOf(app: TestApp, id: string) {
  return (await app.call("GET", `/inbox/threads/${id}`)).body;
}
