/**
 * One step of a sequence: its words, its wait, and the preview beside it. What is not saved is kept in the
 * tab, so a reload loses nothing. Where somebody else saved meanwhile, both versions are shown.
 */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { lastToChange } from "../../lib/actors.ts";
import { ApiError, api, askTagged } from "../../lib/api.ts";
import { plural } from "../../lib/format.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Field, Form, FormFault, Submit, TextField, useSubmission } from "../../parts/form.tsx";
import { Notice } from "../../parts/page.tsx";
import { say } from "../../parts/toasts.tsx";
import { ContentCheck } from "./content-check.tsx";
import type { StepRecord } from "./data.ts";
import { MailPreview, type Reader } from "./mail-preview.tsx";
import { SendTest } from "./send-test.tsx";
import { VariableMenu, variablesIn } from "./variables.tsx";

const FIELDS = ["subject", "body", "wait_days"] as const;

/** What the form holds. */
interface Draft {
  subject: string;
  body: string;
  wait_days: string;
}

/** The version that the form began from. */
interface Base {
  step: StepRecord;
  etag: string;
}

interface Conflict extends Base {
  who: string;
}

function draftOf({ subject, body, wait_days }: StepRecord): Draft {
  return { subject: subject ?? "", body: body ?? "", wait_days: String(wait_days) };
}

function isSame(a: Draft, b: Draft): boolean {
  return FIELDS.every((name) => a[name] === b[name]);
}

const keyOf = (stepId: string) => `outrider-step-${stepId}`;

/** What a tab keeps of a form that is not saved: the words, and the version that they began from. */
interface Kept {
  draft: Draft;
  /** None, where they were written before the version was known. */
  etag?: string | undefined;
}

function keptOf(stepId: string): Kept | undefined {
  const kept = sessionStorage.getItem(keyOf(stepId));
  return kept === null ? undefined : (JSON.parse(kept) as Kept);
}

async function readStep(campaignId: string, stepId: string): Promise<Base> {
  const { data, etag } = await askTagged(
    api().campaigns({ id: campaignId }).steps({ stepId }).get(),
  );
  return { step: data, etag };
}

async function saveStep({ step, etag }: Base, draft: Draft): Promise<Base> {
  const change = {
    subject: draft.subject.trim() === "" ? null : draft.subject,
    body: draft.body.trim() === "" ? null : draft.body,
    wait_days: Number(draft.wait_days),
  };
  const { data, etag: next } = await askTagged(
    api()
      .campaigns({ id: step.campaign_id })
      .steps({ stepId: step.id })
      .patch(change, { headers: { "if-match": etag } }),
  );
  return { step: data, etag: next };
}

function useStep(step: StepRecord, onSaved: () => void) {
  const base = useSignal<Base | undefined>(undefined);
  const draft = useSignal<Draft>(keptOf(step.id)?.draft ?? draftOf(step));
  const conflict = useSignal<Conflict | undefined>(undefined);
  const form = useSubmission();
  useEffect(() => {
    readStep(step.campaign_id, step.id).then(
      (read) => {
        const kept = keptOf(step.id);
        // Words that began from an older version meet the newer one when they are saved.
        base.value = { ...read, etag: kept?.etag ?? read.etag };
        draft.value = kept?.draft ?? draftOf(read.step);
      },
      () => undefined,
    );
  }, [step.id, step.campaign_id, base, draft]);

  const adopt = (next: Base) => {
    base.value = next;
    draft.value = draftOf(next.step);
    conflict.value = undefined;
    sessionStorage.removeItem(keyOf(step.id));
    onSaved();
  };
  const saved = draftOf(base.value?.step ?? step);
  return {
    form,
    draft: draft.value,
    conflict: conflict.value,
    isSaved: isSame(draft.value, saved),
    isReady: base.value !== undefined,
    adopt,
    set: (change: Partial<Draft>) => {
      draft.value = { ...draft.value, ...change };
      const kept: Kept = { draft: draft.value, etag: base.value?.etag };
      sessionStorage.setItem(keyOf(step.id), JSON.stringify(kept));
    },
    undo: () => {
      draft.value = saved;
      sessionStorage.removeItem(keyOf(step.id));
    },
    /** Over the version that the form began from, or the one in the way. */
    save: (over: Base | undefined = base.value) => {
      if (over === undefined) {
        return;
      }
      form.submit(async () => {
        try {
          adopt(await saveStep(over, draft.value));
          say(`Step ${step.position} is saved.`);
        } catch (cause) {
          if (!(cause instanceof ApiError && cause.status === 412)) {
            throw cause;
          }
          const theirs = await readStep(step.campaign_id, step.id);
          conflict.value = { ...theirs, who: await lastToChange(`step:${step.id}`) };
        }
      });
    },
  };
}

type Editing = ReturnType<typeof useStep>;

