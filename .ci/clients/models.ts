/**
 * The schemas as languages want them that name every type: each object is a model of its own, also one that
 * stands inside of another, and is called after its place (`CampaignStatsVariant`). Equal objects are one model.
 */

import { pascal, singular } from "#api/document/names.ts";
import type { Api, Schema } from "./document.ts";

export type Type =
  | { kind: "string" | "time" | "integer" | "number" | "boolean" | "any" | "null" }
  | { kind: "const"; value: string }
  | { kind: "named"; name: string }
  | { kind: "list" | "map"; of: Type }
  | { kind: "union"; of: readonly Type[] }
  | { kind: "nullable"; of: Type };

export interface Field {
  name: string;
  about: string;
  type: Type;
  required: boolean;
}

/** An object. */
export interface Model {
  name: string;
  about: string;
  fields: readonly Field[];
}

/** Models that are told apart by a field which has one value in each. */
export interface Union {
  name: string;
  about: string;
  field: string;
  members: readonly { value: string; model: string }[];
}

export interface Models {
  enums: readonly { name: string; values: readonly string[] }[];
  models: readonly Model[];
  unions: readonly Union[];
  typeOf(schema: Schema): Type;
}

const PLAIN = ["integer", "number", "boolean", "null"] as const;

/** Throws where two different objects would have one name. */
export function readModels({ schemas }: Api): Models {
  const enums: { name: string; values: readonly string[] }[] = [];
  const models = new Map<string, Model>();
  const unions: Union[] = [];
  const inner = new Map<string, string>();

  const addModel = (name: string, { description = "", properties = {}, required = [] }: Schema) => {
    if (models.has(name)) {
      throw new Error(`two objects are called ${name}`);
    }
    const fields: Field[] = [];
    models.set(name, { name, about: description, fields });
    for (const [key, schema] of Object.entries(properties)) {
      fields.push({
        name: key,
        about: schema.description ?? "",
        type: typeAt(schema, `${name}${pascal(key)}`),
        required: required.includes(key),
      });
    }
  };

  /** One place may be called like another: what one `hour` is, and each of the `hours`. */
  const freeName = (place: string): string => {
    const taken = (name: string) => models.has(name) || Object.hasOwn(schemas, name);
    return taken(place) ? `${place}Item` : place;
  };

  const objectAt = (schema: Schema, place: string): Type => {
    const { properties = {}, required = [], additionalProperties } = schema;
    if (Object.keys(properties).length === 0) {
      const values = typeof additionalProperties === "object" ? additionalProperties : {};
      return { kind: "map", of: typeAt(values, place) };
    }
    const key = JSON.stringify([properties, required]);
    const name = inner.get(key) ?? freeName(place);
    if (!inner.has(key)) {
      inner.set(key, name);
      addModel(name, schema);
    }
    return { kind: "named", name };
  };

  const plainAt = (type: string, schema: Schema, place: string): Type => {
    switch (type) {
      case "object":
        return objectAt(schema, place);
      case "array":
        return { kind: "list", of: typeAt(schema.items ?? {}, singular(place)) };
      case "string":
        return { kind: schema.format === "date-time" ? "time" : "string" };
      default:
        return { kind: PLAIN.find((plain) => plain === type) ?? "any" };
    }
  };

  const typeAt = (schema: Schema, place: string): Type => {
    if (schema.$ref !== undefined) {
      return { kind: "named", name: schema.$ref.split("/").at(-1) ?? "" };
    }
    if (schema.const !== undefined) {
      return { kind: "const", value: String(schema.const) };
    }
    const types = [schema.type ?? "any"].flat();
    return together(
      schema.anyOf === undefined
        ? types.map((type) => plainAt(type, schema, place))
        : schema.anyOf.map((one) => typeAt(one, place)),
    );
  };

  for (const [name, schema] of Object.entries(schemas)) {
    const { discriminator, enum: values } = schema;
    if (values !== undefined) {
      enums.push({ name, values: values.map(String) });
    } else if (discriminator !== undefined) {
      const members = Object.entries(discriminator.mapping).map(([value, reference]) => {
        return { value, model: reference.split("/").at(-1) ?? "" };
      });
      const about = schema.description ?? "";
      unions.push({ name, about, field: discriminator.propertyName, members });
    } else {
      addModel(name, schema);
    }
  }
  return { enums, models: [...models.values()], unions, typeOf: (schema) => typeAt(schema, "") };
}

/** One type of several, among which may be null. */
function together(types: readonly Type[]): Type {
  const flat = types.flatMap((type) =>
    type.kind === "union" ? type.of : type.kind === "nullable" ? [type.of, NULL] : [type],
  );
  const distinct = [...new Map(flat.map((type) => [JSON.stringify(type), type])).values()];
  const others = distinct.filter(({ kind }) => kind !== "null");
  const [only = NULL] = others;
  const one: Type = others.length > 1 ? { kind: "union", of: others } : only;
  return others.length < distinct.length ? { kind: "nullable", of: one } : one;
}

const NULL: Type = { kind: "null" };
