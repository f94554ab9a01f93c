/**
 * The API as tools of an assistant: one for each operation that daily work needs, and two by which it
 * finds and calls any other. What may send email answers with a plan first, and does it when called again
 * with the plan's `confirm`. What is a file to others is pages of rows here.
 */

import type { Api, ApiOperation } from "#api/document/read.ts";
import { nearestWord } from "#domain/nearest-word.ts";
import { Problem } from "#domain/problem.ts";
import { holds } from "#domain/team/api-key.ts";
import { outputOf } from "./answers.ts";
import { checkNames, inputOf, returnsRows } from "./arguments.ts";
import type { Confirmations } from "./confirmations.ts";
import { type Assistant, perform, refusalOf, refused, said } from "./perform.ts";
import { createSearch, type Search } from "./search.ts";
import { Refusal, SENDS } from "./sends.ts";
import { JSON_TYPE, type ToolResult, type Values } from "./types.ts";

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object" } & Record<string, unknown>;
  readonly outputSchema: { readonly type: "object" } & Record<string, unknown>;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

export interface Toolbox {
  tools(assistant: Assistant): Tool[];
  /** Never throws: what went wrong is an answer. */
  call(assistant: Assistant, name: string, input: Values): Promise<ToolResult>;
}

/** Daily work, in the order in which it comes. */
const DAILY = [
  ...["listCampaigns", "createCampaign", "getCampaign", "patchCampaign", "startCampaign"],
  ...["pauseCampaign", "resumeCampaign", "getCampaignLaunchCheck", "getCampaignStats"],
  ...["getCampaignForecast", "listCampaignSteps", "createCampaignStep", "patchCampaignStep"],
  ...["checkCampaignStep", "sendTestCampaignStep", "previewCampaign", "importCampaignLeads"],
  ...["listCampaignLeads", "patchCampaignLead", "explainCampaignLead", "getAttention"],
  ...["listLeads", "getLead", "listLeadTimeline", "listAccounts", "createAccount", "getAccount"],
  ...["patchAccount", "getAccountHealth", "listInboxThreads", "getInboxThread"],
  ...["patchInboxThread", "replyToInboxThread", "createSuppression", "checkSuppression"],
  ...["listExperiments", "createExperiment", "getExperimentResults", "listPlacementRuns"],
  ...["createPlacementRun", "getPlacementRun", "listEvents", "getSandboxClock"],
  ...["moveSandboxClock", "listSandboxMessages", "injectIntoSandbox", "exportLeads"],
  ...["exportMessages", "exportResults", "exportEvents"],
];

const FIND = "find_operations";
const CALL = "call_operation";
const FOUND_MAX = 8;
const WORDS_CHARS_MAX = 500;

