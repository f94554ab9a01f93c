/**
 * Records between the inside and the wire, by their schema: `teamId` is `team_id`, an instant is ISO 8601,
 * and what the schema does not name stays inside. A schema is read once, when it is first used.
 */

import type {
  OptionalKind,
  Static,
  TArray,
  TObject,
  TProperties,
  TSchema,
  TUnion,
} from "@sinclair/typebox";
import { fromIso, toIso, type UnixMs } from "#domain/time.ts";
import { AS_IS, type TInstant } from "./schema.ts";

type Camel<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

type Optional = { readonly [OptionalKind]: "Optional" };

/** What a value of `Schema` is inside. */
export type Inner<Schema> = Schema extends TInstant
  ? UnixMs
  : Schema extends TObject<infer Properties>
    ? Schema extends { [AS_IS]: true }
      ? Given<Static<Schema>>
      : InnerFields<Properties>
    : Schema extends TArray<infer Item>
      ? readonly Inner<Item>[]
      : Schema extends TUnion<infer Options>
        ? Inner<Options[number]>
        : Schema extends TSchema
          ? Given<Static<Schema>>
          : never;

/** Nobody changes what was handed over. */
type Given<Value> = Value extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Given<Value[Name]> }
    : Value;

type InnerFields<Fields extends TProperties> = {
  [Name in keyof Fields as Fields[Name] extends Optional ? never : Camel<Name>]: Inner<
    Fields[Name]
  >;
} & {
  [Name in keyof Fields as Fields[Name] extends Optional ? Camel<Name> : never]?: Inner<
    Fields[Name]
  >;
};

/** What `source` says of the fields of `schema`, as the wire has them. */
export function present<Schema extends TObject>(
  schema: Schema,
  source: Inner<Schema>,
): Static<Schema> {
  return presenting(schema)(source, "") as Static<Schema>;
}

/** A body as the inside has it: only what was given. Throws `validation_error` for what is no instant. */
export function read<Schema extends TObject>(schema: Schema, body: Static<Schema>): Inner<Schema> {
  return reading(schema)(body, "") as Inner<Schema>;
}

/** `path` is where the value stands, for what is said of it. */
type Convert = (value: unknown, path: string) => unknown;

const presenting = once((schema) => converter(schema, (at) => toIso(at as UnixMs), true) ?? keep);
const reading = once(
  (schema) =>
    converter(schema, (text, path) => fromIso(text as string, path.slice(1)), false) ?? keep,
);

const keep: Convert = (value) => value;

function once(make: (schema: TSchema) => Convert): (schema: TSchema) => Convert {
  const made = new WeakMap<TSchema, Convert>();
  return (schema) => {
    const known = made.get(schema) ?? make(schema);
    made.set(schema, known);
    return known;
  };
}

/** Undefined where a value stays as it is. */
function converter(schema: TSchema, instant: Convert, outward: boolean): Convert | undefined {
  const { format, properties, items, anyOf } = schema as {
    format?: string;
    properties?: TProperties;
    items?: TSchema;
    anyOf?: TSchema[];
  };
  if (format === "date-time") {
    return instant;
  }
  if (properties !== undefined && Object.keys(properties).length > 0 && !(AS_IS in schema)) {
    return fieldsOf(properties, instant, outward);
  }
  if (items !== undefined) {
    const item = converter(items, instant, outward);
    return (
      item &&
      ((list, path) =>
        (list as unknown[]).map((it, at) => item(it, outward ? "" : `${path}.${at}`)))
    );
  }
  const [one, ...others] = (anyOf ?? []).flatMap((option) => {
    return converter(option, instant, outward) ?? [];
  });
  if (others.length > 0) {
    throw new Error("a union may have one form that is converted");
  }
  return one && ((value, path) => (value === null ? null : one(value, path)));
}

/**
 * Written out as code, as the validators are: a loop over names made lists of 100 records up to a quarter
 * more expensive.
 */
function fieldsOf(properties: TProperties, instant: Convert, outward: boolean): Convert {
  const converts: (Convert | undefined)[] = [];
  const lines = Object.entries(properties).map(([wire, schema], at) => {
    const inner = wire.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
    const [from, to] = (outward ? [inner, wire] : [wire, inner]).map((name) =>
      JSON.stringify(name),
    );
    converts[at] = converter(schema, instant, outward);
    const place = outward ? "" : `, path + "." + ${from}`;
    const value = converts[at] ? `c[${at}](value${place})` : "value";
    return `value = source[${from}]; if (value !== undefined) made[${to}] = ${value};`;
  });
  const code = `return (source, path) => { const made = {}; let value; ${lines.join("")} return made; };`;
  return new Function("c", code)(converts) as Convert;
}
