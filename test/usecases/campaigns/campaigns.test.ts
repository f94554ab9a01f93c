/** What a campaign does by itself when nothing of it can be sent any more. */

import { describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";

async function started(
  app: TestApp,
  ...emails: string[]
): Promise<{ id: string; leads: string[] }> {
  await addAccount(app);
  const { id } = await makeCampaign(app);
  const leads = await addLeads(app, id, ...emails);
  await app.call("POST", `/campaigns/${id}/start`);
  return { id, leads: leads.map((lead) => lead.id) };
}

const statusOf = async (app: TestApp, id: string) =>
  (await app.call("GET", `/campaigns/${id}`)).body.status;

describe("a campaign whose last lead ended while it was paused", () => {
  test("completes when it is resumed", async () => {
    const app = await createTestApp();
    const { id, leads } = await started(app, "ann@example.com");
    await app.call("POST", `/campaigns/${id}/pause`);
    await app.call("PATCH", `/campaigns/${id}/leads/${leads[0]}`, { status: "completed" });
    expect(await statusOf(app, id)).toBe("paused");

    const resumed = await app.call("POST", `/campaigns/${id}/resume`);

    expect([resumed.status, resumed.body.status]).toEqual([200, "completed"]);
    expect(await statusOf(app, id)).toBe("completed");
  });
});

describe("a campaign stays active when it is resumed", () => {
  test("with a lead that can still be written to", async () => {
    const app = await createTestApp();
    const { id } = await started(app, "ann@example.com");
    await app.call("POST", `/campaigns/${id}/pause`);
    expect((await app.call("POST", `/campaigns/${id}/resume`)).body.status).toBe("active");
  });

  test("without any lead yet", async () => {
    const app = await createTestApp();
    const { id } = await started(app);
    await app.call("POST", `/campaigns/${id}/pause`);
    expect((await app.call("POST", `/campaigns/${id}/resume`)).body.status).toBe("active");
  });
});
