/**
 * What an email says, as it is typed, in plain text or rich: names of values come by `{{`, the team's templates at
 * the cursor, and how long it takes to read stands below.
 */

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentProps } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type BodyFormat, formatOf } from "#domain/sending/text-to-html.ts";
import { api } from "../../../lib/api.ts";
import { useData } from "../../../lib/data.ts";
import { plural } from "../../../lib/format.ts";
import { can } from "../../../lib/session.ts";
import { Button } from "../../../parts/button.tsx";
import { Field, type Submission } from "../../../parts/form/form.tsx";
import { InsertPick, typeInto } from "../../../parts/form/insert.tsx";
import { Notice } from "../../../parts/page.tsx";
import { FormatSwitch, type Mode, modeOf } from "./body-format.tsx";
import { useCompletion } from "./completion.tsx";
import { editor, loadEditor } from "./rich/load.ts";
import type { Surface } from "./surface.ts";
import { useVariables, VariableMenu } from "./variables.tsx";

/** Read silently, in English: 238 words a minute (Brysbaert 2019, a meta-analysis of 190 studies). */
const WORDS_PER_MINUTE = 238;

interface WordsFieldProps {
  /** Undefined: it is a canned reply, for whoever writes. */
  campaignId: string | undefined;
  label: string;
  name: string;
  of: Submission;
  text: string;
  /** Undefined: it is always plain text. */
  format: BodyFormat | null | undefined;
  /** Whatever else takes values, such as the subject. */
  also: string;
  missing: readonly string[];
  placeholder?: string | undefined;
  /** A text that was written in one format is not read as another because of what it looks like. */
  onText: (text: string, format: BodyFormat | null) => void;
}

export function WordsField(props: WordsFieldProps) {
  const { campaignId, label, name, of, text, format, also, missing } = props;
  const surface = useSignal<Surface | null>(null);
  const asSource = useSignal(false);
  const names = useVariables(campaignId);
  const { offers, onKey, look } = useCompletion(names, (words, back) =>
    surface.peek()?.insert(words, back),
  );
  const mode = format === undefined ? "plain" : modeOf({ body: text, format }, asSource.value);
  const named = formatOf(text, format ?? null);
  const write = (words: string) => props.onText(words, format === undefined ? null : named);
  const insert = (words: string) => surface.peek()?.insert(words);
  return (
    <>
      {format !== undefined && can("campaigns:write") && (
        <FormatSwitch
          of={{ body: text, format }}
          asSource={asSource}
          set={({ body, format: next }) => props.onText(body, next)}
        />
      )}
      <Field label={label} name={name} of={of} hint={lengthOf(text, named)}>
        {(attributes) => (
          <Writing
            {...{ attributes, label, text, mode, names, surface, onKey }}
            placeholder={props.placeholder}
            charsMax={campaignId === undefined ? 10_000 : 100_000}
            onText={write}
            onUnreadable={() => (asSource.value = true)}
            onLook={() => look(surface.peek()?.before() ?? null)}
            onBlur={() => look(null)}
          />
        )}
      </Field>
      {offers}
      <VariableMenu
        names={names}
        texts={[also, text]}
        missing={missing}
        onPick={(one) => insert(`{{${one}}}`)}
      />
      {campaignId !== undefined && can("inbox:read") && <Templates onPick={insert} />}
    </>
  );
}

interface WritingProps {
  attributes: ComponentProps<"textarea"> & {
    id: string;
    "aria-invalid": boolean;
    "aria-describedby": string | undefined;
  };
  label: string;
  text: string;
  mode: Mode;
  names: readonly string[];
  surface: Signal<Surface | null>;
  placeholder: string | undefined;
  charsMax: number;
  onText: (text: string) => void;
  onUnreadable: () => void;
  onLook: () => void;
  onKey: (event: KeyboardEvent) => void;
  onBlur: () => void;
}

/** HTML that a rich text can't hold is written in its source, and so is all HTML until the editor has come. */
function Writing(props: WritingProps) {
  const { mode, text } = props;
  const isHtml = mode !== "plain";
  useEffect(() => {
    if (isHtml) {
      void loadEditor();
    }
  }, [isHtml]);
  const come = editor.value;
  const why = useSignal<readonly string[]>([]);
  if (mode === "rich" && come !== undefined && come !== "missing") {
    return (
      <come.RichText
        {...props}
        html={text}
        isReadOnly={!can("campaigns:write")}
        onHtml={props.onText}
        onUnreadable={(lost) => {
          why.value = lost;
          props.onUnreadable();
        }}
      />
    );
  }
  return (
    <>
      {mode === "rich" && come === "missing" && (
        <Notice tone="warn">
          Couldn’t load the rich text editor. You can edit the HTML here.{" "}
          <Button look="compact" onClick={() => void loadEditor()}>
            Try again
          </Button>
        </Notice>
      )}
      {mode === "source" && why.value.length > 0 && (
        <Notice tone="plain">
          Opened as HTML: rich text can’t hold its {why.value.join(", ")}. Nothing was changed.
        </Notice>
      )}
      <PlainText {...props} />
    </>
  );
}

function PlainText(props: WritingProps) {
  const { attributes, placeholder, text, mode, surface, onText, onLook, onKey, onBlur } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const insert = (words: string, back?: number) => typeInto(field.current, words, back);
  useLayoutEffect(() => {
    const area = field.current as HTMLTextAreaElement;
    const before = () => {
      const { value, selectionStart, selectionEnd } = area;
      return selectionStart === selectionEnd ? value.slice(0, selectionStart) : null;
    };
    surface.value = { before, insert };
    return () => {
      if (document.activeElement === area) {
        surface.value = { before, insert, selected: [area.selectionStart, area.selectionEnd] };
      }
    };
  }, [surface]);
  /** Until the editor has come, what is pasted becomes HTML and none of it a tag. */
  const onPaste = (event: ClipboardEvent) => {
    const words = event.clipboardData?.getData("text/plain");
    if (mode === "rich" && editor.peek() === undefined && words) {
      event.preventDefault();
      insert(words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("\n", "<br>"));
    }
  };
  return (
    <textarea
      {...attributes}
      ref={field}
      class="input mail-input"
      dir="auto"
      spellcheck
      rows={14}
      placeholder={placeholder}
      maxLength={props.charsMax}
      value={text}
      onInput={({ currentTarget }) => {
        onText(currentTarget.value);
        onLook();
      }}
      onClick={onLook}
      onBlur={onBlur}
      onKeyDown={onKey}
      onPaste={onPaste}
    />
  );
}

/** "84 words, read in 21 seconds"; undefined for nothing. */
function lengthOf(text: string, format: BodyFormat): string | undefined {
  const read = format === "html" ? text.replaceAll(/<[^<>]*>/g, " ") : text;
  const words = read.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
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
