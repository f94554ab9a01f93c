/**
 * Every refusal as `{type, message, field, status}`, whatever raised it: router, parser, validator,
 * database or a bug. What went wrong inside us is in the log only, under the request's id.
 */

import type { ValueError } from "@sinclair/typebox/errors";
import { ValueErrorType } from "@sinclair/typebox/errors";
import { Problem } from "#domain/problem.ts";
import type { Log } from "#platform/log.ts";
import { isStorageTrouble } from "#store/campaigns/trouble.ts";
import { explain, firstError } from "../explain.ts";

/** The answer to a problem, with its headers. */
export function problemResponse(problem: Problem, headers: HeadersInit = {}): Response {
  const { type, message, field, status } = problem;
  const response = Response.json({ type, message, field, status }, { status, headers });
  for (const [name, value] of Object.entries(problem.headers)) {
    response.headers.set(name, value);
  }
  return response;
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

interface Validation {
  type: string;
  value: unknown;
  validator: { Errors(value: unknown): Iterable<ValueError> };
}

function isValidation(error: unknown): error is Validation {
  return typeof error === "object" && error !== null && "validator" in error && "type" in error;
}

function validationProblem(error: Validation): Problem {
  const first = firstError(error.validator.Errors(error.value));
  if (error.type === "body" && error.value === undefined) {
    return new Problem("invalid_request", "needs a JSON body");
  }
  if (first === undefined) {
    return new Problem("validation_error", "is not what the documentation describes");
  }
  const { field, message } = explain(first);
  const words =
    first.type === ValueErrorType.ObjectAdditionalProperties ? "unknown field" : message;
  return new Problem(
    "validation_error",
    field === null ? `the ${error.type} ${words}` : words,
    field,
  );
}

/** The stack with the causes that a library wrapped. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const stack = error.stack ?? error.message;
  return error.cause === undefined ? stack : `${stack}\ncaused by ${stackOf(error.cause)}`;
}
