/**
 * Guarantees of every instant and date that a request may name: 1970 to 9999, or 422 naming the field. What
 * they are is read from the API document, so that a new one is tried too.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildDocument } from "#api/openapi.ts";
import { apiRoutes } from "#api/resources.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../support/campaigns.ts";
import { comeBack, threadsOf, underway } from "../support/inbox.ts";

const INSTANTS = {
  refused: [
    "+275760-09-13T00:00:00Z",
    "+010000-01-01T00:00:00Z",
    "9999-12-31T23:59:59-01:00",
    "1969-12-31T23:59:59.999Z",
    "1970-01-01T00:00:00+01:00",
    "-000044-03-15T12:00:00Z",
    "-271821-04-20T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2026-03-01",
    "2026-03-01T09:30:00",
    "",
  ],
  taken: ["1970-01-01T00:00:00Z", "2026-03-01T09:30:00+02:00", "9999-12-31T23:59:59.999Z"],
};
const DATES = {
  refused: [
    "+275760-09-13",
    "+010000-01-01",
    "1969-12-31",
    "-000044-03-15",
    "2026-02-30",
    "1 May",
    "",
  ],
  taken: ["1970-01-01", "2026-03-01", "9999-12-31"],
};

interface Place {
  /** `PATCH /campaigns/{id}/leads/{leadId}`. */
  operation: string;
  /** `next_attempt_at`, `ramp.from`. */
  field: string;
  inQuery: boolean;
  format: "date-time" | "date";
}

// biome-ignore lint/suspicious/noExplicitAny: a document of every shape
type Json = any;

/** Every input of the document that is an instant or a date. */
async function placesOf(): Promise<Place[]> {
  const document: Json = await buildDocument(apiRoutes(undefined as never, {} as never), "0.0.0");
  const found = new Map<string, Place>();
  const walk = (schema: Json, operation: string, field: string, inQuery: boolean): void => {
    if (schema?.$ref !== undefined) {
      const name = schema.$ref.split("/").at(-1);
      walk(document.components.schemas[name], operation, field, inQuery);
      return;
    }
    const { format } = schema ?? {};
    if (format === "date-time" || format === "date") {
      found.set(`${operation} ${field}`, { operation, field, inQuery, format });
    }
    for (const [name, property] of Object.entries(schema?.properties ?? {})) {
      walk(property, operation, field === "" ? name : `${field}.${name}`, inQuery);
    }
    for (const part of [...(schema?.anyOf ?? []), ...(schema?.allOf ?? [])]) {
      walk(part, operation, field, inQuery);
    }
  };
  for (const [path, methods] of Object.entries<Json>(document.paths)) {
    for (const [method, described] of Object.entries<Json>(methods)) {
      const operation = `${method.toUpperCase()} ${path}`;
      for (const { name, schema } of described.parameters ?? []) {
        walk(schema, operation, name ?? "", true);
      }
      walk(described.requestBody?.content?.["application/json"]?.schema, operation, "", false);
    }
  }
  return [...found.values()];
}

const PLACES = await placesOf();

let app: TestApp;
/** The path of each operation, and a body in which the field is all that is wrong. */
const calls = new Map<string, { path: string; body: Record<string, unknown> }>();

beforeAll(async () => {
  app = await createTestApp();
  const account = await addAccount(app);
  const { id } = await makeCampaign(app);
  const [lead] = await addLeads(app, id, "bob@example.com");
  const hook = await app.call("POST", "/webhooks", { url: "https://a.example/", events: ["*"] });
  const put = (operation: string, path: string, body: Record<string, unknown> = {}) =>
    calls.set(operation, { path, body });
  put("PATCH /campaigns/{id}/leads/{leadId}", `/campaigns/${id}/leads/${lead.id}`);
  put("GET /stats", "/stats");
  put("GET /exports/messages", "/exports/messages");
  put("GET /audit", "/audit");
  put("GET /accounts/providers", "/accounts/providers");
  put("POST /accounts", "/accounts", { provider: "smtp", ramp: { start: 5, increment: 5 } });
  put("PATCH /accounts/{id}", `/accounts/${account.id}`, { ramp: { start: 5, increment: 5 } });
  put("POST /accounts/bulk", "/accounts/bulk", {
    ...{ ids: [account.id], change: { ramp: { start: 5, increment: 5 } } },
  });
  put("POST /webhooks/{id}/replay", `/webhooks/${hook.body.id}/replay`);
  put("POST /keys", "/keys", { name: "k" });
  put("POST /sandbox/inject", "/sandbox/inject", { lead_id: lead.lead_id, kind: "auto_reply" });
  const at = await underway(app);
  await comeBack(app, { kind: "reply", enrollment_id: at.leads[0]?.id, text: "Hello" });
  const [thread] = await threadsOf(app);
  put("PATCH /inbox/threads/{id}", `/inbox/threads/${thread.id}`);
  put("POST /inbox/threads/bulk", "/inbox/threads/bulk", { ids: [thread.id], change: {} });
});
afterAll(() => app.close());

let nth = 0;

function ask({ operation, field, inQuery }: Place, value: string) {
  const call = calls.get(operation);
  if (call === undefined) {
    throw new Error(`no call of ${operation} is known here; add one`);
  }
  const method = operation.split(" ")[0] ?? "";
  if (inQuery) {
    return app.call(method, `${call.path}?${field}=${encodeURIComponent(value)}`);
  }
  nth += 1;
  const body = structuredClone(call.body);
  if (operation === "POST /accounts") {
    body["email"] = `a${nth}@sender.example`;
  }
  const names = field.split(".");
  let inner: Json = body;
  for (const name of names.slice(0, -1)) {
    inner[name] ??= {};
    inner = inner[name];
  }
  inner[names.at(-1) ?? ""] = value;
  return app.call(method, call.path, body);
}

test("the document has them", () => {
  expect(PLACES.length).toBe(16);
});

describe.each(PLACES)("$operation $field", (place) => {
  const { refused, taken } = place.format === "date" ? DATES : INSTANTS;

  test.each(refused)("refuses %p by name", async (value) => {
    const { status, body } = await ask(place, value);
    expect([status, body.type, body.field]).toEqual([422, "validation_error", place.field]);
  });

  test.each(taken)("takes %p, or refuses it for another reason", async (value) => {
    const { status, body } = await ask(place, value);
    // A key that has ended already, a range of years, a lead that nobody has written to yet.
    const isOther = status === 409 || (status === 422 && !/must be a|1970|9999/.test(body.message));
    expect(isOther || status < 300).toBe(true);
  });
});

test("what it may be is said where it is refused", async () => {
  const place = PLACES.find(({ field }) => field === "next_attempt_at");
  const { body } = await ask(place as Place, "+275760-09-13T00:00:00Z");
  expect(body.message).toContain("1970");
  expect(body.message).toContain("9999");
});
