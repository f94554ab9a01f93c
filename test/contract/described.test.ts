/**
 * The document explains itself: every parameter and every field says what it is for, and every field that
 * may be left out of a request says what the record then has.
 */

import { describe, expect, test } from "bun:test";
import { buildDocument } from "#api/openapi.ts";
import { apiRoutes } from "#api/resources.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { comeBack, underway } from "../support/inbox.ts";

interface Schema {
  $ref?: string;
  description?: string;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: boolean | Schema;
}

interface Operation {
  operationId: string;
  parameters?: (Schema & { name?: string; schema?: Schema })[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const routes = apiRoutes(undefined as never, undefined as never);
const { paths, components } = JSON.parse(
  JSON.stringify(await buildDocument(routes, "0.0.0")),
) as ApiDocument;
const operations = Object.values(paths).flatMap((item) => Object.values(item));

/** What a `$ref` stands for, else the schema itself. */
function whole(schema: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (components.schemas[name] ?? {});
}

/** Every field below `schema`, by its path. A reference is followed by nobody: it has a place of its own. */
function fieldsBelow(schema: Schema, above: string): { path: string; words: string }[] {
  const { properties = {}, items, additionalProperties, anyOf = [] } = schema;
  const own = Object.entries(properties).flatMap(([name, field]) => {
    const path = `${above}.${name}`;
    const words = field.description ?? whole(field).description ?? "";
    return [{ path, words }, ...fieldsBelow(field, path)];
  });
  const inner = [items, additionalProperties, ...anyOf].filter((one) => typeof one === "object");
  return [...own, ...inner.flatMap((one) => fieldsBelow(one, above))];
}

function contentsOf({ operationId, requestBody, responses }: Operation) {
  const all = [requestBody, ...Object.values(responses)].map((one) => one?.content ?? {});
  return all.flatMap((content) =>
    Object.values(content).flatMap(({ schema }) => fieldsBelow(schema, operationId)),
  );
}

test("every field and every parameter says what it is for", () => {
  const parameters = operations.flatMap(({ operationId, parameters: all = [] }) =>
    all
      .filter(({ $ref }) => $ref === undefined)
      .map(({ name, description = "" }) => ({
        path: `${operationId} ${name}`,
        words: description,
      })),
  );
  const named = Object.entries(components.schemas);
  const places = [
    ...parameters,
    ...named.flatMap(([name, schema]) => fieldsBelow(schema, name)),
    ...operations.flatMap(contentsOf),
  ];

  expect(places.length).toBeGreaterThan(2_000);
  expect(places.filter(({ words }) => words === "").map(({ path }) => path)).toEqual([]);
});

/** What a field that is left out becomes depends on more than the request, as its words say. */
const DEPENDS = [
  ...["CampaignStepCreate.position", "CampaignStepCreate.wait_days", "KeyCreate.env"],
  "WorkspaceCreate.tenant",
];
const ALSO = ["KeyCreate.scopes", "WebhookCreate.secret"];

/** What creates a record with all that it needs and nothing more, in an order in which it can be asked. */
const BARE: Record<string, (app: TestApp) => Promise<[path: string, body: object]>> = {
  CampaignCreate: async () => ["/campaigns", { name: "Spring" }],
  AccountCreate: async () => ["/accounts", { email: "ann@sender.example", provider: "smtp" }],
  WorkspaceCreate: async () => [
    "/workspaces",
    {
      ...{ provider: "microsoft", domains: ["sender.example"] },
      ...{ client_id: "app", client_secret: "secret" },
    },
  ],
  CampaignStepCreate: async (app) => [
    `/campaigns/${await campaignOf(app)}/steps`,
    { type: "email" },
  ],
  ExperimentCreate: async (app) => {
    const variants = [{ name: "A" }, { name: "B" }];
    return ["/experiments", { campaign_id: await campaignOf(app), name: "Subject", variants }];
  },
  SuppressionCreate: async () => ["/suppressions", { email: "bo@customer.example" }],
  PlacementSeedCreate: async () => ["/placement/seeds", { email: "seed@customer.example" }],
  PlacementScheduleCreate: async () => ["/placement/schedules", {}],
  PlacementRunCreate: async () => ["/placement/runs", {}],
  InboxThreadNoteCreate: async (app) => {
    const at = await underway(app);
    await comeBack(app, { kind: "reply", enrollment_id: at.leads[0]?.id });
    return [`/inbox/threads/${at.leads[0]?.id}/notes`, { body: "Met them in May" }];
  },
  WebhookCreate: async () => ["/webhooks", { url: "https://hooks.example.com/1" }],
  LeadViewCreate: async () => ["/lead-views", { name: "Answered" }],
  KeyCreate: async () => ["/keys", { name: "CRM" }],
};

describe("a field that a request leaves out", () => {
  const bodies = operations.flatMap(({ requestBody, responses }) => {
    const { schema = {} } = requestBody?.content["application/json"] ?? {};
    const { properties = {}, required = [] } = whole(schema);
    const isOpen = Object.keys(properties).length > required.length;
    const name = schema.$ref?.split("/").at(-1) ?? "";
    return "201" in responses && isOpen && name.endsWith("Create") ? [name] : [];
  });

  test("is tried wherever something is created", () => {
    expect(bodies.toSorted()).toEqual(Object.keys(BARE).sort());
  });

  test("has as its default what the record then has", async () => {
    const app = await createTestApp();
    const wrong: string[] = [];
    for (const [name, ask] of Object.entries(BARE)) {
      const [path, body] = await ask(app);
      const { status, body: record } = await app.call("POST", path, body);
      expect(status, `${name}: ${JSON.stringify(record)}`).toBe(201);
      wrong.push(...undeclared(components.schemas[name] ?? {}, record, body, name));
    }

    expect(wrong.filter((place) => ![...DEPENDS, ...ALSO].includes(place))).toEqual([]);
  });
});

/** Fields of `schema` that `given` left out and `shown` has, where the schema says something else. */
function undeclared(schema: Schema, shown: object, given: object, above: string): string[] {
  const values = new Map(Object.entries(shown));
  const left = Object.entries(schema.properties ?? {}).filter(([name]) => !(name in given));
  return left.flatMap(([name, field]) => {
    const [value, path]: [unknown, string] = [values.get(name), `${above}.${name}`];
    if (field.properties !== undefined && typeof value === "object" && value !== null) {
      return undeclared(field, value, {}, path);
    }
    const isSaid = Bun.deepEquals(field.default, value) || (value ?? null) === null;
    return isSaid ? [] : [path];
  });
}

async function campaignOf(app: TestApp): Promise<string> {
  const { body } = await app.call("POST", "/campaigns", { name: "Summer" });
  return body.id;
}
