/** The HTTP contract of `/team`: the caller's own team, in the environment of the key. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";

const NO_WORDS = { interested: [], not_interested: [], neutral: [], meeting: [] };

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

describe("GET /team", () => {
  test("200: the team of the key, in both environments", async () => {
    const { status, body } = await app.call("GET", "/team");
    expect(status).toBe(200);
    expect(body).toEqual({
      id: app.team.id,
      name: "Acme",
      postal_address: null,
      footer: true,
      unsubscribe_text: null,
      language: "en",
      tracking_host: null,
      interest_words: NO_WORDS,
      created_at: "2026-03-02T15:00:00.000Z",
      updated_at: "2026-03-02T15:00:00.000Z",
    });
    expect((await app.live("GET", "/team")).body).toEqual(body);
    const other = await app.addTeam("Other");
    const theirs = await app.call("GET", "/team", undefined, { key: other.keys.test });
    expect(theirs.body).toMatchObject({ id: other.team.id, name: "Other" });
  });

  test("401: no key", async () => {
    expect((await app.call("GET", "/team", undefined, { key: null })).status).toBe(401);
  });
});

describe("PATCH /team", () => {
  test("200: what is given changes, in this environment only", async () => {
    app.wall.move(1000);
    const change = { postal_address: "Acme Ltd\n1 High Street", footer: false };
    const { status, body } = await app.live("PATCH", "/team", change);
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: "Acme", ...change, updated_at: "2026-03-02T15:00:01.000Z" });
    expect((await app.call("GET", "/team")).body.postal_address).toBeNull();
    const cleared = await app.live("PATCH", "/team", { postal_address: null, name: " Acme 2 " });
    expect(cleared.body).toMatchObject({ postal_address: null, name: "Acme 2" });
  });

  test("200: the footer's wording and language", async () => {
    const change = { unsubscribe_text: " Not <for> you? ", language: "pt" };
    const { body } = await app.call("PATCH", "/team", change);
    expect(body).toMatchObject({ unsubscribe_text: "Not <for> you?", language: "pt" });
    expect((await app.live("GET", "/team")).body).toMatchObject({ language: "en" });
    const cleared = await app.call("PATCH", "/team", { unsubscribe_text: null });
    expect(cleared.body).toMatchObject({ unsubscribe_text: null, language: "pt" });
    const long = { unsubscribe_text: "x".repeat(200) };
    expect((await app.call("PATCH", "/team", long)).status).toBe(200);
  });

  test("200: words that mean interest: labels that are left out keep theirs, [] clears", async () => {
    const send = async (interest_words: object) =>
      (await app.call("PATCH", "/team", { interest_words })).body.interest_words;
    const interested = [" ping me ", "Ping Me", "日程を"];
    expect(await send({ interested })).toEqual({ ...NO_WORDS, interested: ["ping me", "日程を"] });
    expect(await send({ neutral: ["parked"] })).toMatchObject({
      interested: ["ping me", "日程を"],
    });
    expect(await send({ interested: [] })).toEqual({ ...NO_WORDS, neutral: ["parked"] });
    expect((await app.live("GET", "/team")).body.interest_words).toEqual(NO_WORDS);
  });

  test("200: a record sent back as it was read changes nothing, nor does {}", async () => {
    const { body } = await app.call("GET", "/team");
    app.wall.move(60_000);
    expect((await app.call("PATCH", "/team", body)).body).toEqual(body);
    expect((await app.call("PATCH", "/team", {})).body).toEqual(body);
  });

  test.each([
    ["an unknown field", { colour: "red" }, "colour"],
    ["another id", { id: "00000000-0000-7000-8000-00000000dead" }, "id"],
    ["an empty name", { name: "" }, "name"],
    ["a blank name", { name: "  " }, "name"],
    ["a long name", { name: "x".repeat(256) }, "name"],
    ["a line end in the name", { name: "a\r\nb" }, "name"],
    ["no name", { name: null }, "name"],
    ["an empty address", { postal_address: "" }, "postal_address"],
    ["a blank address", { postal_address: " \n" }, "postal_address"],
    ["a long address", { postal_address: "x".repeat(501) }, "postal_address"],
    ["a NUL in the address", { postal_address: "a\u0000" }, "postal_address"],
    ["no words", { interest_words: null }, "interest_words"],
    ["words of no label", { interest_words: { keen: [] } }, "interest_words.keen"],
    ["words that are a text", { interest_words: { meeting: "x" } }, "interest_words.meeting"],
    ["an empty word", { interest_words: { meeting: ["a", ""] } }, "interest_words.meeting.1"],
    ["a word of signs", { interest_words: { meeting: ["?!"] } }, "interest_words.meeting.0"],
    ["a long word", { interest_words: { meeting: ["x".repeat(101)] } }, "interest_words.meeting.0"],
    [
      "too many words",
      { interest_words: { meeting: Array.from({ length: 201 }, (_, at) => `w${at}`) } },
      "interest_words.meeting",
    ],
    [
      "a word for two things",
      { interest_words: { interested: ["Später"], meeting: ["spater"] } },
      "interest_words.meeting.0",
    ],
    ["a footer that is no boolean", { footer: "yes" }, "footer"],
    ["an empty wording", { unsubscribe_text: "" }, "unsubscribe_text"],
    ["a blank wording", { unsubscribe_text: "  " }, "unsubscribe_text"],
    ["a long wording", { unsubscribe_text: "x".repeat(201) }, "unsubscribe_text"],
    ["a line end in the wording", { unsubscribe_text: "a\r\nb" }, "unsubscribe_text"],
    ["a wording that is no text", { unsubscribe_text: 7 }, "unsubscribe_text"],
    ["a language that we do not speak", { language: "tlh" }, "language"],
    ["a language by its name", { language: "German" }, "language"],
    ["no language", { language: null }, "language"],
  ])("422: %s", async (_name, change, field) => {
    const { body } = await app.call("PATCH", "/team", change);
    expect(body).toMatchObject({ type: "validation_error", field, status: 422 });
    expect((await app.call("GET", "/team")).body).toMatchObject({ name: "Acme", footer: true });
  });

  test("412: the record has changed since it was read", async () => {
    const { headers } = await app.call("GET", "/team");
    const match = { headers: { "If-Match": headers.get("etag") ?? "" } };
    expect((await app.call("PATCH", "/team", { footer: false }, match)).status).toBe(200);
    const stale = await app.call("PATCH", "/team", { footer: true }, match);
    expect(stale.body).toMatchObject({ type: "precondition_failed", status: 412 });
  });

  test("403: a key that reads does not change; one of its own scope does", async () => {
    const make = (scopes: string[]) => app.call("POST", "/keys", { name: "k", scopes });
    const reader = (await make(["read"])).body.key;
    const writer = (await make(["team:write"])).body.key;
    const change = { footer: false };
    expect((await app.call("PATCH", "/team", change, { key: reader })).status).toBe(403);
    expect((await app.call("PATCH", "/team", change, { key: writer })).status).toBe(200);
  });

  test("405: a team is made on the command line", async () => {
    const { status, headers } = await app.call("POST", "/team", {});
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS, PATCH"]);
  });
});
