/** Signing in: as a page where nobody is signed in, and over a page whose session has ended. */

import { useSignal } from "@preact/signals";
import { door, enter, session, signOut } from "../lib/session.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Door, PasswordField } from "../parts/door.tsx";
import { Field, FormFault, useSubmission } from "../parts/form.tsx";

export function SignInPage() {
  const state = door.value;
  if (state?.is_new) {
    return (
      <Door title="Nobody can sign in yet">
        <p class="quiet">
          When it started, the server printed a link that makes the first account. It works once,
          for half an hour. This command gives another:
        </p>
        <pre class="door-code">
          <code>outrider admin link</code>
        </pre>
      </Door>
    );
  }
  return (
    <Door title="Sign in">
      <SignInForm />
      {state?.single_sign_on && (
        <>
          <p class="door-or">or</p>
          <a class="button door-button" href={`/console/sso?to=${encodeURIComponent(back())}`}>
            Continue with {state.single_sign_on.name}
          </a>
        </>
      )}
    </Door>
  );
}

/** Where to go on after a provider has sent somebody back. */
function back(): string {
  return location.pathname + location.search;
}

/** Asks for the password over a page, which stays as it was typed. */
export function SignInAgain() {
  const email = session.value?.user.email ?? "";
  return (
    <Dialog title="Your session has ended" onClose={() => undefined} isFirm>
      <p class="quiet">Sign in again to go on: what you have typed is still there.</p>
      <SignInForm email={email} />
      <button type="button" class="button plain compact" onClick={() => void signOut()}>
        Sign in as somebody else
      </button>
    </Dialog>
  );
}

function SignInForm({ email: known }: { email?: string }) {
  const email = useSignal(known ?? "");
  const password = useSignal("");
  const form = useSubmission();
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        form.submit(() => enter("session", { email: email.value, password: password.value }));
      }}
    >
      <Field label="Email" name="email" of={form}>
        {(attributes) => (
          <input
            {...attributes}
            type="email"
            autocomplete="username"
            required
            readOnly={known !== undefined}
            autofocus={known === undefined}
            value={email.value}
            onInput={({ currentTarget }) => {
              email.value = currentTarget.value;
            }}
          />
        )}
      </Field>
      <PasswordField of={form} value={password} isNew={false} hasFocus={known !== undefined} />
      <FormFault of={form} fields={["email", "password"]} />
      <button type="submit" class="button primary door-button" aria-disabled={form.isBusy}>
        {form.isBusy ? "Signing in…" : "Sign in"}
      </button>
    </form>
  );
}
