/**
 * A button that calls the server; where what it does cannot be taken back, it asks first. A refusal stands
 * beside it.
 */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { errorOf } from "../lib/data.ts";
import { Button } from "./button.tsx";
import { Confirm } from "./dialog.tsx";
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
  const isBusy = useSignal(false);
  const isAsking = useSignal(false);
  const fault = useSignal("");
  const act = () => {
    isBusy.value = true;
    fault.value = "";
    run()
      .then(
        () => done && toast(done),
        (cause: unknown) => {
          fault.value = errorOf(cause).message;
        },
      )
      .finally(() => {
        isBusy.value = false;
      });
  };
  return (
    <>
      <Button
        look={look}
        disabled={isBusy.value}
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
      {fault.value !== "" && (
        <p class="fault" role="alert">
          {fault.value}
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
