/**
 * Guarantees of full-text search: the lists of leads, of a campaign's leads and of conversations find what
 * holds all words, in no other team, follow every change, and find nothing of a person who was erased.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { searchPhrases } from "#domain/search-phrases.ts";
import { MINUTE_MS, SECOND_MS } from "#domain/time.ts";
import { checkInvariants } from "#usecases/operations/invariants.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addLeads, makeCampaign } from "../../support/campaigns.ts";
import { comeBack, underway } from "../../support/inbox.ts";

let app: TestApp;
let id: string;
beforeEach(async () => {
  app = await createTestApp();
  app.environments.clock.setSpeed(0);
  ({ id } = await makeCampaign(app));
});
afterEach(() => app.close());

const list = async (path: string, search: string, key?: string) => {
  const query = `${path}?search=${encodeURIComponent(search)}`;
  const { status, body } = await app.call(
    "GET",
    query,
    undefined,
    key === undefined ? {} : { key },
  );
  expect(status).toBe(200);
  expect(body.total).toBe(body.data.length);
  return body.data;
};
const emails = async (search: string, path = "/leads") =>
  (await list(path, search)).map(({ email }: { email: string }) => email);
const holds = () =>
  checkInvariants(app.environments.test, app.team.id)
    .filter(({ name }) => /search|found/.test(name))
    .map((one) => one.holds);

const ANN = {
  email: "ann.lee@acme.example",
  first_name: "Ännchen",
  company: "Acme & Söhne",
  variables: { city: "Graz", seats: 40 },
};
const BOB = { email: "bob@other.example", first_name: "Bob", company: "Acme" };

describe("leads are found", () => {
  const finds: [string, string[]][] = [
    ["acme", ["bob@other.example", "ann.lee@acme.example"]],
    ["ACME bob", ["bob@other.example"]],
    ["bob acme", ["bob@other.example"]],
    ["annchen", ["ann.lee@acme.example"]],
    ["söh gra", ["ann.lee@acme.example"]],
    ["40", ["ann.lee@acme.example"]],
    ["ann.lee@acme", ["ann.lee@acme.example"]],
    ["lee@ann", []],
    ["cme", []],
    ["acme nowhere", []],
    ["@", []],
    ['acme" OR "bob', []],
    ["NOT acme", []],
    ["company:acme", []],
  ];
  test.each(finds)("by %p", async (search, found) => {
    await addLeads(app, id, ANN, BOB);
    await app.advance(1);
    expect(await emails(search)).toEqual(found);
    expect(await emails(search, `/campaigns/${id}/leads`)).toEqual(found);
  });

  test("page by page, newest first", async () => {
    const people = Array.from({ length: 5 }, (_, n) => ({ email: `p${n}@same.example` }));
    await addLeads(app, id, ...people, BOB);
    await app.advance(1);
    const first = (await app.call("GET", "/leads?search=same&limit=3")).body;
    const after = `/leads?search=same&limit=3&after=${first.next_cursor}`;
    const second = (await app.call("GET", after)).body;
    expect([first.total, first.hasMore, second.hasMore]).toEqual([5, true, false]);
    const seen = [...first.data, ...second.data].map(({ email }) => email);
    expect(seen).toEqual(people.map(({ email }) => email).toReversed());
  });

  test("as they are after a change, and not as they were", async () => {
    const [lead] = await addLeads(app, id, ANN);
    await app.advance(1);
    await app.call("PATCH", `/leads/${lead.lead_id}`, {
      company: "Globex",
      variables: { city: "Linz" },
    });
    await app.advance(1);
    expect([await emails("söhne"), await emails("graz")]).toEqual([[], []]);
    expect(await emails("globex linz")).toEqual([ANN.email]);
    const changed = { ...ANN, first_name: "Xenia" };
    await addLeads(app, id, changed);
    await app.advance(1);
    expect(await emails("xenia")).toEqual([ANN.email]);
    expect(holds()).toEqual([true, true]);
  });

  test("in their own team and campaign alone", async () => {
    await addLeads(app, id, ANN);
    const other = await makeCampaign(app);
    await addLeads(app, other.id, BOB);
    await app.advance(1);
    const { keys } = await app.addTeam("Other");
    expect(await list("/leads", "acme", keys.test)).toEqual([]);
    expect(await emails("acme", `/campaigns/${other.id}/leads`)).toEqual([BOB.email]);
  });

  test("and counted up to ten thousand; then it says that there may be more", async () => {
    const people = Array.from({ length: 9_999 }, (_, n) => ({
      email: `p${n}@same.example`,
      company: n % 2 === 0 ? "Acme" : "Acmeworks",
    }));
    await addLeads(app, id, ...people);
    const asked = [
      "/leads?search=same",
      "/leads?search=acm",
      `/campaigns/${id}/leads?search=same`,
      `/leads?search=same&status=pending`,
      "/leads?status=pending",
      `/campaigns/${id}/leads?status=pending`,
    ];
    const totals = async () => {
      await app.advance(MINUTE_MS);
      const answers = await Promise.all(asked.map((path) => app.call("GET", `${path}&limit=1`)));
      return answers.map(({ body }) => [body.total, body.total_is_capped]);
    };
    const all = <Value>(value: Value) => asked.map(() => value);
    expect(await totals()).toEqual(all([9_999, false]));
    await addLeads(app, id, { ...ANN, email: "ann@same.example" });
    expect(await totals()).toEqual(all([10_000, false]));
    await addLeads(app, id, { ...BOB, email: "bob@same.example" });
    // Counted with the campaign, and not for the answer.
    expect(await totals()).toEqual([...all([10_000, true]).slice(1), [10_001, false]]);
    const { body } = await app.call("GET", "/leads?status=pending&offset=10000");
    expect(body.data.map(({ email }: { email: string }) => email)).toEqual(["p0@same.example"]);
  });

  test("no more when they are erased, at once", async () => {
    const [lead] = await addLeads(app, id, ANN, BOB);
    await app.advance(1);
    expect((await app.call("DELETE", `/leads/${lead.lead_id}`)).status).toBe(204);
    expect(await emails("acme")).toEqual([BOB.email]);
    expect(holds()).toEqual([true, true]);
    await app.advance(1);
    expect(await emails("acme")).toEqual([BOB.email]);
  });
});

describe("conversations are found", () => {
  const ids = async (search: string) =>
    (await list("/inbox/threads", search)).map((thread: { id: string }) => thread.id);

  test("by who wrote, the subject and the text, with every email that came in", async () => {
    const at = await underway(app, ["bob@client.example", "cy@other.example"]);
    const [bob, cy] = at.leads.map((lead) => lead.id);
    const from = { kind: "reply", enrollment_id: bob };
    await comeBack(app, { ...from, text: "Tell me about the zeppelin, please." });
    await comeBack(app, { ...from, enrollment_id: cy, text: "No balloons for us." });
    await app.advance(1);
    expect(await ids("zeppelin")).toEqual([bob]);
    expect(await ids("cy other")).toEqual([cy]);
    expect((await ids("offer")).toSorted()).toEqual([bob, cy].toSorted());
    await comeBack(app, { ...from, text: "And a dirigible?" });
    await app.advance(1);
    expect([await ids("zeppelin"), await ids("dirigible")]).toEqual([[bob], [bob]]);
    expect(holds()).toEqual([true, true]);
  });

  test("no more when the lead is erased, at once", async () => {
    const at = await underway(app, ["bob@client.example"]);
    const [bob] = at.leads;
    await comeBack(app, { kind: "reply", enrollment_id: bob?.id, text: "A zeppelin?" });
    await app.advance(1);
    expect(await ids("zeppelin")).toEqual([bob?.id]);
    expect((await app.call("DELETE", `/leads/${bob?.lead_id}`)).status).toBe(204);
    expect([await ids("zeppelin"), await ids("bob")]).toEqual([[], []]);
    expect(holds()).toEqual([true, true]);
    await app.advance(1);
    expect(await ids("zeppelin")).toEqual([]);
    const words = app.environments.test.db.raw.query(
      "select rowid from search_text where search_text match ?",
    );
    expect(words.all("zeppelin OR bob")).toEqual([]);
  });
});

test("more changes than one slice are all found", async () => {
  const people = Array.from({ length: 450 }, (_, n) => ({ email: `p${n}@many.example` }));
  await app.call("POST", `/campaigns/${id}/leads`, { leads: people });
  expect(holds()).toEqual([true, true]);
  await app.advance(SECOND_MS);
  expect((await app.call("GET", "/leads?search=many&limit=1")).body.total).toBe(450);
});

test("no text is an error or an operator", async () => {
  await addLeads(app, id, ANN);
  await app.advance(1);
  const { db } = app.environments.test;
  const find = db.raw.query<{ rowid: number }, [string]>(
    "select rowid from search_text where search_text match ?",
  );
  const operators = fc.constantFrom(
    '"',
    "*",
    "(",
    ")",
    "AND",
    "NOT",
    "NEAR(",
    ":",
    "^",
    "{",
    "\0",
    " ",
  );
  const text = fc.array(fc.oneof(operators, fc.string({ unit: "binary" })), { maxLength: 30 });
  fc.assert(
    fc.property(text, (pieces) => {
      const { begun, whole } = searchPhrases(pieces.join(""));
      const found = find.all(begun).length;
      expect(found).toBeLessThanOrEqual(1);
      expect(find.all(whole).length).toBeLessThanOrEqual(found);
    }),
  );
});
