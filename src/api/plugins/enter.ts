/** The door of one operation: who may use it, and with which parameters. */

import { invalidAll } from "#domain/problem.ts";
import type { Caller } from "#environment.ts";
import { holds } from "#platform/turns.ts";
import { DryRunQuery, type RequestState } from "../context.ts";
import { readQuery } from "../query.ts";
import { checkApiVersion } from "./api-version.ts";
import { checkScope } from "./auth.ts";
import { ANY_SCOPE, type Operation } from "./routes.ts";

/** From here on the request is the operation's. Throws where it may not be asked for so. */
export function enter(
  operation: Operation,
  caller: Caller,
  request: Request,
  state: RequestState,
): void {
  checkApiVersion(request);
  if (operation.scope !== ANY_SCOPE) {
    checkScope(caller, operation.scope);
  }
  if (!operation.takesQuery) {
    refuseQuery(request);
  }
  if (operation.hasDryRun) {
    state.isDryRun = readQuery(DryRunQuery, request).dryRun === true;
  }
  state.operation = operation;
  holds({ by: operation.name, owner: state.owner });
}

/** Throws `validation_error` naming every parameter: this operation knows none. */
function refuseQuery(request: Request): void {
  if (!request.url.includes("?")) {
    return;
  }
  const names = new Set(new URL(request.url).searchParams.keys());
  const [first, ...others] = [...names].map((field) => {
    const message =
      field === "dry_run"
        ? "this operation has no dry run: it does more than one transaction can undo"
        : "this operation takes no query parameters";
    return { field, message, didYouMean: null };
  });
  if (first !== undefined) {
    throw invalidAll([first, ...others]);
  }
}
