/** What the pages have in common that are seen before anybody is signed in. */

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { hasPasskeys, shownPasskey } from "../lib/passkeys.ts";
import { comeBack, door, enter, providerUrl } from "../lib/session.ts";
import { Button } from "./button.tsx";
import { bound, Field, FormFault, type Submission, useSubmission } from "./form/form.tsx";

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

interface Ways {
  /** The page to go on with. */
  to: string;
  /** The word of the invitation that somebody came by. */
  invitation?: string;
  /** A page is to stay as it is: the provider's is shown in another tab. */
  isBeside?: boolean;
}

/** What leads in besides a password; nothing where nothing does. */
export function OtherWays(props: Ways) {
  const provider = door.value?.single_sign_on;
  const mayShow = hasPasskeys && props.invitation === undefined;
  return (
    (provider || mayShow) && (
      <>
        <p class="door-or">or</p>
        {mayShow && <PasskeyButton />}
        {provider && <ProviderButton {...props} name={provider.name} />}
      </>
    )
  );
}

function ProviderButton({ to, invitation, isBeside, name }: Ways & { name: string }) {
  const form = useSubmission();
  useEffect(() => {
    const look = () => void (isBeside && comeBack().catch(() => undefined));
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, []);
  return (
    <>
      <FormFault of={form} fields={[]} />
      <Button
        look="door-button"
        onClick={() => {
          // Opened at once: a browser lets no page open one later.
          const tab = isBeside ? open("", "_blank") : window;
          form.submit(async () => {
            const given = { to, ...(invitation === undefined ? {} : { invitation }) };
            const url = await providerUrl(given);
            tab?.location.assign(url);
          });
        }}
      >
        Continue with {name}
        {isBeside && " in a new tab"}
      </Button>
    </>
  );
}

function PasskeyButton() {
  const form = useSubmission();
  return (
    <>
      <FormFault of={form} fields={[]} />
      <Button
        look="door-button"
        aria-disabled={form.isBusy}
        onClick={() =>
          form.submit(async () => enter("passkeys/session", { credential: await shownPasskey() }))
        }
      >
        Sign in with a passkey
      </Button>
    </>
  );
}

/** Whose password a form is about, for programs that keep passwords. */
export function UserName({ email }: { email: string }) {
  return (
    <input
      type="email"
      class="unseen"
      tabIndex={-1}
      aria-hidden="true"
      readOnly
      autocomplete="username"
      value={email}
    />
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
            {...bound(props.value)}
          />
          <Button
            look="plain compact"
            aria-pressed={isShown.value}
            onClick={() => {
              isShown.value = !isShown.value;
            }}
          >
            {isShown.value ? "Hide" : "Show"}
            <span class="unseen"> password</span>
          </Button>
        </div>
      )}
    </Field>
  );
}

/** Preact's types take each type of input for another element. */
function typeOf(isShown: boolean): "password" {
  return (isShown ? "text" : "password") as "password";
}
