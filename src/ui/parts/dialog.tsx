/** A question over the page. The browser's own `<dialog>` keeps the focus and closes by Escape. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { openOver } from "../lib/focus.ts";
import { Button } from "./button.tsx";

export function Dialog(props: {
  title: string;
  onClose: () => void;
  /** It stays until it is answered: Escape does not close it. */
  isFirm?: boolean;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => openOver(() => dialog.current?.showModal()), []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-label={props.title}
      onClose={() => (props.isFirm ? dialog.current?.showModal() : props.onClose())}
    >
      <div>
        <h2>{props.title}</h2>
        {props.children}
      </div>
    </dialog>
  );
}

/** Asks before something that cannot be taken back. */
export function Confirm(props: {
  title: string;
  children: ComponentChildren;
  /** What the button does: "Revoke key", never "OK". */
  action: string;
  /** The button that leaves all as it is, where "Cancel" could be taken for the other. */
  cancel?: string | undefined;
  isDanger?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <p>{props.children}</p>
      <div class="actions">
        {/* Beside "Cancel run", a button that says "Cancel" could be taken for it. */}
        <Button onClick={props.onClose}>
          {props.cancel ?? (props.action.startsWith("Cancel") ? "Go back" : "Cancel")}
        </Button>
        <button
          type="button"
          class={props.isDanger ? "button danger" : "button primary"}
          onClick={() => {
            props.onConfirm();
            props.onClose();
          }}
        >
          {props.action}
        </button>
      </div>
    </Dialog>
  );
}
