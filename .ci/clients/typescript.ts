/** The generated half of the TypeScript client: types of every record and operation, and where it is. */

import { type Api, JSON_TYPE, type Operation, type Schema } from "./document.ts";

/** The whole file. */
export function typescriptSource({ operations, schemas }: Api): string {
  return [
    "// Made by .ci/client.ts from the API's own document. Not to be changed by hand.\n",
    ...Object.entries(schemas).map(
      ([name, schema]) => `${comment(schema, "")}export type ${name} = ${typeOf(schema, "")};\n`,
    ),
    "/** `text/csv`, or `text/csv; charset=latin1`. */",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is one in what is written.
    "export type WithCharset<Type extends string> = Type | `${Type}; charset=${string}`;\n",
    "/** What each operation takes and answers. */",
    "export interface Operations {",
    ...operations.map(
      (one) =>
        `  /** ${one.summary}. \`${one.method} ${one.path}\` */\n` +
        `  ${one.id}: { args: ${argumentsOf(one)}; answer: ${outcomeOf(one)} };`,
    ),
    "}\n",
    "/** Where an operation is: its method and path; `file` where what comes is no JSON. */",
    "export const PLACES: { readonly [Id in keyof Operations]: string } = {",
    ...operations.map((one) => `  ${one.id}: ${JSON.stringify(placeOf(one))},`),
    "};\n",
  ].join("\n");
}

/** Path and query by name, and the body as `body`. */
function argumentsOf({ parameters, takes, body, mayOmitBody }: Operation): string {
  const named = parameters.filter((one) => one.in === "path" || one.in === "query");
  const fields = named.map(({ name = "", required, schema = {} }) => {
    const type = typeOf(schema, "  ");
    return required === true ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
  });
  const types = Object.keys(takes);
  if (body !== undefined) {
    fields.push(`body${mayOmitBody ? "?" : ""}: ${typeOf(body, "  ")}`);
  } else if (types.length > 0) {
    const selected = types.map((type) => JSON.stringify(type)).join(" | ");
    fields.push("body: Blob | string", `contentType: WithCharset<${selected}>`);
  }
  return fields.length === 0 ? "Record<never, never>" : `{ ${fields.join("; ")} }`;
}

function outcomeOf(operation: Operation): string {
  const kinds = { json: "", file: "Response", nothing: "undefined" };
  const schema = operation.answers[JSON_TYPE]?.schema;
  if (schema === undefined) {
    return kinds[operation.kind];
  }
  return `${typeOf(schema, "  ")}${operation.isSilent ? " | undefined" : ""}`;
}

function placeOf(operation: Operation): string {
  const { method, path } = operation;
  return `${method} ${path}${operation.kind === "file" ? " file" : ""}`;
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) {
    return schema.$ref.split("/").at(-1) ?? "unknown";
  }
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values !== undefined) {
    return values.map((value) => JSON.stringify(value)).join(" | ");
  }
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) {
    return [...new Set(options.map((one) => typeOf(one, indent)))].join(" | ");
  }
  const types = [schema.type ?? "unknown"].flat();
  return types.map((type) => plainType(type, schema, indent)).join(" | ");
}

function plainType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case "integer":
      return "number";
    case "array":
      return `Array<${typeOf(schema.items ?? {}, indent)}>`;
    case "object":
      return objectType(schema, indent);
    default:
      return type;
  }
}

function objectType(schema: Schema, indent: string): string {
  const { properties, required = [], additionalProperties } = schema;
  if (properties === undefined) {
    const value = typeof additionalProperties === "object" ? additionalProperties : {};
    return `Record<string, ${typeOf(value, indent)}>`;
  }
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, one]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const optional = required.includes(name) ? "" : "?";
    return `${comment(one, inner)}${inner}${key}${optional}: ${typeOf(one, inner)};\n`;
  });
  return `{\n${fields.join("")}${indent}}`;
}

function comment({ description }: Schema, indent: string): string {
  const text = description?.replaceAll("*/", "* /").replaceAll("\n", " ");
  return text === undefined ? "" : `${indent}/** ${text} */\n`;
}
