/** A new experiment: the step whose words vary, its variants, and whether the list can tell them apart. */

import { useSignal } from "@preact/signals";
import { api, ask } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { filter, go, setFilters, to } from "../../lib/route.ts";
import { Field, FormFault, useSubmission } from "../../parts/form.tsx";
import { Card, Empty, Loaded, Page } from "../../parts/page.tsx";
import { say } from "../../parts/toasts.tsx";
import { Plan } from "./plan.tsx";
import { NO_VARIANT, type VariantDraft, VariantFields, variantOf } from "./variant-fields.tsx";
import { METRICS, MODES } from "./words.ts";

const CAMPAIGNS_MAX = 100;
const VARIANTS_MAX = 10;

export function NewExperimentPage() {
  const campaigns = useData(async () => {
    const { data } = await ask(api().campaigns.get({ query: { limit: CAMPAIGNS_MAX } }));
    return data.filter(({ status }) => status !== "archived" && status !== "completed");
  });
  return (
    <Page title="New experiment" about="Two or more wordings of one step, sent to different leads">
      <Loaded data={campaigns}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty
              icon="campaigns"
              title="No campaign to experiment with"
              action={
                <a class="button primary" href={to("campaigns")}>
                  Go to campaigns
                </a>
              }
            >
              An experiment varies a step of a campaign that is a draft, active or paused.
            </Empty>
          ) : (
            <Form campaigns={rows} />
          )
        }
      </Loaded>
    </Page>
  );
}

interface Draft {
  name: string;
  step_position: number;
  primary_metric: keyof typeof METRICS;
  optimization_mode: keyof typeof MODES;
  duration_days: number;
  attribution_window_days: number;
  variants: readonly VariantDraft[];
}

const EMPTY: Draft = {
  name: "",
  step_position: 1,
  primary_metric: "reply_rate",
  optimization_mode: "fixed_split",
  duration_days: 14,
  attribution_window_days: 7,
  variants: [
    { ...NO_VARIANT, name: "As it is" },
    { ...NO_VARIANT, name: "Another subject" },
  ],
};

function Form({ campaigns }: { campaigns: readonly { id: string; name: string }[] }) {
  const draft = useSignal(EMPTY);
  const form = useSubmission();
  const wanted = filter("campaign");
  const campaignId = campaigns.find(({ id }) => id === wanted)?.id ?? campaigns[0]?.id ?? "";
  const { variants, ...fields } = draft.value;
  const set = (change: Partial<Draft>) => {
    draft.value = { ...draft.peek(), ...change };
  };
  const setVariant = (place: number, change: VariantDraft | null) =>
    set({
      variants: variants.flatMap((each, at) =>
        at === place ? (change === null ? [] : [change]) : [each],
      ),
    });
  const { step_position, duration_days, attribution_window_days } = fields;
  const input = {
    ...{ campaign_id: campaignId, variants: variants.length },
    ...{ step_position, duration_days, attribution_window_days },
  };
  return (
    <form
      class="grid"
      onSubmit={(event) => {
        event.preventDefault();
        form.submit(async () => {
          const made = await ask(
            api().experiments.post({
              ...fields,
              campaign_id: campaignId,
              variants: variants.map(variantOf),
            }),
          );
          say("The experiment runs");
          go(to(`experiments/${made.id}`));
        });
      }}
    >
      <div class="stack span-6">
        <Card title="What is asked">
          <Question {...{ campaigns, campaignId, draft: draft.value, set, form }} />
        </Card>
        <Card title="Variants" note="A field left empty is as in the step">
          <div class="stack">
            {variants.map((variant, place) => (
              <VariantFields
                key={place}
                {...{ variant, place, of: form }}
                onChange={(change) => setVariant(place, change)}
                {...(variants.length > 2 ? { onRemove: () => setVariant(place, null) } : {})}
              />
            ))}
            {variants.length < VARIANTS_MAX && (
              <div>
                <button
                  type="button"
                  class="button"
                  onClick={() => set({ variants: [...variants, { ...NO_VARIANT }] })}
                >
                  Add a variant
                </button>
              </div>
            )}
          </div>
        </Card>
        <FormFault of={form} fields={FIELDS} />
        <div class="actions">
          <button type="submit" class="button primary" disabled={form.isBusy}>
            Start the experiment
          </button>
          <a class="button" href={to("experiments")}>
            Leave it
          </a>
        </div>
      </div>
      <div class="span-6">
        <Plan key={JSON.stringify(input)} input={input} />
      </div>
    </form>
  );
}

