/**
 * A step as a reader gets it: rendered by the server for one lead of the campaign, as a desktop, a phone,
 * plain text or headers show it. The email's HTML is a document of its own that can do nothing.
 */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import type { BodyFormat } from "#domain/sending/text-to-html.ts";
import { messageOf } from "#domain/thrown.ts";
import { api } from "../../../lib/api.ts";
import { count } from "../../../lib/format.ts";
import { env, filter, setFilters, to } from "../../../lib/route.ts";
import { Button } from "../../../parts/button.tsx";
import { Notice } from "../../../parts/page.tsx";

const VIEWS = ["desktop", "phone", "text", "headers"] as const;
type View = (typeof VIEWS)[number];
const VIEW_NAMES: Readonly<Record<View, string>> = {
  desktop: "Desktop",
  phone: "Phone",
  text: "Text",
  headers: "Headers",
};

/** Unsaved words of a step. */
export interface Words {
  subject: string;
  body: string;
  format: BodyFormat | null;
}

interface Rendered {
  subject: string | null;
  text: string | null;
  html: string | null;
  headers: readonly { name: string; value: string }[];
  missing: readonly string[];
}

/** Whom the preview is for; undefined: somebody made up. */
export type Reader = { id: string; email: string; total: number } | undefined;

const RENDER_AFTER_MS = 300;

/** Somebody with every field, where the campaign has no leads yet. */
const SAMPLE = {
  email: "ann.lee@example.com",
  first_name: "Ann",
  last_name: "Lee",
  company: "Example Works",
  website: "https://example.com",
  phone: "+1 555 0100",
};

async function render(place: Place, words: Words, reader: Reader, roll: number): Promise<Rendered> {
  const { campaignId, stepId } = place;
  return await api().previewCampaign({
    id: campaignId,
    body: {
      step_id: stepId,
      subject: words.subject.trim() === "" ? null : words.subject,
      body: words.body,
      format: words.format,
      roll,
      ...(reader === undefined ? { lead: SAMPLE } : { lead_id: reader.id }),
    },
  });
}

async function readReader(campaignId: string, at: number): Promise<Reader> {
  const query = { limit: 1, offset: at };
  const { data, total } = await api().listCampaignLeads({ id: campaignId, ...query });
  const lead = data[0];
  return lead === undefined ? undefined : { id: lead.lead_id, email: lead.email, total };
}

interface Place {
  campaignId: string;
  stepId: string;
}

