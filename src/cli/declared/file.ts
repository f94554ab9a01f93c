/**
 * A file of campaigns: read with the line of everything in it, so that a key that isn't known is refused by
 * its path and line. Values are the API's to check.
 *
 * YAML 1.2 by the package `yaml`: Bun's own parser takes the last of two equal keys and knows no lines.
 */

import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
} from "yaml";
import { CommandError, EXIT } from "#cli/exit.ts";
import { nearestWord } from "#domain/nearest-word.ts";
import { messageOf } from "#domain/thrown.ts";

/** Of a file; a campaign with ten steps has 10 KB. */
export const FILE_CHARS_MAX = 8 * 1024 * 1024;

export type Fields = Readonly<Record<string, unknown>>;

export interface DeclaredCampaign {
  name: string;
  /** Of campaigns that share their name. */
  id?: string;
  /** Addresses; undefined where the file leaves them as they are. */
  mailboxes?: readonly string[];
  /** In order; undefined where the file leaves them as they are. */
  steps?: readonly Fields[];
  experiments?: readonly DeclaredExperiment[];
  /** Whatever else a campaign has, as in the API. */
  fields: Fields;
}

export interface DeclaredExperiment {
  name: string;
  variants: readonly Fields[];
  fields: Fields;
}

/** What may stand in a file: objects by their keys, lists by their items; null is any value. */
export type Shape = { readonly [key: string]: Shape } | readonly [Shape] | null;

/** Throws a {@link CommandError} with the place of what is wrong. */
export function readCampaigns(text: string, name: string, shape: Shape): DeclaredCampaign[] {
  if (text.length > FILE_CHARS_MAX) {
    throw bad(name, `is too large: the limit is ${FILE_CHARS_MAX} characters`);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    throw bad(`${name}:${lines.linePos(error.pos[0]).line}`, error.message);
  }
  const placeOf = (node: unknown) => {
    const start = (node as Node | null)?.range?.[0] ?? 0;
    return `${name}:${lines.linePos(start).line}`;
  };
  checkNode(document.contents, { campaigns: [shape] }, "", placeOf);
  const { campaigns } = valuesOf(document, name) as { campaigns?: unknown };
  if (!Array.isArray(campaigns)) {
    throw bad(name, "needs a list `campaigns`");
  }
  return campaigns.map((one, index) => campaignOf(one as Fields, `${name}: campaigns[${index}]`));
}

/** Throws where aliases of aliases would make it far larger than it is. */
function valuesOf(document: Document, name: string): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    throw bad(name, messageOf(error));
  }
}

type PlaceOf = (node: unknown) => string;

function checkNode(node: unknown, shape: Shape, path: string, placeOf: PlaceOf): void {
  if (shape === null || (isScalar(node) && node.value === null)) {
    return;
  }
  if (isListShape(shape)) {
    if (!isSeq(node)) {
      throw bad(placeOf(node), `${path} must be a list`);
    }
    for (const [index, item] of node.items.entries()) {
      checkNode(item, shape[0], `${path}[${index}]`, placeOf);
    }
    return;
  }
  if (!isMap(node)) {
    throw bad(placeOf(node), `${path === "" ? "the file" : path} must have keys and values`);
  }
  checkMap(node, shape, path, placeOf);
}

function checkMap(
  node: YAMLMap,
  shape: Readonly<Record<string, Shape>>,
  path: string,
  placeOf: PlaceOf,
): void {
  const known = Object.keys(shape);
  for (const { key, value } of node.items) {
    const name = String(isScalar(key) ? key.value : key);
    const inner = path === "" ? name : `${path}.${name}`;
    if (!Object.hasOwn(shape, name)) {
      const nearest = nearestWord(name, known);
      const hint = nearest === undefined ? `use ${known.join(", ")}` : `did you mean ${nearest}?`;
      throw bad(placeOf(key), `${inner} is not known; ${hint}`);
    }
    checkNode(value, shape[name] ?? null, inner, placeOf);
  }
}

function isListShape(shape: NonNullable<Shape>): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function campaignOf(given: Fields, place: string): DeclaredCampaign {
  const { id, name, mailboxes, steps, experiments, ...fields } = given ?? {};
  if (typeof name !== "string" || name.trim() === "") {
    throw bad(place, "needs a name");
  }
  return {
    name,
    fields,
    ...(typeof id === "string" ? { id } : {}),
    ...(Array.isArray(mailboxes) ? { mailboxes: mailboxes.map(String) } : {}),
    ...(Array.isArray(steps) ? { steps: steps as Fields[] } : {}),
    ...(Array.isArray(experiments)
      ? { experiments: experiments.map((one) => experimentOf(one as Fields, place)) }
      : {}),
  };
}

function experimentOf({ name, variants, ...fields }: Fields, place: string): DeclaredExperiment {
  if (typeof name !== "string" || !Array.isArray(variants)) {
    throw bad(place, "an experiment needs a name and variants");
  }
  return { name, variants: variants as Fields[], fields };
}

function bad(place: string, message: string): CommandError {
  return new CommandError(EXIT.badData, `${place}: ${message}`);
}
