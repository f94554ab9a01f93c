/** What an operation asks for and what its list holds, as makers of clients see it. */

import { JSON_TYPE, type Operation, type Parameter } from "./document.ts";
import type { Models, Type } from "./models.ts";

export interface Inputs {
  /** Names of what is in the path, in order. */
  parts: readonly string[];
  query: readonly Parameter[];
}

export function inputsOf({ parameters }: Operation): Inputs {
  const parts = parameters.filter((one) => one.in === "path").map(({ name = "" }) => name);
  return { parts, query: parameters.filter((one) => one.in === "query") };
}

/** What a list that comes in pages holds; undefined for anything else. */
export function itemOf(operation: Operation, models: Models): Type | undefined {
  const { query } = inputsOf(operation);
  const schema = operation.answers[JSON_TYPE]?.schema;
  if (schema === undefined || !query.some(({ name }) => name === "limit")) {
    return undefined;
  }
  const list = models.typeOf(schema);
  if (list.kind === "named") {
    const model = models.models.find(({ name }) => name === list.name);
    const data = model?.fields.find(({ name }) => name === "data")?.type;
    return data?.kind === "list" ? data.of : undefined;
  }
  return list.kind === "list" ? list.of : undefined;
}