export function StepEditor(props: { step: StepRecord; isFirst: boolean; onSaved: () => void }) {
  const { step, isFirst } = props;
  const of = useStep(step, props.onSaved);
  const { conflict, draft } = of;
  const missing = useSignal<readonly string[]>([]);
  const reader = useSignal<Reader>(undefined);
  const mayWrite = can("campaigns:write");
  const place = { campaignId: step.campaign_id, stepId: step.id };
  return (
    <div class={step.type === "email" ? "editor" : "narrow"}>
      <div class="stack">
        <Form noValidate onSend={() => of.save()}>
          {conflict !== undefined && (
            <ConflictNotice
              conflict={conflict}
              mine={draft}
              onMine={() => of.save(conflict)}
              onTheirs={() => of.adopt(conflict)}
            />
          )}
          <fieldset class="bare stack" disabled={!mayWrite}>
            <Fields {...{ step, isFirst, of, missing }} />
          </fieldset>
          <FormFault of={of.form} fields={FIELDS} />
          {mayWrite && <SaveLine of={of} />}
        </Form>
        {step.type === "email" && mayWrite && (
          <>
            <ContentCheck {...place} isSaved={of.isSaved} />
            <SendTest {...place} isSaved={of.isSaved} leadId={reader.value?.id} />
          </>
        )}
      </div>
      {step.type === "email" && <MailPreview {...{ ...place, missing, reader }} words={draft} />}
    </div>
  );
}

function SaveLine({ of }: { of: Editing }) {
  const { isSaved, isReady, form } = of;
  return (
    <div class="actions">
      <Submit of={form} isOff={isSaved || !isReady}>
        {form.isBusy ? "Saving…" : "Save the step"}
      </Submit>
      {!isSaved && (
        <Button look="plain" onClick={of.undo}>
          Undo changes
        </Button>
      )}
      <span class="small quiet saved-word" role="status">
        {isSaved ? "All is saved" : "Not saved yet; kept in this tab"}
      </span>
    </div>
  );
}

function Fields(props: {
  step: StepRecord;
  isFirst: boolean;
  of: Editing;
  missing: Signal<readonly string[]>;
}) {
  const { step, isFirst, missing } = props;
  const { form, draft, set } = props.of;
  const body = useRef<HTMLTextAreaElement>(null);
  const { subject, wait_days: waitDays, body: text } = draft;
  const isTask = step.type === "task";
  return (
    <>
      <TextField
        label={isTask ? "What is to be done" : "Subject"}
        name="subject"
        of={form}
        hint={isTask || isFirst ? undefined : "Empty: it goes on in the thread of the mail before"}
        dir="auto"
        maxLength={998}
        value={subject}
        onInput={({ currentTarget }) => set({ subject: currentTarget.value })}
      />
      <Field label={isTask ? "Notes" : "Mail"} name="body" of={form}>
        {(attributes) => (
          <textarea
            {...attributes}
            ref={body}
            class="input mail-input"
            dir="auto"
            rows={14}
            maxLength={100_000}
            value={text}
            onInput={({ currentTarget }) => set({ body: currentTarget.value })}
          />
        )}
      </Field>
      <VariableMenu
        campaignId={step.campaign_id}
        used={variablesIn(`${subject} ${text}`)}
        missing={missing.value}
        onPick={(name) => {
          const field = body.current;
          const at = field?.selectionStart ?? text.length;
          const end = field?.selectionEnd ?? at;
          set({ body: `${text.slice(0, at)}{{${name}}}${text.slice(end)}` });
          field?.focus();
        }}
      />
      <TextField
        label="Days to wait"
        name="wait_days"
        of={form}
        hint={isFirst ? "After a lead is enrolled" : "After the step before was sent"}
        class="input short"
        type="number"
        min={0}
        max={365}
        value={waitDays}
        onInput={({ currentTarget }) => set({ wait_days: currentTarget.value })}
      />
    </>
  );
}

function ConflictNotice(props: {
  conflict: Conflict;
  mine: Draft;
  onMine: () => void;
  onTheirs: () => void;
}) {
  const { conflict, mine, onMine, onTheirs } = props;
  const theirs = draftOf(conflict.step);
  return (
    <Notice tone="warn">
      <div class="stack">
        <p>
          <b>{conflict.who}</b>, while you wrote. Yours is not saved; nothing is lost.
        </p>
        <div class="versions">
          <Version title="Theirs, saved" of={theirs} />
          <Version title="Yours, not saved" of={mine} />
        </div>
        <div class="actions">
          <Button onClick={onTheirs}>Take theirs</Button>
          <Button look="primary" onClick={onMine}>
            Save mine over it
          </Button>
        </div>
      </div>
    </Notice>
  );
}

function Version({ title, of }: { title: string; of: Draft }) {
  return (
    <section class="version" aria-label={title}>
      <h3>{title}</h3>
      <p class="small quiet">
        {of.subject === "" ? "No subject" : of.subject} · waits{" "}
        {plural(Number(of.wait_days), "day")}
      </p>
      <pre dir="auto">{of.body}</pre>
    </section>
  );
}
