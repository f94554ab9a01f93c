/** Many suppressions at once: a list that was typed in, or a file. A toast says how it went and offers to undo it. */

import { api } from "../lib/api.ts";
import { errorOf } from "../lib/data.ts";
import { plural } from "../lib/format.ts";
import { toast } from "../parts/toasts.tsx";

const addresses = (n: number) => plural(n, "address", "addresses");

/** Resolves to what was refused, as it was given. `onDone` is called once they are stored, and once undone. */
export async function suppressAll(list: readonly string[], onDone: () => void): Promise<string[]> {
  const body = JSON.stringify(list);
  return await upload({ body, contentType: "application/json" }, onDone);
}

export async function suppressFile(file: File, onDone: () => void): Promise<string[]> {
  const file_name = file.name.slice(0, 255);
  const kind = /\.(ndjson|jsonl)$/i.test(file.name) ? "application/x-ndjson" : "text/csv";
  const contentType = /\.json$/i.test(file.name) ? "application/json" : kind;
  return await upload({ body: file, contentType, file_name }, onDone);
}

type Upload = Omit<Parameters<ReturnType<typeof api>["importSuppressions"]>[0], "import_id">;

async function upload(what: Upload, onDone: () => void): Promise<string[]> {
  const done = await api().importSuppressions(what);
  const { id, imported, skipped, errors } = done;
  const known = skipped === 0 ? "" : `, ${addresses(skipped)} already were`;
  toast(`${addresses(imported)} suppressed${known}`, {
    name: "Undo",
    run: () => {
      undo(id, onDone).catch((cause: unknown) => toast(errorOf(cause).message));
    },
  });
  onDone();
  return errors === 0 ? [] : await refused(id);
}

async function undo(id: string, onDone: () => void): Promise<void> {
  const { removed, left } = await api().undoImport({ id });
  const kept = left === 0 ? "" : `; ${addresses(left)} confirmed since stay`;
  toast(`${addresses(removed)} can be emailed again${kept}`);
  onDone();
}

/** Addresses of lines that could not be used. */
async function refused(id: string): Promise<string[]> {
  const lines = await api().downloadImportLines({ id, outcome: "invalid", format: "ndjson" });
  const text = await lines.text();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { email: string }).email);
}
