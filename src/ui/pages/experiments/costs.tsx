/** What a reply takes with each variant: emails, and money where a lead's cost is known. */

import { signal } from "@preact/signals";
import type { ExperimentResult } from "#client.ts";
import { count } from "../../lib/format.ts";
import { Fold } from "../../parts/fold.tsx";
import { TextField, useSubmission } from "../../parts/form/form.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { labelOf, type Variant } from "./words.ts";

const KEPT = "outrider.cost-per-lead";

/** Of a lead that's emailed, in any currency; kept in this browser. */
export const costPerLead = signal(Number(localStorage.getItem(KEPT)) || undefined);

const money = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export function Costs({ results: { variants } }: { results: ExperimentResult }) {
  const form = useSubmission();
  const columns: Column<Variant>[] = [
    { title: "Variant", cell: (row) => labelOf(row.name, variants.indexOf(row)) },
  ];
  for (const [name, of] of [
    ["a reply", "per_reply"],
    ["an interested reply", "per_interested"],
  ] as const) {
    columns.push({
      title: `Emails for ${name}`,
      cell: ({ [of]: { emails, emails_low, emails_high } }) =>
        rangeOf([emails, emails_low, emails_high], count),
      isFigure: true,
    });
    if (costPerLead.value !== undefined) {
      columns.push({
        title: `Cost of ${name}`,
        cell: ({ [of]: { cost, cost_low, cost_high } }) =>
          rangeOf([cost, cost_low, cost_high], money.format),
        isFigure: true,
      });
    }
  }
  return (
    <Fold title="What a reply costs">
      <TextField
        label="Cost of a lead"
        name="cost_per_lead"
        of={form}
        hint="In any currency: its data, its emails, your work. This browser remembers it."
        type="number"
        min={0}
        max={1_000_000}
        step="any"
        value={costPerLead.value}
        onChange={({ currentTarget: { value, validity } }) => {
          if (validity.valid) {
            localStorage.setItem(KEPT, value);
            costPerLead.value = Number(value) || undefined;
          }
        }}
      />
      <Table label="What a reply costs" isCards rows={variants} columns={columns} />
      <p class="quiet small">With 95% intervals. The figures fall while replies arrive.</p>
    </Fold>
  );
}

/** The value, and its interval below. */
function rangeOf([value, low, high]: readonly (number | null)[], show: (value: number) => string) {
  if (value == null) {
    return low == null ? "–" : `${show(low)} or more`;
  }
  return (
    <>
      {show(value)}{" "}
      <span class="faint">
        {show(low ?? 0)} {high == null ? "or more" : `to ${show(high)}`}
      </span>
    </>
  );
}