const FIND_TOOL: Tool = {
  name: FIND,
  description: "Search the API for any operation by what you want to do, with its arguments.",
  inputSchema: {
    type: "object",
    properties: {
      words: { type: "string", maxLength: WORDS_CHARS_MAX, examples: ["pause a mailbox"] },
    },
    required: ["words"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: {
      operations: {
        type: "array",
        description: "The best first",
        items: {
          type: "object",
          properties: {
            operation: { type: "string" },
            request: { type: "string" },
            summary: { type: "string" },
            description: { type: "string" },
            arguments: { type: "object", description: "JSON Schema of its arguments" },
          },
          required: ["operation", "request", "summary", "description", "arguments"],
        },
      },
    },
    required: ["operations"],
  },
  annotations: hints(true, false, true),
};
const ANY_OBJECT = { type: "object" as const, additionalProperties: true };

export function makeToolbox({ operations, schemas }: Api, confirmations: Confirmations): Toolbox {
  const usable = operations.filter((one) => isJson(one) || returnsRows(one));
  const byId = new Map(usable.map((one) => [one.id, one]));
  const daily = DAILY.flatMap((id) => byId.get(id) ?? []);
  const byTool = new Map(daily.map((one) => [toolName(one.id), one]));
  const tools = new Map(daily.map((one) => [one.id, toolOf(one, schemas)]));
  const searches = new Map<string, Search>();
  const open = (to: Assistant) => (one: ApiOperation) =>
    !(to.readOnly && one.method !== "GET") &&
    (to.scopes === null ||
      one.scopes.length === 0 ||
      one.scopes.some((scope) => holds(to.scopes ?? [], scope)));
  const find = (to: Assistant, input: Values): ToolResult => {
    checkNames(FIND_TOOL.inputSchema as never, input);
    const found = usable.filter(open(to));
    const name = found.map(({ id }) => id).join();
    const search = searches.get(name) ?? createSearch(found);
    searches.clear();
    searches.set(name, search);
    return said({ operations: search.find(String(input["words"]), FOUND_MAX).map(presentFound) });
  };
  const callNamed = async (to: Assistant, name: string, input: Values) => {
    if (name === FIND) {
      return find(to, input);
    }
    if (name !== CALL) {
      const operation = byTool.get(name);
      return operation === undefined || !open(to)(operation)
        ? refused({ message: `unknown tool: ${name}${nearTool(name, [...byTool.keys()])}` })
        : await perform(to, confirmations, operation, input);
    }
    checkNames(callTool(to.readOnly).inputSchema as never, input);
    const operation = byId.get(String(input["operation"]));
    if (operation === undefined || !open(to)(operation)) {
      const known = String(input["operation"]);
      const hint = nearTool(known, [...byId.keys()]);
      return refused({ message: `unknown operation ${known}${hint}; use ${FIND} to look it up` });
    }
    return await perform(to, confirmations, operation, argumentsOf(input["arguments"]));
  };
  return {
    tools: (to) => [
      ...daily.filter(open(to)).flatMap(({ id }) => tools.get(id) ?? []),
      FIND_TOOL,
      callTool(to.readOnly),
    ],
    call: async (to, name, input) => {
      try {
        return await callNamed(to, name, input);
      } catch (error) {
        if (error instanceof Problem) {
          const { type, message, field } = error;
          return refused({ type, message, field });
        }
        if (error instanceof Refusal) {
          return await refusalOf(error.response);
        }
        throw error;
      }
    },
  };
}

function isJson({ takesFile, answers }: ApiOperation): boolean {
  return takesFile.length === 0 && (answers.length === 0 || answers.includes(JSON_TYPE));
}

/** `list_campaigns`. */
export function toolName(id: string): string {
  return id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function nearTool(name: string, known: readonly string[]): string {
  const nearest = nearestWord(name, known);
  return nearest === undefined ? "" : `; did you mean "${nearest}"?`;
}

function toolOf(operation: ApiOperation, schemas: Api["schemas"]): Tool {
  const { id, method, path, summary, description } = operation;
  const sends = Object.hasOwn(SENDS, id);
  const first = sends ? " Returns a plan first; show it, then repeat the call with `confirm`." : "";
  return {
    name: toolName(id),
    description: `${summary}. ${description}${first} (${method} ${path})`,
    inputSchema: inputOf(operation, sends),
    outputSchema: outputOf(operation, schemas, sends),
    annotations: hints(method === "GET", method === "DELETE", method !== "POST"),
  };
}

function callTool(readOnly: boolean): Tool {
  return {
    name: CALL,
    description: `Call an operation returned by ${FIND}.`,
    inputSchema: {
      type: "object",
      properties: {
        operation: { type: "string", description: `The operation returned by ${FIND}` },
        arguments: { ...ANY_OBJECT, description: "Its arguments, as returned there" },
      },
      required: ["operation"],
      additionalProperties: false,
    },
    outputSchema: ANY_OBJECT,
    annotations: hints(readOnly, !readOnly, readOnly),
  };
}

function hints(reads: boolean, destroys: boolean, repeats: boolean): Tool["annotations"] {
  return {
    readOnlyHint: reads,
    destructiveHint: destroys,
    idempotentHint: repeats,
    openWorldHint: !reads,
  };
}

function presentFound(one: ApiOperation): Record<string, unknown> {
  return {
    operation: one.id,
    request: `${one.method} ${one.path}`,
    summary: one.summary,
    description: one.description,
    arguments: inputOf(one, Object.hasOwn(SENDS, one.id)),
  };
}

/** Some models write an object as text. Throws `validation_error` for what is neither. */
function argumentsOf(value: unknown): Values {
  let given = value ?? {};
  if (typeof given === "string") {
    try {
      given = JSON.parse(given);
    } catch {
      // Refused below.
    }
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new Problem("validation_error", "must be an object", "arguments");
  }
  return given as Values;
}
