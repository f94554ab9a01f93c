/** The columns of a file, each with the field that it was guessed to be and why, over its first rows. */

import type { PreviewImportResult } from "#client.ts";
import { plural } from "../../lib/format.ts";
import { Card } from "../../parts/page.tsx";
import { Scroll } from "../../parts/scroll.tsx";
import type { Mapping } from "./import-data.ts";

const FIELDS = [
  ["email", "Email"],
  ["first_name", "First name"],
  ["last_name", "Last name"],
  ["company", "Company"],
  ["website", "Website"],
  ["phone", "Phone"],
  ["timezone", "Time zone"],
] as const;

const NOT_READ = "-";

export function Columns({
  preview,
  onMap,
}: {
  preview: PreviewImportResult;
  onMap: (map: Mapping) => void;
}) {
  const columns = (preview.columns ?? []).map((column, at) => ({ ...column, at, id: `c${at}` }));
  const rows = preview.rows.map((cells, line) => ({ cells, id: `r${line}` }));
  return (
    <Card
      flush
      title="Columns"
      note={`${plural(columns.length, "column")}, first ${plural(preview.rows.length, "row")}`}
    >
      <Scroll label="First rows">
        <table class="table import-columns" aria-label="File columns">
          <thead>
            <tr>
              {columns.map(({ id, at, ...column }) => (
                <th key={id} scope="col">
                  <span>{column.name === "" ? `Column ${at + 1}` : column.name}</span>
                  <select
                    class="input"
                    aria-label={`Field for column ${at + 1}, ${column.name}`}
                    title={column.reason}
                    value={column.field ?? NOT_READ}
                    onChange={(event) => {
                      const { value } = event.currentTarget;
                      onMap({ [`#${at + 1}`]: value === NOT_READ ? null : value });
                    }}
                  >
                    <option value={NOT_READ}>Don’t import</option>
                    {FIELDS.map(([field, name]) => (
                      <option key={field} value={field}>
                        {name}
                      </option>
                    ))}
                    <option value={variableOf(column, at)}>
                      {`Variable: ${variableOf(column, at).slice("variables.".length)}`}
                    </option>
                  </select>
                  <span class="faint small">{column.reason}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                {columns.map(({ id, at, field }) => (
                  <td key={id} data-unread={field === null || undefined}>
                    {row.cells[at]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Card>
  );
}

/** The variable that the column is, or could be. */
function variableOf(column: { name: string; field: string | null }, at: number): string {
  if (column.field?.startsWith("variables.")) {
    return column.field;
  }
  const name = column.name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "");
  return `variables.${name === "" ? `column_${at + 1}` : name}`;
}
