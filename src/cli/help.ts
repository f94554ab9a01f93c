/** `outrider help`, and the text behind every `--help`. */

import { COMMON_OPTIONS } from "./arguments.ts";
import type { Command } from "./command.ts";

type Commands = Readonly<Record<string, Command>>;

/** All commands, or those that start with `group` (`keys`). */
export function overview(commands: Commands, group?: string): string {
  const names = Object.keys(commands).filter(
    (name) => group === undefined || name.startsWith(`${group} `),
  );
  const rows = names.map((name) => [name, commands[name]?.about ?? ""] as const);
  return [
    group === undefined
      ? "Outrider sends campaigns through your own mailboxes and stops when somebody answers.\n\n"
      : "",
    `Usage: outrider ${group ?? "<command>"}${group === undefined ? "" : " <command>"} [options]\n\n`,
    listing(group === undefined ? [...rows, ["help", "Show this, or a command's options"]] : rows),
    '\n"outrider help <command>" shows a command\'s options.\n',
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
    command.details === undefined ? "" : `${command.details}\n\n`,
    listing([...words, ...options]),
  ].join("");
}

function listing(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}\n`).join("");
}
