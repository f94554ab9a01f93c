/**
 * `outrider completions values`: what a shell's completion asks for while a command is typed: values of
 * options, and ids of records by their names. Says nothing where a server can't be asked.
 */

import { type Call, type Command, type Commands, command } from "./command.ts";
import { EXIT } from "./exit.ts";
import { jsonLine } from "./term.ts";

const NAME_WORDS_MAX = 4;
const ANSWER_MS_MAX = 2_000;
const LIMIT = 100;

interface Value {
  value: string;
  about: string;
}

/** Where records are listed, by what an id of theirs is called in help and options. */
const RECORDS: Readonly<Record<string, { path: string; names: readonly string[] }>> = {
  campaign: { path: "/campaigns", names: ["name"] },
  account: { path: "/accounts", names: ["email"] },
  experiment: { path: "/experiments", names: ["name"] },
  webhook: { path: "/webhooks", names: ["url"] },
  lead: { path: "/leads", names: ["email"] },
  thread: { path: "/inbox/threads", names: ["from_address", "subject"] },
};

export const completionValuesCommand = command({
  about: "Print the values that may come next, for completion scripts",
  details: "Takes the words of a command line after --; the last one as far as it is typed.",
  options: {},
  positionals: [{ name: "WORD", about: "Words so far", optional: true, repeats: true }],
  run: async (call) => {
    const values = await valuesAfter(call);
    const lines = values.map(({ value, about }) => `${value}\t${about.replace(/\s+/g, " ")}\n`);
    call.terminal.out(call.json ? jsonLine({ values }) : lines.join(""));
    return EXIT.done;
  },
});

async function valuesAfter(call: Call): Promise<Value[]> {
  const before = call.words.slice(0, -1);
  const typed = call.words.at(-1) ?? "";
  const found = commandIn(before, await call.commands());
  if (found === undefined || typed.startsWith("-")) {
    return [];
  }
  const { options, positionals = [] } = found.command;
  const last = before.at(-1)?.replace(/^--/, "") ?? "";
  const option = before.at(-1)?.startsWith("--") === true ? options[last] : undefined;
  if (option?.type === "string") {
    // Of a list, the last item is typed.
    const given = typed.slice(0, typed.lastIndexOf(",") + 1);
    const known = option.values?.map((value) => ({ value, about: "" }));
    const values = known ?? (await recordsOf(last.replace(/-ids?$/, ""), call));
    return matching(values, typed.slice(given.length)).map(({ value, about }) => ({
      ...{ value: given + value, about },
    }));
  }
  const at = wordsGiven(before.slice(found.words), found.command);
  const name = (positionals[at]?.name ?? "").toLowerCase();
  return matching(await recordsOf(name, call), typed);
}

function commandIn(
  words: readonly string[],
  commands: Commands,
): { command: Command; words: number } | undefined {
  for (let length = Math.min(words.length, NAME_WORDS_MAX); length > 0; length -= 1) {
    const name = words.slice(0, length).join(" ");
    const known = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (known !== undefined) {
      return { command: known, words: length };
    }
  }
  return undefined;
}

/** How many arguments are there already: neither options nor their values. */
function wordsGiven(words: readonly string[], { options }: Command): number {
  return words.filter((word, index) => {
    const option = words[index - 1]?.replace(/^--/, "") ?? "";
    const isValue =
      words[index - 1]?.startsWith("--") === true && options[option]?.type === "string";
    return !(word.startsWith("-") || isValue);
  }).length;
}

/** By id or by name. */
function matching(values: readonly Value[], typed: string): Value[] {
  const start = typed.toLowerCase();
  return values.filter(({ value, about }) =>
    [value, about].some((one) => one.toLowerCase().startsWith(start)),
  );
}

async function recordsOf(kind: string, call: Call): Promise<Value[]> {
  const records = Object.hasOwn(RECORDS, kind) ? RECORDS[kind] : undefined;
  if (records === undefined) {
    return [];
  }
  try {
    const { clientOf } = await import("./requests/client.ts");
    const response = await clientOf({ ...call, values: {} }).ask(`${records.path}?limit=${LIMIT}`, {
      method: "GET",
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    const answer = (await response.json()) as unknown[] | { data: unknown[] };
    const rows = (Array.isArray(answer) ? answer : answer.data) as Record<string, unknown>[];
    return rows.map((row) => ({
      value: String(row["id"]),
      about: records.names.map((name) => String(row[name] ?? "")).join(" "),
    }));
  } catch {
    return [];
  }
}
