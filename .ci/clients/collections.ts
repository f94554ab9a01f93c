/**
 * Requests to try by hand: a folder for each tag, bodies by the document's examples, as collections. Streams are
 * left out: they do not end, and neither would a run of the collection.
 */

import { type Api, JSON_TYPE, type Operation } from "./document.ts";
import { inputsOf } from "./operations.ts";

const FORMAT = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
const DEFAULT_URL = "http://127.0.0.1:8480";
const STREAM = "text/event-stream";
const PREFIX = "/api/v1";
/** Made anew for each request, by either program. */
const NEW_KEY = "{{$guid}}";

interface Folder {
  name: string;
  about: string;
  operations: Operation[];
}

function foldersOf({ tags, operations }: Api): Folder[] {
  return tags
    .map(({ name, description: about = "" }) => {
      const those = operations.filter(({ tag, answers }) => tag === name && !(STREAM in answers));
      return { name, about, operations: those };
    })
    .filter((folder) => folder.operations.length > 0);
}

/** What is sent: its type, and a text where the document shows one. */
function bodyOf({ takes }: Operation): { type: string; text: string | undefined } | undefined {
  const [type] = Object.keys(takes);
  if (type === undefined) {
    return undefined;
  }
  const example = takes[type]?.example;
  const shown = type === JSON_TYPE ? JSON.stringify(example ?? {}, null, 2) : example;
  return { type, text: typeof shown === "string" ? shown : undefined };
}

function headersOf(operation: Operation): [string, string][] {
  const body = bodyOf(operation);
  return [
    ...(body === undefined ? [] : [["Content-Type", body.type] as [string, string]]),
    ...(operation.method === "POST" ? [["Idempotency-Key", NEW_KEY] as [string, string]] : []),
  ];
}

/** A collection of Postman, by its published schema. */
export function postmanCollection(api: Api): object {
  return {
    info: { name: "Outrider", version: api.version, description: api.description, schema: FORMAT },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{key}}", type: "string" }] },
    variable: [
      { key: "url", value: DEFAULT_URL },
      { key: "key", value: "" },
    ],
    item: foldersOf(api).map(({ name, about, operations }) => {
      return { name, description: about, item: operations.map(postmanItem) };
    }),
  };
}

function postmanItem(operation: Operation): object {
  const { method, path, summary } = operation;
  const { parts, query } = inputsOf(operation);
  const body = bodyOf(operation);
  const filled = `${PREFIX}${path}`.replace(/\{(\w+)\}/g, ":$1");
  const language = body?.type === JSON_TYPE ? "json" : "text";
  return {
    name: summary,
    request: {
      method,
      header: headersOf(operation).map(([key, value]) => ({ key, value })),
      url: {
        raw: `{{url}}${filled}`,
        host: ["{{url}}"],
        path: filled.slice(1).split("/"),
        variable: parts.map((key) => ({ key, value: "" })),
        query: query.map(({ name: key, description, required }) => {
          return { key, value: "", description, disabled: required !== true };
        }),
      },
      ...(body === undefined
        ? {}
        : {
            body:
              body.text === undefined
                ? { mode: "file", file: {} }
                : { mode: "raw", raw: body.text, options: { raw: { language } } },
          }),
    },
  };
}

/** The files of a Bruno collection, by path. */
export function brunoCollection(api: Api): Record<string, string> {
  const files: Record<string, string> = {
    "bruno.json": JSON.stringify({ version: "1", name: "Outrider", type: "collection" }, null, 2),
    "collection.bru": "auth {\n  mode: bearer\n}\n\nauth:bearer {\n  token: {{key}}\n}\n",
    "environments/local.bru": `vars {\n  url: ${DEFAULT_URL}\n  key: \n}\n`,
  };
  for (const [at, folder] of foldersOf(api).entries()) {
    files[`${folder.name}/folder.bru`] =
      `meta {\n  name: ${folder.name}\n  seq: ${at + 1}\n}\n\nauth {\n  mode: inherit\n}\n`;
    for (const [number, operation] of folder.operations.entries()) {
      files[`${folder.name}/${operation.id}.bru`] = brunoRequest(operation, number + 1);
    }
  }
  return files;
}

function brunoRequest(operation: Operation, seq: number): string {
  const { method, path, summary } = operation;
  const { parts, query } = inputsOf(operation);
  const body = bodyOf(operation);
  const kind = body === undefined ? "none" : body.type === JSON_TYPE ? "json" : "text";
  const url = `{{url}}${PREFIX}${path.replace(/\{(\w+)\}/g, ":$1")}`;
  const asked = query.map(({ name, required }) => `${required === true ? "" : "~"}${name}: `);
  return [
    block("meta", [`name: ${summary}`, "type: http", `seq: ${seq}`]),
    block(method.toLowerCase(), [`url: ${url}`, `body: ${kind}`, "auth: inherit"]),
    block(
      "params:path",
      parts.map((name) => `${name}: `),
    ),
    block("params:query", asked),
    block(
      "headers",
      headersOf(operation).map(([name, value]) => `${name}: ${value}`),
    ),
    block(`body:${kind}`, body?.text?.split("\n") ?? []),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function block(name: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${name} {\n${lines.map((line) => `  ${line}\n`).join("")}}\n`;
}
