/**
 * Versions of a step beside each other, where its text is written: those of the experiment that runs on it, or
 * others that become one.
 */

import { type Signal, useSignal } from "@preact/signals";
import type { CampaignStep } from "#client.ts";
import type { BodyFormat } from "#domain/sending/text-to-html.ts";
import { api } from "../../../lib/api.ts";
import { useData } from "../../../lib/data.ts";
import { count, plural } from "../../../lib/format.ts";
import { to } from "../../../lib/route.ts";
import { can } from "../../../lib/session.ts";
import { useUnsaved } from "../../../lib/unsaved.ts";
import { Button } from "../../../parts/button.tsx";
import { keepAs, keptAs } from "../../../parts/form/draft.ts";
import { FormFault, TextField, useSubmission } from "../../../parts/form/form.tsx";
import { Select } from "../../../parts/form/input.tsx";
import { Loaded, Notice } from "../../../parts/page.tsx";
import { toast } from "../../../parts/toasts.tsx";
import { MODES } from "../../experiments/words.ts";
import { WordsField } from "./words-field.tsx";

/** What a version says. */
export interface Version {
  name: string;
  subject: string;
  body: string;
  format: BodyFormat | null;
}

const VERSIONS_MAX = 10;
const OPEN = ["running", "paused", "evaluating"];
const DURATION_DAYS = 14;
const WINDOW_DAYS = 7;
/** The difference that a test of two texts is expected to show. */
const RATIO = 2;

export const letterOf = (place: number) => String.fromCharCode(65 + place);

/** Versions that are written and not tested yet; the tab keeps them. */
export function useVersions(step: CampaignStep): Signal<readonly Version[]> {
  const name = `campaigns/${step.campaign_id}/steps/${step.id}/versions`;
  const versions = useSignal<readonly Version[]>(keptAs<Version[]>(name) ?? []);
  useUnsaved({
    isUnsaved: () => versions.peek().length > 0,
    staysInTab: true,
    drop: () => {
      versions.value = [];
      keepAs(name, null);
    },
  });
  keepAs(name, versions.value.length === 0 ? null : versions.value);
  return versions;
}

/** The experiment that varies a step now, with what its variants say; null where there is none. */
export function useExperiment(step: CampaignStep) {
  return useData(async () => {
    if (step.type !== "email" || !can("experiments:read")) {
      return null;
    }
    const found = (await api().listExperiments()).find(
      ({ campaign_id, step_position, status }) =>
        campaign_id === step.campaign_id &&
        step_position === step.position &&
        OPEN.includes(status),
    );
    return found === undefined ? null : await api().getExperiment({ id: found.id });
  }, ["experiment"]);
}

export type Running = NonNullable<NonNullable<ReturnType<typeof useExperiment>["value"]>>;

/** What a variant of an experiment says: what it does not change is the step's own. */
export function versionOf(variant: Running["variants"][number], step: CampaignStep): Version {
  const config: Readonly<Record<string, unknown>> = variant.config;
  const text = (name: "subject" | "body") => String(config[name] ?? step[name] ?? "");
  const format = config["body"] === undefined ? step.format : (config["format"] ?? null);
  return {
    ...{ name: variant.name, subject: text("subject"), body: text("body") },
    format: format as BodyFormat | null,
  };
}

export function VersionTabs(props: {
  names: readonly string[];
  shown: Signal<number>;
  onAdd?: (() => void) | undefined;
}) {
  const { names, shown, onAdd } = props;
  return (
    <fieldset class="judgement versions" aria-label="Versions">
      {names.map((name, place) => (
        <button
          key={letterOf(place)}
          type="button"
          class="button compact"
          aria-pressed={shown.value === place}
          onClick={() => (shown.value = place)}
        >
          <b>{letterOf(place)}</b> {name}
        </button>
      ))}
      {onAdd !== undefined && names.length < VERSIONS_MAX && (
        <Button look="plain compact" onClick={onAdd}>
          Test another version
        </Button>
      )}
    </fieldset>
  );
}

/** One version under test: to be read, as its leads get it. */
export function TestedVersion({ version, running }: { version: Version; running: Running }) {
  return (
    <div class="stack">
      <p class="small quiet">
        Part of the experiment <a href={to(`experiments/${running.id}`)}>{running.name}</a>. What a
        version says stays as it is while leads get it.
      </p>
      <Wording {...version} />
    </div>
  );
}

/** A text to be read, as it was written. */
export function Wording({ subject, body }: Pick<CampaignStep, "subject" | "body">) {
  return (
    <>
      <p>
        <strong dir="auto">{subject || "In the same thread"}</strong>
      </p>
      <p class="mail-text" dir="auto">
        {body}
      </p>
    </>
  );
}

