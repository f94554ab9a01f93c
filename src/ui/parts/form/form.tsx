/**
 * Forms: what was typed stays until the server has taken it, and a refusal stands beside the field that
 * it names.
 */

import { useSignal } from "@preact/signals";
import type { ComponentChildren, InputHTMLAttributes } from "preact";
import { useId, useRef } from "preact/hooks";
import { OutriderError } from "#client.ts";
import { errorOf } from "../../lib/data.ts";
import { useUnsaved } from "../../lib/unsaved.ts";
import { Button } from "../button.tsx";

export interface Submission {
  isBusy: boolean;
  error: Error | undefined;
  /** Runs `send` unless it runs already; keeps its refusal. */
  submit: (send: () => Promise<void>) => void;
  /** Resolves when what runs has ended. */
  ended: () => Promise<void>;
  /** What the last refusal says of this field, a dotted path as the API names it. */
  faultOf: (field: string) => string | undefined;
}

/** The form that is being sent: by a person, and not by itself after a pause. */
let sent: HTMLFormElement | undefined;

/** To the first field that was refused, once it is drawn as such. */
function focusRefused(form: HTMLFormElement | undefined): void {
  setTimeout(() => form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}

/** `isUnderWay`: what the form holds is being sent already, from where it stood before. */
export function useSubmission(isUnderWay = false): Submission {
  const isBusy = useSignal(false);
  const error = useSignal<Error | undefined>(undefined);
  const running = useRef<Promise<void>>(Promise.resolve());
  return {
    isBusy: isBusy.value || isUnderWay,
    error: error.value,
    submit: (send) => {
      if (!isBusy.peek() && !isUnderWay) {
        const form = sent;
        isBusy.value = true;
        error.value = undefined;
        running.current = send()
          .catch((cause: unknown) => {
            error.value = errorOf(cause);
            focusRefused(form);
          })
          .finally(() => {
            isBusy.value = false;
          });
      }
    },
    ended: () => running.current,
    faultOf: (field) =>
      error.value instanceof OutriderError && error.value.field === field
        ? error.value.message
        : undefined,
  };
}

/** The refusal of a whole form, where no field of it is at fault. */
export function FormFault({ of, fields }: { of: Submission; fields: readonly string[] }) {
  const { error } = of;
  const isFields = error instanceof OutriderError && fields.includes(error.field ?? "");
  return error === undefined || isFields ? null : (
    <p class="fault" role="alert">
      {error.message}
    </p>
  );
}

interface FieldProps {
  label: string;
  /** The field's path in the API. */
  name: string;
  of: Submission;
  hint?: ComponentChildren;
  children: (attributes: {
    id: string;
    name: string;
    class: string;
    "aria-invalid": boolean;
    "aria-describedby": string | undefined;
  }) => ComponentChildren;
}

/** A labelled input with its hint and what the server says of it. */
export function Field({ label, name, of, hint, children }: FieldProps) {
  const id = useId();
  const fault = of.faultOf(name);
  const noteId = fault || hint ? `${id}-note` : undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        name,
        class: "input",
        "aria-invalid": fault !== undefined,
        "aria-describedby": noteId,
      })}
      {fault === undefined ? (
        hint && (
          <p class="hint" id={noteId}>
            {hint}
          </p>
        )
      ) : (
        <p class="fault" id={noteId}>
          {fault}
        </p>
      )}
    </div>
  );
}

/** Whether something was typed into a form since its submission last went through. */
function useTyped(of: Submission | undefined): () => void {
  const isTyped = useRef(false);
  const wasBusy = useRef(false);
  const isBusy = of?.isBusy === true;
  if (wasBusy.current && !isBusy && of?.error === undefined) {
    isTyped.current = false;
  }
  wasBusy.current = isBusy;
  useUnsaved({
    // What is under way reaches the server whatever is on show.
    isUnsaved: () => isTyped.current && !wasBusy.current,
    drop: () => {
      isTyped.current = false;
    },
  });
  return () => {
    isTyped.current = of !== undefined;
  };
}

/** Fields that are sent together, by Enter too. What was typed stays until `onSend` has dropped it. */
export function Form(props: {
  /** Given, whoever leaves with something typed that was not sent is asked first. */
  of?: Submission;
  /** Classes; a stack where it is left out. */
  look?: string;
  /** What is wrong with a value is said by the server alone. */
  noValidate?: boolean;
  onSend: () => void;
  children: ComponentChildren;
}) {
  const { look = "stack", noValidate = false, onSend, children } = props;
  const note = useTyped(props.of);
  return (
    <form
      class={look}
      noValidate={noValidate}
      onInput={note}
      onSubmit={(event) => {
        event.preventDefault();
        if (event.submitter?.ariaDisabled !== "true") {
          sent = event.currentTarget;
          onSend();
          sent = undefined;
        }
      }}
    >
      {children}
    </form>
  );
}

/** Sends the form that it stands in. */
export function Submit(props: {
  of: Submission;
  /** Of the button; "primary" where it is left out. */
  look?: string;
  isOff?: boolean | undefined;
  title?: string | undefined;
  children: ComponentChildren;
}) {
  const { of, look = "primary", isOff, title, children } = props;
  const isDisabled = of.isBusy || isOff;
  return (
    <button type="submit" class={`button ${look}`} aria-disabled={isDisabled} title={title}>
      {children}
    </button>
  );
}

/** The end of a form in a dialog: to leave it as it was, and to send it. */
export function FormActions(props: {
  of: Submission;
  /** What sending does: "Create the key". */
  action: ComponentChildren;
  isOff?: boolean;
  isDanger?: boolean;
  onClose: () => void;
}) {
  const { of, action, isOff = false, isDanger, onClose } = props;
  return (
    <div class="actions">
      <Button onClick={onClose}>Cancel</Button>
      <Submit of={of} look={isDanger ? "danger" : "primary"} isOff={isOff}>
        {action}
      </Submit>
    </div>
  );
}

/** A {@link Field} that is typed into. */
export function TextField(
  props: Omit<FieldProps, "children"> & Omit<InputHTMLAttributes, keyof FieldProps>,
) {
  const { label, name, of, hint, ...attributes } = props;
  return (
    <Field label={label} name={name} of={of} hint={hint}>
      {(own) => <input {...own} {...(attributes as InputHTMLAttributes)} />}
    </Field>
  );
}

/** What makes an input show a signal and write to it. */
export function bound(to: { value: string }) {
  return {
    value: to.value,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
      to.value = currentTarget.value;
    },
  };
}
