/**
 * A change of a running campaign's steps may be asked beforehand: `dry_run=true` says which leads under way
 * get another step next, or the same at another time, and changes nothing.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createLive, type LiveApp } from "../../engine/support.ts";

let live: LiveApp;
beforeEach(async () => {
  live = await createLive();
  await live.addAccount();
});
afterEach(() => live.app.close());

const email = (subject: string, wait_days = 1) => ({
  ...{ type: "email", subject, body: `This is ${subject}`, wait_days },
});
const PEOPLE = ["ann@example.com", "bob@example.org", "eve@example.net"];

/** A running campaign of three steps, whose first went to three leads. */
async function underWay() {
  const { id } = await live.launch([email("One"), email("Two", 30), email("Three")], ...PEOPLE);
  await live.days(1);
  const path = `/campaigns/${id}/steps`;
  const steps = (await live.call("GET", path)).body.data;
  const ask = async (method: string, at: string, body?: object) => {
    const response = await live.call(method, `${path}${at}?dry_run=true`, body);
    expect((await live.call("GET", path)).body.data).toEqual(steps);
    expect(response.status).toBe(200);
    return response.body.effects;
  };
  return { id, path, steps, ask, ids: steps.map((step: { id: string }) => step.id) };
}

const two = { position: 2, type: "email", subject: "Two", wait_days: 30, wait_minutes: 0 };

describe("a dry run of a change of steps", () => {
  test("says who gets an inserted step next", async () => {
    const { ask } = await underWay();
    const next = { position: 2, type: "email", subject: "New", wait_days: 2, wait_minutes: 0 };
    expect(await ask("POST", "", { ...email("New", 2), position: 2 })).toEqual({
      leads: 3,
      groups: [{ leads: 3, next, instead_of: two }],
    });
  });

  test("of a step that nobody under way comes to next affects nobody", async () => {
    const { ask, ids } = await underWay();
    const nobody = { leads: 0, groups: [] };
    expect(await ask("POST", "", { ...email("New"), position: 1 })).toEqual(nobody);
    expect(await ask("POST", "", email("New"))).toEqual(nobody);
    expect(await ask("DELETE", `/${ids[0]}`)).toEqual(nobody);
    expect(await ask("PATCH", `/${ids[0]}`, { position: 3 })).toEqual(nobody);
    expect(await ask("PATCH", `/${ids[1]}`, { subject: "Other" })).toEqual(nobody);
  });

  test("says who gets the step behind a deleted one", async () => {
    const { ask, ids } = await underWay();
    const next = { position: 2, type: "email", subject: "Three", wait_days: 1, wait_minutes: 0 };
    expect(await ask("DELETE", `/${ids[1]}`)).toEqual({
      leads: 3,
      groups: [{ leads: 3, next, instead_of: two }],
    });
  });

  test("says who gets what after a move, and when after a changed wait", async () => {
    const { ask, ids } = await underWay();
    const three = { position: 2, type: "email", subject: "Three", wait_days: 1, wait_minutes: 0 };
    expect(await ask("PATCH", `/${ids[2]}`, { position: 2 })).toEqual({
      leads: 3,
      groups: [{ leads: 3, next: three, instead_of: two }],
    });
    expect(await ask("PATCH", `/${ids[1]}`, { wait_days: 4 })).toEqual({
      leads: 3,
      groups: [{ leads: 3, next: { ...two, wait_days: 4 }, instead_of: two }],
    });
  });

  test("says who gets nothing more: null", async () => {
    const { ids, path } = await underWay();
    await live.call("DELETE", `${path}/${ids[2]}`);
    const response = await live.call("DELETE", `${path}/${ids[1]}?dry_run=true`);
    expect(response.body.effects).toEqual({
      leads: 3,
      groups: [{ leads: 3, next: null, instead_of: two }],
    });
  });

  test("is refused as the change is", async () => {
    const { path, ids } = await underWay();
    const call = async (method: string, at: string, body?: object, headers = {}) =>
      (await live.call(method, `${path}${at}`, body, { headers })).status;
    expect(await call("POST", "?dry_run=true", { ...email("New"), position: 9 })).toBe(422);
    const noKey = { "Idempotency-Key": "a blank in it" };
    expect(await call("POST", "?dry_run=true", email("New"), noKey)).toBe(422);
    expect(await call("PATCH", `/${ids[0]}?dry_run=true`, { position: 9 })).toBe(422);
    expect(await call("PATCH", `/${ids[0]}?dry_run=yes`, { position: 1 })).toBe(422);
    expect(await call("DELETE", `/${ids[0].slice(0, -4)}dead?dry_run=true`)).toBe(404);
  });

  test("says after the change what it said before", async () => {
    const { id, path, ask, ids } = await underWay();
    await ask("PATCH", `/${ids[2]}`, { position: 2 });
    const made = await live.call("PATCH", `${path}/${ids[2]}`, { position: 2 });
    expect(made.body.effects).toBeUndefined();
    await live.days(5);
    const [lead] = (await live.call("GET", `/campaigns/${id}/leads`)).body.data;
    const subjects = live.messages(lead.id).map(({ subject }) => subject);
    expect(subjects).toEqual(["One", "Three"]);
  });
});
