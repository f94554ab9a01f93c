/**
 * TypeBox's JSON Schema as JSON Schema 2020-12 that generators of clients like: unions of literals are
 * enums, a nullable type is a list of two types, and answers are open, because a new field in an answer is
 * no breaking change.
 */

import { isObject, type JsonObject } from "./json.ts";

/** `open` takes `additionalProperties: false` away: for what we answer, not for what we are sent. */
export function cleanSchema(schema: JsonObject, open: boolean): JsonObject {
  const { $id: _id, "x-document": told, anyOf, ...rest } = schema;
  const cleaned = Object.fromEntries(
    Object.entries(isObject(told) ? { ...rest, ...told } : rest)
      .filter(([name, value]) => !(open && name === "additionalProperties" && value === false))
      .map(([name, value]) => [name, cleanKeyword(name, value, open)]),
  );
  const typed = withSize(asRecord(cleaned));
  return Array.isArray(anyOf)
    ? { ...typed, ...union(anyOf.filter(isObject).map((option) => cleanSchema(option, open))) }
    : typed;
}

const INT32_MAX = 2 ** 31 - 1;

/** Without a format, languages take 32 bits: a disk has more bytes than that, and a p-value more digits. */
function withSize(schema: JsonObject): JsonObject {
  const { type, maximum } = schema;
  if (type === "number") {
    return { ...schema, format: "double" };
  }
  const isSmall = typeof maximum === "number" && maximum <= INT32_MAX;
  return type === "integer" && !isSmall ? { ...schema, format: "int64" } : schema;
}

/** Keywords whose value holds schemas by name; a property may be called like a keyword. */
const BY_NAME = new Set(["properties", "patternProperties", "$defs"]);
const ONE_SCHEMA = new Set(["items", "additionalProperties", "not"]);
const MANY_SCHEMAS = new Set(["allOf", "oneOf"]);

function cleanKeyword(name: string, value: unknown, open: boolean): unknown {
  if (BY_NAME.has(name) && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        isObject(item) ? cleanSchema(item, open) : item,
      ]),
    );
  }
  if (ONE_SCHEMA.has(name) && isObject(value)) {
    return cleanSchema(value, open);
  }
  if (MANY_SCHEMAS.has(name) && Array.isArray(value)) {
    return value.map((item) => (isObject(item) ? cleanSchema(item, open) : item));
  }
  return value;
}

/** TypeBox writes a map as a pattern that every key fits. */
function asRecord(schema: JsonObject): JsonObject {
  const { patternProperties, ...rest } = schema;
  if (!isObject(patternProperties)) {
    return schema;
  }
  const entries = Object.entries(patternProperties);
  const [only] = entries;
  return entries.length === 1 && only !== undefined && only[0] === "^(.*)$"
    ? { ...rest, additionalProperties: only[1] }
    : schema;
}

function union(options: JsonObject[]): JsonObject {
  const literals = options.filter((option) => "const" in option);
  const isNullable = options.some((option) => option["type"] === "null");
  const others = options.filter((option) => option["type"] !== "null");
  if (literals.length > 0 && literals.length === others.length) {
    return enumeration(literals, isNullable);
  }
  const [only] = others;
  if (isNullable && others.length === 1 && only !== undefined) {
    return nullable(only);
  }
  return { anyOf: options };
}

function enumeration(literals: JsonObject[], isNullable: boolean): JsonObject {
  const types = [...new Set(literals.map((literal) => literal["type"]))];
  const values = literals.map((literal) => literal["const"]);
  const all = isNullable ? [...types, "null"] : types;
  return {
    type: all.length === 1 ? all[0] : all,
    enum: isNullable ? [...values, null] : values,
  };
}

function nullable(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (type === "object") {
    // openapi-generator forgets for Rust that an object inside another may be null, where its type says so.
    const { description, ...object } = schema;
    const beside = description === undefined ? {} : { description };
    return { ...beside, anyOf: [object, { type: "null" }] };
  }
  if (typeof type !== "string") {
    return Array.isArray(schema["enum"]) && Array.isArray(type)
      ? { ...schema, type: [...type, "null"], enum: [...schema["enum"], null] }
      : { anyOf: [schema, { type: "null" }] };
  }
  const values = Array.isArray(schema["enum"]) ? { enum: [...schema["enum"], null] } : {};
  return { ...schema, ...values, type: [type, "null"] };
}
