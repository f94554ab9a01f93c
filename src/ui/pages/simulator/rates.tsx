/** Shares of emails, a slider and a figure each. */

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { api } from "../../lib/api.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Form, FormFault, Submit, useSubmission } from "../../parts/form/form.tsx";
import { toast } from "../../parts/toasts.tsx";

/** Most shares are small: a slider's way goes by their root, which leaves a quarter of it to 6 of 100. */
const STEPS = 200;
const DIGITS = 1e6;

function round(share: number): number {
  return Math.round(share * DIGITS) / DIGITS;
}

export function Rates<Name extends string>(props: {
  of: "rates" | "faults";
  names: readonly (readonly [name: Name, label: string])[];
  values: Readonly<Record<Name, number>>;
}) {
  const { of, names, values } = props;
  const saved = useSignal(values);
  const draft = useSignal(values);
  const form = useSubmission();
  const mayWrite = can("sandbox:write");
  const changed = names.filter(([name]) => draft.value[name] !== saved.value[name]);
  const save = (shares: Readonly<Record<Name, number>>) =>
    form.submit(async () => {
      const change = Object.fromEntries(names.map(([name]) => [name, shares[name]]));
      await api().patchSandboxSettings({
        body: of === "rates" ? { rates: change } : { faults: change },
      });
      saved.value = shares;
      draft.value = shares;
      toast("Settings saved");
    });
  return (
    <Form look="sliders" onSend={() => save(draft.peek())}>
      {names.map(([name, label]) => (
        <Share
          key={name}
          label={label}
          share={draft.value[name]}
          isDisabled={!mayWrite}
          onChange={(share) => {
            draft.value = { ...draft.peek(), [name]: share };
          }}
        />
      ))}
      <FormFault of={form} fields={[]} />
      {mayWrite && (
        <div class="actions">
          <Submit of={form} isOff={changed.length === 0}>
            Apply
          </Submit>
          {of === "faults" && (
            <Button
              disabled={form.isBusy || names.every(([name]) => saved.value[name] === 0)}
              onClick={() => {
                const none = Object.fromEntries(names.map(([name]) => [name, 0]));
                save({ ...saved.peek(), ...none });
              }}
            >
              Clear all faults
            </Button>
          )}
        </div>
      )}
    </Form>
  );
}

function Share(props: {
  label: string;
  share: number;
  isDisabled: boolean;
  onChange: (share: number) => void;
}) {
  const { label, share, isDisabled, onChange } = props;
  const id = useId();
  const hundredths = round(share * 100);
  return (
    <div>
      <label for={id}>{label}</label>
      <input
        type="range"
        aria-label={`${label}: slider`}
        aria-valuetext={`${hundredths}%`}
        min={0}
        max={STEPS}
        disabled={isDisabled}
        value={Math.round(Math.sqrt(share) * STEPS)}
        onInput={({ currentTarget }) =>
          onChange(Math.round((currentTarget.valueAsNumber / STEPS) ** 2 * 1000) / 1000)
        }
      />
      <input
        id={id}
        class="input"
        type="number"
        min={0}
        max={100}
        step="any"
        disabled={isDisabled}
        value={hundredths}
        onChange={({ currentTarget }) => {
          const typed = currentTarget.valueAsNumber;
          onChange(round(Math.min(100, Math.max(0, typed || 0)) / 100));
        }}
      />
    </div>
  );
}
