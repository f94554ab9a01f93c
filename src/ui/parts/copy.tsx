/** Copying, also where the browser gives no clipboard: over plain HTTP under a name. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { useUnsaved } from "../lib/unsaved.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Notice } from "./page.tsx";
import { toast } from "./toasts.tsx";

/** False where the browser copies by neither way. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The older way: whatever is selected is copied. A dialog keeps the focus to itself, so it goes inside. */
function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  const focused = document.activeElement;
  area.value = text;
  area.className = "unseen";
  (document.querySelector("dialog:modal") ?? document.body).append(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) {
    focused.focus();
  }
  return isDone;
}

export function CopyButton(props: { text: string; label?: string; isCompact?: boolean }) {
  const { text, label = "Copy", isCompact = true } = props;
  const isDone = useSignal(false);
  return (
    <button
      type="button"
      class={isCompact ? "button compact" : "button"}
      onClick={async () => {
        isDone.value = await copyText(text);
        toast(isDone.value ? "Copied" : "Couldn’t copy. Select the text and copy it yourself");
      }}
      onBlur={() => {
        isDone.value = false;
      }}
    >
      {isDone.value ? "Copied" : label}
    </button>
  );
}

/** A secret, to be taken along. */
export function Secret({ label, value }: { label: string; value: string }) {
  return (
    <div class="secret">
      <input
        class="input mono"
        readOnly
        aria-label={label}
        value={value}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <CopyButton text={value} isCompact={false} />
    </div>
  );
}

/** A secret that is shown this once: neither Escape nor a way elsewhere takes it away unasked. */
export function OnceDialog(props: {
  title: string;
  label: string;
  value: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const { title, label, value, onClose, children } = props;
  const isTaken = useRef(false);
  const drop = () => {
    isTaken.current = true;
  };
  useUnsaved({ isUnsaved: () => !isTaken.current, drop });
  return (
    <Dialog title={title} onClose={onClose} isFirm>
      <Notice tone="warn">{children}</Notice>
      <Secret label={label} value={value} />
      <div class="actions">
        <Button
          look="primary"
          onClick={() => {
            drop();
            onClose();
          }}
        >
          I’ve copied it
        </Button>
      </div>
    </Dialog>
  );
}

/** Text of a machine, with a way to take it along. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <div class="code">
      <CopyButton text={text} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section class="code-text" tabIndex={0} aria-label={label}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
    </div>
  );
}
