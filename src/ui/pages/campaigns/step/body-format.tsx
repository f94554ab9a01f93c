/** Which way a step is written: as plain text, as rich text, or in the HTML itself. What a switch loses is said first. */

import { type Signal, useSignal } from "@preact/signals";
import { type BodyFormat, formatOf, isHtml } from "#domain/sending/text-to-html.ts";
import { Confirm } from "../../../parts/dialog.tsx";
import { toast } from "../../../parts/toasts.tsx";
import { loadEditor } from "./rich/load.ts";

/** HTML is shown as rich text, or as its source. */
export type Mode = "plain" | "rich" | "source";
const NAMES: Readonly<Record<Mode, string>> = {
  plain: "Plain text",
  rich: "Rich text",
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

interface Switch {
  to: Mode;
  body: string;
  lost: readonly string[];
}

export function FormatSwitch(props: {
  of: Body;
  asSource: Signal<boolean>;
  set: (body: Body) => void;
}) {
  const { of, asSource, set } = props;
  const mode = modeOf(of, asSource.value);
  const asked = useSignal<Switch | undefined>(undefined);
  const carryOut = ({ to, body, lost }: Switch) => {
    const before = { ...of, asSource: asSource.peek() };
    asSource.value = to === "source";
    set({ body, format: to === "plain" ? "plain" : "html" });
    if (lost.length > 0) {
      const run = () => {
        asSource.value = before.asSource;
        set({ body: before.body, format: before.format });
      };
      toast(`This email is ${to === "plain" ? "plain" : "rich"} text now`, { name: "Undo", run });
    }
  };
  const switchTo = async (to: Mode) => {
    const made = to === mode ? undefined : await convert(of.body, mode, to);
    if (made === undefined) {
      return;
    }
    if (made.lost.length > 0) {
      asked.value = made;
    } else {
      carryOut(made);
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
            {NAMES[name]}
          </button>
        ))}
      </fieldset>
      {mode === "plain" && isHtml(of.body) && (
        <p class="small quiet">Plain text goes out with its tags. Choose HTML to use them.</p>
      )}
      {asked.value !== undefined && (
        <Confirm
          title={`Switch to ${NAMES[asked.value.to].toLowerCase()}?`}
          action="Switch"
          onConfirm={() => asked.value && carryOut(asked.value)}
          onClose={() => (asked.value = undefined)}
        >
          This email loses its {asked.value.lost.join(", ")}. You can undo this.
        </Confirm>
      )}
    </>
  );
}

/** Undefined where the editor can't be had. */
async function convert(body: string, from: Mode, to: Mode): Promise<Switch | undefined> {
  const editor = await loadEditor();
  if (editor === undefined) {
    toast("Couldn’t load the rich text editor. Try again.");
    return undefined;
  }
  return { to, ...editor.converted(body, from, to) };
}
