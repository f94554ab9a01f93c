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
  ["smtp", "By password, at its servers"],
  ["google", "By consent at Google"],
  ["microsoft", "By consent at Microsoft"],
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
    <Page title="Add an account" about="A mailbox that sends your mails and reads the answers">
      <Card>
        {can("accounts:write") ? (
          <Connect />
        ) : (
          <Empty
            icon="accounts"
            title="Your role adds no accounts"
            action={
              <a class="button" href={to("accounts")}>
                See the accounts
              </a>
            }
          >
            Members, admins and owners of the team do.
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
      <Input label="Address" type="email" required {...line("email")} />
      {isLive && (
        <Select
          label="How it logs in"
          name="provider"
          of={form}
          value={provider.value}
          options={PROVIDERS}
          onPick={(value) => {
            provider.value = value as Provider;
          }}
        />
      )}
      <Input label="Name of the sender" hint="As people see it" {...line("display_name")} />
      <ZoneField
        name="timezone"
        of={form}
        hint="Limits count its days and hours"
        value={draft.value.timezone}
        onZone={(timezone) => {
          draft.value = { ...draft.peek(), timezone };
        }}
      />
      {isLive ? (
        <Servers {...{ line, isOauth }} guess={guessServers(draft.value.email)} />
      ) : (
        <p class="quiet small">
          In the sandbox no server is needed: what it sends is taken by simulated ones.
        </p>
      )}
      <FormFault of={form} fields={["provider", ...Object.keys(EMPTY)]} />
      <div class="actions">
        <Submit of={form}>{isOauth ? "Add it and ask for consent" : "Add the account"}</Submit>
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
          label="OAuth client id"
          hint="Of the app that you registered at the provider"
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
        hint="Where the provider asks for two steps: an app password"
        type="password"
        required
        {...line("smtp.password")}
      />
      <div class="field-grid">
        <Input label="Sending server (SMTP)" placeholder={smtp.host} {...line("smtp.host")} />
        <Input label="Its port" placeholder={String(smtp.port)} {...line("smtp.port")} />
        <Input label="Reading server (IMAP)" placeholder={imap.host} {...line("imap.host")} />
        <Input label="Its port" placeholder={String(imap.port)} {...line("imap.port")} />
      </div>
      <p class="quiet small">What stands in grey is guessed from the address and taken as it is.</p>
    </>
  );
}
