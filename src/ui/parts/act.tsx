/**
 * A button that calls the server; where what it does cannot be taken back, it asks first. A refusal stands
 * beside it.
 */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Button } from "./button.tsx";
import { Confirm } from "./dialog.tsx";
import { useSubmission } from "./form/form.tsx";
import { toast } from "./toasts.tsx";

export function Act(props: {
  label: ComponentChildren;
  /** "primary", "danger", "compact danger", … */
  look?: string;
  /** What is said when it is done; `run` may say something itself. */
  done?: string;
  run: () => Promise<unknown>;
  /** The question, and the words of the buttons that answer it. */
  asks?: { title: string; action: string; cancel?: string };
  /** What the question says further. */
  children?: ComponentChildren;
}) {
  const { label, look = "", done, run, asks, children } = props;
  const isAsking = useSignal(false);
  const { isBusy, error, submit } = useSubmission();
  const act = () =>
    submit(async () => {
      await run();
      if (done) {
        toast(done);
      }
    });
  return (
    <>
      <Button
        look={look}
        disabled={isBusy}
        onClick={() => {
          if (asks === undefined) {
            act();
          } else {
            isAsking.value = true;
          }
        }}
      >
        {label}
      </Button>
      {error && (
        <p class="fault" role="alert">
          {error.message}
        </p>
      )}
      {asks && isAsking.value && (
        <Confirm
          {...asks}
          isDanger={look.includes("danger")}
          onConfirm={act}
          onClose={() => {
            isAsking.value = false;
          }}
        >
          {children}
        </Confirm>
      )}
    </>
  );
}
