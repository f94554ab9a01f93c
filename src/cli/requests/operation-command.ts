/** Commands made of the API's operations: one for each, with its fields as options. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Api, ApiOperation, Schema } from "#api/document/read.ts";
import type { Call, Command, Option } from "#cli/command.ts";
import { CommandError, EXIT, usageError } from "#cli/exit.ts";
import { jsonLine } from "#cli/term.ts";
import { CLIENT_DETAILS, CLIENT_OPTIONS, type Client, clientOf } from "./client.ts";
import { checkColumns } from "./columns.ts";
import {
  type Field,
  fieldOption,
  fieldsOf,
  fieldValue,
  optionName,
  place,
  readInput,
} from "./fields.ts";
import { commandName, ELSEWHERE, placeholders } from "./operation-names.ts";
import { loadApi } from "./operations.ts";
import { fieldText, listText, recordText } from "./records.ts";

const JSON_TYPE = "application/json";
const PAGE_SIZE = 100;
/** Of `--all`: ten million records. */
const PAGES_MAX = 100_000;

const OWN_OPTIONS = {
  input: {
    type: "string",
    value: "FILE",
    about: "JSON body from a file (- for stdin); options override it",
  },
  file: { type: "string", value: "FILE", about: "File to upload; the extension sets its type" },
  output: { type: "string", value: "FILE", about: "Output file (stdout)" },
  all: { type: "boolean", about: "Fetch all pages" },
  only: { type: "string", value: "FIELD", about: "Print one field only: id, send_window.days" },
  onlyOf: { type: "string", value: "A,B,…", about: "Print these fields only, a record a line" },
  columns: { type: "string", value: "A,B,…", about: "Table columns; use dots for nested fields" },
  yes: { type: "boolean", about: "Skip the confirmation" },
} as const satisfies Record<string, Option>;

/** Every operation that has no command of its own, by name. */
export async function operationCommands(): Promise<Record<string, Command>> {
  const { operations, schemas } = await loadApi();
  return Object.fromEntries(
    operations
      .filter(({ id }) => !ELSEWHERE.has(id))
      .map((operation) => [commandName(operation, operations), commandOf(operation, schemas)]),
  );
}

function commandOf(operation: ApiOperation, schemas: Api["schemas"]): Command {
  const fields = parametersOf(operation);
  const bodyFields = operation.body === null ? [] : fieldsOf(operation.body);
  const words = placeholders(operation.path);
  const taken = [...fields, ...bodyFields].map((one) => [optionName(one.path), fieldOption(one)]);
  return {
    about: operation.summary,
    details: `${operation.method} /api/v1${operation.path}; ${scopeText(operation)}. ${CLIENT_DETAILS}`,
    options: { ...ownOptions(operation), ...CLIENT_OPTIONS, ...Object.fromEntries(taken) },
    positionals: operation.inPath.map(({ description }, index) => ({
      name: words[index] ?? "ID",
      about: description === "" ? "The id" : description,
    })),
    run: (call) => {
      checkColumns(listGiven(call, "columns") ?? [], operation, schemas);
      checkColumns(onlyGiven(operation, call) ?? [], operation, schemas);
      return run(operation, bodyFields, call);
    },
  };
}

function scopeText({ scopes }: ApiOperation): string {
  return scopes.length === 0
    ? "each request in it needs its own scope"
    : `needs the scope ${scopes.join(" or ")}`;
}

/** What stands in the query and in headers. */
function parametersOf({ inQuery, inHeader }: ApiOperation): Field[] {
  return [...inQuery, ...inHeader].map(({ name, required, description, schema }) => ({
    path: [name.toLowerCase()],
    schema: { ...withoutLength(schema), ...(description === "" ? {} : { description }) },
    isRequired: required,
  }));
}

/** What stands in an address or a header comes from no file. */
function withoutLength({ maxLength: _, ...schema }: Schema): Schema {
  return schema;
}

function ownOptions(operation: ApiOperation): Record<string, Option> {
  const { input, file, output, all, columns, only, onlyOf, yes } = OWN_OPTIONS;
  const returnsRecord = operation.answers.includes(JSON_TYPE) && !operation.isList;
  return {
    ...(operation.body === null ? {} : { input }),
    ...(operation.takesFile.length === 0 ? {} : { file }),
    ...(returnsFile(operation) ? { output } : {}),
    ...(operation.isList ? { all, columns, only: onlyOf } : {}),
    ...(returnsRecord ? { only } : {}),
    ...(operation.method === "DELETE" ? { yes } : {}),
  };
}

function returnsFile({ answers }: ApiOperation): boolean {
  return answers.length > 0 && !answers.includes(JSON_TYPE);
}

function returnsText({ answers }: ApiOperation): boolean {
  return answers.every((type) => type.startsWith("text/") || type.endsWith("ndjson"));
}

async function run(operation: ApiOperation, bodyFields: readonly Field[], call: Call) {
  if (operation.method === "DELETE" && !isSaid(call, "yes")) {
    throw usageError(`this can't be undone; add --yes to confirm (${operation.summary})`);
  }
  if (returnsFile(operation) && !returnsText(operation) && given(call, "output") === undefined) {
    throw usageError("needs --output FILE: the response is not text");
  }
  const client = clientOf({ ...call, values: { server: given(call, "server") } });
  const path = operation.path.replace(/\{\w+\}/g, wordsInOrder(call.words));
  if (isSaid(call, "all")) {
    return await listAll(client, path, operation, call);
  }
  const query = queryOf(operation, call);
  const response = await client.ask(query.size === 0 ? path : `${path}?${query}`, {
    method: operation.method,
    ...(await contentOf(operation, bodyFields, call)),
  });
  if (returnsFile(operation)) {
    await write(response, call);
  } else if (response.status !== 204) {
    show(await response.json(), operation, call);
  }
  return EXIT.done;
}

