/** A few leads, pasted or typed: read as a file is, so that quotes hold commas. What is refused stays. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { count, plural } from "../../lib/format.ts";
import { newUuid } from "../../lib/random.ts";
import { to } from "../../lib/route.ts";
import { useUnsaved } from "../../lib/unsaved.ts";
import { bound, Field, Form, FormFault, Submit, useSubmission } from "../../parts/form/form.tsx";
import { Card, Notice } from "../../parts/page.tsx";
import { type Choice, sendFile } from "../leads/import-data.ts";
import { reasonWords } from "../leads/import-outcome.tsx";
import { readStats } from "./data.ts";

const COLUMNS = ["email", "first_name", "last_name", "company"];

interface Refused {
  email: string;
  outcome: string;
  reason: string;
  /** The row as it was typed. */
  text: string;
}

interface Result {
  imported: number;
  refused: readonly Refused[];
  /** Why nothing is sent to them. */
  warning: string | undefined;
}

/** `isSetUp`: on the way to a new campaign, to which a file comes back. */
export function PasteLeads({ id, isSetUp = false }: { id: string; isSetUp?: boolean }) {
  const text = useSignal("");
  const result = useSignal<Result | undefined>(undefined);
  const form = useSubmission();
  const stats = useData(() => readStats(id), ["lead"]);
  const add = async () => {
    const sent = text.peek();
    result.value = await addRows(id, sent);
    const kept = result.value.refused
      .filter(({ outcome }) => outcome === "invalid")
      .map((row) => row.text);
    // What was typed while it was under way has not been sent.
    const since = text.peek().startsWith(sent) ? text.peek().slice(sent.length) : "";
    text.value = [...kept, since].filter((part) => part !== "").join("\n");
    stats.reload();
  };
  useUnsaved({
    isUnsaved: () => text.peek().trim() !== "",
    save: () => {
      form.submit(add);
      return form.ended();
    },
    drop: () => {
      text.value = "";
    },
  });
  return (
    <Card title="Leads" note={`${plural(stats.value?.enrolled ?? 0, "lead")} so far`}>
      <Form noValidate onSend={() => form.submit(add)}>
        {result.value !== undefined && <Added {...result.value} />}
        <Field
          label="Leads, one per line"
          name="leads"
          of={form}
          hint="Email, first name, last name, company. Only the email is required."
        >
          {(attributes) => (
            <textarea
              {...attributes}
              rows={7}
              placeholder={'ann@example.com, Ann, Lee, "Example, Inc."'}
              {...bound(text)}
            />
          )}
        </Field>
        <FormFault of={form} fields={["leads"]} />
        <div class="actions">
          <Submit of={form} look="" isOff={text.value.trim() === ""}>
            {form.isBusy ? "Adding…" : "Add leads"}
          </Submit>
          <a class="button" href={to(`campaigns/${id}/import${isSetUp ? "?setup=1" : ""}`)}>
            Import a file
          </a>
        </div>
      </Form>
    </Card>
  );
}

/** The rows as a file with its headings. Lines before the first word are left out. */
async function addRows(campaignId: string, typed: string): Promise<Result> {
  // A blank before a quote would make it a part of the value.
  const text = typed.replaceAll("\r\n", "\n").replace(/([,;\t]) +"/g, '$1"');
  // What ends the first address: none has such a sign in it.
  const sign = /[,;\t]/.exec(text)?.[0];
  const delimiter = sign === "\t" ? "tab" : (sign as Choice["delimiter"]);
  const file = new File([`${COLUMNS.join(sign ?? ",")}\n${text}`], "pasted.csv");
  const choice = { file, charset: "", map: {}, delimiter };
  const run = await sendFile(campaignId, newUuid(), choice, false);
  if (run.error !== null) {
    throw new Error(`Added ${plural(run.imported, "lead")}, then stopped: ${run.error}`);
  }
  if (run.skipped + run.errors === 0) {
    return { imported: run.imported, refused: [], warning: run.warning };
  }
  const outcome = "duplicate,suppressed,invalid";
  const found = await api().downloadImportLines({ id: run.id, outcome, format: "ndjson" });
  const lines = await found.text();
  const rows = text.split("\n");
  return {
    imported: run.imported,
    warning: run.warning,
    refused: lines
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const { line: at, ...rest } = JSON.parse(line) as Omit<Refused, "text"> & { line: number };
        // The headings are the first line.
        return { ...rest, text: rowAt(rows, at - 2) };
      }),
  };
}

/** The row that begins at a line: as many lines as it takes to close its quotes. */
function rowAt(lines: readonly string[], at: number): string {
  let row = lines[at] ?? "";
  for (let next = at + 1; row.split('"').length % 2 === 0 && next < lines.length; next += 1) {
    row += `\n${lines[next]}`;
  }
  return row;
}

function Added({ imported, refused, warning }: Result) {
  const known = refused.length;
  return (
    <Notice tone={known === 0 && warning === undefined ? "good" : "warn"}>
      {plural(imported, "lead")} added{known > 0 && `, ${count(known)} not added`}
      {warning && `; ${warning}`}.
      {known > 0 && (
        <ul class="refused">
          {refused.map(({ text, reason }, nth) => (
            <li key={String(nth)}>
              <code>{text}</code>: {reasonWords(reason)}
            </li>
          ))}
        </ul>
      )}
      {refused.some(({ outcome }) => outcome === "invalid") &&
        "Rows with errors stay below so you can fix them."}
    </Notice>
  );
}
