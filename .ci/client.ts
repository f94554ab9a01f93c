/**
 * The generated half of the TypeScript client: types of every record and operation, and where each
 * operation is to be found, from the document that the API serves.
 *
 *   bun .ci/client.ts           writes clients/typescript/src/api.ts
 */

import { join } from "node:path";
import { buildDocument } from "#api/openapi.ts";
import { apiRoutes } from "#api/server.ts";
import { VERSION } from "#app/version.ts";

export const CLIENT_FILE = join(import.meta.dir, "../clients/typescript/src/api.ts");
const JSON_TYPE = "application/json";

interface Schema {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  $ref?: string;
}

interface Parameter {
  name?: string;
  in?: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  $ref?: string;
}

type Content = Record<string, { schema: Schema }>;

interface Operation {
  id: string;
  method: string;
  path: string;
  summary: string;
  parameters: readonly Parameter[];
  takes: Content;
  answers: Content;
  /** It may answer nothing. */
  isSilent: boolean;
}

interface ApiDocument {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        summary: string;
        parameters?: Parameter[];
        requestBody?: { content: Content };
        responses: Record<string, { content?: Content }>;
      }
    >
  >;
  components: { schemas: Record<string, Schema> };
}

/** The whole file. */
export async function clientSource(): Promise<string> {
  const routes = apiRoutes(undefined as never, {} as never);
  const document = (await buildDocument(routes, VERSION)) as unknown as ApiDocument;
  const operations = operationsOf(document);
  return [
    "// Made by .ci/client.ts from the API's own document. Not to be changed by hand.\n",
    ...Object.entries(document.components.schemas).map(
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

function operationsOf({ paths }: ApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => {
      const done = Object.entries(one.responses).filter(([status]) => status.startsWith("2"));
      return {
        id: one.operationId,
        method: method.toUpperCase(),
        path,
        summary: one.summary,
        parameters: one.parameters ?? [],
        takes: one.requestBody?.content ?? {},
        isSilent: done.some(([, { content }]) => content === undefined),
        answers: Object.assign({}, ...done.map(([, { content = {} }]) => content)) as Content,
      };
    }),
  );
}

/** Path and query by name, and the body as `body`. */
function argumentsOf({ parameters, takes }: Operation): string {
  const named = parameters.filter((one) => one.in === "path" || one.in === "query");
  const fields = named.map(({ name = "", required, schema = {} }) => {
    const type = typeOf(schema, "  ");
    return required === true ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
  });
  // Beside other types, JSON is one that a file may be of.
  const isFile = Object.keys(takes).some((type) => type === "text/csv");
  const body = isFile ? undefined : takes[JSON_TYPE]?.schema;
  const types = Object.keys(takes);
  if (body !== undefined) {
    fields.push(`body${isOptional(body) ? "?" : ""}: ${typeOf(body, "  ")}`);
  } else if (types.length > 0) {
    const selected = types.map((type) => JSON.stringify(type)).join(" | ");
    fields.push("body: Blob | string", `contentType: WithCharset<${selected}>`);
  }
  return fields.length === 0 ? "Record<never, never>" : `{ ${fields.join("; ")} }`;
}

/** True where nothing has to be said: only `patch` and actions with settings of their own. */
function isOptional({ required = [], $ref }: Schema): boolean {
  return $ref === undefined && required.length === 0;
}

function outcomeOf(operation: Operation): string {
  const kinds = { json: "", file: "Response", nothing: "undefined" };
  const schema = operation.answers[JSON_TYPE]?.schema;
  if (schema === undefined) {
    return kinds[kindOf(operation)];
  }
  return `${typeOf(schema, "  ")}${operation.isSilent ? " | undefined" : ""}`;
}

function kindOf({ answers }: Operation): "json" | "file" | "nothing" {
  const types = Object.keys(answers);
  return types.length === 0 ? "nothing" : types.includes(JSON_TYPE) ? "json" : "file";
}

function placeOf(operation: Operation): string {
  const { method, path } = operation;
  return `${method} ${path}${kindOf(operation) === "file" ? " file" : ""}`;
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

if (import.meta.main) {
  await Bun.write(CLIENT_FILE, await clientSource());
}
