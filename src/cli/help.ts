/** `outrider help`, and the text behind every `--help`. */

import { COMMON_OPTIONS } from "./arguments.ts";
import type { Command, Commands } from "./command.ts";

/** All commands of the table, and the words by which those made of the API's operations begin. */
export function overview(commands: Commands, made: readonly string[]): string {
  const rows = Object.entries(commands).map(([name, { about }]) => [name, about] as const);
  const groups = [...new Set(made.map((name) => name.split(" ")[0] ?? name))];
  return [
    "Outrider sends email campaigns from your own mailboxes and stops when someone replies.\n\n",
    "Usage: outrider <command> [options]\n\n",
    listing([...rows, ["help", "Show this help, or a command's options"]]),
    `\nCommands for every API operation, by group:\n\n${paragraph(groups)}`,
    '\nRun "outrider help <command>" to see its options.\n',
  ].join("");
}

const LIST_CHARS_MAX = 80;
const DETAIL_CHARS_MAX = 100;

function paragraph(words: readonly string[]): string {
  return filled(words, ", ", LIST_CHARS_MAX - 2)
    .map((line) => `  ${line}\n`)
    .join("");
}

/** `text` with its long lines broken between words; short ones stay as they were written. */
function wrapped(text: string): string {
  return text
    .split("\n")
    .flatMap((line) =>
      line.length <= DETAIL_CHARS_MAX ? [line] : filled(line.split(" "), " ", DETAIL_CHARS_MAX),
    )
    .join("\n");
}

/** As many of `words` on each line as it has room for. */
function filled(words: readonly string[], between: string, charsMax: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + between.length + word.length > charsMax) {
      lines.push(word);
    } else {
      lines[lines.length - 1] = `${last}${between}${word}`;
    }
  }
  return lines;
}

/** The commands whose names begin with `group` (`keys`, `campaigns steps`). */
export function groupHelp(commands: Commands, group: string): string {
  const rows = Object.entries(commands)
    .filter(([name]) => name.startsWith(`${group} `))
    .map(([name, { about, positionals = [] }]) => {
      const words = positionals.map((one) => one.name);
      return [[name, ...words].join(" "), about] as const;
    });
  return [
    `Usage: outrider ${group} <command> [options]\n\n`,
    listing(rows),
    '\nRun "outrider help <command>" to see its options.\n',
  ].join("");
}

export function helpOf(name: string, command: Command): string {
  const positionals = (command.positionals ?? []).map(({ name: word, optional, repeats }) => {
    const more = repeats === true ? "..." : "";
    return optional === true ? ` [${word}${more}]` : ` ${word}${more}`;
  });
  const required = Object.entries(command.options)
    .filter(([, option]) => option.required === true)
    .map(([option, { value }]) => ` --${option} ${value ?? "TEXT"}`);
  const options = Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(
    ([option, { type, value, about }]: [string, Command["options"][string]]) =>
      [type === "boolean" ? `--${option}` : `--${option} ${value ?? "TEXT"}`, about] as const,
  );
  const words = (command.positionals ?? []).map(({ name: word, about }) => [word, about] as const);
  return [
    `${command.about}\n\n`,
    `Usage: outrider ${name}${positionals.join("")}${required.join("")} [options]\n\n`,
    command.details === undefined ? "" : `${wrapped(command.details)}\n\n`,
    listing([...words, ...options]),
  ].join("");
}

function listing(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}\n`).join("");
}
