/** From the words of a command line to an exit code. */

import { COMMIT } from "#app/version.ts";
import { ApiRefusal } from "#cli/requests/client.ts";
import { nearestWord } from "#domain/nearest-word.ts";
import { Problem } from "#domain/problem.ts";
import { placesOf } from "#platform/source-map.ts";
import { damageInWords, isDamage } from "#store/sqlite/damage.ts";
import { readArguments } from "./arguments.ts";
import type { Call, Command, Commands } from "./command.ts";
import { EXIT, type ExitCode, exitCodeOf, usageError } from "./exit.ts";
import { groupHelp, helpOf, overview } from "./help.ts";
import { COMMANDS } from "./table.ts";
import { jsonLine, styled } from "./term.ts";

/** What a command line runs in. Tests hand over their own. */
export type Surroundings = Pick<Call, "terminal" | "env" | "workingDir" | "interrupt">;

/** Words of the longest command name. */
const NAME_WORDS_MAX = 4;
/** Of a group, where a word is missing or wrong. */
const NAMES_SHOWN_MAX = 6;
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
  if (await asksForGroup(words)) {
    return help(words, surroundings);
  }
  const { name, command } = await findCommand(words);
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
    commands: allCommands,
  });
}

/** True for `campaigns --help`: words that begin commands, and are none. */
async function asksForGroup(words: readonly string[]): Promise<boolean> {
  const end = words.findIndex((word) => word === "--help" || word === "-h");
  const spoken = words.slice(0, end);
  if (end < 1 || longestName(spoken, COMMANDS) !== undefined) {
    return false;
  }
  const commands = await allCommands();
  return longestName(spoken, commands) === undefined && isGroup(spoken.join(" "), commands);
}

/** The table's, then those made of the API's operations. */
async function allCommands(): Promise<Commands> {
  const { operationCommands } = await import("#cli/requests/operation-command.ts");
  const made = Object.entries(await operationCommands());
  return {
    ...COMMANDS,
    ...Object.fromEntries(made.filter(([name]) => !Object.hasOwn(COMMANDS, name))),
  };
}

async function help(args: readonly string[], { terminal }: Surroundings): Promise<ExitCode> {
  const words = args.filter((word) => word !== "--help" && word !== "-h" && word !== "--json");
  const [first] = words;
  const commands = await allCommands();
  if (args.includes("--json")) {
    const list = Object.entries(commands).map(([name, { about }]) => ({ name, about }));
    terminal.out(jsonLine({ commands: list }));
    return EXIT.done;
  }
  if (first === undefined || first === "help") {
    const made = Object.keys(commands).filter((name) => !Object.hasOwn(COMMANDS, name));
    terminal.out(overview(COMMANDS, made));
    return EXIT.done;
  }
  if (isGroup(words.join(" "), commands) && longestName(words, commands) === undefined) {
    terminal.out(groupHelp(commands, words.join(" ")));
    return EXIT.done;
  }
  const { name, command } = await findCommand(words);
  terminal.out(helpOf(name, command));
  return EXIT.done;
}

interface Found {
  name: string;
  command: Command;
}

/** The longest name that `words` begin with. Throws a usage error with the nearest name. */
async function findCommand(words: readonly string[]): Promise<Found> {
  const end = words.findIndex((word) => word.startsWith("-"));
  const spoken = words.slice(0, end === -1 ? NAME_WORDS_MAX : Math.min(end, NAME_WORDS_MAX));
  if (spoken.length === 0) {
    throw usageError(`put the command before its options; got "${words[0] ?? ""}" first`);
  }
  const known = longestName(spoken, COMMANDS);
  if (known !== undefined) {
    return known;
  }
  const commands = await allCommands();
  const found = longestName(spoken, commands);
  if (found === undefined) {
    throw unknownCommand(spoken, commands);
  }
  return found;
}

function longestName(words: readonly string[], commands: Commands): Found | undefined {
  for (let length = Math.min(words.length, NAME_WORDS_MAX); length > 0; length -= 1) {
    const name = words.slice(0, length).join(" ");
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command !== undefined) {
      return { name, command };
    }
  }
  return undefined;
}

function unknownCommand(spoken: readonly string[], commands: Commands): Error {
  const [first = ""] = spoken;
  const names = Object.keys(commands);
  const group = groupOf(spoken, commands);
  if (group !== undefined) {
    const under = names.filter((name) => name.startsWith(`${group} `));
    const next = spoken[group.split(" ").length];
    const wrong = next === undefined ? "needs a subcommand" : `has no subcommand "${next}"`;
    const told = under.length > NAMES_SHOWN_MAX ? `see "outrider help ${group}"` : under.join(", ");
    return usageError(`"${group}" ${wrong}: ${told}`);
  }
  const groups = names.map((name) => name.split(" ")[0] ?? name);
  const nearest = nearestWord(spoken.join(" "), names) ?? nearestWord(first, [...groups, "help"]);
  const hint = nearest === undefined ? 'see "outrider help"' : `did you mean "${nearest}"?`;
  return usageError(`unknown command "${spoken.join(" ")}"; ${hint}`);
}

/** The longest beginning of `spoken` under which there are commands. */
function groupOf(spoken: readonly string[], commands: Commands): string | undefined {
  const beginnings = spoken.map((_, index) => spoken.slice(0, spoken.length - index).join(" "));
  return beginnings.find((words) => isGroup(words, commands));
}

function isGroup(words: string, commands: Commands): boolean {
  return Object.keys(commands).some((name) => name.startsWith(`${words} `));
}

function explain(error: unknown, args: readonly string[], { terminal }: Surroundings): ExitCode {
  const exit = exitCodeOf(error);
  const bug = exit === undefined;
  const message = messageOf(error);
  if (args.includes("--json")) {
    const said = error instanceof ApiRefusal ? error.body : { message, ...kindOf(error) };
    terminal.err(jsonLine({ error: { ...said, exit: exit ?? EXIT.failed } }));
  } else {
    const places = placesOf(process.execPath, COMMIT);
    const stack = bug && error instanceof Error ? `\n${places(error.stack ?? "")}` : "";
    const words = bug ? `internal error (a bug in Outrider): ${message}${stack}` : message;
    terminal.err(`${styled("outrider:", "red", terminal.errColours)} ${words}\n`);
  }
  return exit ?? EXIT.failed;
}

/** Of an error that no server sent: the same names as if one had. */
function kindOf(error: unknown): Record<string, unknown> {
  if (error instanceof Problem) {
    return { type: error.type, field: error.field };
  }
  const exit = exitCodeOf(error);
  const name = Object.entries(EXIT).find(([, code]) => code === exit)?.[0] ?? "bug";
  return { type: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), field: null };
}

/** What a server said names its field already. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  if (isDamage(error)) {
    return damageInWords("a database in the data directory", error.message);
  }
  const field = error instanceof Problem ? error.field : null;
  const isNamed = field === null || error.message.startsWith(`${field}:`);
  return isNamed ? error.message : `${field}: ${error.message}`;
}
