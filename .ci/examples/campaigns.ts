/** A campaign from its first step to its numbers, and the leads in it. */

import { EVERY_DAY, FIRST_EMAIL, type Scene, until } from "./scene.ts";

const BO = {
  email: "bo.li@acme.example",
  first_name: "Bo",
  last_name: "Li",
  company: "Acme",
  timezone: "Europe/Berlin",
  variables: { role: "Head of Sales" },
};
export const DANA = { email: "dana.kim@globex.example", first_name: "Dana", company: "Globex" };
const ELI = { email: "eli.sato@initech.example", first_name: "Eli", company: "Initech" };

export interface Underway {
  id: string;
  stepId: string;
  /** Those of Bo, who replies; of Dana, who does from elsewhere; and of Eli, who does not. */
  enrollments: readonly [string, string, string];
  leads: readonly [string, string, string];
}

/** A campaign whose first email has gone out. */
export async function recordCampaigns(scene: Scene, accountId: string): Promise<Underway> {
  const { app, show, ask } = scene;
  const { id } = await show.createCampaign({
    body: {
      name: "Spring outreach",
      max_leads_per_day: 40,
      account_ids: [accountId],
      send_window: { timezone: "Europe/Berlin", days: [...EVERY_DAY], start_hour: 8, end_hour: 18 },
    },
  });
  const stepId = await recordSteps(scene, id);
  await show.importCampaignLeads({ id, body: { leads: [BO, DANA, ELI] } });
  await show.listCampaignLeads({ id, limit: 1 });
  const { data } = await ask.listCampaignLeads({ id });
  const [bo, dana, eli] = data.toSorted((a, b) => (a.email < b.email ? -1 : 1));
  if (bo === undefined || dana === undefined || eli === undefined) {
    throw new Error("nobody was imported");
  }
  await show.previewCampaign({ id, body: { position: 1, lead_id: bo.lead_id } });
  await show.checkCampaignStep({ id, stepId, body: { lead_id: bo.lead_id, links: false } });
  await show.sendTestCampaignStep({ id, stepId, body: { to: "ann@example.com" } });
  await show.getCampaignLaunchCheck({ id });
  await show.getCampaignForecast({ id, days: 7, as_if_started: true });
  await show.getCampaignRehearsal({ id, days: 7 });
  await show.startCampaign({ id, body: { delay_seconds: 10 } });
  await show.pauseCampaign({ id });
  await show.resumeCampaign({ id });
  await show.patchCampaign({ id, body: { max_leads_per_day: 60, stop_company_on_reply: true } });
  await show.explainCampaignLead({ id, leadId: bo.id });
  await until(app, async () => (await ask.getCampaignStats({ id })).sent >= 3);
  await show.listCampaigns({ limit: 1 });
  await show.getCampaign({ id });
  return {
    id,
    stepId,
    enrollments: [bo.id, dana.id, eli.id],
    leads: [bo.lead_id, dana.lead_id, eli.lead_id],
  };
}

async function recordSteps({ show, ask }: Scene, id: string): Promise<string> {
  const { id: stepId } = await ask.createCampaignStep({ id, body: FIRST_EMAIL });
  const call = { type: "task", subject: "Call {{first_name}}", wait_days: 2 } as const;
  await ask.createCampaignStep({ id, body: call });
  const again = { type: "email", body: "Hi {{first_name}}, any news?", wait_days: 3 } as const;
  const { id: secondId } = await show.createCampaignStep({ id, body: again });
  await show.createCampaignStep({ id, body: again, dry_run: true });
  const last = await ask.createCampaignStep({ id, body: call });
  await show.listCampaignSteps({ id });
  await show.getCampaignStep({ id, stepId });
  await show.patchCampaignStep({ id, stepId: secondId, body: { wait_days: 4 } });
  await show.deleteCampaignStep({ id, stepId: last.id, dry_run: true });
  await show.deleteCampaignStep({ id, stepId: last.id });
  return stepId;
}

