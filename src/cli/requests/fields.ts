/**
 * Fields of a request as options: `--name Spring --send-window.start-hour 9 --account-ids A,B`. What a
 * field takes is in its schema; the server says what is wrong with a value that fits it.
 */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Schema } from "#api/document/read.ts";
import type { Option } from "#cli/command.ts";
import { CommandError, EXIT, usageError } from "#cli/exit.ts";
import { messageOf } from "#domain/thrown.ts";

/** Longer texts than this may come from a file: `--body @step.txt`. */
const FILE_FROM_CHARS = 1_000;
const FILE_BYTES_MAX = 8 * 1024 * 1024;
/** Of an enum: more than these are not shown as what the option takes, but told after what it is for. */
const WORDS_SHOWN_MAX = 5;
const WORDS_TOLD_MAX = 15;

export interface Field {
  /** Where it stands in the body: `["send_window", "start_hour"]`. */
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** Fields of a body. An object whose fields are known is as many options, `--smtp.host`. */
export function fieldsOf(body: Schema, above: readonly string[] = []): Field[] {
  return Object.entries(body.properties ?? {}).flatMap(([name, schema]) => {
    const path = [...above, name];
    const isRequired = above.length === 0 && (body.required ?? []).includes(name);
    const isGroup = above.length === 0 && schema.properties !== undefined;
    return [
      { path, schema, isRequired },
      ...(isGroup && typesOf(schema).includes("object") ? fieldsOf(schema, path) : []),
    ];
  });
}

/** `send-window.start-hour`. */
export function optionName(path: readonly string[]): string {
  return path.map((name) => name.replaceAll("_", "-")).join(".");
}

export function fieldOption({ schema, isRequired, path }: Field): Option {
  const known = enumWords(schema);
  const isTold = known.length > WORDS_SHOWN_MAX && known.length <= WORDS_TOLD_MAX;
  const words = [
    ...(isRequired ? ["required"] : []),
    ...(isShort(schema.default) ? [String(schema.default)] : []),
    ...(isTold ? [`one of ${known.join(", ")}`] : []),
  ];
  const about = (schema.description ?? optionName(path).replaceAll(/[-.]/g, " ")).split("\n")[0];
  const told = words.length === 0 ? "" : ` (${words.join("; ")})`;
  const values = wordsOf(schema);
  return {
    ...{ type: "string", value: hintOf(schema), about: `${about}${told}` },
    ...(values.length === 0 ? {} : { values }),
  };
}

/** A default that is a word or a number; an absent value and a list are described in words. */
function isShort(value: unknown): boolean {
  return value !== "" && ["string", "number", "boolean"].includes(typeof value);
}

/** All that a field, or an item of a list, may be. */
function wordsOf(schema: Schema): string[] {
  const known = enumWords(schema).length > 0 ? schema : (schema.items ?? schema);
  const isSwitch = schema.type === "boolean";
  return isSwitch ? ["true", "false"] : enumWords(known).map(String);
}

function enumWords(schema: Schema): readonly unknown[] {
  return (schema.enum ?? []).filter((word) => word !== null);
}

function hintOf(schema: Schema): string {
  const types = typesOf(schema);
  const words = enumWords(schema);
  if (words.length > 0 && words.length <= WORDS_SHOWN_MAX) {
    return words.join("|");
  }
  if (types.includes("object") || (types.includes("array") && !holdsText(schema))) {
    return "JSON|@FILE";
  }
  if (types.includes("array")) {
    return "A,B,…";
  }
  if (types.includes("boolean")) {
    return "true|false";
  }
  if (types.includes("integer") || types.includes("number")) {
    return "NUMBER";
  }
  return mayBeFile(schema) ? "TEXT|@FILE" : "TEXT";
}

/** The value that `text` stands for. Throws a usage error where it cannot be one. */
export function fieldValue({ schema, path }: Field, text: string, workingDir: string): unknown {
  const types = typesOf(schema);
  const option = `--${optionName(path)}`;
  const plain = plainValue(types, text);
  if (plain !== undefined) {
    return plain;
  }
  const given = mayBeFile(schema) ? fileOrText(text, workingDir) : text;
  if (types.includes("array") && holdsText(schema) && !given.trimStart().startsWith("[")) {
    return given === "" ? [] : given.split(",").map((word) => word.trim());
  }
  if (types.includes("object") || types.includes("array")) {
    return readJson(given, option);
  }
  if (types.includes("string") || types.length === 0) {
    return given;
  }
  throw usageError(`${option} takes ${hintOf(schema)}, not "${text}"`);
}

/** What is neither text nor JSON; undefined where `text` is none of it. */
function plainValue(types: readonly string[], text: string): null | boolean | number | undefined {
  if (types.includes("null") && text === "null") {
    return null;
  }
  if (types.includes("boolean") && (text === "true" || text === "false")) {
    return text === "true";
  }
  const isFigure = types.includes("integer") || types.includes("number");
  return isFigure && isNumber(text) ? Number(text) : undefined;
}

/** Puts `value` where `path` says, making the objects on the way. */
export function place(
  body: Record<string, unknown>,
  path: readonly string[],
  value: unknown,
): void {
  const [name = "", ...rest] = path;
  if (rest.length === 0) {
    body[name] = value;
    return;
  }
  const inner = body[name];
  const object = typeof inner === "object" && inner !== null ? { ...inner } : {};
  place(object as Record<string, unknown>, rest, value);
  body[name] = object;
}

/** A JSON document in `file`, or on stdin where that is `-`. */
export async function readInput(
  file: string,
  workingDir: string,
): Promise<Record<string, unknown>> {
  const text = file === "-" ? await Bun.stdin.text() : fileText(resolve(workingDir, file));
  const value = readJson(text, "--input");
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw usageError("--input must be one JSON object");
  }
  return value as Record<string, unknown>;
}

function typesOf({ type }: Schema): readonly string[] {
  return type === undefined ? [] : typeof type === "string" ? [type] : type;
}

function holdsText({ items }: Schema): boolean {
  return items !== undefined && typesOf(items).includes("string");
}

/** True where a value that begins with `@` names a file. */
function mayBeFile(schema: Schema): boolean {
  const types = typesOf(schema);
  const isLong = types.includes("string") && (schema.maxLength ?? 0) >= FILE_FROM_CHARS;
  return types.includes("object") || types.includes("array") || isLong;
}

function fileOrText(text: string, workingDir: string): string {
  return text.startsWith("@") ? fileText(resolve(workingDir, text.slice(1))) : text;
}

function fileText(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new CommandError(EXIT.badData, `can't read ${path}`);
  }
  if (text.length > FILE_BYTES_MAX) {
    throw new CommandError(
      EXIT.badData,
      `${path} is too large: the limit is ${FILE_BYTES_MAX} characters`,
    );
  }
  return text;
}

function readJson(text: string, option: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = messageOf(error);
    throw usageError(`${option} takes JSON: ${why}`);
  }
}

function isNumber(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}
