/** How somebody signs in: the password, passkeys, and the provider where there is one. */

import { useSignal } from "@preact/signals";
import { useData } from "../../lib/data.ts";
import { hasPasskeys, newPasskey } from "../../lib/passkeys.ts";
import { consoleRequest, door, providerUrl, session } from "../../lib/session.ts";
import { Act } from "../../parts/act.tsx";
import { Button } from "../../parts/button.tsx";
import { PasswordField, UserName } from "../../parts/door.tsx";
import {
  bound,
  Form,
  FormFault,
  Submit,
  TextField,
  useSubmission,
} from "../../parts/form/form.tsx";
import { Card, Loaded } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { toast } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { browserOf } from "./browser-name.ts";

interface Ways {
  /** Has one. */
  password: boolean;
  /** Is known to the provider. */
  single_sign_on: boolean;
  passkeys: Passkey[];
}

interface Passkey {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

export function SignInMethods() {
  const ways = useData(() => consoleRequest<Ways>("GET", "ways"));
  const provider = door.value?.single_sign_on;
  return (
    <>
      <Card title="Password">
        <Loaded data={ways}>
          {({ password }) => <PasswordForm hasOne={password} onDone={ways.reload} />}
        </Loaded>
      </Card>
      {hasPasskeys && (
        <Card title="Passkeys">
          <Loaded data={ways}>
            {({ passkeys }) => <Passkeys of={passkeys} onDone={ways.reload} />}
          </Loaded>
        </Card>
      )}
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
          await consoleRequest("PATCH", "password", {
            current_password: current.value,
            password: password.value,
          });
          current.value = "";
          password.value = "";
          toast("Password changed. Your other sessions have ended");
          onDone();
        })
      }
    >
      <UserName email={session.value?.user.email ?? ""} />
      {hasOne && (
        <PasswordField
          label="Current password"
          name="current_password"
          of={form}
          value={current}
          isNew={false}
        />
      )}
      <PasswordField label="New password" of={form} value={password} isNew />
      <FormFault of={form} fields={["current_password", "password"]} />
      <div class="actions">
        <Submit of={form}>{hasOne ? "Change password" : "Set password"}</Submit>
      </div>
    </Form>
  );
}

function Passkeys({ of, onDone }: { of: readonly Passkey[]; onDone: () => void }) {
  const form = useSubmission();
  const name = useSignal(browserOf(navigator.userAgent));
  const add = async () => {
    const credential = await newPasskey();
    await consoleRequest("POST", "passkeys", { credential, name: name.value });
    toast("Passkey added");
    onDone();
  };
  const remove = async ({ id }: Passkey) => {
    await consoleRequest("DELETE", `passkeys/${id}`);
    toast("Passkey removed");
    onDone();
  };
  return (
    <div class="stack">
      {of.length > 0 && (
        <Table
          label="Passkeys"
          rows={of}
          columns={[
            { title: "Name", cell: (passkey) => passkey.name },
            { title: "Added", cell: ({ created_at }) => <When at={created_at} isWall /> },
            {
              title: "Last used",
              cell: ({ last_used_at }) =>
                last_used_at === null ? "Never" : <When at={last_used_at} isWall />,
            },
            {
              title: "Actions",
              cell: (passkey) => (
                <div class="row-actions">
                  <Act
                    label={
                      <>
                        Remove<span class="unseen"> {passkey.name}</span>
                      </>
                    }
                    look="plain compact danger"
                    run={() => remove(passkey)}
                    asks={{ title: `Remove ${passkey.name}?`, action: "Remove passkey" }}
                  >
                    You can’t sign in with this passkey anymore. Your other ways to sign in stay.
                  </Act>
                </div>
              ),
            },
          ]}
        />
      )}
      <Form look="stack form-narrow" onSend={() => form.submit(add)}>
        <p class="quiet">
          With a passkey, you sign in on this device with your fingerprint, face, or PIN instead of
          a password.
        </p>
        <TextField
          label="Device name"
          name="name"
          of={form}
          required
          maxLength={100}
          {...bound(name)}
        />
        <FormFault of={form} fields={["name"]} />
        <div class="actions">
          <Submit of={form} look="">
            Add passkey
          </Submit>
        </div>
      </Form>
    </div>
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
    await consoleRequest("DELETE", "sso");
    toast("Your account is disconnected");
    onDone();
  };
  return (
    <Card title="Single sign-on">
      <div class="stack form-narrow">
        <p class="quiet">
          {isConnected
            ? `You can sign in with ${name}.`
            : `Your account isn’t connected to ${name} yet.`}
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
