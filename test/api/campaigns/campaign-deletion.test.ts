/** `DELETE /campaigns/{id}`: drafts go, with many leads perhaps. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { engineCaller } from "#environment.ts";
import { moveCampaign } from "#usecases/campaigns/campaigns.ts";
import { whileLeaving } from "#usecases/campaigns/leaving.ts";
import { emptyDraft } from "#usecases/operations/campaign-removal.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addLeads, makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
  app.environments.clock.setSpeed(0);
});
afterEach(() => app.close());

const create = async () => (await app.call("POST", "/campaigns", { name: "Spring" })).body;
const read = async (id: string) => (await app.call("GET", `/campaigns/${id}`)).body;

describe("DELETE /campaigns/{id}", () => {
  test("204: a draft goes with its steps and enrollments; its leads stay", async () => {
    const { id } = await makeCampaign(app);
    await addLeads(app, id, "bob@example.com");
    const { status, text, headers } = await app.call("DELETE", `/campaigns/${id}`);
    expect([status, text, headers.get("content-type")]).toEqual([204, "", null]);
    expect((await app.call("GET", `/campaigns/${id}`)).status).toBe(404);
    expect((await app.call("DELETE", `/campaigns/${id}`)).status).toBe(404);
    expect((await app.call("GET", "/leads")).body.total).toBe(1);
    const left = app.environments.test.db.raw.query("SELECT count(*) n FROM steps").get();
    expect(left).toEqual({ n: 0 });
  });

  test("204: one with many leads leaves in slices, and nobody starts it meanwhile", async () => {
    const { id } = await makeCampaign(app);
    const people = Array.from({ length: 1_201 }, (_, nth) => ({ email: `p${nth}@firm.example` }));
    for (const leads of [people.slice(0, 1_000), people.slice(1_000)]) {
      expect((await app.call("POST", `/campaigns/${id}/leads`, { leads })).status).toBe(200);
    }
    const { test: env } = app.environments;
    const caller = engineCaller(app.team.id);
    const leaving = whileLeaving(env, id, () => emptyDraft(env, caller, id));
    expect(() => moveCampaign(env, caller, id, "active", "draft")).toThrow("is being deleted");
    await leaving;
    expect((await app.call("GET", `/campaigns/${id}/leads`)).body.data).toEqual([]);
    expect((await app.call("GET", `/campaigns/${id}/stats`)).body).toMatchObject({ enrolled: 0 });
    expect((await app.call("DELETE", `/campaigns/${id}`)).status).toBe(204);
    expect((await app.call("GET", "/leads")).body.total).toBe(1_201);
  });

  test("409: what is no draft any more", async () => {
    const { id } = await create();
    await app.call("POST", `/campaigns/${id}/archive`);
    const { status, body } = await app.call("DELETE", `/campaigns/${id}`);
    expect([status, body.type, body.field]).toEqual([409, "conflict", "status"]);
    expect((await read(id)).status).toBe("archived");
  });

  test("404: another team's", async () => {
    const { id } = await create();
    const { keys } = await app.addTeam("Other");
    const path = `/campaigns/${id}`;
    expect((await app.call("DELETE", path, undefined, { key: keys.test })).status).toBe(404);
    expect((await read(id)).id).toBe(id);
  });
});
