/** Which way a step is written: as plain text, as rich text, or in the HTML itself. What a switch loses is said first. */

import { type Signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { type BodyFormat, formatOf, isHtml } from "#domain/sending/text-to-html.ts";
import { words } from "../../../lib/format.ts";
import { Confirm } from "../../../parts/dialog.tsx";
import { toast } from "../../../parts/toasts.tsx";
import { loadEditor } from "./rich/load.ts";

/** HTML is shown as rich text, or as its source. */
export type Mode = "plain" | "rich" | "source";
const NAMES: Readonly<Record<Mode, string>> = {
  plain: "plain text",
  rich: "rich text",
  source: "HTML",
};
const MODES = ["plain", "rich", "source"] as const;

/** What a body says, and in which format; null: what it looks like. */
export interface Body {
  body: string;
  format: BodyFormat | null;
}

export function modeOf({ body, format }: Body, asSource: boolean): Mode {
  const isPlain = formatOf(body, format) === "plain";
  return isPlain ? "plain" : asSource ? "source" : "rich";
}

export function FormatSwitch(props: {
  of: Body;
  asSource: Signal<boolean>;
  set: (body: Body) => void;
}) {
  const { of, asSource, set } = props;
  const latest = useRef(of);
  latest.current = of;
  const mode = modeOf(of, asSource.value);
  /** A switch that loses something. */
  const asked = useSignal<{ to: Mode; lost: readonly string[] } | undefined>(undefined);
  const become = (next: Body, isSource: boolean, isUndoable: boolean) => {
    const [before, wasSource] = [latest.current, asSource.peek()];
    asSource.value = isSource;
    set(next);
    if (isUndoable) {
      // To undo it can be undone too: something may have been typed in between.
      const run = () => become(before, wasSource, true);
      toast(`This email is ${NAMES[modeOf(next, isSource)]} now`, { name: "Undo", run });
    }
  };
  const switchTo = async (to: Mode, isAgreed = false) => {
    const editor = await loadEditor();
    if (editor === undefined) {
      toast("Couldn’t load the rich text editor. Try again.");
      return;
    }
    // As it is by now: nobody stops typing while the editor comes.
    const { body, format } = latest.current;
    const from = modeOf({ body, format }, asSource.peek());
    const made = editor.converted(body, from, to);
    if (made.lost.length > 0 && !isAgreed) {
      asked.value = { to, lost: made.lost };
    } else if (to !== from) {
      const next = { body: made.body, format: to === "plain" ? "plain" : "html" } as const;
      become(next, to === "source", made.lost.length > 0);
    }
  };
  return (
    <>
      <fieldset class="segments">
        <legend class="unseen">Write as</legend>
        {MODES.map((name) => (
          <button
            key={name}
            type="button"
            class="segment"
            aria-pressed={mode === name}
            onClick={() => void switchTo(name)}
          >
            {words(NAMES[name])}
          </button>
        ))}
      </fieldset>
      {mode === "plain" && isHtml(of.body) && (
        <p class="small quiet">Plain text goes out with its tags. Choose HTML to use them.</p>
      )}
      {asked.value !== undefined && (
        <Confirm
          title={`Switch to ${NAMES[asked.value.to]}?`}
          action="Switch"
          onConfirm={() => asked.value && void switchTo(asked.value.to, true)}
          onClose={() => (asked.value = undefined)}
        >
          This email loses its {asked.value.lost.join(", ")}. You can undo this.
        </Confirm>
      )}
    </>
  );
}