/** Leads of a campaign under way, one of whom has replied. */
export async function recordLeads(scene: Scene, campaign: Underway): Promise<void> {
  const { show, ask, app } = scene;
  const { id, enrollments, leads } = campaign;
  const [bo, , eli] = enrollments;
  await show.getCampaignLead({ id, leadId: bo });
  await show.patchCampaignLead({ id, leadId: eli, body: { interest: "neutral" } });
  await show.getCampaignStats({ id });
  await show.getStats({ campaign_id: id, from: "2026-03-02", to: "2026-03-03" });
  await show.getAttention();
  await show.listLeads({ limit: 2 });
  await show.upsertLeads({
    body: { leads: [{ email: "fay@stark.example", company: "Stark", tags: ["founder"] }] },
  });
  const { data: twins } = await ask.upsertLeads({
    body: {
      leads: [{ email: "gil.roe@gmail.com", company: "Roe" }, { email: "gilroe@gmail.com" }],
    },
  });
  const [twin, other] = twins.map((lead) => lead.id);
  await show.listDuplicateLeads();
  await show.mergeLead({ id: twin ?? "", body: { lead_ids: [other ?? ""] } });
  const { id: viewId } = await show.createLeadView({
    body: { name: "Replied", filter: "status:replied", columns: ["name", "company"] },
  });
  await show.listLeadViews();
  await show.getLeadView({ id: viewId });
  await show.patchLeadView({ id: viewId, body: { sort: "email", shared: true } });
  await show.enrollCampaignLeads({ id, body: { view_id: viewId } });
  await show.deleteLeadView({ id: viewId });
  const copy = await show.duplicateCampaign({ id, body: { name: "Spring launch, copy" } });
  await ask.deleteCampaign({ id: copy.id });
  await show.tagLeads({ body: { ids: [leads[0]], add: ["dach", "founder"] } });
  await show.listLeadTags({ ids: leads[0] });
  await show.tagCampaigns({ body: { ids: [id], add: ["q3"] } });
  await show.listCampaignTags({ ids: id });
  await show.getLead({ id: leads[0] });
  await show.patchLead({ id: leads[0], body: { phone: "+49 30 901820", company: "Acme GmbH" } });
  await show.listLeadCampaigns({ id: leads[0] });
  await show.listLeadTimeline({ id: leads[0] });
  await show.exportLeads({ format: "csv", campaign_id: id });
  await show.exportLeads({ format: "ndjson", campaign_id: id });
  await show.exportMessages({ format: "csv", campaign_id: id });
  await show.exportMessages({ format: "ndjson", campaign_id: id });
  await show.exportResults({ format: "csv", campaign_id: id });
  await show.exportResults({ format: "ndjson", campaign_id: id });
  await until(app, async () => (await ask.listTasks({})).total > 0);
  const { data } = await show.listTasks({ limit: 1 });
  const taskId = data[0]?.id ?? "";
  await show.getTask({ id: taskId });
  await show.patchTask({ id: taskId, body: { done: true, note: "Left a voicemail" } });
  await show.changeCampaignLeads({ id, body: { action: "pause", lead_ids: [eli] } });
}

/** Emails of which nobody knows whether they were sent: every connection is cut as they go out. */
export async function recordUnconfirmed(scene: Scene, { id }: Underway): Promise<void> {
  const { app, show, ask } = scene;
  await ask.patchSandboxSettings({ body: { faults: { cut: 1 } } });
  const { data: threads } = await ask.listInboxThreads({ campaign_id: id });
  const body = { body: "Does Friday suit you as well?" };
  const reply = await ask.replyToInboxThread({ id: threads[0]?.id ?? "", body });
  await ask.importCampaignLeads({ id, body: { leads: [{ ...BO, email: "jo@acme.example" }] } });
  const held = () => ask.listCampaignLeads({ id, hold_reason: "unknown_send" });
  await until(app, async () => (await held()).total > 0);
  await show.resolveMessage({ id: reply.id, body: { action: "send_again" } });
  const leadId = (await held()).data[0]?.id ?? "";
  await show.resolveCampaignLead({ id, leadId, body: { action: "treat_as_sent" } });
  await ask.patchSandboxSettings({ body: { faults: { cut: 0 } } });
}

/** What is taken away again, at the end. */
export async function recordEndings({ show, ask }: Scene, campaign: Underway): Promise<void> {
  const { id, enrollments, leads } = campaign;
  await show.deleteCampaignLead({ id, leadId: enrollments[2] });
  await show.deleteLead({ id: leads[2] });
  const { data: receipts } = await show.listErasures({ limit: 1 });
  await show.getErasure({ id: receipts[0]?.id ?? "" });
  await show.archiveCampaign({ id });
  const draft = await ask.createCampaign({ body: { name: "Draft" } });
  await show.deleteCampaign({ id: draft.id });
  await show.restoreCampaign({ id: draft.id });
  await show.resetSandbox();
  await show.startSandboxDemo({ body: { leads: 20 } });
  await ask.resetSandbox();
}
