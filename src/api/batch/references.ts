/**
 * References of a batch: `{campaign.id}` is the `id` in the response to the earlier operation whose `ref` is
 * `campaign`. Only ids can be named: whatever else a response holds, and be it a secret, goes nowhere.
 */

import { nearestWord } from "#domain/nearest-word.ts";
import { invalid, invalidAll, type Problem } from "#domain/problem.ts";

/** The value of one whole string of a body. */
const WHOLE = /^\{([a-z][a-z0-9_]*)\.([a-z0-9_]+(?:\.[a-z0-9_]+)*)\}$/;
const IN_PATH = /\{([^{}/]*)\}/g;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What an operation left for the later ones; undefined: it failed. */
export type Responses = ReadonlyMap<string, unknown>;

/** The names that a batch gives its operations, and what is known of them so far. */
export interface Known {
  names: ReadonlySet<string>;
  responses: Responses;
}

/** `path` with ids in place of its references. Throws naming `path`. */
export function filledPath(path: string, known: Known): string {
  return path.replace(IN_PATH, (whole, inner: string) => {
    const [name = "", ...steps] = inner.split(".");
    if (!known.names.has(name)) {
      const message = `${whole} refers to no operation of this batch`;
      const didYouMean = nearestWord(name, [...known.names]) ?? null;
      throw invalidAll([{ field: "path", message, didYouMean }]);
    }
    return idOf({ name, steps, field: "path" }, known);
  });
}

/**
 * `value` with ids in place of the strings that are a reference as a whole. Other text in braces is left as it
 * is, since it may be a template's. Throws naming what `field` is the place of.
 */
export function filledBody(value: unknown, known: Known, field = "body"): unknown {
  if (typeof value === "string") {
    const [, name = "", steps = ""] = WHOLE.exec(value) ?? [];
    return known.names.has(name) ? idOf({ name, steps: steps.split("."), field }, known) : value;
  }
  if (Array.isArray(value)) {
    return value.map((one, at) => filledBody(one, known, `${field}.${at}`));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const entries = Object.entries(value).map(([name, one]) => {
    return [name, filledBody(one, known, `${field}.${name}`)];
  });
  return Object.fromEntries(entries);
}

function idOf(
  { name, steps, field }: { name: string; steps: readonly string[]; field: string },
  { responses }: Known,
): string {
  if (!responses.has(name)) {
    throw invalid(field, `refers to "${name}", which has to be an earlier operation`);
  }
  let value = responses.get(name);
  if (value === undefined) {
    throw failedBefore(name, field);
  }
  for (const step of steps) {
    value = Object.hasOwn(Object(value), step) ? Object(value)[step] : undefined;
  }
  if (typeof value !== "string" || !ID.test(value)) {
    const path = [name, ...steps].join(".");
    throw invalid(
      field,
      `"${path}" is no id in the response of "${name}"; a reference names an id`,
    );
  }
  return value;
}

function failedBefore(name: string, field: string): Problem {
  return invalid(field, `refers to "${name}", which failed`);
}
