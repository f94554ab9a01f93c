/** The HTTP contract of `/lead-views`. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { PERSONAL_VIEWS_MAX } from "#domain/leads/view.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const DENVER = {
  name: "Denver",
  filter: "variables.city:Denver status:replied",
  sort: "email",
  columns: ["company", "variables.city"],
};
const create = (body: object = DENVER, key?: string) =>
  app.call("POST", "/lead-views", body, key === undefined ? {} : { key });
const names = async (key?: string) => {
  const { body } = await app.call(
    "GET",
    "/lead-views",
    undefined,
    key === undefined ? {} : { key },
  );
  return body.data.map(({ name }: { name: string }) => name);
};
const keyWith = async (scopes: string[]) =>
  (await app.call("POST", "/keys", { name: "other", scopes })).body.key as string;

test("a view is made, listed by name, changed under its ETag, and deleted", async () => {
  const { status, body, headers } = await create();
  expect(status).toBe(201);
  expect(headers.get("location")).toBe(`/api/v1/lead-views/${body.id}`);
  expect(body).toMatchObject({ ...DENVER, shared: false, team_id: app.team.id });
  expect((await create({ name: "all of them" })).body).toMatchObject({
    ...{ filter: "", sort: "-created", columns: [], shared: false },
  });
  expect(await names()).toEqual(["all of them", "Denver"]);
  const path = `/lead-views/${body.id}`;
  const etag = (await app.call("GET", path)).headers.get("etag") ?? "";
  const patch = (change: object) =>
    app.call("PATCH", path, change, { headers: { "If-Match": etag } });
  expect((await patch({ sort: "-email" })).body).toMatchObject({ ...DENVER, sort: "-email" });
  expect((await patch({ sort: "created" })).status).toBe(412);
  expect((await app.call("DELETE", path)).status).toBe(204);
  expect((await app.call("GET", path)).status).toBe(404);
});

test("what its filter finds is what the list finds by it", async () => {
  const leads = ["Denver", "Oslo"].map((city) => ({
    email: `${city}@client.example`,
    variables: { city },
  }));
  await app.call("POST", "/leads", { leads });
  const { filter, sort } = (await create({ ...DENVER, filter: "variables.city:denver" })).body;
  const found = await app.call("GET", `/leads?filter=${encodeURIComponent(filter)}&sort=${sort}`);
  expect(found.body.data.map(({ email }: { email: string }) => email)).toEqual([
    "denver@client.example",
  ]);
});

describe("refused, naming the field, and nothing is kept", () => {
  test.each([
    ["a field that there is none of", { filter: "town:Oslo" }, 422, "filter"],
    ["a value that no lead can have", { filter: "status:gone" }, 422, "filter"],
    ["an open quote", { filter: 'company:"acme' }, 422, "filter"],
    ["an order that there is none of", { sort: "company" }, 422, "sort"],
    ["a column that there is none of", { columns: ["name", "town"] }, 422, "columns.1"],
    ["a column twice", { columns: ["name", "name"] }, 422, "columns"],
    ["a blank name", { name: "  " }, 422, "name"],
  ])("%s", async (_what, change, status, field) => {
    const refused = await create({ ...DENVER, ...change });
    expect([refused.status, refused.body.field]).toEqual([status, field]);
    expect(await names()).toEqual([]);
    const { id } = (await create()).body;
    const patched = await app.call("PATCH", `/lead-views/${id}`, change);
    expect([patched.status, patched.body.field]).toEqual([status, field]);
    expect((await app.call("GET", `/lead-views/${id}`)).body).toMatchObject(DENVER);
  });

  test("a name that is there, in capitals or not, and one view too many", async () => {
    await create();
    const again = await create({ name: "DENVER" });
    expect([again.status, again.body.field]).toEqual([409, "name"]);
    for (let number = 1; number < PERSONAL_VIEWS_MAX; number += 1) {
      expect((await create({ name: `View ${number}` })).status).toBe(201);
    }
    expect((await create({ name: "One too many" })).status).toBe(409);
    expect((await create({ name: "For all", shared: true })).status).toBe(201);
  });
});

describe("whose they are", () => {
  test("a personal view is nobody else's, a shared one the team's", async () => {
    const other = await keyWith(["write"]);
    const { id } = (await create()).body;
    await create({ name: "For all", shared: true });
    expect(await names(other)).toEqual(["For all"]);
    const path = `/lead-views/${id}`;
    expect((await app.call("GET", path, undefined, { key: other })).status).toBe(404);
    expect((await app.call("PATCH", path, { name: "x" }, { key: other })).status).toBe(404);
    expect((await app.call("DELETE", path, undefined, { key: other })).status).toBe(404);
    // The same name is free for somebody who does not see the other.
    expect((await create(DENVER, other)).status).toBe(201);
  });

  test("others change a shared view; only who made it takes it back for themselves", async () => {
    const other = await keyWith(["write"]);
    const { id } = (await create({ ...DENVER, shared: true })).body;
    const patch = (body: object, key?: string) =>
      app.call("PATCH", `/lead-views/${id}`, body, key === undefined ? {} : { key });
    expect((await patch({ name: "Colorado" }, other)).body.name).toBe("Colorado");
    const taken = await patch({ shared: false }, other);
    expect([taken.status, taken.body.field]).toEqual([403, "shared"]);
    expect((await patch({ shared: false })).status).toBe(200);
    expect(await names(other)).toEqual([]);
  });

  test("who may only read uses the team's and has their own", async () => {
    const reader = await keyWith(["leads:read"]);
    const { id } = (await create({ ...DENVER, shared: true })).body;
    const path = `/lead-views/${id}`;
    expect((await app.call("GET", path, undefined, { key: reader })).status).toBe(200);
    expect((await app.call("PATCH", path, { name: "x" }, { key: reader })).status).toBe(403);
    expect((await app.call("DELETE", path, undefined, { key: reader })).status).toBe(403);
    const shared = await create({ name: "Mine", shared: true }, reader);
    expect([shared.status, shared.body.field]).toEqual([403, "shared"]);
    const own = (await create({ name: "Mine" }, reader)).body.id;
    const share = { shared: true };
    const sharing = await app.call("PATCH", `/lead-views/${own}`, share, { key: reader });
    expect(sharing.status).toBe(403);
    const gone = await app.call("DELETE", `/lead-views/${own}`, undefined, { key: reader });
    expect(gone.status).toBe(204);
    const narrow = await keyWith(["inbox:read"]);
    expect((await create({ name: "No" }, narrow)).status).toBe(403);
  });

  test("another team's are not there", async () => {
    const { id } = (await create({ ...DENVER, shared: true })).body;
    const key = (await app.addTeam("Other")).keys.test;
    expect((await app.call("GET", `/lead-views/${id}`, undefined, { key })).status).toBe(404);
    expect(await names(key)).toEqual([]);
  });
});
