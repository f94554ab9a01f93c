/**
 * Reads a command's arguments. Every mistake is refused with the word that is wrong and, where one is
 * near, the word that is right: an option swallowed in silence is a setting that does not hold.
 */

import { parseArgs } from "node:util";
import { nearestWord } from "#domain/nearest-word.ts";
import type { Command, Option } from "./command.ts";
import { usageError } from "./exit.ts";

/** Options that every command takes. */
export const COMMON_OPTIONS = {
  json: { type: "boolean", about: "Print one JSON document instead of text" },
  help: { type: "boolean", about: "Show this help" },
} as const satisfies Record<string, Option>;

const ARGUMENTS_MAX = 10_000;

export interface Arguments {
  values: Record<string, string | boolean>;
  words: string[];
}

/** Throws a usage error for an unknown, repeated, valueless or missing option, and for words too many. */
export function readArguments(name: string, command: Command, args: readonly string[]): Arguments {
  if (args.length > ARGUMENTS_MAX) {
    throw usageError(`too many arguments: the limit is ${ARGUMENTS_MAX}`);
  }
  const known: Record<string, Option> = { ...command.options, ...COMMON_OPTIONS };
  const read: Arguments = { values: {}, words: [] };
  for (const token of tokensOf(known, args)) {
    if (token.kind === "positional") {
      read.words.push(token.value);
    } else if (token.kind === "option") {
      takeOption(read.values, token, known, name);
    }
  }
  if (read.values["help"] !== true) {
    checkComplete(name, command, read.values, read.words);
  }
  return read;
}

function tokensOf(known: Readonly<Record<string, Option>>, args: readonly string[]) {
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(Object.entries(known).map(([key, { type }]) => [key, { type }])),
      help: { type: "boolean", short: "h" },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens;
}

interface OptionToken {
  name: string;
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
}

function takeOption(
  values: Arguments["values"],
  token: OptionToken,
  known: Readonly<Record<string, Option>>,
  command: string,
): void {
  const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
  if (option === undefined) {
    throw unknownOption(token.rawName, Object.keys(known), command);
  }
  if (Object.hasOwn(values, token.name)) {
    throw usageError(`--${token.name} was given twice; use it once`);
  }
  values[token.name] = givenValue(token, option);
}

function givenValue(token: OptionToken, option: Option): string | boolean {
  if (option.type === "boolean") {
    if (token.value !== undefined) {
      throw usageError(`--${token.name} doesn't take a value`);
    }
    return true;
  }
  const looksLikeOption = token.inlineValue === false && token.value?.startsWith("-") === true;
  if (token.value === undefined || looksLikeOption) {
    const more = looksLikeOption
      ? `; if the value is ${token.value}, write --${token.name}=${token.value}`
      : "";
    throw usageError(`--${token.name} needs a value (${option.value ?? "TEXT"})${more}`);
  }
  return token.value;
}

function checkComplete(
  name: string,
  command: Command,
  values: Arguments["values"],
  words: readonly string[],
): void {
  for (const [option, { required, value }] of Object.entries(command.options)) {
    if (required === true && !(option in values)) {
      throw usageError(`${name} needs --${option} ${value ?? "TEXT"}`);
    }
  }
  const positionals = command.positionals ?? [];
  const tooMany = words[positionals.length];
  if (tooMany !== undefined && positionals.at(-1)?.repeats !== true) {
    throw usageError(`${name} got an unexpected argument: "${tooMany}"`);
  }
  const absent = positionals.slice(words.length).find(({ optional }) => optional !== true);
  if (absent !== undefined) {
    throw usageError(`${name} needs ${absent.name}`);
  }
}

function unknownOption(rawName: string, known: readonly string[], command: string): Error {
  const nearest = nearestWord(rawName.replace(/^-+/, ""), known);
  const hint =
    nearest === undefined ? `see "outrider help ${command}"` : `did you mean --${nearest}?`;
  return usageError(`unknown option ${rawName}; ${hint}`);
}
