/** What bounces add up to, for one message and for a person who is gone. */

import { describe, expect, test } from "bun:test";
import { messagesOf } from "#store/sending/messages.ts";
import { deleteLead } from "#usecases/leads/leads.ts";
import { type Bounce, recordBounce } from "#usecases/sending/bounces.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign, rowOf, writeTo } from "../../support/campaigns.ts";

const SOFT: Bounce = { severity: "soft", status: "4.4.7", words: "delayed" };
const HARD: Bounce = { severity: "hard", status: "5.1.1", words: "user unknown" };

/** A campaign with one email sent to `ann@example.com`. */
async function sentToAnn() {
  const app = await createTestApp();
  await addAccount(app);
  const { id, steps } = await makeCampaign(app);
  const [lead] = await addLeads(app, id, "ann@example.com");
  await app.call("POST", `/campaigns/${id}/start`);
  await writeTo(app, lead.id, "sent");
  return { app, id, step: steps[0], enrollment: lead.id };
}

async function bounce(app: TestApp, enrollment: string, kind: Bounce): Promise<void> {
  const env = app.environments.test;
  await env.commit(() => {
    const message = messagesOf(env.db, enrollment)[0];
    if (message !== undefined) {
      recordBounce(env, message, kind);
    }
  });
}

const suppressed = async (app: TestApp) => (await app.call("GET", "/suppressions")).body.total;

describe("a bounce for good", () => {
  test("counts after the notice of a delay, and then once", async () => {
    const { app, id, step, enrollment } = await sentToAnn();
    await bounce(app, enrollment, SOFT);
    expect([await suppressed(app), rowOf(app, enrollment).status]).toEqual([0, "pending"]);

    await bounce(app, enrollment, HARD);
    await bounce(app, enrollment, HARD);

    expect([await suppressed(app), rowOf(app, enrollment).status]).toEqual([1, "bounced"]);
    const { steps } = (await app.call("GET", `/campaigns/${id}/stats`)).body;
    expect(steps).toMatchObject([{ step_id: step, bounced: 1 }]);
  });

  test("counts once though its suppression was lifted before the next notice", async () => {
    const { app, id, step, enrollment } = await sentToAnn();
    await bounce(app, enrollment, HARD);
    const [{ id: entry }] = (await app.call("GET", "/suppressions")).body.data;
    await app.call("DELETE", `/suppressions/${entry}`);
    expect(await suppressed(app)).toBe(0);

    await bounce(app, enrollment, HARD);

    expect(await suppressed(app)).toBe(1);
    const { steps } = (await app.call("GET", `/campaigns/${id}/stats`)).body;
    expect(steps).toMatchObject([{ step_id: step, bounced: 1 }]);
  });

  test("of a person who was erased fails nothing and suppresses nobody", async () => {
    const { app, enrollment } = await sentToAnn();
    const env = app.environments.test;
    const message = messagesOf(env.db, enrollment)[0]!;
    const caller = { teamId: app.team.id, actor: "operator", scopes: ["admin"] };
    await deleteLead(env, caller, message.leadId ?? "");

    await env.commit(() => recordBounce(env, { ...message, recipient: "" }, HARD));

    expect(await suppressed(app)).toBe(0);
  });
});
