/**
 * Forms: what was typed stays until the server has taken it, and a refusal stands beside the field that
 * it names.
 */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { ApiError } from "../lib/api.ts";

export interface Submission {
  isBusy: boolean;
  error: Error | undefined;
  /** Runs `send` unless it runs already; keeps its refusal. */
  submit: (send: () => Promise<void>) => void;
  /** What the last refusal says of this field, a dotted path as the API names it. */
  faultOf: (field: string) => string | undefined;
}

export function useSubmission(): Submission {
  const isBusy = useSignal(false);
  const error = useSignal<Error | undefined>(undefined);
  return {
    isBusy: isBusy.value,
    error: error.value,
    submit: (send) => {
      if (isBusy.value) {
        return;
      }
      isBusy.value = true;
      error.value = undefined;
      send()
        .catch((cause: unknown) => {
          error.value = cause instanceof Error ? cause : new Error(String(cause));
        })
        .finally(() => {
          isBusy.value = false;
        });
    },
    faultOf: (field) =>
      error.value instanceof ApiError && error.value.field === field
        ? error.value.message
        : undefined,
  };
}

/** The refusal of a whole form, where no field of it is at fault. */
export function FormFault({ of, fields }: { of: Submission; fields: readonly string[] }) {
  const { error } = of;
  const isFields = error instanceof ApiError && fields.includes(error.field ?? "");
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
