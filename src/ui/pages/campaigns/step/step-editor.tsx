/**
 * One step of a sequence: its words, its wait, and the preview beside it. A step is saved while it is
 * written; in a campaign that runs only when its button says so, for half a sentence would go out.
 */

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren, ComponentProps } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { CampaignStep } from "#client.ts";
import type { BodyFormat } from "#domain/sending/text-to-html.ts";
import { api } from "../../../lib/api.ts";
import { filter } from "../../../lib/route.ts";
import { can } from "../../../lib/session.ts";
import { Attaching, namesIn, useAttachments } from "../../../parts/form/attachments.tsx";
import { type Draft, numberOf, useDraft } from "../../../parts/form/draft.ts";
import { DraftForm } from "../../../parts/form/draft-form.tsx";
import { TextField } from "../../../parts/form/form.tsx";
import { ContentCheck } from "./content-check.tsx";
import { type Words as EmailWords, MailPreview, type Reader } from "./mail-preview.tsx";
import { SendTest } from "./send-test.tsx";
import { StepHistory, useHistory } from "./step-history.tsx";
import {
  letterOf,
  type Running,
  TestedVersion,
  useExperiment,
  useVersions,
  type Version,
  VersionForm,
  VersionTabs,
  versionOf,
} from "./step-variants.tsx";
import { WordsField } from "./words-field.tsx";

/** What the form holds. */
interface Words {
  subject: string;
  body: string;
  format: BodyFormat | null;
  attachment_ids: readonly string[];
  wait_days: string;
  wait_minutes: string;
}

const LABELS = {
  subject: "Subject",
  body: "Email",
  format: "Format",
  attachment_ids: "Attachments",
  wait_days: "Days to wait",
  wait_minutes: "And minutes",
} as const;

const WAITS = [
  ["wait_days", 365],
  ["wait_minutes", 1439],
] as const;

function wordsOf({ subject, body, ...step }: CampaignStep): Words {
  const { format, attachment_ids, wait_days, wait_minutes } = step;
  return {
    ...{ subject: subject ?? "", body: body ?? "", format, attachment_ids },
    ...{ wait_days: String(wait_days), wait_minutes: String(wait_minutes) },
  };
}

function useStep(step: CampaignStep, isRunning: boolean, onSaved: () => void): Draft<Words> {
  const { id: stepId, campaign_id: id } = step;
  return useDraft({
    target: `step:${stepId}`,
    keptAs: `campaigns/${id}/steps/${stepId}`,
    read: () => api().getCampaignStep({ id, stepId }),
    stored: step,
    fieldsOf: wordsOf,
    changeOf: ({
      subject,
      body,
      format,
      attachment_ids,
      wait_days: days,
      wait_minutes: minutes,
    }) => ({
      ...(subject !== undefined && { subject: subject.trim() === "" ? null : subject }),
      ...(body !== undefined && { body: body.trim() === "" ? null : body }),
      ...(format !== undefined && { format }),
      ...(attachment_ids !== undefined && { attachment_ids: [...attachment_ids] }),
      ...(days !== undefined && { wait_days: numberOf(days) }),
      ...(minutes !== undefined && { wait_minutes: numberOf(minutes) }),
    }),
    write: (body, options) => api().patchCampaignStep({ id, stepId, body }, options),
    isAuto: !isRunning,
    onSaved,
  });
}

export function StepEditor(props: {
  step: CampaignStep;
  isFirst: boolean;
  isRunning: boolean;
  onSaved: () => void;
}) {
  const { step, isFirst, isRunning } = props;
  const of = useStep(step, isRunning, props.onSaved);
  const missing = useSignal<readonly string[]>([]);
  const reader = useSignal<Reader>(undefined);
  const others = useOthers(step);
  const history = useHistory(step);
  const mayWrite = can("campaigns:write");
  const past = history.shown?.content;
  const words = past ? wordsOf({ ...step, ...past }) : (others.shows ?? of.fields);
  const place = { campaignId: step.campaign_id, stepId: step.id };
  return (
    <div class={step.type === "email" ? "editor" : "narrow"}>
      <div class="stack">
        {history.isOpen && (
          <StepHistory
            of={history}
            onRestore={mayWrite ? (content) => of.set(wordsOf({ ...step, ...content })) : null}
          />
        )}
        {/* What is typed here stays while an earlier text is on show. */}
        <div class="stack" hidden={history.isOpen}>
          <Texts {...{ step, of, others, missing }} mayWrite={mayWrite}>
            <DraftForm
              of={of}
              told={(words, name) => [
                LABELS[name],
                name === "attachment_ids" ? namesIn(words[name]) : (words[name] ?? ""),
              ]}
              action="Save step"
              {...(isRunning && {
                note: "Unsaved changes. Saving updates the emails sent from now on.",
              })}
              isReadOnly={!mayWrite}
            >
              <Fields {...{ step, isFirst, of, missing }} />
            </DraftForm>
          </Texts>
          {step.type === "email" && mayWrite && (
            <Checks
              {...place}
              words={words}
              leadId={reader.value?.id}
              saved={others.shows ? null : of}
            />
          )}
        </div>
      </div>
      {step.type === "email" && <MailPreview {...{ ...place, missing, reader }} words={words} />}
    </div>
  );
}

