/**
 * A call of one operation: its arguments are checked, what may send email is planned and confirmed, the
 * request is sent, and the answer is made to fit.
 */

import type { ApiOperation } from "#api/document/read.ts";
import { Problem } from "#domain/problem.ts";
import { toIso, type UnixMs } from "#domain/time.ts";
import { ANSWER_CHARS_MAX, recordOf, shortened } from "./answers.ts";
import {
  CONFIRM,
  checkNames,
  FROM,
  inputOf,
  readFrom,
  requestOf,
  returnsRows,
} from "./arguments.ts";
import type { Confirmations } from "./confirmations.ts";
import { boundText, type Plan, presentPlan } from "./plan.ts";
import { readRows } from "./rows.ts";
import { lookWith, type Refusal, SENDS } from "./sends.ts";
import type { Ask, Request, ToolResult, Values } from "./types.ts";

/** Whose tools are called, and how. */
export interface Assistant {
  ask: Ask;
  /** Whom a plan is shown to; no other can confirm it. */
  who: string;
  now: () => UnixMs;
  /** Scopes of the key; null where they aren't known, and the API decides. */
  scopes: readonly string[] | null;
  readOnly: boolean;
}

/** Plan, confirmation, request, answer. Throws {@link Problem} and {@link Refusal}. */
export async function perform(
  to: Assistant,
  confirmations: Confirmations,
  operation: ApiOperation,
  input: Values,
): Promise<ToolResult> {
  const rule = Object.hasOwn(SENDS, operation.id) ? SENDS[operation.id] : undefined;
  checkNames(inputOf(operation, rule !== undefined), input);
  if (rule === undefined) {
    return await send(to, operation, input);
  }
  const { [CONFIRM]: confirm, ...asked } = input;
  const plan = await rule(asked, lookWith(to.ask));
  if (plan === null) {
    return resultOf(await send(to, operation, asked));
  }
  const of = boundText(to.who, operation.id, asked, plan);
  if (confirm === undefined) {
    return planned(plan, confirmations.seal(of, to.now()));
  }
  if (typeof confirm !== "string" || !confirmations.isSealed(confirm, of, to.now())) {
    throw new Problem(
      "conflict",
      "does not belong to this call: it has expired, or the arguments or what they concern have changed. Call again without it for a new plan",
      CONFIRM,
    );
  }
  // The same confirmation never sends twice.
  return resultOf(await send(to, operation, asked, { "Idempotency-Key": `plan-${confirm}` }));
}

function planned(plan: Plan, sealed: { confirm: string; expiresAt: UnixMs }): ToolResult {
  const { confirm, expiresAt } = sealed;
  return said({ plan: presentPlan(plan), confirm, expires_at: toIso(expiresAt) });
}

function resultOf(answer: ToolResult): ToolResult {
  return answer.structured === undefined
    ? answer
    : { ...said({ result: answer.structured }, ...answer.texts.slice(1)) };
}

async function send(
  { ask }: Assistant,
  operation: ApiOperation,
  input: Values,
  headers: Record<string, string> = {},
): Promise<ToolResult> {
  const from = readFrom(input);
  const { path, init } = requestOf(operation, input);
  const isPost = init.method === "POST";
  const request = isPost
    ? { path, init: { ...init, headers: { ...init.headers, ...headers } } }
    : { path, init };
  const response = await ask(request);
  if (!response.ok) {
    return await refusalOf(response);
  }
  if (returnsRows(operation)) {
    return await rowsOf(response, from);
  }
  const text = response.status === 204 ? "" : await response.text();
  const value = text === "" ? undefined : (JSON.parse(text) as unknown);
  return text.length > ANSWER_CHARS_MAX && operation.isList
    ? await shorterPage(ask, request, operation, value)
    : fitting(value);
}

/** A page with as many records as fit, so that its cursor is right; one record is shortened. */
async function shorterPage(
  ask: Ask,
  request: Request,
  operation: ApiOperation,
  value: unknown,
): Promise<ToolResult> {
  let page = value;
  let count = lengthOf(page);
  const pages = operation.inQuery.some(({ name }) => name === "limit");
  while (pages && count > 1 && JSON.stringify(page).length > ANSWER_CHARS_MAX) {
    count = Math.max(1, Math.floor(count / 2));
    const [path = "", query = ""] = request.path.split("?");
    const shorter = new URLSearchParams(query);
    shorter.set("limit", String(count));
    const response = await ask({ ...request, path: `${path}?${shorter}` });
    if (!response.ok) {
      return await refusalOf(response);
    }
    page = await response.json();
  }
  return fitting(page);
}

function lengthOf(page: unknown): number {
  const rows = Array.isArray(page) ? page : (page as { data?: unknown[] }).data;
  return rows?.length ?? 0;
}

function fitting(given: unknown): ToolResult {
  const { value, isCut } = shortened(recordOf(given));
  const { hasMore, next_cursor: next, offset, data } = value;
  const notes: string[] = isCut ? ["Long texts were cut."] : [];
  if (typeof next === "string") {
    notes.push(`Continue with after=${next}`);
  } else if (hasMore === true && Array.isArray(data)) {
    notes.push(`Continue with offset=${Number(offset ?? 0) + data.length}`);
  }
  return said(value, ...notes);
}

async function rowsOf(response: Response, from: number): Promise<ToolResult> {
  const body = response.body ?? new Blob([]).stream();
  const { rows, count, next } = await readRows(body, from, ANSWER_CHARS_MAX);
  const records = rows
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  const end = next === null ? "this is the last page" : `continue with ${FROM}=${next}`;
  const page = { rows: records, from_row: from, next_row: next };
  return said(page, `${count} rows from row ${from}; ${end}`);
}

export async function refusalOf(response: Response): Promise<ToolResult> {
  const text = await response.text();
  const id = response.headers.get("x-request-id");
  const about = { status: response.status, ...(id === null ? {} : { request_id: id }) };
  try {
    return refused({ ...JSON.parse(text), ...about });
  } catch {
    return refused({ message: "the server refused the request", ...about });
  }
}

export function said(structured: Record<string, unknown>, ...notes: string[]): ToolResult {
  return { structured, texts: [JSON.stringify(structured), ...notes], isError: false };
}

export function refused(problem: Record<string, unknown>): ToolResult {
  return { texts: [JSON.stringify(problem)], isError: true };
}
