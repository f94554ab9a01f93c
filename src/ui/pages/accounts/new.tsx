/** Adds a mailbox: by its servers, or by consent at Google and Microsoft. In the sandbox an address is all. */

import { useSignal } from "@preact/signals";
import { api, ask } from "../../lib/api.ts";
import { env, go, to } from "../../lib/route.ts";
import { Field, FormFault, useSubmission } from "../../parts/form.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { guessServers } from "./guess.ts";

type Provider = "smtp" | "google" | "microsoft" | "sandbox";

const TEXTS = [
  ["display_name", "Name of the sender", "As people see it"],
  ["password", "Password", "Where the provider asks for two steps: an app password"],
  ["smtp_host", "Sending server (SMTP)", ""],
  ["smtp_port", "Port", ""],
  ["imap_host", "Reading server (IMAP)", ""],
  ["imap_port", "Port", ""],
  ["client_id", "OAuth client id", "Of the app that you registered at the provider"],
  ["client_secret", "OAuth client secret", ""],
] as const;

type Name = (typeof TEXTS)[number][0];
type Draft = Record<Name | "email", string> & { provider: Provider };

const EMPTY: Draft = {
  email: "",
  provider: "smtp",
  display_name: "",
  password: "",
  smtp_host: "",
  smtp_port: "",
  imap_host: "",
  imap_port: "",
  client_id: "",
  client_secret: "",
};

const NAMES: Readonly<Record<Name, string>> = {
  display_name: "display_name",
  password: "smtp.password",
  smtp_host: "smtp.host",
  smtp_port: "smtp.port",
  imap_host: "imap.host",
  imap_port: "imap.port",
  client_id: "oauth.client_id",
  client_secret: "oauth.client_secret",
};

function bodyOf(draft: Draft) {
  const { email, provider } = draft;
  const name = draft.display_name === "" ? {} : { display_name: draft.display_name };
  if (env.value === "test") {
    return { email, provider: "sandbox" as const, ...name };
  }
  if (provider !== "smtp") {
    const oauth = { client_id: draft.client_id, client_secret: draft.client_secret };
    return { email, provider, ...name, oauth };
  }
  const guess = guessServers(email);
  return {
    email,
    provider,
    ...name,
    smtp: {
      host: draft.smtp_host || guess.smtp.host,
      port: Number(draft.smtp_port || guess.smtp.port),
      password: draft.password,
    },
    imap: {
      host: draft.imap_host || guess.imap.host,
      port: Number(draft.imap_port || guess.imap.port),
    },
  };
}

export function NewAccountPage() {
  const draft = useSignal(EMPTY);
  const form = useSubmission();
  const { email, provider } = draft.value;
  const set = (change: Partial<Draft>) => {
    draft.value = { ...draft.peek(), ...change };
  };
  const send = async () => {
    const account = await ask(api().accounts.post(bodyOf(draft.peek())));
    if (account.has_oauth_client && !account.has_oauth) {
      const { url } = await ask(api().accounts({ id: account.id }).connect.post());
      location.assign(url);
      return;
    }
    go(to(`accounts/${account.id}`));
  };
  return (
    <Page title="Add an account" about="A mailbox that sends your mails and reads the answers">
      <Card>
        <form
          class="stack narrow"
          onSubmit={(event) => {
            event.preventDefault();
            form.submit(send);
          }}
        >
          <Field label="Address" name="email" of={form}>
            {(attributes) => (
              <input
                {...attributes}
                type="email"
                required
                autocomplete="off"
                value={email}
                onInput={({ currentTarget }) => set({ email: currentTarget.value.trim() })}
              />
            )}
          </Field>
          {env.value === "live" ? (
            <Servers draft={draft.value} set={set} form={form} />
          ) : (
            <>
              <Text name="display_name" {...{ draft: draft.value, set, form }} />
              <p class="quiet small">
                In the sandbox no server is needed: what it sends is taken by simulated ones.
              </p>
            </>
          )}
          <FormFault of={form} fields={["email", "provider", ...Object.values(NAMES)]} />
          <div class="actions">
            <button type="submit" class="button primary" disabled={form.isBusy}>
              {env.value === "live" && provider !== "smtp"
                ? "Add it and ask for consent"
                : "Add the account"}
            </button>
            <a class="button" href={to("accounts")}>
              Leave it
            </a>
          </div>
        </form>
      </Card>
    </Page>
  );
}

interface Part {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
  form: ReturnType<typeof useSubmission>;
}

function Servers({ draft, set, form }: Part) {
  const guess = guessServers(draft.email);
  const isOauth = draft.provider !== "smtp";
  return (
    <>
      <Field label="How it logs in" name="provider" of={form}>
        {(attributes) => (
          <select
            {...attributes}
            value={draft.provider}
            onChange={({ currentTarget }) => set({ provider: currentTarget.value as Provider })}
          >
            <option value="smtp">By password, at its servers</option>
            <option value="google">By consent at Google</option>
            <option value="microsoft">By consent at Microsoft</option>
          </select>
        )}
      </Field>
      <Text name="display_name" {...{ draft, set, form }} />
      {isOauth ? (
        <div class="fields">
          <Text name="client_id" {...{ draft, set, form }} isRequired />
          <Text name="client_secret" {...{ draft, set, form }} type="password" isRequired />
        </div>
      ) : (
        <>
          <Text name="password" {...{ draft, set, form }} type="password" isRequired />
          <div class="fields">
            <Text name="smtp_host" {...{ draft, set, form }} guess={guess.smtp.host} />
            <Text name="smtp_port" {...{ draft, set, form }} guess={String(guess.smtp.port)} />
            <Text name="imap_host" {...{ draft, set, form }} guess={guess.imap.host} />
            <Text name="imap_port" {...{ draft, set, form }} guess={String(guess.imap.port)} />
          </div>
          <p class="quiet small">
            What stands in grey is guessed from the address and taken as it is.
          </p>
        </>
      )}
    </>
  );
}

function Text(
  props: Part & { name: Name; type?: "text" | "password"; guess?: string; isRequired?: boolean },
) {
  const { name, draft, set, form, type = "text", guess, isRequired = false } = props;
  const [, label, hint] = TEXTS.find(([each]) => each === name) ?? [name, name, ""];
  return (
    <Field label={label} name={NAMES[name]} of={form} hint={hint || undefined}>
      {(attributes) => (
        <input
          {...attributes}
          type={type as "text"}
          autocomplete="off"
          required={isRequired}
          placeholder={guess}
          value={draft[name]}
          onInput={({ currentTarget }) => set({ [name]: currentTarget.value })}
        />
      )}
    </Field>
  );
}
