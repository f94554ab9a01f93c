/** What the pages of a campaign load. */

import { api, ask } from "../../lib/api.ts";
import { flush } from "../../lib/unsaved.ts";
import { isKept } from "../../parts/form/draft.ts";

export type CampaignRecord = Awaited<ReturnType<typeof listPage>>["data"][number];
export type CampaignDetail = Awaited<ReturnType<typeof readCampaign>>;
export type CampaignStats = Awaited<ReturnType<typeof readStats>>;
export type StepRecord = Awaited<ReturnType<typeof readSteps>>[number];
export type AccountRecord = Awaited<ReturnType<typeof readAccounts>>[number];
export type Forecast = Awaited<ReturnType<typeof readForecast>>;

export function listPage(query: { limit: number; offset: number; status?: string }) {
  return ask(api().campaigns.get({ query }));
}

export function readCampaign(id: string) {
  return ask(api().campaigns({ id }).get());
}

export function readStats(id: string) {
  return ask(api().campaigns({ id }).stats.get());
}

export async function readSteps(id: string) {
  return (await ask(api().campaigns({ id }).steps.get())).data;
}

export async function readAccounts() {
  return (await ask(api().accounts.get({ query: {} }))).data;
}

export function readForecast(id: string, days: number, asIfStarted = false) {
  const query = { days, ...(asIfStarted ? { as_if_started: true } : {}) };
  return ask(api().campaigns({ id }).forecast.get({ query }));
}

/** The mailboxes that write for a campaign: those that it names, or all of the team. */
export function accountsFor(
  { account_ids: ids }: { account_ids: readonly string[] },
  accounts: readonly AccountRecord[],
): AccountRecord[] {
  return accounts.filter(({ id }) => ids.length === 0 || ids.includes(id));
}

/** What was written in this tab and never saved: after a reload while the server was away, say. */
export function unsavedIn(id: string, steps: readonly StepRecord[]): string[] {
  const found = steps
    .filter((step) => isKept(`campaigns/${id}/steps/${step.id}`))
    .map(({ position }) => `Step ${position} has changes that are not saved`);
  return isKept(`campaigns/${id}/schedule`)
    ? [...found, "The schedule has changes that are not saved"]
    : found;
}

/** Saves what is on show; throws where words would go out that are not those on the screen. */
export async function ensureSaved(id: string): Promise<void> {
  const isSaved = await flush();
  const [first] = unsavedIn(id, await readSteps(id));
  if (first !== undefined || !isSaved) {
    throw new Error(`${first ?? "This page has changes that are not saved"}. Save them first.`);
  }
}