/** Other versions of the step's text, and which of them is on show. */
function useOthers(step: CampaignStep) {
  const versions = useVersions(step);
  const experiment = useExperiment(step);
  const shown = useSignal(0);
  const running = experiment.value ?? null;
  const tested = running?.variants.map((variant) => versionOf(variant, step)) ?? [];
  const shows =
    shown.value === 0 ? undefined : (tested[shown.value] ?? versions.value[shown.value - 1]);
  return { versions, experiment, shown, running, tested, shows };
}

/** The step's own text, or the version that is on show. */
function Texts(props: {
  step: CampaignStep;
  of: Draft<Words>;
  others: ReturnType<typeof useOthers>;
  missing: Signal<readonly string[]>;
  mayWrite: boolean;
  children: ComponentChildren;
}) {
  const { step, of, others, missing, mayWrite } = props;
  const { versions, experiment, shown, running, tested, shows } = others;
  const addVersion = () => {
    const { subject, body, format } = of.fields;
    const name = `Version ${letterOf(versions.peek().length + 1)}`;
    versions.value = [...versions.peek(), { name, subject, body, format }];
    shown.value = versions.value.length;
  };
  const mayAdd = mayWrite && can("experiments:write") && experiment.value === null;
  return (
    <>
      {step.type === "email" && (
        <VersionTabs
          names={namesOf(versions.value, running && tested)}
          shown={shown}
          onAdd={mayAdd ? addVersion : undefined}
        />
      )}
      {shows !== undefined && (
        <OtherVersion
          {...{ step, versions, shown, running, shows }}
          missing={missing.value}
          save={of.save}
          onStarted={experiment.reload}
        />
      )}
      {/* What is typed here stays while another version is on show. */}
      <div class="stack" hidden={shows !== undefined}>
        {props.children}
      </div>
    </>
  );
}

/** Under test it is read; before that it is written. */
function OtherVersion({
  shows,
  running,
  ...form
}: ComponentProps<typeof VersionForm> & { shows: Version; running: Running | null }) {
  return running === null ? (
    <VersionForm {...form} />
  ) : (
    <TestedVersion version={shows} running={running} />
  );
}

/** Those of the experiment that runs, if one does. */
function namesOf(written: readonly Version[], tested: readonly Version[] | null): string[] {
  const all = tested ?? [{ name: "Original" }, ...written];
  return all.map(({ name }) => name);
}

/** What can be found out about an email before it's sent. */
function Checks(props: {
  campaignId: string;
  stepId: string;
  words: EmailWords;
  leadId: string | undefined;
  /** Null: another version is on show, and a test email would say what the step itself says. */
  saved: Draft<Words> | null;
}) {
  const { words, leadId, saved, ...place } = props;
  return (
    <>
      <ContentCheck {...place} words={words} />
      {saved !== null && <SendTest {...place} isSaved={saved.isSaved} leadId={leadId} />}
    </>
  );
}

function Fields(props: {
  step: CampaignStep;
  isFirst: boolean;
  of: Draft<Words>;
  missing: Signal<readonly string[]>;
}) {
  const { step, isFirst, missing } = props;
  const { form, fields, set } = props.of;
  const { subject, body: text, format } = fields;
  const latest = useRef(fields);
  latest.current = fields;
  const files = useAttachments(fields.attachment_ids, (to) =>
    set({ attachment_ids: to(latest.current.attachment_ids) }),
  );
  const isTask = step.type === "task";
  // Whoever has just added a step goes on by writing it.
  useEffect(() => {
    if (filter("step") === step.id && step.subject === null && step.body === null) {
      document.getElementsByName("subject")[0]?.focus();
    }
  }, []);
  const body = (
    <WordsField
      campaignId={step.campaign_id}
      label={isTask ? "Notes" : "Email"}
      name="body"
      of={form}
      text={text}
      format={isTask ? undefined : format}
      also={subject}
      missing={missing.value}
      placeholder={isTask ? undefined : "Hi {{first_name}},"}
      onText={(words, written) => set({ body: words, ...(!isTask && { format: written }) })}
    />
  );
  return (
    <>
      <TextField
        label={isTask ? "Task" : "Subject"}
        name="subject"
        of={form}
        hint={isTask || isFirst ? undefined : "Leave empty to continue the previous email’s thread"}
        dir="auto"
        placeholder={isTask ? "Call them" : isFirst ? "A question about {{company}}" : undefined}
        maxLength={998}
        value={subject}
        onInput={({ currentTarget }) => set({ subject: currentTarget.value })}
      />
      {isTask ? (
        body
      ) : (
        <Attaching of={files} form={form}>
          {body}
        </Attaching>
      )}
      {WAITS.map(([name, max]) => (
        <TextField
          key={name}
          label={LABELS[name]}
          name={name}
          of={form}
          hint={step.position === 1 ? "Sent when the lead’s turn comes" : "After the previous step"}
          class="input short"
          type="number"
          min={0}
          max={max}
          value={fields[name]}
          onInput={({ currentTarget }) => set({ [name]: currentTarget.value })}
        />
      ))}
    </>
  );
}
