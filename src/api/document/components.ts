/**
 * Names for the schemas of the API. The record of a resource (what its list holds) is called after the
 * resource, and its other forms after that: `Campaign`, `CampaignDetail`, `CampaignCreate`. Equal schemas
 * are one component, wherever they stand.
 */

import { type EnumOwner, isEnum, nameEnums } from "./enums.ts";
import { canonical, isObject, type JsonObject } from "./json.ts";
import { recordName } from "./names.ts";
import type { Operation } from "./operation.ts";

export interface Components {
  /** `components.schemas`, by name. */
  schemas: JsonObject;
  /** A reference to the component that `schema` is, or the schema with references inside. */
  name(schema: JsonObject): JsonObject;
}

/** Names that nothing of a resource may take. */
const TAKEN = ["ErrorBody"];

/** `others` hold sets of values too, and are named by whoever made them. */
export function nameSchemas(
  operations: readonly Operation[],
  others: readonly EnumOwner[],
): Components {
  const bySchema = new Map<string, string>();
  const byName = new Map<string, JsonObject>();
  const claim = (schema: JsonObject, candidates: readonly string[]) => {
    const text = canonical(schema);
    const name = candidates.find(
      (candidate) => !(byName.has(candidate) || TAKEN.includes(candidate)),
    );
    if (schema["type"] === "object" && !bySchema.has(text) && name !== undefined) {
      bySchema.set(text, name);
      byName.set(name, schema);
    }
  };
  const claimed = claims(operations);
  for (const { schema, candidates } of claimed) {
    claim(schema, candidates);
  }
  const enums = nameEnums([
    ...claimed,
    ...operations.map(({ id, route, query: schema }) => {
      return { name: recordName(route.path), candidates: [capital(id)], schema };
    }),
    ...others,
  ]);
  const reference = (schema: JsonObject): JsonObject => {
    if (isEnum(schema)) {
      return enums.refer(schema);
    }
    const name = bySchema.get(canonical(schema));
    return name === undefined ? inside(schema) : { $ref: `#/components/schemas/${name}` };
  };
  const inside = (schema: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, deep(value, reference)]));
  const records = [...byName].map(([name, schema]): [string, unknown] => [name, inside(schema)]);
  const schemas = Object.fromEntries(
    [...records, ...Object.entries(enums.schemas)].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  return { schemas, name: reference };
}

function deep(value: unknown, reference: (schema: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => deep(item, reference));
  }
  return isObject(value) ? reference(value) : value;
}

/** In the order in which names are given away: records first, then what is derived from them. */
function claims(operations: readonly Operation[]): EnumOwner[] {
  const of = (operation: Operation, pick: (name: string) => (Claimed | undefined)[]) => {
    const name = recordName(operation.route.path);
    return pick(name).flatMap((claim) => (claim === undefined ? [] : [{ ...claim, name }]));
  };
  return [
    ...operations.flatMap((op) => of(op, (name) => [claimOf(itemOf(op), name)])),
    ...operations.flatMap((op) => of(op, (name) => answers(op, name))),
    ...operations.flatMap((op) => of(op, (name) => [body(op, name)])),
  ];
}

type Claimed = Omit<EnumOwner, "name">;

function claimOf(schema: JsonObject | undefined, ...candidates: string[]): Claimed | undefined {
  return schema === undefined ? undefined : { schema, candidates };
}

/** What a list holds. */
function itemOf({ route, success }: Operation): JsonObject | undefined {
  if (route.method !== "get") {
    return undefined;
  }
  const schema = success[0]?.schema;
  const properties = schema?.["properties"];
  const data = isObject(properties) ? properties["data"] : schema;
  const items = isObject(data) ? data["items"] : undefined;
  return isObject(items) ? items : undefined;
}

function answers(operation: Operation, name: string): (Claimed | undefined)[] {
  const { route, success, id } = operation;
  const isPost = route.method === "post";
  const isList = itemOf(operation) !== undefined;
  return success.map(({ status, schema }) => {
    if (isList) {
      return claimOf(schema, `${name}List`);
    }
    if (isPost && status !== 201) {
      return claimOf(schema, `${capital(id)}Result`);
    }
    const form = isPost ? "Created" : "Detail";
    return claimOf(schema, name, `${name}${form}`, `${capital(id)}Result`);
  });
}

function body({ route, body: schema, id }: Operation, name: string): Claimed | undefined {
  if (id === `create${name}`) {
    return claimOf(schema, `${name}Create`);
  }
  return claimOf(schema, route.method === "patch" ? `${name}Patch` : `${capital(id)}Request`);
}

function capital(id: string): string {
  return id.charAt(0).toUpperCase() + id.slice(1);
}
