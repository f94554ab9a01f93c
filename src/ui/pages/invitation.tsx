/** Taking up an invitation: a new account, or one that is here already, joins a team. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { words } from "../lib/format.ts";
import { go } from "../lib/route.ts";
import { consoleRequest, enter } from "../lib/session.ts";
import { Door, OtherWays, PasswordField, UserName } from "../parts/door.tsx";
import { bound, Form, FormFault, TextField, useSubmission } from "../parts/form/form.tsx";

interface Invitation {
  email: string;
  role: string;
  team: string;
  /** Somebody with this address has an account here. */
  is_known: boolean;
}

export function InvitationPage() {
  const token = location.hash.slice(1);
  const found = useSignal<Invitation | undefined>(undefined);
  const { error, submit } = useSubmission();
  useEffect(() => {
    submit(async () => {
      found.value = await consoleRequest<Invitation>("POST", "invitation", { token });
    });
  }, []);
  if (error !== undefined) {
    return (
      <Door title="This invitation isn’t valid">
        <p role="alert">{error.message}</p>
        <a class="button primary door-button" href="/live">
          Sign in
        </a>
      </Door>
    );
  }
  return found.value === undefined ? (
    <Door title="One moment" isLate>
      <p class="quiet">Checking your invitation…</p>
    </Door>
  ) : (
    <Door title={`Join ${found.value.team}`}>
      <JoinForm token={token} invitation={found.value} />
      <OtherWays to="/live/" invitation={token} />
    </Door>
  );
}

function JoinForm({ token, invitation }: { token: string; invitation: Invitation }) {
  const name = useSignal("");
  const password = useSignal("");
  const form = useSubmission();
  const isNew = !invitation.is_known;
  return (
    <Form
      onSend={() =>
        form.submit(async () => {
          const given = { token, password: password.value, ...(isNew ? { name: name.value } : {}) };
          await enter("invitation/join", given);
          go("/live/", { replace: true });
        })
      }
    >
      <p class="quiet">
        <strong>{invitation.email}</strong> is invited to join as{" "}
        {words(invitation.role).toLowerCase()}.{" "}
        {isNew
          ? "Enter your name and choose a password."
          : "You already have an account here, so just enter your password."}
      </p>
      <UserName email={invitation.email} />
      {isNew && (
        <TextField
          label="Your name"
          name="name"
          of={form}
          autocomplete="name"
          required
          autofocus
          {...bound(name)}
        />
      )}
      <PasswordField of={form} value={password} isNew={isNew} />
      <FormFault of={form} fields={["name", "password"]} />
      <button type="submit" class="button primary door-button" aria-disabled={form.isBusy}>
        {form.isBusy ? "Joining…" : "Join team"}
      </button>
    </Form>
  );
}
