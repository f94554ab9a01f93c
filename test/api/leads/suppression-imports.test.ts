/**
 * Uploads of suppressions: each row has the effects of a single suppression; what is sent again changes
 * nothing; what an upload added can be taken back, and what was confirmed since stays.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addLeads, makeCampaign } from "../../support/campaigns.ts";
import { pieces, type SendOptions, sendFile } from "../../support/imports.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const ZERO = { new: 0, update: 0, duplicate: 0, suppressed: 0, invalid: 0 };

const upload = (file: Parameters<typeof sendFile>[2], options: SendOptions = {}) =>
  sendFile(app, "/suppressions/import", file, options);
const undo = (id: string) => app.call("POST", `/imports/${id}/undo`);
const total = async () => (await app.call("GET", "/suppressions?limit=1")).body.total;
const check = async (email: string) =>
  (await app.call("GET", `/suppressions/check?email=${encodeURIComponent(email)}`)).body;
const standing = async (campaign: string, email: string) => {
  const { body } = await app.call(
    "GET",
    `/campaigns/${campaign}/leads?email=${encodeURIComponent(email)}`,
  );
  return body.data[0];
};
const people = (from: number, until: number) =>
  Array.from({ length: until - from }, (_, n) => `p${from + n}@example.com`);

describe("POST /suppressions/import", () => {
  test("a CSV file is read by its headings, and each row told apart", async () => {
    await app.call("POST", "/suppressions", { email: "weak@example.com", reason: "import" });
    await app.call("POST", "/suppressions", { email: "strong@example.com", reason: "complaint" });
    const file =
      "Name;E-Mail;Reason\nAnn;ann@example.com;Bounce\nBob;@competitor.example;\n" +
      "W;weak@example.com;unsubscribe\nS;strong@example.com;manual\nA;ANN@example.com;\n" +
      "x;nonsense;\ny;y@example.com;550 no such user\nz;z@example.com;;more\n";
    const { status, body } = await upload(file, { query: { reason: "manual" } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      kind: "suppressions",
      campaign_id: null,
      reason: "manual",
      status: "done",
      imported: 3,
      overwritten: 1,
      outcomes: { new: 2, update: 1, duplicate: 2, suppressed: 0, invalid: 3 },
      reasons: {
        already_suppressed: 1,
        duplicate_in_request: 1,
        invalid_email: 1,
        reason_invalid: 1,
        too_many_columns: 1,
      },
    });
    expect(await check("ann@example.com")).toMatchObject({ match: "address", reason: "bounce" });
    expect(await check("any@competitor.example")).toMatchObject({
      match: "domain",
      reason: "manual",
    });
    expect(await check("weak@example.com")).toMatchObject({ reason: "unsubscribe" });
    expect(await check("strong@example.com")).toMatchObject({ reason: "complaint" });
    const { text } = await app.call("GET", `/imports/${body.id}/lines?outcome=invalid`);
    expect(text.split("\r\n")).toContain("8,y@example.com,invalid,reason_invalid");
  });

  test.each([
    [
      "NDJSON",
      "application/x-ndjson",
      '{"email":"a@x.example"}\n"b@x.example"\n{"email":"c@x.example","reason":"bounce"}\n{"mail":"d"}\n7\n{"email":"e@x.example","why":1}',
    ],
    [
      "a JSON array",
      "application/json",
      '[{"email":"a@x.example"},\n "b@x.example" , {"email":"c@x.example","reason":"bounce"},\n{"mail":"d"},7,{"email":"e@x.example","why":1}]\n',
    ],
    [
      "a list of one column",
      "text/csv",
      "email\na@x.example\nb@x.example\nc@x.example\nd\n7\ne@\n",
    ],
  ])("%s", async (_name, type, file) => {
    const { body } = await upload(file, { type });
    expect(body.outcomes).toEqual({ ...ZERO, new: 3, invalid: 3 });
    expect(await check("b@x.example")).toMatchObject({ reason: "import" });
  });

  test("ends sequences and tells webhooks and streams as a single one does", async () => {
    const { id: campaign } = await makeCampaign(app);
    await addLeads(app, campaign, "one@example.com", "two@example.com", "three@firm.example");
    await app.call("POST", "/suppressions", { email: "one@example.com", reason: "unsubscribe" });
    await upload("two@example.com,unsubscribe\n@firm.example,unsubscribe\n", {
      query: { map: '{"#2":"reason"}' },
    });
    await app.advance(120_000);
    const { data } = (await app.call("GET", "/events?limit=100")).body;
    const typesOf = (email: string) =>
      data
        .filter((event: { data: object }) => JSON.stringify(event.data).includes(email))
        .map(({ type }: { type: string }) => type);
    const [one, two, three] = await Promise.all(
      ["one@example.com", "two@example.com", "three@firm.example"].map((email) =>
        standing(campaign, email),
      ),
    );
    for (const row of [two, three]) {
      expect([row.status, row.stop_reason]).toEqual([one.status, one.stop_reason]);
      expect(typesOf(row.lead_id)).toEqual(typesOf(one.lead_id));
    }
    const made = data.filter(({ type }: { type: string }) => type === "suppression.created");
    expect(made.map(({ data }: { data: { reason: string } }) => data.reason)).toEqual([
      "unsubscribe",
      "unsubscribe",
      "unsubscribe",
    ]);
  });

  test("a dry run says what would be and stores nothing", async () => {
    await app.call("POST", "/suppressions", { email: "p1@example.com" });
    const file = ["email", ...people(0, 300), "p5@example.com"].join("\n");
    const dry = await upload(file, { query: { dry_run: "true" } });
    expect(dry.body.outcomes).toEqual({ ...ZERO, new: 299, duplicate: 2 });
    expect(await total()).toBe(1);
    expect((await undo(dry.body.id)).status).toBe(409);
    expect((await upload(file)).body.outcomes).toEqual(dry.body.outcomes);
  });

  test("a broken connection keeps what has come; the rest, or all again, adds what is missing", async () => {
    const texts = people(0, 3_000).map((email) => `${JSON.stringify({ email })},\n`);
    const file = `[${texts.join("")}]`;
    const type = "application/json";
    await upload(pieces([file.slice(0, 70_000), file.slice(70_000, 72_000)], new Error("gone")), {
      type,
    });
    const [row] = (await app.call("GET", "/imports?status=interrupted&kind=suppressions")).body
      .data;
    expect(row.imported).toBe(await total());
    expect(row.imported).toBeGreaterThan(1_000);
    const query = { offset: String(row.offset) };
    const rest = file.slice(row.offset);
    const done = await sendFile(app, `/imports/${row.id}/resume`, rest, { type, query });
    expect(done.body).toMatchObject({ status: "done", outcomes: { ...ZERO, new: 3_000 } });
    expect((await upload(file, { type })).body.outcomes).toEqual({ ...ZERO, duplicate: 3_000 });
    expect(await total()).toBe(3_000);
    expect((await undo(row.id)).body).toMatchObject({ removed: 0, left: 3_000 });
  });

  test("its Idempotency-Key gives the first answer again; another reason is another request", async () => {
    const headers = { "Idempotency-Key": "once" };
    const first = await upload("a@example.com\n", { headers });
    const again = await upload("b@example.com\n", { headers });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    expect((await upload("a@example.com\n", { headers, query: { reason: "bounce" } })).status).toBe(
      422,
    );
  });

  test("a column that is none of a suppression's is named", async () => {
    const { status, body } = await upload("email,x\na@b.example,1\n", {
      query: { map: '{"x":"company"}' },
    });
    expect([status, body.field]).toEqual([422, "map.x"]);
    expect(body.message).toContain("email, reason");
  });
});

describe("undoing", () => {
  test("lifts what it added, and its sequences go on; what was confirmed since stays", async () => {
    const { id: campaign } = await makeCampaign(app);
    const emails = people(0, 120);
    await addLeads(app, campaign, ...emails, "x@firm.example");
    await app.call("POST", "/suppressions", { email: "p0@example.com", reason: "manual" });
    await app.call("POST", "/suppressions", { email: "p1@example.com", reason: "import" });
    const { body } = await upload(`${emails.join("\n")}\n@firm.example\n`, {
      query: { reason: "unsubscribe" },
    });
    expect(body.outcomes).toEqual({ ...ZERO, new: 119, update: 2 });
    await app.advance(120_000);
    expect(await standing(campaign, "x@firm.example")).toMatchObject({ status: "unsubscribed" });
    // Who opts out afterwards, even for a weaker reason, has been confirmed.
    await app.call("POST", "/suppressions", { email: "p7@example.com", reason: "unsubscribe" });
    await app.call("POST", "/suppressions", { email: "p8@example.com", reason: "import" });
    await app.call("POST", "/suppressions", { email: "p9@example.com", reason: "complaint" });
    const { data } = (await app.call("GET", "/suppressions?email=p10@example.com")).body;
    await app.call("DELETE", `/suppressions/${data[0].id}`);

    const undone = await undo(body.id);

    expect(undone.body).toMatchObject({ status: "undone", removed: 115, left: 3, restored: 2 });
    await app.advance(120_000);
    expect(await total()).toBe(5);
    expect(await check("p0@example.com")).toMatchObject({ reason: "manual" });
    expect(await check("p1@example.com")).toMatchObject({ reason: "import" });
    expect(await check("p7@example.com")).toMatchObject({ reason: "unsubscribe" });
    expect(await check("p9@example.com")).toMatchObject({ reason: "complaint" });
    expect(await standing(campaign, "p7@example.com")).toMatchObject({ status: "unsubscribed" });
    expect(await standing(campaign, "p50@example.com")).toMatchObject({ status: "pending" });
    expect(await standing(campaign, "x@firm.example")).toMatchObject({ status: "pending" });
    expect((await undo(body.id)).status).toBe(409);
  });

  test("of the second of two uploads changes nothing; of the first then takes all", async () => {
    const file = people(0, 60).join("\n");
    const [first, second] = [await upload(file), await upload(file)];
    expect((await undo(second.body.id)).body).toMatchObject({ removed: 0, left: 0 });
    expect(await total()).toBe(60);
    expect((await undo(first.body.id)).body).toMatchObject({ removed: 60, left: 0 });
    expect(await total()).toBe(0);
  });
});

test("a key for leads alone can neither see nor undo an upload of suppressions", async () => {
  const { body } = await upload("a@example.com\n");
  const made = await app.call("POST", "/keys", { name: "leads", scopes: ["leads:write"] });
  const { key } = made.body;
  for (const [method, path] of [
    ["GET", ""],
    ["GET", "/lines"],
    ["GET", "/stream"],
    ["POST", "/undo"],
    ["POST", "/cancel"],
  ] as const) {
    const { status } = await app.call(method, `/imports/${body.id}${path}`, undefined, { key });
    expect(status).toBe(403);
  }
  expect((await app.call("GET", "/imports", undefined, { key })).body.total).toBe(0);
  expect((await app.call("GET", "/imports?kind=suppressions", undefined, { key })).status).toBe(
    422,
  );
  const options = { headers: { Authorization: `Bearer ${key}` } };
  expect((await upload("b@example.com\n", options)).status).toBe(403);
});
