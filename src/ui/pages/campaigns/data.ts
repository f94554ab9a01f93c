/** What the pages of a campaign load. */

import type { Account, CampaignStep } from "#client.ts";
import { api } from "../../lib/api.ts";
import { flush } from "../../lib/unsaved.ts";
import { isKept } from "../../parts/form/draft.ts";

export function readCampaign(id: string) {
  return api().getCampaign({ id });
}

export function readStats(id: string) {
  return api().getCampaignStats({ id });
}

export async function readSteps(id: string) {
  return (await api().listCampaignSteps({ id })).data;
}

export async function readAccounts() {
  return (await api().listAccounts()).data;
}

export function readForecast(id: string, days: number, asIfStarted = false) {
  const query = { days, ...(asIfStarted ? { as_if_started: true } : {}) };
  return api().getCampaignForecast({ id, ...query });
}

/** The mailboxes that write for a campaign: those that it names, or all of the team. */
export function accountsFor(
  { account_ids: ids }: { account_ids: readonly string[] },
  accounts: readonly Account[],
): Account[] {
  return accounts.filter(({ id }) => ids.length === 0 || ids.includes(id));
}

/** What was written in this tab and never saved: after a reload while the server was away, say. */
export function unsavedIn(id: string, steps: readonly CampaignStep[]): string[] {
  const found = steps
    .filter((step) => isKept(`campaigns/${id}/steps/${step.id}`))
    .map(({ position }) => `Step ${position} has unsaved changes`);
  return isKept(`campaigns/${id}/schedule`)
    ? [...found, "The schedule has unsaved changes"]
    : found;
}

/** Saves what is on show; throws where words would go out that are not those on the screen. */
export async function ensureSaved(id: string): Promise<void> {
  const isSaved = await flush();
  const [first] = unsavedIn(id, await readSteps(id));
  if (first !== undefined || !isSaved) {
    throw new Error(`${first ?? "This page has unsaved changes"}. Save them first.`);
  }
}