export function MailPreview(
  props: Place & {
    words: Words;
    /** What the reader lacks, and who that is: for those who stand beside. */
    missing: Signal<readonly string[]>;
    reader: Signal<Reader>;
  },
) {
  const { campaignId, stepId, words, reader } = props;
  const rendered = useSignal<Rendered | undefined>(undefined);
  const fault = useSignal<string | undefined>(undefined);
  const roll = useSignal(0);
  const at = Number(filter("as")) || 0;
  const view = VIEWS.find((name) => name === filter("view")) ?? "desktop";

  useEffect(() => {
    let isCurrent = true;
    readReader(campaignId, at).then(
      (found) => {
        if (isCurrent) {
          reader.value = found;
        }
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [campaignId, at, reader]);

  useEffect(() => {
    let isCurrent = true;
    const take = (answer: Rendered | undefined, said?: string) => {
      if (isCurrent) {
        rendered.value = answer;
        fault.value = said;
        props.missing.value = answer?.missing ?? [];
      }
    };
    if (words.body.trim() === "") {
      take(undefined);
      return;
    }
    const waiting = setTimeout(
      () => {
        render({ campaignId, stepId }, words, reader.value, roll.value).then(
          (answer) => take(answer),
          (cause: unknown) => take(undefined, messageOf(cause)),
        );
      },
      rendered.peek() === undefined ? 0 : RENDER_AFTER_MS,
    );
    return () => {
      isCurrent = false;
      clearTimeout(waiting);
    };
  }, [campaignId, stepId, words.subject, words.body, words.format, reader.value, roll.value]);

  return (
    <section class="preview" aria-label="Preview">
      <header class="preview-head">
        <ReaderChoice at={at} reader={reader.value} />
        <fieldset class="segments">
          <legend class="unseen">Preview as</legend>
          {VIEWS.map((name) => (
            <button
              key={name}
              type="button"
              class="segment"
              aria-pressed={view === name}
              onClick={() => setFilters({ view: name === "desktop" ? "" : name })}
            >
              {VIEW_NAMES[name]}
            </button>
          ))}
        </fieldset>
        {words.body.includes("|") && (
          <Button
            look="compact"
            onClick={() => {
              roll.value += 1;
            }}
          >
            Shuffle spintax
          </Button>
        )}
      </header>
      <Rendering
        {...{ view, campaignId }}
        of={rendered.value}
        fault={fault.value}
        isWritten={words.body.trim() !== ""}
      />
    </section>
  );
}

function ReaderChoice({ at, reader }: { at: number; reader: Reader }) {
  if (reader === undefined) {
    return (
      <p class="small quiet">Preview for Ann Lee, a sample lead: this campaign has no leads yet</p>
    );
  }
  const show = (next: number) => setFilters({ as: next === 0 ? "" : String(next) });
  return (
    <div class="reader">
      <Button
        look="compact"
        aria-label="Previous lead"
        disabled={at === 0}
        onClick={() => show(at - 1)}
      >
        ‹
      </Button>
      <Button
        look="compact"
        aria-label="Next lead"
        disabled={at + 1 >= reader.total}
        onClick={() => show(at + 1)}
      >
        ›
      </Button>
      <p class="small">
        Preview for <a href={to(`leads/${reader.id}`)}>{reader.email}</a>{" "}
        <span class="quiet">
          {count(at + 1)} of {count(reader.total)}
        </span>
      </p>
    </div>
  );
}

function Rendering(props: {
  view: View;
  campaignId: string;
  of: Rendered | undefined;
  fault: string | undefined;
  isWritten: boolean;
}) {
  const { view, of, fault } = props;
  if (fault !== undefined) {
    return (
      <Notice tone="bad">
        <b>Couldn’t render this email.</b> {fault}
      </Notice>
    );
  }
  if (of === undefined) {
    return (
      <p class="quiet preview-empty" aria-busy={props.isWritten || undefined}>
        {props.isWritten ? "Rendering…" : "Your email shows up here as you write."}
      </p>
    );
  }
  if (of.missing.length > 0) {
    return (
      <Notice tone="bad">
        <b>This lead would be on hold.</b> It has no value for{" "}
        {of.missing.map((name, index) => (
          <>
            {index > 0 && ", "}
            <code class="variable-missing">{`{{${name}}}`}</code>
          </>
        ))}
        . Add one, or set a fallback: <code>{`{{${of.missing[0]} | default: "there"}}`}</code>
      </Notice>
    );
  }
  return (
    <div class="mail-shown">
      <p class="mail-subject" dir="auto">
        {of.subject}
      </p>
      {view === "text" && (
        <pre class="preview-text" dir="auto">
          {of.text}
        </pre>
      )}
      {view === "headers" && (
        <dl class="mail-headers">
          {of.headers.map(({ name, value }) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ))}
        </dl>
      )}
      {(view === "desktop" || view === "phone") && (
        <MailFrame html={of.html ?? ""} isPhone={view === "phone"} />
      )}
    </div>
  );
}

/** The server returns the HTML as a document that can't run scripts, load anything, or open links. */
function MailFrame({ html, isPhone }: { html: string; isPhone: boolean }) {
  const name = `mail-${useId()}`;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.submit();
  }, [html]);
  return (
    <>
      <form ref={form} method="post" action={`/${env.value}/mail`} target={name} hidden>
        <input type="hidden" name="html" value={html} />
      </form>
      <iframe
        class={isPhone ? "preview-frame phone" : "preview-frame"}
        sandbox="allow-same-origin"
        name={name}
        title="Email preview"
      />
    </>
  );
}
