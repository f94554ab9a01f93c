/** The first person of an installation, by the link that the server printed when it started. */

import { useSignal } from "@preact/signals";
import { go } from "../lib/route.ts";
import { door, enter } from "../lib/session.ts";
import { Door, PasswordField } from "../parts/door.tsx";
import { bound, Form, FormFault, TextField, useSubmission } from "../parts/form/form.tsx";

export function WelcomePage() {
  const token = location.hash.slice(1);
  if (token === "" || door.value?.is_new === false) {
    return <UsedLink />;
  }
  return (
    <Door title="Welcome to Outrider">
      <p class="quiet">
        Create the first account. It owns your team and manages this installation.
      </p>
      <WelcomeForm token={token} />
    </Door>
  );
}

function UsedLink() {
  return (
    <Door title="This link no longer works">
      <p class="quiet">The first account already exists, or the link is incomplete.</p>
      <a class="button primary door-button" href="/live">
        Sign in
      </a>
    </Door>
  );
}

function WelcomeForm({ token }: { token: string }) {
  const name = useSignal("");
  const email = useSignal("");
  const password = useSignal("");
  const form = useSubmission();
  return (
    <Form
      onSend={() =>
        form.submit(async () => {
          const given = { name: name.value, email: email.value, password: password.value };
          await enter("welcome", { token, ...given });
          go("/live/", { replace: true });
        })
      }
    >
      <TextField
        label="Your name"
        name="name"
        of={form}
        autocomplete="name"
        required
        autofocus
        {...bound(name)}
      />
      <TextField
        label="Email"
        name="email"
        of={form}
        hint="You’ll use it to sign in. Nothing is sent to it."
        type="email"
        autocomplete="username"
        required
        {...bound(email)}
      />
      <PasswordField of={form} value={password} isNew />
      <FormFault of={form} fields={["name", "email", "password"]} />
      <button type="submit" class="button primary door-button" aria-disabled={form.isBusy}>
        {form.isBusy ? "Creating account…" : "Create account"}
      </button>
    </Form>
  );
}
