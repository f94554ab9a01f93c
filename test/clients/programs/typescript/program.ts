/**
 * From a mailbox to a verified webhook, through the client of `clients/typescript`. Prints what it has
 * seen as one line of JSON.
 */

import {
  type CampaignLead,
  type EventPattern,
  OutriderError,
  outrider,
  pages,
  verifyWebhook,
} from "../../../../clients/typescript/src/index.ts";

const DAYS_MAX = 10;
const { OUTRIDER_URL = "", OUTRIDER_KEY = "" } = process.env;
const api = outrider({ url: OUTRIDER_URL, key: OUTRIDER_KEY });

interface Delivery {
  body: string;
  headers: Headers;
}
const delivered = Promise.withResolvers<Delivery>();
const receiver = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: async (request) => {
    delivered.resolve({ body: await request.text(), headers: request.headers });
    return new Response(null, { status: 204 });
  },
});

await api.createAccount({ body: { email: "ann@sender.example", provider: "sandbox" } });
const { id, notes } = await api.createCampaign({ body: { name: "Spring", notes: "A draft" } });
await api.createCampaignStep({ id, body: { type: "email", subject: "A question", body: "Hi" } });
const leads = [
  { email: "ada@one.example", first_name: "Ada", variables: { city: "Oslo" } },
  { email: "bo@two.example", first_name: null },
];
const added = await api.importCampaignLeads({ id, body: { leads } });
const rows = ["cy@three.example,Cy", "di@four.example,Di", "ed@five.example,Ed"];
const body = ["email,first_name", ...rows].join("\n");
const imported = await api.importCampaignFile({ id, body, contentType: "text/csv" });
const experiment = await api.createExperiment({
  body: {
    ...{ name: "Subject", campaign_id: id, primary_metric: "reply_rate" },
    variants: [
      { name: "A", config: { subject: "A question" } },
      { name: "B", config: { subject: "Hello" } },
    ],
  },
});
const events: EventPattern[] = ["email.sent"];
const webhook = await api.createWebhook({
  body: { url: `http://127.0.0.1:${receiver.port}/hooks`, events },
});
const cleared = await api.patchCampaign({ id, body: { notes: null } });
await api.startCampaign({ id });
let stats = await api.getCampaignStats({ id });
for (let day = 0; day < DAYS_MAX && stats.sent < 5; day += 1) {
  await api.moveSandboxClock({ body: { advance: "1d" } });
  stats = await api.getCampaignStats({ id });
}
const results = await api.getExperimentResults({ id: experiment.id });
const read: CampaignLead[] = [];
for await (const lead of pages(api.listCampaignLeads, { id, limit: 2 })) {
  read.push(lead);
}
const sent = (await api.listEvents({ type: "email.sent" })).data.flatMap((event) =>
  event.type === "email.sent" ? [event.data.to] : [],
);
const others = (await api.listEvents({ type: "lead.*" })).data.filter(
  (event) => event.type === "lead.enrolled",
);
const delivery = await delivered.promise;
const { headers } = delivery;
const event = await verifyWebhook(delivery.body, headers, webhook.secret);
const forged = await verifyWebhook(`${delivery.body} `, headers, webhook.secret).catch(
  () => "refused",
);
const refusal = await api.createCampaign({ body: { name: "" } }).catch((error) => error);
const system = await api.getSystem();

console.log(
  JSON.stringify({
    notes: [notes, cleared.notes],
    imported: [added.imported, imported.imported],
    sent: stats.sent,
    metric: results.experiment.primary_metric,
    variants: results.variants.map(({ name }) => name).sort(),
    variantsSent: results.variants.reduce((sum, { emails_sent }) => sum + emails_sent, 0),
    leads: new Set(read.map(({ email }) => email)).size,
    events: sent.sort(),
    enrolled: others.length,
    webhook: event.type === "email.sent" && sent.includes(event.data.to),
    forged,
    refused: refusal instanceof OutriderError ? [refusal.type, refusal.field] : null,
    disk: system.disk.free_bytes > 0,
  }),
);
await receiver.stop(true);
