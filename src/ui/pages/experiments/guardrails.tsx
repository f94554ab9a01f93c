/** A team's own limits for the variants of a new experiment. */

import type { ExperimentCreate } from "#client.ts";
import { type Submission, TextField } from "../../parts/form/form.tsx";

export type Guardrail = NonNullable<ExperimentCreate["guardrails"]>[number];
type Kind = "max_rate" | "max_ratio";

const FIELDS: readonly [Guardrail["metric"], Kind, label: string, max: number][] = [
  ["opt_outs", "max_rate", "Opt-outs, % of leads", 50],
  ["opt_outs", "max_ratio", "Opt-outs, times the others", 10],
  ["bounces", "max_rate", "Bounces, % of leads", 4.9],
  ["bounces", "max_ratio", "Bounces, times the others", 10],
];

export function Guardrails(props: {
  of: Submission;
  limits: readonly Guardrail[];
  onChange: (limits: readonly Guardrail[]) => void;
}) {
  const { of, limits, onChange } = props;
  return (
    <details>
      <summary>Guardrails</summary>
      <p class="quiet small">
        A variant beyond a limit gets no more leads and can’t win. Empty fields keep the built-in
        limits.
      </p>
      <div class="field-grid">
        {FIELDS.map(([metric, kind, label, max]) => {
          const isIt = (one: Guardrail) => one.metric === metric && one[kind] !== undefined;
          const unit = kind === "max_rate" ? 100 : 1;
          const place = limits.findIndex(isIt);
          const value = limits[place]?.[kind];
          return (
            <TextField
              key={label}
              label={label}
              name={`guardrails.${place < 0 ? metric : place}.${kind}`}
              of={of}
              type="number"
              step="any"
              min={unit === 100 ? 0.1 : 1}
              max={max}
              value={value === undefined ? "" : Number((value * unit).toFixed(6))}
              onChange={({ currentTarget: { value: text } }) => {
                const rest = limits.filter((one) => !isIt(one));
                onChange(text === "" ? rest : [...rest, { metric, [kind]: Number(text) / unit }]);
              }}
            />
          );
        })}
      </div>
    </details>
  );
}
