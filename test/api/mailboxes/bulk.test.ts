/** Many mailboxes at once: each by itself, with its result; no secret of a file comes back. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount } from "../../support/campaigns.ts";
import { sendFile } from "../../support/imports.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const UNKNOWN = "00000000-0000-7000-8000-00000000dead";
const upload = (file: string) => sendFile(app, "/accounts/import", file);
const listed = async (query = "") => (await app.call("GET", `/accounts${query}`)).body.data;

describe("POST /accounts/bulk", () => {
  test("changes limits, status and tags; one that is refused leaves the others", async () => {
    const [a, b] = [await addAccount(app, "a@s.example"), await addAccount(app, "b@s.example")];
    const { status, body } = await app.call("POST", "/accounts/bulk", {
      ids: [a.id, b.id],
      change: { daily_limit: 11, status: "paused" },
      add_tags: ["Warm"],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ changed: 2, failed: 0, data: [{ id: a.id, error: null }, {}] });
    for (const account of await listed()) {
      expect(account).toMatchObject({ daily_limit: 11, status: "paused" });
    }
    expect(await listed("?tag=warm")).toHaveLength(2);
  });

  test("by a filter, and with a row that is refused half-way nothing of that row is stored", async () => {
    const [a, b] = [await addAccount(app, "a@s.example"), await addAccount(app, "b@s.example")];
    await app.call("PATCH", `/accounts/${b.id}`, { min_gap_seconds: 1, max_gap_seconds: 2 });
    const { body } = await app.call("POST", "/accounts/bulk", {
      filter: { status: "active" },
      change: { daily_limit: 9, min_gap_seconds: 50 },
    });
    const refused = body.data.find(({ id }: { id: string }) => id === b.id);
    expect([body.changed, refused.error.type]).toEqual([1, "validation_error"]);
    const limits = (await listed()).map(({ id, daily_limit }: Record<string, unknown>) => [
      id === a.id,
      daily_limit === 9,
    ]);
    expect(limits.every(([isA, isNine]: boolean[]) => isA === isNine)).toBe(true);
  });

  test.each([
    ["ids", {}],
    ["ids", { ids: [UNKNOWN], filter: {} }],
    ["ids.0", { ids: [UNKNOWN], change: { daily_limit: 3 } }],
    ["change.smtp", { ids: [UNKNOWN], change: { smtp: { password: "canary" } } }],
    ["change.daily_limit", { ids: [UNKNOWN], change: { daily_limit: "many" } }],
  ])("422 names %s", async (field, input) => {
    const { status, body, text } = await app.call("POST", "/accounts/bulk", input);
    expect([status, body.field]).toEqual([422, field]);
    expect(text).not.toContain("canary");
  });
});

describe("POST /accounts/import", () => {
  test("creates a mailbox per row, and says what became of each", async () => {
    const file =
      "E-Mail,Provider,Daily Limit,smtp_host,smtp_port,smtp_password,imap_host,tags\n" +
      'ann@s.example,smtp,25,smtp.s.example,587,canary-1 ,imap.s.example,"warm, DACH"\n' +
      "bob@s.example,,many,smtp.s.example,,canary-2,,\n" +
      "nonsense,smtp,,smtp.s.example,,canary-3,,\n" +
      "cas@s.example,smtp,,not a host,,canary-4,,\n" +
      'dee@s.example,smtp,,smtp.s.example,,canary-5,,"a,b"\n';
    const wrong = await upload(file);
    expect([wrong.status, wrong.body.field]).toEqual([422, "email"]);
    const { status, body, text } = await upload(file.replace("E-Mail", "Email"));
    expect(status).toBe(200);
    expect(text).not.toContain("canary");
    expect(body).toMatchObject({ created: 2, failed: 3 });
    expect(
      body.data.map(({ line, error }: { line: number; error: { field: string } | null }) => [
        line,
        error?.field ?? null,
      ]),
    ).toEqual([
      [2, null],
      [3, "daily_limit"],
      [4, "email"],
      [5, "smtp.host"],
      [6, null],
    ]);
    const [ann] = await listed("?tag=dach");
    expect(ann).toMatchObject({
      email: "ann@s.example",
      daily_limit: 25,
      smtp: { host: "smtp.s.example", port: 587 },
      imap: { host: "imap.s.example" },
      has_smtp_password: true,
    });
    const again = await upload("email,smtp_host\nANN@s.example,smtp.s.example\n");
    expect(again.body).toMatchObject({ created: 0, data: [{ error: { type: "conflict" } }] });
    const { text: log } = await app.call("GET", "/audit?limit=100");
    expect(log).not.toContain("canary");
  });

  test.each([
    ["a column that is none", "email,smtp_pasword\na@s.example,canary\n", 422],
    ["a column twice", "email,email\na@s.example,b@s.example\n", 422],
    ["nothing", "", 422],
    ["a file that is too large", `email\n${"x".repeat(1024 * 1024)}`, 413],
  ])("%s is refused, and nothing is stored", async (_name, file, status) => {
    const refused = await upload(file);
    expect(refused.status).toBe(status);
    expect(refused.text).not.toContain("canary");
    expect(await listed()).toEqual([]);
  });
});
