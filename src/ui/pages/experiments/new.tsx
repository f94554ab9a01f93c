/** A new experiment: the step whose words vary, its variants, and whether the list can tell them apart. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { filter, go, setFilters, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Form, FormFault, Submit, TextField, useSubmission } from "../../parts/form/form.tsx";
import { Input, Select } from "../../parts/form/input.tsx";
import { Card, Empty, Loaded, Page } from "../../parts/page.tsx";
import { toast } from "../../parts/toasts.tsx";
import { type Guardrail, Guardrails } from "./guardrails.tsx";
import { Plan } from "./plan.tsx";
import { NO_VARIANT, type VariantDraft, VariantFields, variantOf } from "./variant-fields.tsx";
import { METRICS, MODES } from "./words.ts";

const CAMPAIGNS_MAX = 100;
const VARIANTS_MAX = 10;

export function NewExperimentPage() {
  return (
    <Page title="New experiment" about="Two or more versions of a step, sent to different leads">
      {can("experiments:write") ? (
        <Choose />
      ) : (
        <Card>
          <Empty
            icon="experiments"
            title="You can’t start experiments"
            action={
              <a class="button" href={to("experiments")}>
                View experiments
              </a>
            }
          >
            Members, admins, and owners can. Ask an owner or admin to change your role.
          </Empty>
        </Card>
      )}
    </Page>
  );
}

function Choose() {
  const campaigns = useData(async () => {
    const { data } = await api().listCampaigns({ limit: CAMPAIGNS_MAX });
    return data.filter(({ status }) => status !== "archived" && status !== "completed");
  });
  return (
    <Loaded data={campaigns}>
      {(rows) =>
        rows.length === 0 ? (
          <Card>
            <Empty
              icon="campaigns"
              title="No campaign to experiment with"
              action={
                <a class="button primary" href={to("campaigns/new")}>
                  New campaign
                </a>
              }
            >
              An experiment tests a step of a campaign that is a draft, active, or paused. Create
              one first.
            </Empty>
          </Card>
        ) : (
          <NewExperiment campaigns={rows} />
        )
      }
    </Loaded>
  );
}

interface Draft {
  name: string;
  step_position: number;
  primary_metric: keyof typeof METRICS;
  optimization_mode: keyof typeof MODES;
  duration_days: number;
  attribution_window_days: number;
  guardrails: readonly Guardrail[];
  variants: readonly VariantDraft[];
}

const EMPTY: Draft = {
  name: "",
  step_position: 1,
  primary_metric: "reply_rate",
  optimization_mode: "fixed_split",
  duration_days: 14,
  attribution_window_days: 7,
  guardrails: [],
  variants: [
    { ...NO_VARIANT, name: "Original" },
    { ...NO_VARIANT, name: "New subject" },
  ],
};

function NewExperiment({ campaigns }: { campaigns: readonly { id: string; name: string }[] }) {
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
    <Form
      of={form}
      look="grid"
      onSend={() =>
        form.submit(async () => {
          const made = await api().createExperiment({
            body: {
              ...fields,
              guardrails: [...fields.guardrails],
              campaign_id: campaignId,
              variants: variants.map(variantOf),
            },
          });
          toast("Experiment started");
          go(to(`experiments/${made.id}`));
        })
      }
    >
      <div class="stack span-6">
        <Card title="Setup">
          <Question {...{ campaigns, campaignId, draft: draft.value, set, form }} />
        </Card>
        <Card title="Variants" note="Empty fields use the step’s content">
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
                <Button onClick={() => set({ variants: [...variants, { ...NO_VARIANT }] })}>
                  Add variant
                </Button>
              </div>
            )}
          </div>
        </Card>
        <details>
          <summary>Guardrails</summary>
          <Guardrails
            of={form}
            limits={fields.guardrails}
            onChange={(guardrails) => set({ guardrails })}
          />
        </details>
        <FormFault of={form} fields={FIELDS} />
        <div class="actions">
          <Submit of={form}>Start experiment</Submit>
          <a class="button" href={to("experiments")}>
            Cancel
          </a>
        </div>
      </div>
      <div class="span-6">
        <Plan key={JSON.stringify(input)} input={input} />
      </div>
    </Form>
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
      <Input
        label="Name"
        name="name"
        of={form}
        required
        maxLength={255}
        placeholder="Question or promise"
        value={draft.name}
        onText={(name) => set({ name })}
      />
      <Select
        label="Campaign"
        name="campaign_id"
        of={form}
        value={campaignId}
        options={campaigns.map(({ id, name }) => [id, name] as const)}
        onPick={(campaign) => {
          setFilters({ campaign });
          set({ step_position: 1 });
        }}
      />
      <StepChoice key={campaignId} {...{ campaignId, draft, set, form }} />
      <Select
        label="Metric"
        name="primary_metric"
        of={form}
        hint={draft.primary_metric === "bounce_rate" ? "Lower is better" : undefined}
        value={draft.primary_metric}
        options={Object.entries(METRICS).map(([value, { rate }]) => [value, rate] as const)}
        onPick={(metric) => set({ primary_metric: metric as Draft["primary_metric"] })}
      />
      <Select
        label="Split"
        name="optimization_mode"
        of={form}
        hint={MODES[draft.optimization_mode].about}
        value={draft.optimization_mode}
        options={Object.entries(MODES).map(([value, { name }]) => [value, name] as const)}
        onPick={(mode) => set({ optimization_mode: mode as Draft["optimization_mode"] })}
      />
      <Days
        label="Sending days"
        name="duration_days"
        {...{ form, value: draft.duration_days, min: 1, max: 365 }}
        onChange={(duration_days) => set({ duration_days })}
      />
      <Days
        label="Days to reply"
        name="attribution_window_days"
        hint="A lead is measured this long after its email. 0 means right away."
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
  const steps = useData(() => api().listCampaignSteps({ id: campaignId }));
  const emails = (steps.value?.data ?? []).filter(({ type }) => type === "email");
  return (
    <Select
      label="Step"
      name="step_position"
      of={form}
      value={String(draft.step_position)}
      onPick={(position) => set({ step_position: Number(position) })}
      options={
        emails.length === 0
          ? [["1", "1: no content yet"]]
          : emails.map(({ position, subject }) => [
              String(position),
              `${position}: ${subject || "same thread"}`,
            ])
      }
    />
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
    <TextField
      label={label}
      name={name}
      of={form}
      hint={hint}
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
  );
}