function wordsInOrder(words: readonly string[]): () => string {
  let next = 0;
  return () => {
    next += 1;
    return encodeURIComponent(words[next - 1] ?? "");
  };
}

function queryOf({ inQuery }: ApiOperation, call: Call): URLSearchParams {
  const query = new URLSearchParams();
  for (const { name } of inQuery) {
    const text = given(call, optionName([name]));
    if (text !== undefined) {
      query.set(name, text);
    }
  }
  return query;
}

async function contentOf(
  operation: ApiOperation,
  fields: readonly Field[],
  call: Call,
): Promise<RequestInit> {
  const headers: Record<string, string> = {};
  for (const { name } of operation.inHeader) {
    const text = given(call, optionName([name.toLowerCase()]));
    if (text !== undefined) {
      headers[name] = text;
    }
  }
  if (operation.takesFile.length > 0) {
    return fileContent(operation.takesFile, headers, call);
  }
  if (operation.body === null) {
    return { headers };
  }
  const input = given(call, "input");
  const body = input === undefined ? {} : await readInput(input, call.workingDir);
  for (const field of fields) {
    const text = given(call, optionName(field.path));
    if (text !== undefined) {
      place(body, field.path, fieldValue(field, text, call.workingDir));
    }
  }
  return { headers: { ...headers, "Content-Type": JSON_TYPE }, body: JSON.stringify(body) };
}

/** Types of files by the endings of their names; the others are what the operation takes first. */
const FILE_NAMES: readonly (readonly [RegExp, string])[] = [
  [/\.(ndjson|jsonl)$/i, "application/x-ndjson"],
  [/\.json$/i, JSON_TYPE],
];

function fileContent(
  types: readonly string[],
  headers: Readonly<Record<string, string>>,
  call: Call,
): RequestInit {
  const name = given(call, "file");
  if (name === undefined) {
    throw usageError("needs --file FILE");
  }
  const path = resolve(call.workingDir, name);
  if (!existsSync(path)) {
    throw new CommandError(EXIT.badData, `can't read ${path}`);
  }
  const known = FILE_NAMES.find(([ending]) => ending.test(name))?.[1] ?? "";
  const type = types.includes(known) ? known : (types[0] ?? "");
  return {
    headers: { ...headers, "Content-Type": type },
    body: Bun.file(path),
  };
}

async function write(response: Response, call: Call): Promise<void> {
  const output = given(call, "output");
  if (output !== undefined) {
    await Bun.write(resolve(call.workingDir, output), response);
    return;
  }
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    call.terminal.out(decoder.decode(bytes, { stream: true }));
  }
}

type Page = Readonly<Record<string, unknown>> & {
  data: Record<string, unknown>[];
  total?: number;
  hasMore?: boolean;
  next_cursor?: string | null;
};

async function listAll(client: Client, path: string, operation: ApiOperation, call: Call) {
  const query = queryOf(operation, call);
  const pages = operation.inQuery.some(({ name }) => name === "limit");
  if (pages) {
    query.set("limit", String(PAGE_SIZE));
  }
  const rows: Record<string, unknown>[] = [];
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const answer = await client.call<Page | Record<string, unknown>[]>("GET", `${path}?${query}`);
    const { data, hasMore, next_cursor: next } = Array.isArray(answer) ? { data: answer } : answer;
    rows.push(...(data as Record<string, unknown>[]));
    if (!(pages && (hasMore === true || typeof next === "string"))) {
      break;
    }
    if (typeof next === "string") {
      query.set("after", next);
    } else {
      query.set("offset", String(rows.length));
    }
  }
  show({ data: rows }, operation, call);
  return EXIT.done;
}

/** A list or a record on stdout; how much more there is, on stderr. */
function show(answer: unknown, operation: ApiOperation, call: Call): void {
  const { terminal, json } = call;
  const only = onlyGiven(operation, call);
  const page = (Array.isArray(answer) ? { data: answer } : answer) as Page;
  if (only !== null) {
    const records = operation.isList ? page.data : [page];
    const lines = records.map((one) => only.map((path) => fieldText(one, path)).join("\t"));
    terminal.out(lines.map((line) => `${line}\n`).join(""));
    return;
  }
  if (json) {
    terminal.out(jsonLine(answer));
    return;
  }
  if (!operation.isList) {
    terminal.out(recordText(page, terminal));
    return;
  }
  terminal.out(listText(page.data, listGiven(call, "columns"), terminal));
  const cursor = page.next_cursor;
  if (page.hasMore === true || typeof cursor === "string") {
    const next = typeof cursor === "string" ? `--after ${cursor}` : "--offset, or --all";
    terminal.err(`${page.data.length} of ${page.total ?? "more"}; continue with ${next}\n`);
  } else if (page.data.length === 0) {
    terminal.err("none\n");
  }
}

/** Fields to print alone; a record has one, which is how its path may hold a comma. */
function onlyGiven({ isList }: ApiOperation, call: Call): string[] | null {
  const one = given(call, "only");
  return isList ? listGiven(call, "only") : one === undefined ? null : [one];
}

function listGiven(call: Call, name: string): string[] | null {
  return given(call, name)?.split(",") ?? null;
}

/** The value of an option that takes one. */
function given({ values }: Call, name: string): string | undefined {
  const value: string | boolean | undefined = values[name];
  return typeof value === "string" ? value : undefined;
}

function isSaid({ values }: Call, name: string): boolean {
  const value: string | boolean | undefined = values[name];
  return value === true;
}