const FIELDS = ["name", "campaign_id", "step_position", "duration_days", "attribution_window_days"];

function Question(props: {
  campaigns: readonly { id: string; name: string }[];
  campaignId: string;
  draft: Draft;
  set: (change: Partial<Draft>) => void;
  form: ReturnType<typeof useSubmission>;
}) {
  const { campaigns, campaignId, draft, set, form } = props;
  return (
    <div class="field-grid">
      <Field label="Name" name="name" of={form}>
        {(attributes) => (
          <input
            {...attributes}
            required
            maxLength={255}
            placeholder="Question or promise"
            value={draft.name}
            onInput={({ currentTarget }) => set({ name: currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Campaign" name="campaign_id" of={form}>
        {(attributes) => (
          <select
            {...attributes}
            value={campaignId}
            onChange={({ currentTarget }) => {
              setFilters({ campaign: currentTarget.value });
              set({ step_position: 1 });
            }}
          >
            {campaigns.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <StepChoice key={campaignId} {...{ campaignId, draft, set, form }} />
      <Field
        label="Measured by"
        name="primary_metric"
        of={form}
        hint={draft.primary_metric === "bounce_rate" ? "The lower, the better" : undefined}
      >
        {(attributes) => (
          <select
            {...attributes}
            value={draft.primary_metric}
            onChange={({ currentTarget }) =>
              set({ primary_metric: currentTarget.value as Draft["primary_metric"] })
            }
          >
            {Object.entries(METRICS).map(([value, { rate }]) => (
              <option key={value} value={value}>
                {rate}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label="How leads are split"
        name="optimization_mode"
        of={form}
        hint={MODES[draft.optimization_mode].about}
      >
        {(attributes) => (
          <select
            {...attributes}
            value={draft.optimization_mode}
            onChange={({ currentTarget }) =>
              set({ optimization_mode: currentTarget.value as Draft["optimization_mode"] })
            }
          >
            {Object.entries(MODES).map(([value, { name }]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Days
        label="Days of sending"
        name="duration_days"
        {...{ form, value: draft.duration_days, min: 1, max: 365 }}
        onChange={(duration_days) => set({ duration_days })}
      />
      <Days
        label="Days to answer"
        name="attribution_window_days"
        hint="A lead is judged this long after its mail; 0: at once"
        {...{ form, value: draft.attribution_window_days, min: 0, max: 30 }}
        onChange={(attribution_window_days) => set({ attribution_window_days })}
      />
    </div>
  );
}

function StepChoice(props: {
  campaignId: string;
  draft: Draft;
  set: (change: Partial<Draft>) => void;
  form: ReturnType<typeof useSubmission>;
}) {
  const { campaignId, draft, set, form } = props;
  const steps = useData(() => ask(api().campaigns({ id: campaignId }).steps.get({ query: {} })));
  const emails = (steps.value?.data ?? []).filter(({ type }) => type === "email");
  return (
    <Field label="Step" name="step_position" of={form}>
      {(attributes) => (
        <select
          {...attributes}
          value={String(draft.step_position)}
          onChange={({ currentTarget }) => set({ step_position: Number(currentTarget.value) })}
        >
          {emails.map(({ id, position, subject }) => (
            <option key={id} value={String(position)}>
              {`${position}: ${subject || "goes on in the thread"}`}
            </option>
          ))}
          {emails.length === 0 && <option value="1">1: not written yet</option>}
        </select>
      )}
    </Field>
  );
}

function Days(props: {
  label: string;
  name: string;
  hint?: string;
  form: ReturnType<typeof useSubmission>;
  value: number;
  min: number;
  max: number;
  onChange: (days: number) => void;
}) {
  const { label, name, hint, form, value, min, max, onChange } = props;
  return (
    <Field label={label} name={name} of={form} hint={hint}>
      {(attributes) => (
        <input
          {...attributes}
          type="number"
          required
          min={min}
          max={max}
          value={value}
          onChange={({ currentTarget }) => {
            const days = currentTarget.valueAsNumber;
            if (Number.isInteger(days) && days >= min && days <= max) {
              onChange(days);
            }
          }}
        />
      )}
    </Field>
  );
}
