/** Signing in: as a page where nobody is signed in, and over a page whose session has ended. */

import { useSignal } from "@preact/signals";
import { door, enter, session, signOut } from "../lib/session.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Door, OtherWays, PasswordField } from "../parts/door.tsx";
import { bound, Form, FormFault, TextField, useSubmission } from "../parts/form/form.tsx";

export function SignInPage() {
  const state = door.value;
  if (state?.is_new) {
    return (
      <Door title="Set up Outrider">
        <p class="quiet">
          When the server started, it printed a link for creating the first account. The link works
          once and expires after 30 minutes. To get a new one, run:
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
      <OtherWays to={location.pathname + location.search} />
      <p class="small quiet">
        Can’t sign in? Whoever runs this server can print a link that lets you in:{" "}
        <code>outrider admin link --email you@example.com</code>
      </p>
    </Door>
  );
}

/** Asks for the password over a page, which stays as it was typed. */
export function SignInAgain() {
  const email = session.value?.user.email ?? "";
  return (
    <Dialog title="Your session has ended" onClose={() => undefined} isFirm>
      <p class="quiet">Sign in again to continue. Anything you typed is still here.</p>
      <SignInForm email={email} />
      <OtherWays to="/live/" isBeside />
      <Button look="plain compact" onClick={() => void signOut()}>
        Sign in as someone else
      </Button>
    </Dialog>
  );
}

function SignInForm({ email: known }: { email?: string }) {
  const email = useSignal(known ?? "");
  const password = useSignal("");
  const form = useSubmission();
  return (
    <Form
      onSend={() =>
        form.submit(() => enter("session", { email: email.value, password: password.value }))
      }
    >
      <TextField
        label="Email"
        name="email"
        of={form}
        type="email"
        autocomplete="username"
        required
        readOnly={known !== undefined}
        autofocus={known === undefined}
        {...bound(email)}
      />
      <PasswordField of={form} value={password} isNew={false} hasFocus={known !== undefined} />
      <FormFault of={form} fields={["email", "password"]} />
      <button type="submit" class="button primary door-button" aria-disabled={form.isBusy}>
        {form.isBusy ? "Signing in…" : "Sign in"}
      </button>
    </Form>
  );
}
