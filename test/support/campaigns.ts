/** Campaigns as tests need them, made through the API. */

import type { TestApp } from "./app.ts";

export const EMAIL_STEP = { type: "email", subject: "Hello {{first_name}}", body: "Hi there" };

/** A draft with these steps, by default one email; answers its id and those of the steps. */
export async function makeCampaign(
  app: TestApp,
  steps: readonly object[] = [EMAIL_STEP],
): Promise<{ id: string; steps: string[] }> {
  const campaign = await app.call("POST", "/campaigns", { name: "Spring" });
  const ids: string[] = [];
  for (const step of steps) {
    const { body } = await app.call("POST", `/campaigns/${campaign.body.id}/steps`, step);
    ids.push(body.id);
  }
  return { id: campaign.body.id, steps: ids };
}

/** Imports these addresses (or items) and answers the campaign leads in the order given. */
export async function addLeads(
  app: TestApp,
  campaignId: string,
  ...items: readonly (string | { email: string })[]
) {
  const leads = items.map((item) => (typeof item === "string" ? { email: item } : item));
  await app.call("POST", `/campaigns/${campaignId}/leads`, { leads });
  const found = [];
  for (const { email } of leads) {
    const path = `/campaigns/${campaignId}/leads?email=${encodeURIComponent(email)}`;
    found.push((await app.call("GET", path)).body.data[0]);
  }
  return found;
}

/** A mailbox of the test world, ready at once. */
export async function addAccount(app: TestApp, email = "ann@sender.example") {
  const body = { email, provider: "smtp", display_name: "Ann Sender" };
  return (await app.call("POST", "/accounts", body)).body;
}
