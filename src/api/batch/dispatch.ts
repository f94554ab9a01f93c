/**
 * One operation of a batch, in the transaction that is open: the checks of a request of its own, in the same
 * order and by the same code, with no turn of the event loop between. Only operations that read or write in one
 * transaction are let in; their handlers answer before they return.
 */

import { OptionalKind, type TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { Value } from "@sinclair/typebox/value";
import type { Answer, RequestState } from "#api/context.ts";
import { checkBody } from "#api/plugins/body.ts";
import { enter } from "#api/plugins/enter.ts";
import { validationProblem } from "#api/plugins/errors.ts";
import type { Operation, Route } from "#api/plugins/routes.ts";
import type { WriteContext } from "#api/write.ts";
import { invalid, Problem } from "#domain/problem.ts";

/** As a batch names it, its references filled. */
export interface Asked {
  method: string;
  /** Below `/api/v1`. */
  path: string;
  body: unknown;
  ifMatch: string | null;
}

/** The part of an operation in which the fields of its problem are; null: they name it themselves. */
export type Part = "path" | "body" | null;

/** What an operation threw. */
export class Refused extends Error {
  readonly error: unknown;
  readonly part: Part;

  constructor(error: unknown, part: Part) {
    super("refused");
    this.error = error;
    this.part = part;
  }
}

type Parameters = Record<string, string | null>;
type Context = WriteContext & { params: Parameters; body: unknown };

/** Throws {@link Refused}. */
export function dispatch(outer: WriteContext, asked: Asked): Answer {
  const { url, request } = asPart("path", () => requestOf(outer, asked));
  const { operation, context } = asPart("path", () => admit(outer, { url, request }));
  const { takesBody } = operation;
  return asPart(takesBody ? "body" : "path", () => {
    context.body = asked.body;
    if (asked.body !== undefined) {
      context.body = checkBody(asked.body, operation);
    }
    for (const { fn } of hooksBefore(operation.route)) {
      fn(context);
    }
    asPart("path", () => check(operation.route, "params", context.params));
    context.body = withDefaults(operation.route, context.body);
    check(operation.route, "body", context.body);
    return answerOf(operation, context);
  });
}

function asPart<Result>(part: Part, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(error, part);
  }
}

function requestOf({ request, state }: WriteContext, { method, path, ifMatch }: Asked) {
  const prefix = state.path.slice(0, state.path.lastIndexOf("/"));
  const url = new URL(prefix + path, request.url);
  if (url.searchParams.has("dry_run")) {
    throw invalid("path", "dry_run is a parameter of the whole batch");
  }
  const headers = ifMatch === null ? {} : { "If-Match": ifMatch };
  return { url, request: new Request(url, { method, headers }) };
}

/** The operation that is asked for, where the caller may ask for it here. */
function admit(
  { env, caller, state: outer }: WriteContext,
  { url, request }: { url: URL; request: Request },
): { operation: Operation; context: Context } {
  const operation = outer.server.routes().find(request.method, url.pathname);
  if (operation instanceof Response) {
    throw new Error("a batch has no OPTIONS");
  }
  if (!operation.isInBatch) {
    throw new Problem(
      "validation_error",
      "this operation can't be in a batch: it does more than one transaction can hold; send it alone",
      "path",
    );
  }
  const unread = { rawBody: "", readOnlyFields: {}, isDryRun: false };
  const state: RequestState = { ...outer, path: url.pathname, ...unread };
  enter(operation, caller, request, state);
  const params = parametersOf(operation.route, url.pathname);
  return { operation, context: { env, caller, state, params, body: null, request, set: unset() } };
}

const unset = (): WriteContext["set"] => ({ headers: {} });

function parametersOf({ path }: Route, asked: string): Parameters {
  const given = asked.split("/");
  const names = path.split("/").flatMap((part, at) => {
    return part.startsWith(":") ? [[part.slice(1), decoded(given[at] ?? "")] as const] : [];
  });
  return Object.fromEntries(names);
}

/** Null for what is no text, as the server's own router has it. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

interface Hook {
  fn(context: Context): void;
}

/** What has a look at a body before it is validated. */
function hooksBefore({ hooks }: Route): readonly Hook[] {
  return (hooks?.transform ?? []) as readonly Hook[];
}

const compiled = new WeakMap<object, TypeCheck<TSchema>>();

function check({ hooks }: Route, type: "params" | "body", value: unknown): void {
  const schema = hooks?.[type] as TSchema | undefined;
  if (schema === undefined || (OptionalKind in schema && Object.keys(Object(value)).length === 0)) {
    return;
  }
  const validator = compiled.get(schema) ?? TypeCompiler.Compile<TSchema>(schema);
  compiled.set(schema, validator);
  if (!validator.Check(value)) {
    throw validationProblem({ type, value, validator });
  }
}

/** A body whose schema fills in what is left out may be left out whole, as the server has it. */
function withDefaults({ hooks }: Route, body: unknown): unknown {
  const { properties = {} } = (hooks?.body ?? {}) as { properties?: Record<string, object> };
  return Object.values(properties).some((property) => "default" in property)
    ? Value.Default(hooks?.body as TSchema, body ?? {})
    : body;
}

function answerOf({ name, route }: Operation, context: Context): Answer {
  let told: { answer: Answer } | { error: unknown } | undefined;
  context.state.within = (write) => {
    try {
      const answer = write();
      told = { answer };
      return answer;
    } catch (error) {
      told = { error };
      throw error;
    }
  };
  const value = (route.handler as (context: Context) => unknown)(context);
  if (value instanceof Promise) {
    // What it comes to has been told already.
    value.catch(() => undefined);
  }
  const done = told as { answer: Answer } | { error: unknown } | undefined;
  if (done === undefined && (value instanceof Promise || value instanceof Response)) {
    throw new Error(`${name} is not an operation of one transaction`);
  }
  if (done !== undefined && "error" in done) {
    throw done.error;
  }
  const { status, headers } = context.set;
  const read = { status: Number(status ?? 200), body: value, headers: textsOf(headers) };
  return done?.answer ?? read;
}

function textsOf(headers: Readonly<Record<string, string | number>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(entries) as Record<string, string>;
}
