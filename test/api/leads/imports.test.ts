/**
 * Imports of files: every line ends as exactly one of five, whatever the file is written in and wherever
 * it ends; what is sent again adds nothing; what was added can be taken back.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";
import { importFile, pieces, sendFile } from "../../support/imports.ts";

let app: TestApp;
let campaign: string;
beforeEach(async () => {
  app = await createTestApp();
  campaign = (await makeCampaign(app)).id;
});
afterEach(() => app.close());

const ZERO = { new: 0, update: 0, duplicate: 0, suppressed: 0, invalid: 0 };

function people(from: number, until: number): string {
  let text = "";
  for (let n = from; n < until; n += 1) {
    text += `p${n}@example.com,Name ${n}\n`;
  }
  return text;
}

async function leadOf(email: string) {
  const { body } = await app.call("GET", `/leads?email=${encodeURIComponent(email)}`);
  return body.data[0];
}

describe("a CSV file", () => {
  test("is read by its headings, and each line is told apart", async () => {
    await addLeads(app, campaign, "known@example.com");
    const other = (await makeCampaign(app)).id;
    await app.call("POST", "/suppressions", { email: "out@example.com" });
    const file =
      "\ufeffE-Mail;Vorname;Firma;Job Title;Notizen\r\n" +
      'ann@example.com;Ann;"Acme; ""Ltd""";"Head of\r\nSales";x\r\n' +
      "KNOWN@example.com;Kim;;;\r\n" +
      "\r\n" +
      "ann@example.com;Ann;;;\r\n" +
      "out@example.com;;;;\r\n" +
      "nonsense;;;;\r\n" +
      "b@example.com;B;C;D;E;F\r\n" +
      `c@example.com;${"x".repeat(501)};;;`;

    const { status, body } = await importFile(app, other, file, {
      query: { file_name: "list.csv", map: '{"Notizen":null}' },
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      campaign_id: other,
      status: "done",
      file_name: "list.csv",
      delimiter: ";",
      encoding: "utf-8",
      imported: 2,
      skipped: 2,
      errors: 3,
      outcomes: { new: 1, update: 1, duplicate: 1, suppressed: 1, invalid: 3 },
      reasons: {
        duplicate_in_request: 1,
        suppressed: 1,
        invalid_email: 1,
        too_many_columns: 1,
        field_too_long: 1,
      },
      offset: Buffer.byteLength(file),
    });
    expect(body.columns.map(({ field }: { field: string }) => field)).toEqual([
      "email",
      "first_name",
      "company",
      "variables.job_title",
      null,
    ]);
    expect(await leadOf("ann@example.com")).toMatchObject({
      first_name: "Ann",
      company: 'Acme; "Ltd"',
      variables: { job_title: "Head of\nSales" },
    });
    expect(await leadOf("known@example.com")).toMatchObject({ first_name: "Kim" });
    const lines = await app.call("GET", `/imports/${body.id}/lines`);
    expect(lines.headers.get("content-disposition")).toContain("attachment");
    expect(lines.text.split("\r\n")).toEqual([
      "line,email,outcome,reason",
      "6,ann@example.com,duplicate,duplicate_in_request",
      "7,out@example.com,suppressed,suppressed",
      "8,nonsense,invalid,invalid_email",
      "9,b@example.com,invalid,too_many_columns",
      "10,c@example.com,invalid,field_too_long",
      "",
    ]);
    const invalid = await app.call(
      "GET",
      `/imports/${body.id}/lines?outcome=suppressed&format=ndjson`,
    );
    expect(JSON.parse(invalid.text)).toMatchObject({ line: 7, reason: "suppressed" });
  });

  test("needs no headings where its first row holds an address", async () => {
    const { body } = await importFile(app, campaign, "Ann,ann@example.com\nBob,bob@example.com");
    expect(body).toMatchObject({ imported: 2, errors: 0 });
    expect(body.columns[1]).toMatchObject({
      field: "email",
      reason: "2 of 2 values are email addresses",
    });
  });

  test("a cell that a template could run is text, and starts no formula in a download", async () => {
    await importFile(app, campaign, 'email,name\n=cmd|calc,"<script>"\n+1@x,2\n');
    const { body } = await app.call("GET", "/imports");
    const { text } = await app.call("GET", `/imports/${body.data[0].id}/lines`);
    expect(text).toContain("\r\n2,'=cmd|calc,invalid");
    expect(text).toContain("\r\n3,'+1@x,invalid");
  });

  test.each([
    ["windows-1252 that is said", latin("Zoë"), "text/csv; charset=windows-1252"],
    ["UTF-16 with its mark", utf16("Zoë", true), "text/csv"],
    ["UTF-16 that is said", utf16("Zoë", false), "text/csv; charset=UTF-16LE"],
  ])("%s is read as it is meant", async (_name, file, type) => {
    const { status, body } = await importFile(app, campaign, file, { type });
    expect([status, body.imported, body.offset]).toEqual([200, 1, file.byteLength]);
    expect((await leadOf("z@example.com")).first_name).toBe("Zoë");
  });

  test.each([
    ["Latin-1 that nobody said", latin("Zoë"), "looks like Windows-1252"],
    ["UTF-16 without its mark", utf16("Zoe", false), "looks like UTF-16 (little endian)"],
    ["a spreadsheet", new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0, 8, 0, 1, 2, 3]), "zero bytes"],
    ["nothing at all", new TextEncoder().encode("\n"), "empty"],
    [
      "a file without addresses",
      new TextEncoder().encode("a,b\n1,2\n"),
      "no column of email addresses",
    ],
  ])("%s is refused by name, and nothing is stored", async (_name, file, words) => {
    const { status, body } = await importFile(app, campaign, file);
    expect([400, 422]).toContain(status);
    expect(body.message).toContain(words);
    expect((await app.call("GET", "/leads")).body.total).toBe(0);
    expect((await app.call("GET", "/imports")).body.data[0]).toMatchObject({
      status: "failed",
      outcomes: ZERO,
    });
  });

  test("bytes that stop being text end it there; what stood before them stays", async () => {
    const start = `email,name\n${people(0, 9_000)}`;
    const bytes = Buffer.concat([Buffer.from(start), Buffer.from([0x66, 0xff, 0xfe, 0x0a])]);
    const { status, body } = await importFile(app, campaign, pieces([bytes]));
    expect([status, body.field]).toEqual([400, "charset"]);
    const [row] = (await app.call("GET", "/imports")).body.data;
    expect(row.status).toBe("failed");
    expect(row.imported).toBe((await app.call("GET", "/leads")).body.total);
    expect(row.imported).toBeGreaterThan(1_000);
  });

  test("what is mapped to what is not there is named", async () => {
    const ask = (map: string) =>
      importFile(app, campaign, "email,x\na@b.example,1\n", { query: { map } });
    expect((await ask('{"y":"company"}')).body.field).toBe("map.y");
    expect((await ask('{"x":"surname"}')).body.field).toBe("map.x");
    expect((await ask('{"x":"email","email":"email"}')).body.field).toBe("map.email");
    expect((await ask("[]")).body.field).toBe("map");
    expect((await ask('{"#2":"company"}')).status).toBe(200);
  });
});

describe("an NDJSON file", () => {
  test("takes an object a line", async () => {
    const file =
      '{"email":"a@example.com","first_name":"A\\nB","variables":{"n":1}}\n{"email":7}\nnot json\n' +
      '[]\n{"email":"b@example.com","surname":"x"}\n{"email":"c@example.com","variables":{"n":{}}}';
    const { body } = await importFile(app, campaign, file, { type: "application/x-ndjson" });
    expect(body).toMatchObject({
      outcomes: { ...ZERO, new: 1, invalid: 5 },
      reasons: { invalid_line: 4, variables_invalid: 1 },
    });
    expect(await leadOf("a@example.com")).toMatchObject({ first_name: "A B", variables: { n: 1 } });
  });

  test("other kinds are 415, compressed ones too", async () => {
    expect((await importFile(app, campaign, "{}", { type: "text/plain" })).status).toBe(415);
    const headers = { "Content-Encoding": "gzip" };
    expect((await importFile(app, campaign, "x", { headers })).status).toBe(415);
  });
});

describe("a dry run", () => {
  test("says what would be, line by line, and stores no lead", async () => {
    await addLeads(app, campaign, "p1@example.com");
    const file = `email,name\n${people(0, 1_500)}${people(0, 2)}`;
    const dry = await importFile(app, campaign, file, { query: { dry_run: "true" } });
    expect(dry.body.outcomes).toEqual({ ...ZERO, new: 1_499, duplicate: 3 });
    expect((await app.call("GET", "/leads")).body.total).toBe(1);
    const { text } = await app.call("GET", `/imports/${dry.body.id}/lines?outcome=new`);
    expect(text.split("\r\n")).toHaveLength(1_501);
    const real = await importFile(app, campaign, file);
    expect(real.body.outcomes).toEqual(dry.body.outcomes);
  });
});

describe("a repeat", () => {
  test("the same file again, and twice at once, adds nobody twice", async () => {
    const file = `email,name\n${people(0, 2_500)}`;
    const both = await Promise.all([
      importFile(app, campaign, file),
      importFile(app, campaign, file),
    ]);
    const sums = both.map(({ body }) => [body.imported + body.skipped, body.errors]);
    expect(sums).toEqual([
      [2_500, 0],
      [2_500, 0],
    ]);
    expect(both[0].body.imported + both[1].body.imported).toBe(2_500);
    expect((await importFile(app, campaign, file)).body).toMatchObject({
      imported: 0,
      reasons: { already_enrolled: 2_500 },
    });
    expect((await app.call("GET", `/campaigns/${campaign}/leads`)).body.total).toBe(2_500);
  });

  test("with its id or its Idempotency-Key the first answer is given again", async () => {
    const headers = { "Idempotency-Key": "once" };
    const first = await importFile(app, campaign, "email\na@example.com\n", { headers });
    const again = await importFile(app, campaign, "email\nb@example.com\n", { headers });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    const quoted = { headers: { "Idempotency-Key": '"once"' } };
    expect((await importFile(app, campaign, "x", quoted)).body).toEqual(first.body);
    const query = { import_id: first.body.id };
    expect((await importFile(app, campaign, "x", { query })).body).toEqual(first.body);
  });
});

describe("a connection that ends in the middle", () => {
  test("leaves counts that add up, and the rest can be sent", async () => {
    const file = `email,name\n${people(0, 6_000)}${people(0, 10)}`;
    const cut = 110_001;
    const broken = pieces([file.slice(0, 90_000), file.slice(90_000, cut)], new Error("gone"));
    await importFile(app, campaign, broken);
    const { body: page } = await app.call("GET", "/imports?status=interrupted");
    const [row] = page.data;
    expect(row.imported).toBe((await app.call("GET", "/leads")).body.total);
    expect(row.imported).toBeGreaterThanOrEqual(1_000);

    const path = `/imports/${row.id}/resume`;
    const rest = file.slice(row.offset);
    expect((await sendFile(app, path, rest, { query: { offset: "5" } })).status).toBe(409);
    const done = await sendFile(app, path, rest, { query: { offset: String(row.offset) } });

    expect(done.body).toMatchObject({
      status: "done",
      outcomes: { ...ZERO, new: 6_000, duplicate: 10 },
      reasons: { duplicate_in_request: 10 },
      offset: file.length,
    });
    expect((await sendFile(app, path, "", { query: { offset: "0" } })).status).toBe(409);
  });

  test("before all that was announced: interrupted, not done", async () => {
    const file = `email,name\n${people(0, 3_000)}`;
    const headers = { "Content-Length": String(file.length + 50) };
    const { body } = await importFile(app, campaign, pieces([file]), { headers });
    expect(body).toMatchObject({ status: "interrupted", imported: 3_000, offset: file.length });
  });

  test("by a disk that fails: 503, said to be interrupted once it can be written, and resumed", async () => {
    const file = `email,name\n${people(0, 6_000)}`;
    const { raw } = app.environments.test.db;
    const failing = function* () {
      for (let at = 0; at < file.length; at += 30_000) {
        raw.run(`PRAGMA query_only = ${at > 60_000 ? "ON" : "OFF"}`);
        yield file.slice(at, at + 30_000);
      }
    };
    const { status } = await importFile(app, campaign, pieces(failing()));
    expect(status).toBe(503);
    raw.run("PRAGMA query_only = OFF");
    await app.advance(1_000);
    const [row] = (await app.call("GET", "/imports?status=interrupted")).body.data;
    expect(row.imported).toBe((await app.call("GET", "/leads")).body.total);
    const query = { offset: String(row.offset) };
    const rest = file.slice(row.offset);
    const done = await sendFile(app, `/imports/${row.id}/resume`, rest, { query });
    expect(done.body).toMatchObject({ status: "done", imported: 6_000 });
  });

  test("one that is stopped takes no more lines", async () => {
    const id = crypto.randomUUID();
    let sent = 0;
    const endless = function* () {
      yield "email,name\n";
      for (; sent < 200; sent += 1) {
        yield people(sent * 1_000, (sent + 1) * 1_000);
      }
    };
    const answer = importFile(app, campaign, pieces(endless()), { query: { import_id: id } });
    for (;;) {
      const { body } = await app.call("GET", `/imports/${id}`);
      if (body.imported > 0) {
        break;
      }
      // Calls without a socket end within a turn of the event loop; a transaction needs the next.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    expect((await app.call("POST", `/imports/${id}/cancel`)).body.status).toBe("cancelled");
    expect((await answer).status).toBe(409);
    expect(sent).toBeLessThan(200);
    const { body } = await app.call("GET", `/imports/${id}`);
    expect(body.imported).toBe((await app.call("GET", "/leads")).body.total);
  });
});

describe("undoing", () => {
  test("takes back what was added and changed, and nothing else", async () => {
    await addLeads(app, campaign, "p1@example.com", "mine@example.com");
    const before = await leadOf("p1@example.com");
    const other = (await makeCampaign(app)).id;
    const { body } = await importFile(app, other, `email,first_name\n${people(0, 1_500)}`);
    expect((await leadOf("p1@example.com")).first_name).toBe("Name 1");

    const undone = await app.call("POST", `/imports/${body.id}/undo`);

    expect(undone.body).toMatchObject({ status: "undone", removed: 1_500, left: 0 });
    expect((await app.call("GET", "/leads")).body.total).toBe(2);
    expect((await leadOf("p1@example.com")).first_name).toBe(before.first_name);
    expect((await app.call("GET", `/campaigns/${other}/leads`)).body.total).toBe(0);
    expect((await app.call("GET", `/campaigns/${campaign}/leads`)).body.total).toBe(2);
    expect((await app.call("POST", `/imports/${body.id}/undo`)).status).toBe(409);
    expect((await importFile(app, other, `email,name\n${people(0, 5)}`)).body.imported).toBe(5);
  });

  test("is refused once somebody was written to", async () => {
    const account = await addAccount(app);
    const { id } = await makeCampaign(app);
    await app.call("PATCH", `/campaigns/${id}`, { account_ids: [account.id] });
    const { body } = await importFile(app, id, `email,first_name\n${people(0, 3)}`);
    await app.call("POST", `/campaigns/${id}/start`);
    await app.advance(24 * 3_600_000);
    const { status, body: refusal } = await app.call("POST", `/imports/${body.id}/undo`);
    expect([status, refusal.message]).toEqual([
      409,
      expect.stringContaining("already been emailed"),
    ]);
  });
});

test("another team's import is nobody's; a preview shows columns and rows and stores nothing", async () => {
  const { body } = await importFile(app, campaign, "email\na@example.com\n");
  const stranger = await app.addTeam("Other");
  const key = stranger.keys.test;
  expect((await app.call("GET", `/imports/${body.id}`, undefined, { key })).status).toBe(404);
  expect((await app.call("GET", `/imports/${body.id}/lines`, undefined, { key })).status).toBe(404);
  const preview = await sendFile(app, "/imports/preview", "Name|Mail\nAnn|ann@example.com\n");
  expect(preview.body).toMatchObject({
    delimiter: "|",
    rows: [["Ann", "ann@example.com"]],
    columns: [{ field: "variables.name" }, { field: "email" }],
  });
});

test("imports are listed from the newest on, by whole pages, whatever ids were chosen for them", async () => {
  const selected = ["f", "0", "8"].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
  for (const import_id of selected) {
    await importFile(app, campaign, "email\na@example.com\n", { query: { import_id } });
    await app.advance(1000);
  }
  const listed: string[] = [];
  let after = "";
  do {
    const { body } = await app.call("GET", `/imports?limit=1${after}`);
    listed.push(body.data[0].id);
    after = body.next_cursor === null ? "" : `&after=${body.next_cursor}`;
  } while (after !== "");
  expect(listed).toEqual(selected.toReversed());
});

function latin(name: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(`email,first name\nz@example.com,${name}\n`, "latin1"));
}

function utf16(name: string, marked: boolean): Uint8Array<ArrayBuffer> {
  const text = `${marked ? "\ufeff" : ""}email,first name\nz@example.com,${name}\n`;
  return Uint8Array.from(Buffer.from(text, "utf16le"));
}
