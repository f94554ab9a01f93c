/** Many mailboxes at once, from a CSV file: what became of each row. */

import { useSignal } from "@preact/signals";
import type { ImportAccountsResult } from "#client.ts";
import { api } from "../../lib/api.ts";
import { count, plural } from "../../lib/format.ts";
import { to } from "../../lib/route.ts";
import { FileButton } from "../../parts/form/file-button.tsx";
import { FormFault, useSubmission } from "../../parts/form/form.tsx";
import { Card, Notice } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { sentence } from "./words.ts";

export function ImportMailboxes() {
  const result = useSignal<ImportAccountsResult | undefined>(undefined);
  const submission = useSubmission();
  const send = (file: File) =>
    submission.submit(async () => {
      const contentType = "text/csv";
      result.value = await api().importAccounts({ body: file, contentType });
    });
  const refused = result.value?.data.filter(({ error }) => error !== null) ?? [];
  return (
    <Card title="Many mailboxes">
      <div class="stack">
        <p class="small quiet">
          A CSV file with the columns email, smtp_host, smtp_password, imap_host, imap_password, and
          any other field of a mailbox, such as daily_limit or tags. A file that you send again adds
          nothing twice.
        </p>
        <div class="actions">
          <FileButton
            label={submission.isBusy ? "Adding…" : "Select a CSV file"}
            isBusy={submission.isBusy}
            onFile={send}
          />
        </div>
        <FormFault of={submission} fields={[]} />
        {result.value !== undefined && (
          <Notice tone={refused.length === 0 ? "good" : "warn"}>
            {plural(result.value.created, "mailbox", "mailboxes")} added
            {refused.length > 0 && `, ${count(refused.length)} not added`}.
            <div class="actions">
              <a class="button compact" href={to("accounts")}>
                View mailboxes
              </a>
            </div>
          </Notice>
        )}
        {refused.length > 0 && (
          <Table
            label="Rows that were not added"
            rows={refused.map((row) => ({ ...row, id: String(row.line) }))}
            columns={[
              { title: "Line", cell: ({ line }) => count(line), isFigure: true },
              { title: "Email", cell: ({ email }) => email },
              {
                title: "Why",
                cell: ({ error }) =>
                  `${error?.field ? `${error.field}: ` : ""}${sentence(error?.message ?? "")}`,
              },
            ]}
          />
        )}
      </div>
    </Card>
  );
}
