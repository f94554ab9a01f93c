/** Shares of mails, a slider each. */

import { useSignal } from "@preact/signals";
import { api, ask } from "../../lib/api.ts";
import { percent } from "../../lib/format.ts";
import { can } from "../../lib/session.ts";
import { FormFault, useSubmission } from "../../parts/form.tsx";
import { say } from "../../parts/toasts.tsx";

export function Rates<Name extends string>(props: {
  of: "rates" | "faults";
  names: readonly (readonly [name: Name, label: string])[];
  values: Readonly<Record<Name, number>>;
}) {
  const { of, names, values } = props;
  const saved = useSignal(values);
  const draft = useSignal(values);
  const form = useSubmission();
  const changed = names.filter(([name]) => draft.value[name] !== saved.value[name]);
  return (
    <form
      class="sliders"
      onSubmit={(event) => {
        event.preventDefault();
        form.submit(async () => {
          const change: object = Object.fromEntries(
            changed.map(([name]) => [name, draft.value[name]]),
          );
          const body = of === "rates" ? { rates: change } : { faults: change };
          await ask(api().sandbox.settings.patch(body));
          saved.value = draft.value;
          say("From now on");
        });
      }}
    >
      {names.map(([name, label]) => (
        <label key={name}>
          <span>{label}</span>
          <input
            type="range"
            min={0}
            max={1000}
            value={Math.round(draft.value[name] * 1000)}
            aria-valuetext={percent(draft.value[name])}
            onInput={({ currentTarget }) => {
              draft.value = { ...draft.peek(), [name]: Number(currentTarget.value) / 1000 };
            }}
          />
          <output class="number">{percent(draft.value[name])}</output>
        </label>
      ))}
      <FormFault of={form} fields={[]} />
      {can("sandbox:write") && (
        <div class="actions">
          <button
            type="submit"
            class="button primary"
            disabled={form.isBusy || changed.length === 0}
          >
            Let it be so
          </button>
          {of === "faults" && (
            <button
              type="button"
              class="button"
              onClick={() => {
                const none = Object.fromEntries(names.map(([name]) => [name, 0]));
                draft.value = { ...draft.peek(), ...none };
              }}
            >
              No faults
            </button>
          )}
        </div>
      )}
    </form>
  );
}
