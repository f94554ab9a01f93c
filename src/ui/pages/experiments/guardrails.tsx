/** A team's own limits for the variants of an experiment. */

import { useSignal } from "@preact/signals";
import type { ExperimentCreate, ExperimentDetail } from "#client.ts";
import { api } from "../../lib/api.ts";
import { can } from "../../lib/session.ts";
import { Fold } from "../../parts/fold.tsx";
import {
  Form,
  FormFault,
  type Submission,
  Submit,
  TextField,
  useSubmission,
} from "../../parts/form/form.tsx";
import { toast } from "../../parts/toasts.tsx";

export type Guardrail = NonNullable<ExperimentCreate["guardrails"]>[number];
type Kind = "max_rate" | "max_ratio";

const FIELDS: readonly [Guardrail["metric"], Kind, label: string, max: number][] = [
  ["opt_outs", "max_rate", "Opt-outs, % of leads", 50],
  ["opt_outs", "max_ratio", "Opt-outs, times the others", 10],
  ["bounces", "max_rate", "Bounces, % of leads", 4.9],
  ["bounces", "max_ratio", "Bounces, times the others", 10],
  ["negative_replies", "max_rate", "Negative replies, % of leads", 50],
  ["negative_replies", "max_ratio", "Negative replies, times the others", 10],
];

export function Guardrails(props: {
  of: Submission;
  limits: readonly Guardrail[];
  isOff?: boolean;
  onChange: (limits: readonly Guardrail[]) => void;
}) {
  const { of, limits, isOff = false, onChange } = props;
  return (
    <>
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
              disabled={isOff}
              value={value === undefined ? "" : Number((value * unit).toFixed(6))}
              onChange={({ currentTarget: { value: text } }) => {
                const rest = limits.filter((one) => !isIt(one));
                onChange(text === "" ? rest : [...rest, { metric, [kind]: Number(text) / unit }]);
              }}
            />
          );
        })}
      </div>
    </>
  );
}

/** Those of a running experiment, to be seen and changed. */
export function Limits({
  detail: { id, guardrails, status },
  reload,
}: {
  detail: ExperimentDetail;
  reload: () => void;
}) {
  const form = useSubmission();
  const draft = useSignal<readonly Guardrail[] | undefined>(undefined);
  const isOff = !can("experiments:write") || (status !== "running" && status !== "paused");
  return (
    <Fold title="Guardrails" isScreenOnly>
      <Form
        of={form}
        onSend={() =>
          form.submit(async () => {
            await api().patchExperiment({
              id,
              body: { guardrails: [...(draft.value ?? guardrails)] },
            });
            draft.value = undefined;
            toast("Guardrails saved");
            reload();
          })
        }
      >
        <Guardrails
          of={form}
          limits={draft.value ?? guardrails}
          isOff={isOff}
          onChange={(limits) => {
            draft.value = limits;
          }}
        />
        <FormFault
          of={form}
          fields={(draft.value ?? guardrails).flatMap((_, at) => [
            `guardrails.${at}.max_rate`,
            `guardrails.${at}.max_ratio`,
          ])}
        />
        {!isOff && (
          <div class="actions">
            <Submit of={form} look="">
              Save guardrails
            </Submit>
          </div>
        )}
      </Form>
    </Fold>
  );
}
