/** The API's own document, read as far as references show it. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

/** By media type. */
export type Content = Record<string, { schema?: Schema; example?: unknown }>;

export interface Response {
  $ref?: string;
  description?: string;
  content?: Content;
}

export interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content?: Content };
  responses?: Record<string, Response>;
  security?: Record<string, string[]>[];
}

export interface ApiDocument {
  info: { title: string; description: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}

/** An operation with its place. */
export interface Placed {
  method: string;
  path: string;
  operation: Operation;
}

export function operationsOf({ paths }: ApiDocument): Placed[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

/** What a `$ref` of ours stands for, else the value itself. */
export function resolve<Value extends { $ref?: string }>(of: ApiDocument, value: Value): Value {
  const [, kind = "", name = ""] = /^#\/components\/([^/]+)\/([^/]+)$/.exec(value.$ref ?? "") ?? [];
  const found = of.components[kind]?.[name] as Value | undefined;
  return found ?? value;
}

/** The kind of a value in a few words: "text", "list of Campaign", "number or nothing". */
export function kindOf(of: ApiDocument, schema: Schema): string {
  if (schema.$ref !== undefined) {
    return schema.$ref.split("/").at(-1) ?? "";
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const literals = choices.filter((choice) => "const" in choice);
    return literals.length === choices.length
      ? literals.map((choice) => JSON.stringify(choice.const)).join(" | ")
      : choices.map((choice) => kindOf(of, choice)).join(" | ");
  }
  if (schema.enum !== undefined) {
    return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  }
  if (schema.type === "array") {
    return `list of ${schema.items === undefined ? "anything" : kindOf(of, schema.items)}`;
  }
  const type = [schema.type ?? "anything"].flat().join(" | ");
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

const DEPTH_MAX = 4;

/** A body to begin with: what is required, with plain values. */
export function sampleOf(of: ApiDocument, schema: Schema, depth = 0): unknown {
  const whole = resolve(of, schema);
  const given = whole.example ?? whole.examples?.[0] ?? whole.default ?? whole.const;
  if (given !== undefined || depth > DEPTH_MAX) {
    return given ?? null;
  }
  const choice = whole.anyOf?.[0] ?? whole.oneOf?.[0];
  if (choice !== undefined) {
    return sampleOf(of, choice, depth + 1);
  }
  if (whole.properties !== undefined) {
    const { required = [] } = whole;
    return Object.fromEntries(
      Object.entries(whole.properties)
        .filter(([name]) => required.includes(name))
        .map(([name, property]) => [name, sampleOf(of, property, depth + 1)]),
    );
  }
  return plainValue(whole, of, depth);
}

function plainValue(schema: Schema, of: ApiDocument, depth: number): unknown {
  switch ([schema.type].flat()[0]) {
    case "array":
      return schema.items === undefined ? [] : [sampleOf(of, schema.items, depth + 1)];
    case "integer":
    case "number":
      return schema.minimum ?? 0;
    case "boolean":
      return true;
    case "object":
      return {};
    default:
      return schema.enum?.[0] ?? "";
  }
}
