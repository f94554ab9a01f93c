/**
 * What an email says, as it is typed: names of values come by `{{`, the team's templates at the cursor, and how
 * long it takes to read stands below.
 */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { api } from "../../../lib/api.ts";
import { useData } from "../../../lib/data.ts";
import { plural } from "../../../lib/format.ts";
import { can } from "../../../lib/session.ts";
import { Button } from "../../../parts/button.tsx";
import { Field, type Submission } from "../../../parts/form/form.tsx";
import { InsertPick, typeInto } from "../../../parts/form/insert.tsx";
import { useVariables, VariableMenu, variablesIn } from "./variables.tsx";

/** A name that is being typed, from its braces to the cursor. */
const NAMING = /\{\{\s*([\w.]{0,40})$/;
const OFFERED_MAX = 6;
/** Read silently, in English: 238 words a minute (Brysbaert 2019, a meta-analysis of 190 studies). */
const WORDS_PER_MINUTE = 238;

interface WordsFieldProps {
  campaignId: string;
  label: string;
  name: string;
  of: Submission;
  text: string;
  /** Whatever else takes values, such as the subject. */
  also: string;
  missing: readonly string[];
  placeholder?: string | undefined;
  onText: (text: string) => void;
}

export function WordsField(props: WordsFieldProps) {
  const { campaignId, label, name, of, text, also, missing, placeholder, onText } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const typed = useSignal<string | null>(null);
  const at = useSignal(0);
  const names = useVariables(campaignId);
  const offered = offeredOf(typed.value, names);
  const look = () => {
    const { value = "", selectionStart } = field.current ?? {};
    const found = NAMING.exec(value.slice(0, selectionStart ?? 0))?.[1];
    typed.value = found === undefined ? null : found.toLowerCase();
    at.value = 0;
  };
  const insert = (words: string, back = 0) => typeInto(field.current, words, back);
  const pick = (one: string) => {
    const { value = "", selectionStart } = field.current ?? {};
    const before = value.slice(0, selectionStart ?? 0);
    insert(`{{${one}}}`, NAMING.exec(before)?.[0].length ?? 0);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (offered.length === 0) {
      return;
    }
    if (step !== undefined) {
      at.value = (at.value + step + offered.length) % offered.length;
    } else if (event.key === "Enter" || event.key === "Tab") {
      pick(offered[at.value] ?? "");
    } else if (event.key === "Escape") {
      typed.value = null;
      event.stopPropagation();
    } else {
      return;
    }
    event.preventDefault();
  };
  return (
    <>
      <Field label={label} name={name} of={of} hint={lengthOf(text)}>
        {(attributes) => (
          <textarea
            {...attributes}
            ref={field}
            class="input mail-input"
            dir="auto"
            spellcheck
            rows={14}
            placeholder={placeholder}
            maxLength={100_000}
            value={text}
            onInput={({ currentTarget }) => {
              onText(currentTarget.value);
              look();
            }}
            onClick={look}
            onBlur={() => {
              typed.value = null;
            }}
            onKeyDown={onKey}
          />
        )}
      </Field>
      <Offered names={offered} at={at.value} onPick={pick} />
      <VariableMenu
        names={names}
        used={variablesIn(`${also} ${text}`)}
        missing={missing}
        onPick={(one) => insert(`{{${one}}}`)}
      />
      {can("inbox:read") && <Templates onPick={(words) => insert(words)} />}
    </>
  );
}

function offeredOf(typed: string | null, names: readonly string[]): readonly string[] {
  return typed === null
    ? []
    : names.filter((name) => name.toLowerCase().startsWith(typed)).slice(0, OFFERED_MAX);
}

function Offered(props: { names: readonly string[]; at: number; onPick: (name: string) => void }) {
  const { names, at, onPick } = props;
  return names.length === 0 ? null : (
    <fieldset class="actions mentions" aria-label="Variables to insert">
      {names.map((name, nth) => (
        <button
          key={name}
          type="button"
          class="button compact"
          aria-pressed={nth === at}
          // Before the field loses the focus, and with it what was typed.
          onMouseDown={(event) => {
            event.preventDefault();
            onPick(name);
          }}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}

/** "84 words, read in 21 seconds"; undefined for nothing. */
function lengthOf(text: string): string | undefined {
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  if (words === 0) {
    return undefined;
  }
  const seconds = Math.max(1, Math.round((words / WORDS_PER_MINUTE) * 60));
  return `${plural(words, "word")}, read in about ${seconds < 90 ? plural(seconds, "second") : plural(Math.round(seconds / 60), "minute")}`;
}

/** The team's canned replies, as they are: their merge fields are filled in for each lead. */
function Templates({ onPick }: { onPick: (words: string) => void }) {
  const isOpen = useSignal(false);
  return isOpen.value ? (
    <TemplateMenu onPick={onPick} />
  ) : (
    <div>
      <Button look="plain compact" onClick={() => (isOpen.value = true)}>
        Insert a template
      </Button>
    </div>
  );
}

function TemplateMenu({ onPick }: { onPick: (words: string) => void }) {
  const replies = useData(() => api().listCannedReplies({ limit: 100 }));
  const rows = replies.value?.data ?? [];
  if (replies.value !== undefined && rows.length === 0) {
    return (
      <p class="small quiet">
        Your team has no templates yet. Save one as a canned reply in the settings.
      </p>
    );
  }
  return <InsertPick what="template" rows={rows} onPick={({ body }) => onPick(body)} />;
}
