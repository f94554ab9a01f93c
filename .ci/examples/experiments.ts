/** An experiment from its plan to its winner, and tests of where providers file emails. */

import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import { EVERY_DAY, FIRST_EMAIL, type Scene, SILENCE } from "./scene.ts";

const PEOPLE = 60;

export async function recordExperiments({ app, show, ask }: Scene): Promise<void> {
  const replies = {
    rates: { reply: 0.2 },
    effects: [{ contains: "worth", rates: { reply: 0.5 } }],
  };
  await ask.patchSandboxSettings({ body: replies });
  const campaign = await ask.createCampaign({
    body: {
      name: "Autumn outreach",
      max_leads_per_day: PEOPLE,
      send_window: { timezone: "UTC", days: [...EVERY_DAY], start_hour: 0, end_hour: 24 },
    },
  });
  await ask.createCampaignStep({ id: campaign.id, body: FIRST_EMAIL });
  const leads = Array.from({ length: PEOPLE }, (_, nth) => ({
    email: `person${nth}@company${nth}.example`,
    company: `Company ${nth}`,
  }));
  await ask.importCampaignLeads({ id: campaign.id, body: { leads } });
  await show.getExperimentPlan({ campaign_id: campaign.id, baseline: 0.05 });
  const { id } = await show.createExperiment({
    body: {
      name: "Subject line",
      campaign_id: campaign.id,
      primary_metric: "reply_rate",
      duration_days: 7,
      guardrails: [{ metric: "opt_outs", max_rate: 0.02 }],
      variants: [
        { name: "Question" },
        { name: "Offer", config: { subject: "Is this worth a call, {{company}}?" } },
      ],
    },
  });
  await show.patchExperiment({ id, body: { attribution_window_days: 3 } });
  await ask.startCampaign({ id: campaign.id });
  await app.advance(2 * DAY_MS);
  await show.pauseExperiment({ id });
  await show.resumeExperiment({ id });
  await app.advance(3 * DAY_MS);
  await show.listExperiments({ limit: 1 });
  await show.shareExperiment({ id, body: { expires_in_days: 30, includes_texts: true } });
  const { variants } = await show.getExperiment({ id });
  await show.getExperimentResults({ id, cost_per_lead: 0.12, segment_by: "provider" });
  await show.getExperimentHistory({ id });
  await show.completeExperiment({ id, body: { winner_variant_id: variants[1]?.id ?? "" } });
  await show.applyExperimentWinner({ id });
  await show.unshareExperiment({ id });
  const next = await ask.createExperiment({
    body: { name: "Length", campaign_id: campaign.id, variants: [{ name: "A" }, { name: "B" }] },
  });
  await show.cancelExperiment({ id: next.id });
  await ask.patchSandboxSettings({ body: { rates: SILENCE, effects: [] } });
}

export async function recordPlacement({ app, show, ask }: Scene, accountId: string): Promise<void> {
  const imap = {
    host: "imap.example.com",
    username: "seed1@example.com",
    password: "app-password",
  };
  const { id: seedId } = await show.createPlacementSeed({
    body: { email: "seed1@example.com", imap },
  });
  await show.listPlacementSeeds({ limit: 1 });
  await show.getPlacementSeed({ id: seedId });
  await show.patchPlacementSeed({ id: seedId, body: { imap: { port: 993 } } });
  await show.testPlacementSeed({ id: seedId });
  const only = { account_ids: [accountId], seed_ids: [seedId] };
  const { id } = await show.createPlacementRun({ body: only });
  await app.advance(4 * HOUR_MS);
  await show.listPlacementRuns({ limit: 1 });
  await show.getPlacementRun({ id });
  await show.getAccountPlacement({ id: accountId });
  const second = await ask.createPlacementRun({ body: only });
  await show.cancelPlacementRun({ id: second.id });
  const weekly = { weekday: "monday", hour: 9, timezone: "Europe/Berlin" } as const;
  const { id: scheduleId } = await show.createPlacementSchedule({ body: { ...weekly, ...only } });
  await show.listPlacementSchedules({ limit: 1 });
  await show.getPlacementSchedule({ id: scheduleId });
  await show.patchPlacementSchedule({ id: scheduleId, body: { hour: 7, active: false } });
  await show.deletePlacementSchedule({ id: scheduleId });
  await show.deletePlacementSeed({ id: seedId });
}
