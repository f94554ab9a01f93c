/**
 * The API as tools of an assistant: one for each operation that daily work needs, and two by which it
 * finds and calls any other. What is a file to others is pages of rows here.
 */

import { CommandError } from "#cli/exit.ts";
import type { Client } from "#cli/requests/client.ts";
import { type ApiOperation, loadApi } from "#cli/requests/operations.ts";
import { Problem } from "#domain/problem.ts";
import { readFrom, readRows } from "./tool-export.ts";

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object" } & Record<string, unknown>;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openEnvironmentHint: boolean;
  };
}

export interface ToolResult {
  /** The answer; of rows also, after them, where they end. */
  texts: readonly string[];
  isError: boolean;
}

export interface Toolbox {
  readonly tools: readonly Tool[];
  /** Never throws: what went wrong is an answer. */
  call(name: string, input: Readonly<Record<string, unknown>>): Promise<ToolResult>;
}

/** Daily work, in the order in which it comes. */
const DAILY = [
  ...["listCampaigns", "createCampaign", "getCampaign", "patchCampaign", "startCampaign"],
  ...["pauseCampaign", "resumeCampaign", "getCampaignLaunchCheck", "getCampaignStats"],
  ...["getCampaignForecast", "listCampaignSteps", "createCampaignStep", "patchCampaignStep"],
  ...["checkCampaignStep", "previewCampaign", "importCampaignLeads", "listCampaignLeads"],
  ...["patchCampaignLead", "explainCampaignLead", "listLeads", "getLead", "listLeadTimeline"],
  ...["listAccounts", "createAccount", "getAccount", "getAccountHealth", "listInboxThreads"],
  ...["getInboxThread", "patchInboxThread", "replyToInboxThread", "createSuppression"],
  ...["checkSuppression", "listExperiments", "createExperiment", "getExperimentResults"],
  ...["listPlacementRuns", "createPlacementRun", "getPlacementRun", "listEvents"],
  ...["getSandboxClock", "moveSandboxClock", "listSandboxMessages", "injectIntoSandbox"],
  ...["exportLeads", "exportMessages", "exportResults", "exportEvents"],
];

const FIND = "find_operations";
const CALL = "call_operation";
/** What an assistant can take in at once. */
const ANSWER_CHARS_MAX = 100_000;
const FOUND_MAX = 8;
const WORDS_MAX = 20;
const JSON_TYPE = "application/json";
const ROWS_TYPE = "application/x-ndjson";
const FORMAT = "format";
const FROM = "from_row";
/** Of no use to who fills in a form; the server checks it all. */
const UNTOLD = new Set(["pattern", "examples", "additionalProperties", "uniqueItems"]);

/** `readOnly` leaves out whatever changes something. */
export async function makeToolbox(client: Client, readOnly: boolean): Promise<Toolbox> {
  const { operations } = await loadApi();
  const told = operations.filter((one) => isJson(one) || returnsRows(one));
  const open = told.filter(({ method }) => !(readOnly && method !== "GET"));
  const byId = new Map(open.map((one) => [one.id, one]));
  const daily = DAILY.flatMap((id) => byId.get(id) ?? []);
  const byTool = new Map(daily.map((one) => [toolName(one.id), one]));
  return {
    tools: [...daily.map(toolOf), ...generalTools(readOnly)],
    call: async (name, input) => {
      if (name === FIND) {
        return said(find(open, String(input["words"] ?? "")));
      }
      if (name !== CALL) {
        const operation = byTool.get(name);
        return operation === undefined
          ? refused(`unknown tool: ${name}`)
          : await ask(client, operation, input);
      }
      const operation = byId.get(String(input["operation"]));
      return operation === undefined
        ? refused(`unknown operation ${String(input["operation"])}; use ${FIND} to look it up`)
        : await ask(client, operation, objectOf(input["arguments"]));
    },
  };
}

function isJson({ answers, takesFile }: ApiOperation): boolean {
  return takesFile.length === 0 && (answers.length === 0 || answers.includes(JSON_TYPE));
}

function returnsRows({ answers }: ApiOperation): boolean {
  return answers.includes(ROWS_TYPE);
}

