/** From the words of a command line to an exit code. */

import { nearestWord } from "#domain/nearest-word.ts";
import { readArguments } from "./arguments.ts";
import type { Call, Command } from "./command.ts";
import { EXIT, type ExitCode, exitCodeOf, usageError } from "./exit.ts";
import { helpOf, overview } from "./help.ts";
import { COMMANDS } from "./table.ts";
import { jsonLine, styled } from "./term.ts";

/** What a command line runs in. Tests hand over their own. */
export type Surroundings = Pick<Call, "terminal" | "env" | "workingDir" | "interrupt">;

/** Words of the table's longest command name. */
const NAME_WORDS_MAX = 2;
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["--version", "version"],
  ["-V", "version"],
]);

/** Runs one command. Never throws: what went wrong is said on stderr, and is in the exit code. */
export async function runCommandLine(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<ExitCode> {
  try {
    return await dispatch(args, surroundings);
  } catch (error) {
    return explain(error, args, surroundings);
  }
}

async function dispatch(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const first = args[0] ?? "help";
  if (first === "help" || first === "--help" || first === "-h") {
    return help(args.slice(1), surroundings);
  }
  const words = [SYNONYMS.get(first) ?? first, ...args.slice(1)];
  const { name, command } = findCommand(words);
  const rest = words.slice(name.split(" ").length);
  const { values, words: positionals } = readArguments(name, command, rest);
  if (values["help"] === true) {
    surroundings.terminal.out(helpOf(name, command));
    return EXIT.done;
  }
  return await command.run({
    ...surroundings,
    values: values as Call["values"],
    words: positionals,
    json: values["json"] === true,
  });
}

function help(args: readonly string[], { terminal }: Surroundings): ExitCode {
  const words = args.filter((word) => word !== "--help" && word !== "-h" && word !== "--json");
  const [first] = words;
  if (args.includes("--json")) {
    const list = Object.entries(COMMANDS).map(([name, { about }]) => ({ name, about }));
    terminal.out(jsonLine({ commands: list }));
    return EXIT.done;
  }
  if (first === undefined || first === "help") {
    terminal.out(overview(COMMANDS));
    return EXIT.done;
  }
  if (words.length === 1 && isGroup(first)) {
    terminal.out(overview(COMMANDS, first));
    return EXIT.done;
  }
  const { name, command } = findCommand(words);
  terminal.out(helpOf(name, command));
  return EXIT.done;
}

/** The longest name that `words` begin with. Throws a usage error with the nearest name. */
function findCommand(words: readonly string[]): { name: string; command: Command } {
  const end = words.findIndex((word) => word.startsWith("-"));
  const spoken = words.slice(0, end === -1 ? NAME_WORDS_MAX : Math.min(end, NAME_WORDS_MAX));
  for (let length = spoken.length; length > 0; length -= 1) {
    const name = spoken.slice(0, length).join(" ");
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command !== undefined) {
      return { name, command };
    }
  }
  const [first = words[0] ?? ""] = spoken;
  const names = Object.keys(COMMANDS);
  if (spoken.length === 0) {
    throw usageError(`the command comes first, then its options; not "${first}"`);
  }
  if (isGroup(first)) {
    const under = names.filter((name) => name.startsWith(`${first} `));
    const wrong = spoken[1] === undefined ? "needs a word more" : `has no "${spoken[1]}"`;
    throw usageError(`"${first}" ${wrong}: ${under.join(", ")}`);
  }
  const groups = names.map((name) => name.split(" ")[0] ?? name);
  const nearest = nearestWord(spoken.join(" "), names) ?? nearestWord(first, [...groups, "help"]);
  const hint = nearest === undefined ? 'see "outrider help"' : `did you mean "${nearest}"?`;
  throw usageError(`unknown command "${spoken.join(" ")}"; ${hint}`);
}

function isGroup(word: string): boolean {
  return Object.keys(COMMANDS).some((name) => name.startsWith(`${word} `));
}

function explain(error: unknown, args: readonly string[], { terminal }: Surroundings): ExitCode {
  const exit = exitCodeOf(error);
  const bug = exit === undefined;
  const message = error instanceof Error ? error.message : String(error);
  if (args.includes("--json")) {
    terminal.err(jsonLine({ error: { message, exit: exit ?? EXIT.failed } }));
  } else {
    const stack = bug && error instanceof Error ? `\n${error.stack ?? ""}` : "";
    const words = bug ? `a fault of the program itself: ${message}${stack}` : message;
    terminal.err(`${styled("outrider:", "red", terminal.errColours)} ${words}\n`);
  }
  return exit ?? EXIT.failed;
}
