/**
 * Every refusal as `{type, message, field, status, errors, docs_url}`, whatever raised it: router, parser, validator,
 * database or a bug. What went wrong inside us is in the log only, under the request's id.
 */

import type { Static } from "@sinclair/typebox";
import type { ValueError } from "@sinclair/typebox/errors";
import { invalidAll, Problem } from "#domain/problem.ts";
import type { Log } from "#platform/log.ts";
import { isStorageTrouble } from "#store/campaigns/trouble.ts";
import { isDamage } from "#store/sqlite/damage.ts";
import { faultsOf } from "../explain.ts";
import type { ErrorBody } from "../schema.ts";

/** The answer to a problem, with its headers. `docs`: where each type of error has its section, or null. */
export function problemResponse(
  problem: Problem,
  headers: HeadersInit = {},
  docs: string | null = null,
): Response {
  const { status } = problem;
  const response = Response.json(bodyOf(problem, docs), { status, headers });
  for (const [name, value] of Object.entries(problem.headers)) {
    response.headers.set(name, value);
  }
  return response;
}

export function bodyOf(
  { type, message, field, status, faults }: Problem,
  docs: string | null,
): Static<typeof ErrorBody> {
  const errors = faults.map(({ didYouMean, ...fault }) => ({ ...fault, did_you_mean: didYouMean }));
  const docs_url = docs === null ? null : `${docs}#${type.replaceAll("_", "-")}`;
  return { type, message, field, status, errors, docs_url };
}

/** What Elysia hands over, as far as we look at it. */
interface Failed {
  code: unknown;
  error: unknown;
}

/** The problem that a thrown value stands for; a bug is logged and becomes an `internal_error`. */
export function toProblem({ code, error }: Failed, log: Log, requestId: string): Problem {
  if (error instanceof Problem) {
    return error;
  }
  if (code === "NOT_FOUND") {
    return new Problem("not_found", "no such path");
  }
  if (code === "PARSE") {
    const cause = error instanceof Error ? error.cause : undefined;
    return cause instanceof Problem
      ? cause
      : new Problem("invalid_request", "the body is not valid JSON");
  }
  if (code === "VALIDATION" && isValidation(error) && error.type !== "response") {
    return validationProblem(error);
  }
  if (isDamage(error)) {
    log.error("the database is damaged", { requestId, cause: String(error) });
    return new Problem(
      "unavailable",
      "the database is damaged; the server's operator has to restore a backup",
    );
  }
  if (isStorageTrouble(error)) {
    log.error("store unavailable", { requestId, cause: String(error) });
    return new Problem(
      "unavailable",
      "the server can't save data right now; try again in a moment",
      null,
      {
        "Retry-After": "5",
      },
    );
  }
  log.error("request failed", { requestId, cause: stackOf(error) });
  return new Problem(
    "internal_error",
    `something failed on our side; report it with request id ${requestId}`,
  );
}

export interface Validation {
  type: string;
  value: unknown;
  validator: { Errors(value: unknown): Iterable<ValueError> };
}

function isValidation(error: unknown): error is Validation {
  return typeof error === "object" && error !== null && "validator" in error && "type" in error;
}

/** What is wrong with a body or with the parameters in a path. */
export function validationProblem(error: Validation): Problem {
  if (error.type === "body" && error.value === undefined) {
    return new Problem("invalid_request", "needs a JSON body");
  }
  const [first, ...others] = faultsOf(error.validator.Errors(error.value)).map((fault) =>
    fault.field === null ? { ...fault, message: `the ${error.type} ${fault.message}` } : fault,
  );
  return first === undefined
    ? new Problem("validation_error", "is not what the documentation describes")
    : invalidAll([first, ...others]);
}

/** The stack with the causes that a library wrapped. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const stack = error.stack ?? error.message;
  return error.cause === undefined ? stack : `${stack}\ncaused by ${stackOf(error.cause)}`;
}