/** `list_campaigns`. */
function toolName(id: string): string {
  return id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function toolOf(operation: ApiOperation): Tool {
  const { id, method, path, summary } = operation;
  return {
    name: toolName(id),
    description: `${summary}. (${method} ${path})`,
    inputSchema: inputOf(operation),
    annotations: hints(method === "GET", method === "DELETE", method !== "POST"),
  };
}

function hints(reads: boolean, destroys: boolean, repeats: boolean): Tool["annotations"] {
  return {
    readOnlyHint: reads,
    destructiveHint: destroys,
    idempotentHint: repeats,
    openEnvironmentHint: !reads,
  };
}

function generalTools(readOnly: boolean): Tool[] {
  const words = { type: "string", description: "Search words, such as: webhook deliveries" };
  const operation = { type: "string", description: `The operation id returned by ${FIND}` };
  return [
    {
      name: FIND,
      description: "Search the API for other operations and their parameters.",
      inputSchema: { type: "object", properties: { words }, required: ["words"] },
      annotations: hints(true, false, true),
    },
    {
      name: CALL,
      description: `Call an operation returned by ${FIND}.`,
      inputSchema: {
        type: "object",
        properties: { operation, arguments: { type: "object" } },
        required: ["operation"],
      },
      annotations: hints(readOnly, !readOnly, readOnly),
    },
  ];
}

/** What stands in path and query by name; a JSON body as `body`; of rows, where to begin. */
function inputOf(operation: ApiOperation): Tool["inputSchema"] {
  const { inPath, inQuery, body } = operation;
  const isRows = returnsRows(operation);
  const given = [...inPath, ...inQuery].filter(({ name }) => !(isRows && name === FORMAT));
  const parameters = given.map(({ name, schema, description }) => [
    name,
    told(description === "" ? schema : { ...schema, description }),
  ]);
  const required = given.filter((one) => one.required).map(({ name }) => name);
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(parameters),
      ...(isRows ? { [FROM]: FROM_ROW } : {}),
      ...(body === null ? {} : { body: told(body) }),
    },
    required: body === null ? required : [...required, "body"],
    additionalProperties: false,
  };
}

const FROM_ROW = {
  type: "integer",
  minimum: 0,
  default: 0,
  description: "Where the next page starts, as given by the previous page",
};

function told(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(told);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const kept = Object.entries(value).filter(
    ([name, inner]) => !(UNTOLD.has(name) && typeof inner !== "object"),
  );
  return Object.fromEntries(kept.map(([name, inner]) => [name, told(inner)]));
}

/** The operations that `text` speaks of; a word that few of them hold tells more. */
function find(operations: readonly ApiOperation[], text: string): string {
  const told = operations.map((one) => ({
    one,
    words: `${toolName(one.id)} ${one.path} ${one.summary} ${one.tag}`.toLowerCase(),
    score: 0,
  }));
  const asked = text.toLowerCase().split(/[^a-z0-9]+/);
  for (const word of asked.slice(0, WORDS_MAX).filter((one) => one.length > 1)) {
    const hits = told.filter(({ words }) => words.includes(word.replace(/s$/, "")));
    for (const hit of hits) {
      hit.score += 1 / hits.length;
    }
  }
  const best = told.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  return JSON.stringify(
    best.slice(0, FOUND_MAX).map(({ one }) => ({
      operation: one.id,
      request: `${one.method} ${one.path}`,
      summary: one.summary,
      arguments: inputOf(one),
    })),
  );
}

async function ask(
  client: Client,
  operation: ApiOperation,
  input: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const lacking = operation.inPath.find(({ name }) => input[name] === undefined);
  if (lacking !== undefined) {
    return refused(`${lacking.name} is required`);
  }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input[name])),
  );
  const query = queryOf(operation, input);
  try {
    const from = readFrom(input[FROM]);
    const response = await client.ask(query.size === 0 ? path : `${path}?${query}`, {
      method: operation.method,
      ...(operation.body === null
        ? {}
        : {
            headers: { "Content-Type": JSON_TYPE },
            body: JSON.stringify(objectOf(input["body"])),
          }),
    });
    if (returnsRows(operation)) {
      return await rowsOf(response, from);
    }
    return said(response.status === 204 ? "done" : await response.text());
  } catch (error) {
    if (error instanceof Problem) {
      const { type, message, field } = error;
      return refused(JSON.stringify({ type, message, field }));
    }
    if (error instanceof CommandError) {
      return refused(error.message);
    }
    throw error;
  }
}

function queryOf(
  operation: ApiOperation,
  input: Readonly<Record<string, unknown>>,
): URLSearchParams {
  const query = new URLSearchParams();
  for (const { name } of operation.inQuery) {
    const value = input[name];
    if (value !== undefined) {
      query.set(name, String(value));
    }
  }
  if (returnsRows(operation)) {
    query.set(FORMAT, "ndjson");
  }
  return query;
}

async function rowsOf(response: Response, from: number): Promise<ToolResult> {
  const body = response.body ?? new Blob([]).stream();
  const { rows, count, next } = await readRows(body, from, ANSWER_CHARS_MAX);
  const end = next === null ? "this is the last page" : `continue with ${FROM} ${next}`;
  return { texts: [rows, `${count} rows from row ${from}; ${end}`], isError: false };
}

/** Some models write an object as text. */
function objectOf(value: unknown): Record<string, unknown> {
  let given = value;
  if (typeof value === "string") {
    try {
      given = JSON.parse(value);
    } catch {
      given = {};
    }
  }
  return typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {};
}

function said(text: string): ToolResult {
  if (text.length <= ANSWER_CHARS_MAX) {
    return { texts: [text], isError: false };
  }
  const rest = `… cut off after ${ANSWER_CHARS_MAX} of ${text.length} characters; lower the limit`;
  return { texts: [text.slice(0, ANSWER_CHARS_MAX) + rest], isError: false };
}

function refused(text: string): ToolResult {
  return { texts: [text], isError: true };
}
