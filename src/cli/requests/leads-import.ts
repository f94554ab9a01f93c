/** `outrider leads import`: a file of leads into a campaign of a running server. */

import { basename, resolve } from "node:path";
import { createParser } from "eventsource-parser";
import { command } from "#cli/command.ts";
import { CommandError, EXIT, usageError } from "#cli/exit.ts";
import { jsonLine, printable, type Terminal, table } from "#cli/term.ts";
import { CLIENT_DETAILS, CLIENT_OPTIONS, type Client, clientOf } from "./client.ts";

const BAR_CHARS = 30;

interface Import {
  id: string;
  dry_run: boolean;
  status: string;
  offset: number;
  total_bytes: number | null;
  columns: { name: string; field: string | null; reason: string }[] | null;
  imported: number;
  skipped: number;
  errors: number;
  outcomes: Record<string, number>;
  reasons: Record<string, number>;
}

export const leadsImportCommand = command({
  about: "Import leads into a campaign from a CSV or NDJSON file",
  details:
    `${CLIENT_DETAILS} Columns are matched by their headings; use --map to set them yourself: ` +
    '"Firma=company,Ort=variables.city,Notes=".',
  positionals: [{ name: "FILE", about: "CSV file with a header row, or an .ndjson file" }],
  options: {
    campaign: { type: "string", value: "ID", about: "The campaign", required: true },
    map: { type: "string", value: "COLUMNS", about: "Comma-separated COLUMN=FIELD pairs, or JSON" },
    charset: { type: "string", value: "NAME", about: "Encoding, if not UTF-8: windows-1252, …" },
    existing: {
      type: "string",
      value: "keep|merge|replace",
      about: "What to do with existing leads (merge)",
    },
    "dry-run": { type: "boolean", about: "Show what would happen; change nothing" },
    rejects: { type: "string", value: "FILE", about: "Write rejected lines to this file" },
    strict: { type: "boolean", about: "Exit with 1 if any line is invalid" },
    ...CLIENT_OPTIONS,
  },
  run: async (call) => {
    const { values, words, terminal, json, workingDir } = call;
    const path = resolve(workingDir, words[0] ?? "");
    const file = Bun.file(path);
    if (!(await file.exists())) {
      throw new CommandError(EXIT.badData, `can't read ${path}`);
    }
    const client = clientOf(call);
    const id = crypto.randomUUID();
    const query = new URLSearchParams({
      import_id: id,
      file_name: basename(path).slice(0, 255),
      ...(values.map === undefined ? {} : { map: mapOf(values.map) }),
      ...(values.existing === undefined ? {} : { existing: values.existing }),
      ...(values["dry-run"] === true ? { dry_run: "true" } : {}),
    });
    const type = /\.(ndjson|jsonl)$/i.test(path) ? "application/x-ndjson" : "text/csv";
    const charset = values.charset === undefined ? "" : `; charset=${values.charset}`;
    const watching = new AbortController();
    const sent = client
      .send<Import>(
        `/campaigns/${encodeURIComponent(values.campaign)}/leads/import?${query}`,
        file,
        `${type}${charset}`,
      )
      .finally(() => {
        watching.abort();
      });
    const shown = terminal.errOverwrites
      ? showProgress(client, terminal, id, watching.signal)
      : Promise.resolve();
    const [done] = await Promise.all([sent, shown]);
    if (values.rejects !== undefined) {
      const rejects = await client.stream(`/imports/${done.id}/lines?outcome=${REJECTED}`);
      await Bun.write(resolve(workingDir, values.rejects), new Response(rejects));
    }
    terminal.out(json ? jsonLine(done) : report(done, terminal));
    return values.strict === true && done.errors > 0 ? EXIT.failed : EXIT.done;
  },
});

const REJECTED = "duplicate,suppressed,invalid";

function mapOf(text: string): string {
  if (text.trimStart().startsWith("{")) {
    return text;
  }
  const entries = text.split(",").map((part) => {
    const at = part.lastIndexOf("=");
    if (at < 1) {
      throw usageError(`--map takes COLUMN=FIELD, not "${part}"`);
    }
    const field = part.slice(at + 1).trim();
    return [part.slice(0, at).trim(), field === "" ? null : field];
  });
  return JSON.stringify(Object.fromEntries(entries));
}

/** A bar on one line of the terminal, until the import ends or cannot be watched. */
async function showProgress(
  client: Client,
  terminal: Terminal,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const parser = createParser({
    onEvent: ({ data }) => {
      terminal.err(`\r\u001b[K${barOf(JSON.parse(data) as Import)}`);
    },
  });
  const decoder = new TextDecoder();
  while (!signal.aborted) {
    try {
      for await (const bytes of await client.stream(`/imports/${id}/stream`, signal)) {
        parser.feed(decoder.decode(bytes, { stream: true }));
      }
      break;
    } catch {
      // Not begun yet, or over: the answer to the file itself says how it went.
      await Bun.sleep(50);
    }
  }
  terminal.err("\r\u001b[K");
}

function barOf({ offset, total_bytes: total, imported, skipped, errors }: Import): string {
  const share = total === null || total === 0 ? 0 : Math.min(1, offset / total);
  const full = Math.round(share * BAR_CHARS);
  const bar = "█".repeat(full) + "░".repeat(BAR_CHARS - full);
  const lines = (imported + skipped + errors).toLocaleString("en");
  return `${bar} ${Math.floor(share * 100)}%  ${lines} lines`;
}

function report(done: Import, { outColours }: Terminal): string {
  const outcomes = Object.entries(done.outcomes).map(([name, n]) => [
    done.dry_run ? `would be ${name}` : name,
    n.toLocaleString("en"),
  ]);
  const reasons = Object.entries(done.reasons).map(([name, n]) => [
    `  ${name.replaceAll("_", " ")}`,
    n.toLocaleString("en"),
  ]);
  const columns = (done.columns ?? []).map(({ name, field, reason }) => [
    name,
    field ?? "(ignored)",
    reason,
  ]);
  const counts = table(
    [{ title: "Lines" }, { title: "", right: true }],
    [...outcomes, ...reasons],
    outColours,
  );
  const mapping =
    columns.length === 0
      ? ""
      : `${table([{ title: "Column" }, { title: "Field" }, { title: "Why" }], columns, outColours)}\n`;
  return `${mapping}${counts}${printable(`import ${done.id}`)}\n`;
}
