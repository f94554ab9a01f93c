/** Webhooks and events, keys, the team, its plan, and who did what. */

import { DAY_MS, plus } from "#domain/time.ts";
import { newSigningKeys } from "#platform/secrets/crypto.ts";
import { issueLicence } from "#usecases/billing/licences.ts";
import { page } from "../../test/support/billing.ts";
import { firstPerson, invited } from "../../test/support/people.ts";
import { deliverDue } from "../../test/support/webhooks.ts";
import type { Scene } from "./scene.ts";

/** Made before anything happens, so that events are delivered to it. */
export async function recordWebhooks({ app, show }: Scene): Promise<string> {
  const url = "https://hooks.example.com/outrider";
  const { id } = await show.createWebhook({ body: { url, events: ["reply.received", "lead.*"] } });
  await show.listWebhooks({ limit: 1 });
  await show.getWebhook({ id });
  await show.patchWebhook({ id, body: { events: ["reply.received", "email.bounced"] } });
  await show.rotateWebhookSecret({ id, body: { overlap_seconds: 86_400 } });
  await show.testWebhook({ id });
  await deliverDue(app.environments.test);
  return id;
}

/** A campaign in one request. */
export async function recordBatch({ show }: Scene): Promise<void> {
  const step = { type: "email", subject: "Hello", body: "Hi {{ first_name }}" };
  await show.runBatch({
    body: {
      operations: [
        { method: "POST", path: "/campaigns", body: { name: "Summer" }, ref: "summer" },
        { method: "POST", path: "/campaigns/{summer.id}/steps", body: step },
      ],
    },
  });
}

export async function recordEvents({ app, show, ask }: Scene, id: string): Promise<void> {
  app.wall.set(app.environments.clock.now());
  await deliverDue(app.environments.test);
  const { data } = await show.listWebhookDeliveries({ id, limit: 1 });
  const deliveryId = data[0]?.id ?? "";
  await show.getWebhookDelivery({ id, deliveryId });
  await show.replayWebhookDelivery({ id, deliveryId });
  await show.replayWebhook({ id, body: { since: "2026-03-02T00:00:00.000Z" } });
  await show.checkWebhook({ id });
  await show.deleteWebhook({ id });
  await show.restoreWebhook({ id });
  await ask.deleteWebhook({ id });
  const { data: events } = await show.listEvents({ limit: 1, type: "reply.received" });
  await show.getEvent({ id: events[0]?.id ?? "" });
  await show.exportEvents({ format: "csv" });
  await show.exportEvents({ format: "ndjson" });
}

export async function recordKeys({ show }: Scene): Promise<void> {
  const { id } = await show.createKey({
    body: { name: "CRM sync", env: "test", scopes: ["campaigns:read", "leads:write"] },
  });
  await show.listKeys({ limit: 1 });
  await show.getKey({ id });
  const next = await show.rotateKey({ id, body: { grace_seconds: 3600 } });
  await show.deleteKey({ id: next.id });
}

/** What every email shows. */
export async function recordAddress({ show }: Scene): Promise<void> {
  await show.patchTeam({
    body: { name: "Example Works", postal_address: "Example Works\n1 Main St\nDenver, CO 80202" },
  });
  await show.getTeam();
}

/** People and plans are those of the live environment; `live` has a key of it. */
export async function recordTeam({ app, show, live }: Scene): Promise<void> {
  const ann = await firstPerson(app);
  await invited(app, ann, "member");
  const { data } = await live.listTeamMembers({ limit: 2 });
  const id = data.find(({ role }) => role === "member")?.id ?? "";
  await live.getTeamMember({ id });
  await live.patchTeamMember({ id, body: { role: "admin" } });
  await live.deleteTeamMember({ id });
  const invitation = await live.createTeamInvitation({
    body: { email: "cleo@example.com", role: "member" },
  });
  await live.listTeamInvitations({ limit: 1 });
  await live.getTeamInvitation({ id: invitation.id });
  await live.deleteTeamInvitation({ id: invitation.id });
  await show.listAudit({ limit: 1 });
  await show.getAuditChain({});
  await show.exportAudit({ format: "ndjson" });
  await show.exportAudit({ format: "csv" });
  await show.listRequests({ limit: 1 });
}

export const LICENCE_KEYS = newSigningKeys();

export async function recordBilling({ app, live }: Scene): Promise<void> {
  const { url } = await live.subscribeToPlan({ body: { plan: "pro" } });
  await page(app, url.replace(/^https:\/\/[^/]+/, "http://localhost"), {});
  await live.getBillingSubscription();
  const startsAt = app.wall.now();
  const [team, endsAt] = [app.team.id, plus(startsAt, 365 * DAY_MS)];
  const own = { id: "L-1", team, holder: "Example Works", plan: "scale", limits: null } as const;
  const licence = issueLicence({ ...own, startsAt, endsAt }, LICENCE_KEYS.privateKey);
  await live.setBillingLicense({ body: { licence } });
}
