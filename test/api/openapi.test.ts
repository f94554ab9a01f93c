/** The published document: what it makes of a route, and that it says what the routes do. */

import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { buildDocument, DOCUMENT_PATH, documentOf, documentRoutes } from "#api/openapi.ts";
import { queryOf } from "#api/query.ts";
import { IdParams, Nullable, OneOf, Page, PageQuery, Shape } from "#api/schema.ts";

const Robot = Shape({
  id: Type.String({ format: "uuid" }),
  state: OneOf(["new", "worn"]),
  owner: Nullable(Type.String({ maxLength: 9 })),
  mood: Nullable(OneOf(["glad", "sad"])),
  parts: Type.Record(Type.String(), Type.Integer()),
});
const RobotPatch = Shape({ owner: Type.Optional(Nullable(Type.String({ maxLength: 9 }))) });
const RobotQuery = Shape({ ...PageQuery.properties, state: Type.Optional(OneOf(["new", "worn"])) });

const TOY = new Elysia({ prefix: "/api/v1", normalize: false }).use(
  new Elysia({ prefix: "/robots", tags: ["robots"] })
    .get("", () => ({}) as never, {
      response: { 200: Page(Robot) },
      detail: { summary: "List robots", ...queryOf(RobotQuery) },
    })
    .post("", () => ({}) as never, {
      body: Shape({ owner: Type.String() }),
      response: { 201: Robot },
    })
    .get("/:id", () => ({}) as never, { params: IdParams, response: { 200: Robot } })
    .patch("/:id", () => ({}) as never, {
      params: IdParams,
      body: RobotPatch,
      response: { 200: Robot },
    })
    .delete("/:id", () => ({}) as never, { params: IdParams })
    .post("/:id/wave", () => ({}) as never, { params: IdParams, response: { 200: Robot } }),
);

const toy = JSON.parse(JSON.stringify(await buildDocument(TOY, "1.2.3")));

describe("an operation", () => {
  test("is named after its method and path, whatever the order of routes", () => {
    const ids = Object.values<Record<string, { operationId: string }>>(toy.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );

    expect(ids.sort()).toEqual([
      "createRobot",
      "deleteRobot",
      "getRobot",
      "listRobots",
      "patchRobot",
      "waveRobot",
    ]);
  });

  test("takes its query from `x-query`, with bounds and defaults, and hides the extension", () => {
    const { parameters, ...rest } = toy.paths["/robots"].get;

    expect(parameters).toEqual([
      {
        name: "limit",
        in: "query",
        required: false,
        description: "Records per page",
        schema: { type: "integer", minimum: 1, maximum: 100, default: 50 },
      },
      {
        name: "offset",
        in: "query",
        required: false,
        description: "Records to skip",
        schema: {
          ...{ type: "integer", format: "int64" },
          ...{ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
        },
      },
      {
        name: "state",
        in: "query",
        required: false,
        schema: { $ref: "#/components/schemas/RobotState" },
      },
    ]);
    expect(Object.keys(rest).filter((key) => key.startsWith("x-"))).toEqual([]);
  });

  test("takes an Idempotency-Key where it is a POST, If-Match where it is a PATCH", () => {
    const references = (operation: { parameters?: { $ref?: string }[] }) =>
      (operation.parameters ?? []).flatMap(({ $ref }) => $ref ?? []);

    expect(references(toy.paths["/robots"].post)).toEqual([
      "#/components/parameters/IdempotencyKey",
    ]);
    expect(references(toy.paths["/robots/{id}"].patch)).toEqual([
      "#/components/parameters/IfMatch",
    ]);
    expect(references(toy.paths["/robots/{id}"].get)).toEqual([]);
  });

  test("reads JSON only, and a PATCH also a merge patch", () => {
    const types = (operation: { requestBody: { content: object } }) =>
      Object.keys(operation.requestBody.content);

    expect(types(toy.paths["/robots"].post)).toEqual(["application/json"]);
    expect(types(toy.paths["/robots/{id}"].patch)).toEqual([
      "application/json",
      "application/merge-patch+json",
    ]);
  });

  test("that deletes answers 204 without a body", () => {
    const { responses } = toy.paths["/robots/{id}"].delete;

    expect(responses["204"].content).toBeUndefined();
    expect(responses["200"]).toBeUndefined();
  });

  test.each([
    ["/robots", "get", [200, 401, 403, 422, 429, 500, 503]],
    ["/robots", "post", [201, 400, 401, 403, 409, 413, 415, 422, 429, 500, 503]],
    ["/robots/{id}", "get", [200, 401, 403, 404, 422, 429, 500, 503]],
    ["/robots/{id}", "patch", [200, 400, 401, 403, 404, 409, 412, 413, 415, 422, 429, 500, 503]],
    ["/robots/{id}", "delete", [204, 401, 403, 404, 409, 422, 429, 500, 503]],
    ["/robots/{id}/wave", "post", [200, 401, 403, 404, 409, 422, 429, 500, 503]],
  ] as const)("%s %s names every refusal it can give", (path, method, statuses) => {
    const { responses } = toy.paths[path][method];

    expect(Object.keys(responses).map(Number)).toEqual([...statuses]);
  });
});

describe("a schema", () => {
  test("of an answer is open; sets of values have names, and null is one of the types", () => {
    expect(toy.components.schemas.Robot).toEqual({
      type: "object",
      required: ["id", "state", "owner", "mood", "parts"],
      properties: {
        id: { type: "string", format: "uuid" },
        state: { $ref: "#/components/schemas/RobotState" },
        owner: { type: ["string", "null"], maxLength: 9 },
        mood: { anyOf: [{ $ref: "#/components/schemas/RobotMood" }, { type: "null" }] },
        parts: { type: "object", additionalProperties: { type: "integer", format: "int64" } },
      },
    });
    expect(toy.components.schemas.RobotMood).toEqual({ type: "string", enum: ["glad", "sad"] });
  });

  test("of a body is closed: an unknown field is refused", () => {
    expect(toy.components.schemas.RobotPatch.additionalProperties).toBe(false);
    expect(toy.components.schemas.RobotCreate.additionalProperties).toBe(false);
  });

  test("has one name wherever it stands", () => {
    const robot = { $ref: "#/components/schemas/Robot" };

    expect(toy.components.schemas.RobotList.properties.data.items).toEqual(robot);
    for (const [path, method, status] of [
      ["/robots", "post", "201"],
      ["/robots/{id}", "get", "200"],
      ["/robots/{id}/wave", "post", "200"],
    ] as const) {
      const { content } = toy.paths[path][method].responses[status];
      expect(content["application/json"].schema).toEqual(robot);
    }
  });
});

describe("GET /api/v1/openapi.json", () => {
  test("200, then 304 for who has it: the document does not change while the program runs", async () => {
    const app = documentRoutes(documentOf(() => TOY, "1.2.3"));
    const first = await app.handle(new Request(`http://localhost${DOCUMENT_PATH}`));
    const etag = first.headers.get("etag") ?? "";
    const again = await app.handle(
      new Request(`http://localhost${DOCUMENT_PATH}`, {
        headers: { "If-None-Match": `W/${etag}` },
      }),
    );

    expect(first.status).toBe(200);
    expect(first.headers.get("content-type")).toBe("application/json");
    expect(first.headers.get("cache-control")).toBe("public, max-age=300");
    expect(await first.json()).toEqual(toy);
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
  });
});
