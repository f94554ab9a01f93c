/** Lists by the filter language, over HTTP: what they find, how they go on, and what they refuse by name. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addAccount, makeCampaign } from "../support/campaigns.ts";

let app: TestApp;
let spring: string;
let other: { keys: { test: string } };
beforeAll(async () => {
  app = await createTestApp();
  spring = (await makeCampaign(app)).id;
  await app.call("PATCH", `/campaigns/${spring}`, { name: "Spring launch" });
  const autumn = (await app.call("POST", "/campaigns", { name: "Autumn", notes: "for DACH" })).body;
  await add(spring, [
    { email: "ann@acme.example", company: "Acme Works", variables: { city: "Bonn" } },
    { email: "bob@acme.example", company: "ACME" },
    { email: "cy@other.example", company: "Other", variables: { city: "Köln" } },
  ]);
  await add(autumn.id, [
    { email: "cy@other.example" },
    { email: "dee@third.example", first_name: "Dee" },
  ]);
  const { data } = (await app.call("GET", `/campaigns/${spring}/leads?email=cy@other.example`))
    .body;
  await app.call("PATCH", `/campaigns/${spring}/leads/${data[0].id}`, { status: "paused" });
  await addAccount(app, "zoe@sender.example");
  await addAccount(app, "ann@sender.example");
  other = await app.addTeam("Other");
});
afterAll(() => app.close());

async function add(id: string, leads: object[]) {
  expect((await app.call("POST", `/campaigns/${id}/leads`, { leads })).status).toBe(200);
}

const asked = (path: string, query: Record<string, string>) =>
  app.call("GET", `${path}?${new URLSearchParams(query)}`);

async function emails(filter: string, query: Record<string, string> = {}): Promise<string[]> {
  const { status, body } = await asked("/leads", { filter, ...query });
  expect(status).toBe(200);
  return body.data.map(({ email }: { email: string }) => email.split("@")[0]);
}

describe("leads", () => {
  test.each([
    ["company:acme", ["bob", "ann"]],
    ["company=acme", ["bob"]],
    ['company="acme works"', ["ann"]],
    ["-company:acme", ["dee", "cy"]],
    ["variables.city:Bonn", ["ann"]],
    ["variables.city:Köln,Bonn", ["cy", "ann"]],
    ["campaign:spring", ["cy", "bob", "ann"]],
    ["campaign:spring status:paused", ["cy"]],
    ["campaign:autumn status:paused", []],
    ["status:paused", ["cy"]],
    ["-campaign:autumn", ["bob", "ann"]],
    ["created>2026-03-01 email:acme", ["bob", "ann"]],
    ["created>2026-03-02", []],
    ["created:2026-03-02 dee", ["dee"]],
    ["last_sent>2020-01-01", []],
    ["bonn", ["ann"]],
  ])("%s", async (filter, expected) => {
    expect(await emails(filter)).toEqual(expected);
  });

  test("by a campaign's id", async () => {
    expect(await emails(`campaign:${spring}`)).toEqual(["cy", "bob", "ann"]);
  });

  test("in the order asked for", async () => {
    expect(await emails("example", { sort: "email" })).toEqual(["ann", "bob", "cy", "dee"]);
    expect(await emails("example", { sort: "-email", offset: "1" })).toEqual(["cy", "bob", "ann"]);
    expect(await emails("example", { sort: "created", limit: "2" })).toEqual(["ann", "bob"]);
  });

  test("page by page, each once", async () => {
    const query = { filter: "example", sort: "-email", limit: "1" };
    const found: string[] = [];
    let after: string | null = "";
    while (after !== null) {
      const { body } = await asked("/leads", { ...query, ...(after === "" ? {} : { after }) });
      found.push(...body.data.map(({ email }: { email: string }) => email));
      expect(body.hasMore).toBe(body.next_cursor !== null);
      after = body.next_cursor;
    }
    expect(found.map((email) => email.split("@")[0])).toEqual(["dee", "cy", "bob", "ann"]);
  });

  test("never of another team", async () => {
    const { body } = await app.call("GET", "/leads?filter=example", undefined, {
      key: other.keys.test,
    });
    expect(body.data).toEqual([]);
  });
});

test("campaigns by name, notes and status, with the parameter that there was", async () => {
  const names = async (query: Record<string, string>) => {
    const { body } = await asked("/campaigns", query);
    return body.data.map(({ name }: { name: string }) => name);
  };
  expect(await names({ filter: "dach" })).toEqual(["Autumn"]);
  expect(await names({ filter: "name:spring" })).toEqual(["Spring launch"]);
  expect(await names({ filter: "leads>2" })).toEqual(["Spring launch"]);
  expect(await names({ sort: "created" })).toEqual(["Spring launch", "Autumn"]);
  expect(await names({ filter: "spring", status: "active" })).toEqual([]);
  expect((await asked("/campaigns", {})).body).not.toHaveProperty("next_cursor");
});

test("mailboxes by address, in its order", async () => {
  const { body } = await asked("/accounts", { filter: "email:sender", sort: "email", limit: "1" });
  expect(body.data.map(({ email }: { email: string }) => email)).toEqual(["ann@sender.example"]);
  const next = { filter: "email:sender", sort: "email", after: body.next_cursor };
  const rest = (await asked("/accounts", next)).body;
  expect(rest.data.map(({ email }: { email: string }) => email)).toEqual(["zoe@sender.example"]);
  expect(rest.next_cursor).toBeNull();
});

describe("422", () => {
  test.each<[string, string, Record<string, string>, string]>([
    ["an unknown field", "/leads", { filter: "compny:x" }, "filter"],
    ["an unknown sort", "/leads", { sort: "-company" }, "sort"],
    ["what stands beside a filter", "/leads", { filter: "x", search: "x" }, "search"],
    ["a cursor that is none", "/leads", { sort: "email", after: "x.y" }, "after"],
    ["an offset too far", "/leads", { sort: "email", offset: "10001" }, "offset"],
  ])("%s", async (_what, path, query, field) => {
    const { status, body } = await asked(path, query);
    expect([status, body.field]).toEqual([422, field]);
  });

  test("a cursor of another filter, of another sort, and of none", async () => {
    const query = { filter: "example", limit: "1" };
    const after = (await asked("/leads", query)).body.next_cursor;
    const plain = (await asked("/leads", { limit: "1" })).body.next_cursor;
    const wrong = [
      { filter: "acme", after },
      { ...query, sort: "email", after },
      { ...query, after: plain },
      { after },
    ];
    for (const one of wrong) {
      const { status, body } = await asked("/leads", one);
      expect([status, body.field]).toEqual([422, "after"]);
    }
  });
});
