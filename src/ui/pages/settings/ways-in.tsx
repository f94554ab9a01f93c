/** How somebody signs in: the password, and the provider where there is one. */

import { useSignal } from "@preact/signals";
import { useData } from "../../lib/data.ts";
import { door, knock, providerUrl, session } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { PasswordField, UserName } from "../../parts/door.tsx";
import { Form, FormFault, useSubmission } from "../../parts/form.tsx";
import { Card, Loaded } from "../../parts/page.tsx";
import { say } from "../../parts/toasts.tsx";

interface Ways {
  /** Has one. */
  password: boolean;
  /** Is known to the provider. */
  single_sign_on: boolean;
}

export function WaysIn() {
  const ways = useData(() => knock<Ways>("GET", "ways"));
  const provider = door.value?.single_sign_on;
  return (
    <>
      <Card title="Password">
        <Loaded data={ways}>
          {({ password }) => <PasswordForm hasOne={password} onDone={ways.reload} />}
        </Loaded>
      </Card>
      {provider && ways.value && (
        <Provider
          name={provider.name}
          isConnected={ways.value.single_sign_on}
          onDone={ways.reload}
        />
      )}
    </>
  );
}

function PasswordForm({ hasOne, onDone }: { hasOne: boolean; onDone: () => void }) {
  const form = useSubmission();
  const current = useSignal("");
  const password = useSignal("");
  return (
    <Form
      look="stack form-narrow"
      onSend={() =>
        form.submit(async () => {
          await knock("PATCH", "password", {
            current_password: current.value,
            password: password.value,
          });
          current.value = "";
          password.value = "";
          say("The password is changed; your other sessions have ended");
          onDone();
        })
      }
    >
      <UserName email={session.value?.user.email ?? ""} />
      {hasOne && (
        <PasswordField
          label="The one you have"
          name="current_password"
          of={form}
          value={current}
          isNew={false}
        />
      )}
      <PasswordField label="A new one" of={form} value={password} isNew />
      <FormFault of={form} fields={["current_password", "password"]} />
      <div class="actions">
        <button type="submit" class="button primary" disabled={form.isBusy}>
          {hasOne ? "Change the password" : "Set the password"}
        </button>
      </div>
    </Form>
  );
}

function Provider(props: { name: string; isConnected: boolean; onDone: () => void }) {
  const { name, isConnected, onDone } = props;
  const form = useSubmission();
  const connect = async () => {
    const to = location.pathname + location.search;
    location.assign(await providerUrl({ to, connect: "yes" }));
  };
  const disconnect = async () => {
    await knock("DELETE", "sso");
    say("Your account is disconnected");
    onDone();
  };
  return (
    <Card title="Single sign-on">
      <div class="stack form-narrow">
        <p class="quiet">
          {isConnected
            ? `You can sign in with ${name}.`
            : `Your account is not connected to ${name} yet.`}
        </p>
        <FormFault of={form} fields={[]} />
        <div class="actions">
          <Button
            disabled={form.isBusy}
            onClick={() => form.submit(isConnected ? disconnect : connect)}
          >
            {isConnected ? "Disconnect" : "Connect"}
          </Button>
        </div>
      </div>
    </Card>
  );
}