/** One version that is being written, and what a test of all of them takes. */
export function VersionForm(props: {
  step: CampaignStep;
  versions: Signal<readonly Version[]>;
  shown: Signal<number>;
  /** What the reader of the preview has no value for. */
  missing: readonly string[];
  /** Saves the step, which is version A. */
  save: () => Promise<void>;
  onStarted: () => void;
}) {
  const { step, versions, shown, missing, save, onStarted } = props;
  const submission = useSubmission();
  const mode = useSignal<keyof typeof MODES>("auto_winner");
  const place = shown.value - 1;
  const version = versions.value[place];
  if (version === undefined) {
    return null;
  }
  const set = (change: Partial<Version>) => {
    versions.value = versions.peek().map((one, at) => (at === place ? { ...one, ...change } : one));
  };
  const remove = () => {
    versions.value = versions.peek().filter((_, at) => at !== place);
    shown.value = 0;
  };
  const start = async () => {
    await save();
    if (keptAs(`campaigns/${step.campaign_id}/steps/${step.id}`) !== null) {
      throw new Error("Version A isn’t saved. Save it first.");
    }
    await test(step, versions.peek(), mode.peek());
    versions.value = [];
    shown.value = 0;
    toast("Test started");
    onStarted();
  };
  const at = `variants.${shown.value}`;
  return (
    <div class="stack">
      <TextField
        label="Version name"
        name={`${at}.name`}
        of={submission}
        maxLength={255}
        value={version.name}
        onInput={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <TextField
        label="Subject"
        name={`${at}.config.subject`}
        of={submission}
        dir="auto"
        maxLength={998}
        value={version.subject}
        onInput={({ currentTarget }) => set({ subject: currentTarget.value })}
      />
      <WordsField
        campaignId={step.campaign_id}
        label="Email"
        name={`${at}.config.body`}
        of={submission}
        text={version.body}
        format={version.format}
        also={version.subject}
        missing={missing}
        onText={(body, format) => set({ body, format })}
      />
      <Needs step={step} versions={versions.value.length + 1} />
      <Select
        label="Split"
        name="optimization_mode"
        of={submission}
        hint={MODES[mode.value].about}
        value={mode.value}
        options={Object.entries(MODES).map(([value, { name }]) => [value, name] as const)}
        onPick={(value) => {
          mode.value = value as keyof typeof MODES;
        }}
      />
      <FormFault
        of={submission}
        fields={[`${at}.name`, `${at}.config.subject`, `${at}.config.body`]}
      />
      <div class="actions">
        {can("experiments:write") && (
          <Button
            look="primary"
            disabled={submission.isBusy || version.name.trim() === ""}
            onClick={() => submission.submit(start)}
          >
            {submission.isBusy ? "Starting…" : "Start test"}
          </Button>
        )}
        <Button look="plain danger" onClick={remove}>
          Discard version {letterOf(shown.value)}
        </Button>
      </div>
    </div>
  );
}

/** The step's own text is version A; what another leaves empty is the step's. */
async function test(
  step: CampaignStep,
  versions: readonly Version[],
  mode: keyof typeof MODES,
): Promise<void> {
  const names = ["Original", ...versions.map(({ name }) => name)];
  await api().createExperiment({
    body: {
      name: `Step ${step.position}: ${names.join(" or ")}`.slice(0, 255),
      campaign_id: step.campaign_id,
      step_position: step.position,
      optimization_mode: mode,
      duration_days: DURATION_DAYS,
      attribution_window_days: WINDOW_DAYS,
      variants: [
        { name: "Original", config: {} },
        ...versions.map(({ name, subject, body, format }) => ({
          name,
          config: {
            ...(subject.trim() !== "" && { subject }),
            ...(body.trim() !== "" && { body, format }),
          },
        })),
      ],
    },
  });
}

/** Whether the list can tell the versions apart, said while they are written. */
function Needs({ step, versions }: { step: CampaignStep; versions: number }) {
  const plan = useData(
    () =>
      api().getExperimentPlan({
        campaign_id: step.campaign_id,
        step_position: step.position,
        variants: versions,
        duration_days: DURATION_DAYS,
        attribution_window_days: WINDOW_DAYS,
      }),
    ["lead"],
  );
  return (
    <Loaded data={plan} lines={1}>
      {({ sizes, leads_per_variant: leads, can_answer: canAnswer }) => {
        const size = sizes.find(({ ratio }) => ratio === RATIO);
        const wait =
          size?.fits === true && size.days !== null
            ? plural(size.days, "day")
            : "too few are in this list";
        return (
          <Notice tone={canAnswer ? "good" : "warn"}>
            {size !== undefined &&
              `Needs ${plural(size.leads_per_variant, "lead")} for each version to see ×${RATIO}: ${wait}. `}
            {plural(leads, "lead")} for each {leads === 1 ? "reaches" : "reach"} it in{" "}
            {count(DURATION_DAYS)} days.
          </Notice>
        );
      }}
    </Loaded>
  );
}
