/** What the pages have in common that are seen before anybody is signed in. */

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Field, type Submission } from "./form.tsx";

/** A card in the middle of an empty page; one that `isLate` shows itself after a moment only. */
export function Door(props: { title: string; isLate?: boolean; children: ComponentChildren }) {
  const { title, isLate, children } = props;
  document.title = `${title} · Outrider`;
  return (
    <main class={isLate ? "door late" : "door"}>
      <div class="door-brand">
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" />
          <path d="M7 11.5 16 18l9-6.5M7 10h18v12.5H7z" />
        </svg>
        Outrider
      </div>
      <section class="card door-card">
        <h1>{title}</h1>
        {children}
      </section>
    </main>
  );
}

/** As the server checks it. */
const NEW_PASSWORD_CHARS_MIN = 10;

export function PasswordField(props: {
  of: Submission;
  value: Signal<string>;
  isNew: boolean;
  label?: string;
  name?: string;
  hasFocus?: boolean;
}) {
  const isShown = useSignal(false);
  const hint = props.isNew ? `At least ${NEW_PASSWORD_CHARS_MIN} characters.` : undefined;
  return (
    <Field
      label={props.label ?? "Password"}
      name={props.name ?? "password"}
      of={props.of}
      hint={hint}
    >
      {(attributes) => (
        <div class="door-password">
          <input
            {...attributes}
            type={typeOf(isShown.value)}
            autocomplete={props.isNew ? "new-password" : "current-password"}
            required
            autofocus={props.hasFocus ?? false}
            value={props.value.value}
            onInput={({ currentTarget }) => {
              props.value.value = currentTarget.value;
            }}
          />
          <button
            type="button"
            class="button plain compact"
            aria-pressed={isShown.value}
            onClick={() => {
              isShown.value = !isShown.value;
            }}
          >
            {isShown.value ? "Hide" : "Show"}
            <span class="unseen"> password</span>
          </button>
        </div>
      )}
    </Field>
  );
}

/** Preact's types take each type of input for another element. */
function typeOf(isShown: boolean): "password" {
  return (isShown ? "text" : "password") as "password";
}
