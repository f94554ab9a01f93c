/** Adds a mailbox: by its servers, or by consent at Google and Microsoft. In the sandbox an address is all. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { env, go, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Form, FormFault, Submit, useSubmission } from "../../parts/form/form.tsx";
import { Input, Select } from "../../parts/form/input.tsx";
import { ZONE_HERE, ZoneField } from "../../parts/form/zone-field.tsx";
import { Card, Empty, Page } from "../../parts/page.tsx";
import { guessServers } from "./guess.ts";

const PROVIDERS = [
  ["smtp", "Password (SMTP and IMAP)"],
  ["google", "Sign in with Google"],
  ["microsoft", "Sign in with Microsoft"],
] as const;
type Provider = (typeof PROVIDERS)[number][0];

/** By their paths in the API. */
const EMPTY = {
  email: "",
  display_name: "",
  timezone: ZONE_HERE,
  "smtp.password": "",
  "smtp.host": "",
  "smtp.port": "",
  "imap.host": "",
  "imap.port": "",
  "oauth.client_id": "",
  "oauth.client_secret": "",
};
type Draft = typeof EMPTY;

function bodyOf(draft: Draft, provider: Provider) {
  const { email, timezone } = draft;
  const own = {
    timezone,
    ...(draft.display_name === "" ? {} : { display_name: draft.display_name }),
  };
  if (env.value === "test") {
    return { email, provider: "sandbox" as const, ...own };
  }
  if (provider !== "smtp") {
    const [client_id, client_secret] = [draft["oauth.client_id"], draft["oauth.client_secret"]];
    return { email, provider, ...own, oauth: { client_id, client_secret } };
  }
  const { smtp, imap } = guessServers(email);
  const host = (side: "smtp" | "imap", guess: typeof smtp) => ({
    host: draft[`${side}.host`] || guess.host,
    port: Number(draft[`${side}.port`] || guess.port),
  });
  return {
    email,
    provider,
    ...own,
    smtp: { ...host("smtp", smtp), password: draft["smtp.password"] },
    imap: host("imap", imap),
  };
}

export function NewAccountPage() {
  return (
    <Page title="Add mailbox" about="It sends your emails and receives the replies">
      <Card>
        {can("accounts:write") ? (
          <Connect />
        ) : (
          <Empty
            icon="accounts"
            title="You can’t add mailboxes"
            action={
              <a class="button" href={to("accounts")}>
                View mailboxes
              </a>
            }
          >
            Members, admins, and owners can. Ask an owner or admin to change your role.
          </Empty>
        )}
      </Card>
    </Page>
  );
}

function Connect() {
  const draft = useSignal(EMPTY);
  const provider = useSignal<Provider>("smtp");
  const form = useSubmission();
  const line = (name: keyof Draft) => ({
    name,
    of: form,
    value: draft.value[name],
    onText: (text: string) => {
      draft.value = { ...draft.peek(), [name]: name === "email" ? text.trim() : text };
    },
  });
  const send = async () => {
    const account = await api().createAccount({ body: bodyOf(draft.peek(), provider.peek()) });
    if (account.has_oauth_client && !account.has_oauth) {
      const { url } = await api().connectAccount({ id: account.id });
      location.assign(url);
      return;
    }
    go(to(`accounts/${account.id}`));
  };
  const isLive = env.value === "live";
  const isOauth = isLive && provider.value !== "smtp";
  return (
    <Form of={form} look="stack narrow" onSend={() => form.submit(send)}>
      <Input label="Email" type="email" required {...line("email")} />
      {isLive && (
        <Select
          label="Sign-in method"
          name="provider"
          of={form}
          value={provider.value}
          options={PROVIDERS}
          onPick={(value) => {
            provider.value = value as Provider;
          }}
        />
      )}
      <Input label="Sender name" hint="What recipients see" {...line("display_name")} />
      <ZoneField
        name="timezone"
        of={form}
        hint="Daily and hourly limits use this time zone"
        value={draft.value.timezone}
        onZone={(timezone) => {
          draft.value = { ...draft.peek(), timezone };
        }}
      />
      {isLive ? (
        <Servers {...{ line, isOauth }} guess={guessServers(draft.value.email)} />
      ) : (
        <p class="quiet small">
          The sandbox needs no servers: simulated ones receive what this mailbox sends.
        </p>
      )}
      <FormFault of={form} fields={["provider", ...Object.keys(EMPTY)]} />
      <div class="actions">
        <Submit of={form}>{isOauth ? "Add mailbox and sign in" : "Add mailbox"}</Submit>
        <a class="button" href={to("accounts")}>
          Cancel
        </a>
      </div>
    </Form>
  );
}

function Servers(props: {
  line: (
    name: keyof Draft,
  ) => Pick<Parameters<typeof Input>[0], "name" | "of" | "value" | "onText">;
  guess: ReturnType<typeof guessServers>;
  isOauth: boolean;
}) {
  const { line, guess, isOauth } = props;
  if (isOauth) {
    return (
      <div class="field-grid">
        <Input
          label="OAuth client ID"
          hint="From the app you registered with the provider"
          required
          {...line("oauth.client_id")}
        />
        <Input
          label="OAuth client secret"
          type="password"
          required
          {...line("oauth.client_secret")}
        />
      </div>
    );
  }
  const { smtp, imap } = guess;
  return (
    <>
      <Input
        label="Password"
        hint="If the provider uses two-step verification, enter an app password"
        type="password"
        required
        {...line("smtp.password")}
      />
      <div class="field-grid">
        <Input label="SMTP server" placeholder={smtp.host} {...line("smtp.host")} />
        <Input label="SMTP port" placeholder={String(smtp.port)} {...line("smtp.port")} />
        <Input label="IMAP server" placeholder={imap.host} {...line("imap.host")} />
        <Input label="IMAP port" placeholder={String(imap.port)} {...line("imap.port")} />
      </div>
      <p class="quiet small">
        Values in gray are guessed from the address and used unless you enter others.
      </p>
    </>
  );
}
