/** `outrider audit export` and `outrider audit verify`: the audit log as a file, and whether such a file is whole. */

import { resolve } from "node:path";
import { type Call, command } from "#cli/command.ts";
import { CommandError, EXIT, usageError } from "#cli/exit.ts";
import { jsonLine } from "#cli/term.ts";
import type { ChainEnd } from "#domain/events/audit-chain.ts";
import { auditFileReader, type FileFault, type FileVerdict } from "#domain/events/audit-file.ts";
import { csvReader, LineTooLong } from "#domain/leads/import/csv.ts";
import { messageOf } from "#domain/thrown.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { CLIENT_DETAILS, CLIENT_OPTIONS, clientOf } from "./client.ts";
import { save } from "./save.ts";

export const auditExportCommand = command({
  about: "Export the audit log to a file or stdout, as NDJSON or CSV",
  details: CLIENT_DETAILS,
  options: {
    format: { type: "string", value: "ndjson|csv", about: "Output format (ndjson)" },
    output: { type: "string", value: "FILE", about: "Output file (stdout)" },
    ...CLIENT_OPTIONS,
  },
  run: async (call) => {
    const query = new URLSearchParams({ format: call.values.format ?? "ndjson" });
    const body = await clientOf(call).stream(`/exports/audit?${query}`);
    await save(call, body, call.values.output);
    return EXIT.done;
  },
});

export const auditVerifyCommand = command({
  about: "Check that an exported audit log is complete and unchanged",
  details: [
    "Recomputes every hash of FILE, without a server. Entries cut off at the end are noticed only with",
    "--head: an entry noted earlier, from the server's log or from `outrider audit chain`. Exit code 1: it",
    "was changed, or isn't complete.",
  ].join("\n"),
  options: {
    head: { type: "string", value: "POSITION:HASH", about: "Entry that must be in the file" },
    anchor: {
      type: "string",
      value: "POSITION:HASH",
      about: "Last entry removed for its age, for a CSV file that begins after it",
    },
  },
  positionals: [{ name: "FILE", about: "File written by outrider audit export" }],
  run: async (call) => {
    const { head, anchor } = call.values;
    const file = Bun.file(resolve(call.workingDir, call.words[0] ?? ""));
    const isCsv = await beginsAsCsv(file);
    const reader = auditFileReader((text) => sha256(text).toHex(), {
      head: readEnd("head", head),
      anchor: readEnd("anchor", anchor),
      hasTrailer: !isCsv,
    });
    for await (const line of isCsv ? csvLines(file) : jsonLines(file)) {
      reader.read(line);
    }
    const verdict = reader.end();
    say(call, verdict);
    return verdict.fault === null ? EXIT.done : EXIT.failed;
  },
});

function readEnd(option: string, text: string | undefined): ChainEnd | null {
  if (text === undefined) {
    return null;
  }
  const [, position, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (position === undefined || hash === undefined) {
    throw usageError(`--${option} must be a position and a hash, for example 812:5f3a…`);
  }
  return { position: Number(position), hash };
}

type Line = Record<string, unknown> | undefined;

async function beginsAsCsv(file: Blob): Promise<boolean> {
  try {
    const start = (await file.slice(0, 1).text()) || "{";
    return start !== "{";
  } catch (error) {
    throw new CommandError(EXIT.badData, `can't read the file: ${messageOf(error)}`);
  }
}

async function* jsonLines(file: Blob): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of file.stream()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.map(parsed);
  }
  if (rest !== "") {
    yield parsed(rest);
  }
}

function parsed(text: string): Line {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
}

const ROWS_MAX = 1_000;

async function* csvLines(file: Blob): AsyncGenerator<Line> {
  const reader = csvReader({ delimiter: ",", newline: "\n" });
  const decoder = new TextDecoder();
  let names: readonly string[] | undefined;
  const take = function* (isLast: boolean): Generator<Line> {
    for (let rows = reader.take(ROWS_MAX, isLast).rows; rows.length > 0; ) {
      for (const { row } of rows) {
        if (names === undefined) {
          names = row.map((name) => name.trimEnd());
        } else {
          // The reader turns the CR of a CRLF into a space.
          yield entryOf(names, row.with(-1, (row.at(-1) ?? "").trimEnd()));
        }
      }
      rows = reader.take(ROWS_MAX, isLast).rows;
    }
  };
  try {
    for await (const chunk of file.stream()) {
      reader.push(decoder.decode(chunk, { stream: true }));
      yield* take(false);
    }
    yield* take(true);
  } catch (error) {
    if (!(error instanceof LineTooLong)) {
      throw error;
    }
    yield undefined;
  }
}

/** Cells are the texts of the export; an apostrophe that keeps a spreadsheet from reading a formula goes. */
function entryOf(names: readonly string[], row: readonly string[]): Line {
  try {
    const fields = names.map((name, at): [string, unknown] => {
      const text = (row[at] ?? "").replace(/^'(?=[=+\-@])/, "");
      const isJson = ["position", "before", "after"].includes(name);
      return [name, text === "" ? null : isJson ? JSON.parse(text) : text];
    });
    return row.length === names.length ? Object.fromEntries(fields) : undefined;
  } catch {
    return undefined;
  }
}

function say({ terminal, json }: Pick<Call, "terminal" | "json">, verdict: FileVerdict): void {
  const { entries, unchained, head, restores, fault } = verdict;
  if (json) {
    terminal.out(jsonLine({ intact: fault === null, entries, unchained, head, restores, fault }));
    return;
  }
  const said = [
    fault === null ? `intact: ${entries} entries` : `NOT INTACT: ${words(fault)}`,
    ...(unchained > 0 ? [`${unchained} entries are from before the chain and not protected`] : []),
    ...restores.map((at) => `entry ${at}: data was restored; entries lost with it aren't here`),
    ...(head === null ? [] : [`head: ${head.position}:${head.hash}`]),
  ];
  terminal.out(`${said.join("\n")}\n`);
}

function words({ kind, line, position }: FileFault): string {
  const where = [
    ...(position === null ? [] : [`entry ${position}`]),
    ...(line === 0 ? [] : [`line ${line}`]),
  ].join(", ");
  return `${where}: ${WORDS[kind]}`;
}

const WORDS: Readonly<Record<FileFault["kind"], string>> = {
  changed: "its content isn't what was hashed",
  missing: "entries before it are missing",
  out_of_order: "it was moved or added",
  wrong_link: "it follows another entry than the one before it",
  cut_off: "the file ends too early",
  not_pinned: "the entry given with --head is not in the file",
  unreadable: "the line can't be read",
};
