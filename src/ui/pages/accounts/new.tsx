/** Adds a mailbox: by its servers, or by consent at Google and Microsoft. In the sandbox an address is all. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { env, go, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Form, FormFault, Submit, useSubmission } from "../../parts/form/form.tsx";
import { Input } from "../../parts/form/input.tsx";
import { ZONE_HERE, ZoneField } from "../../parts/form/zone-field.tsx";
import { Card, Empty, Page } from "../../parts/page.tsx";
import { guessServers } from "./guess.ts";
import { ImportMailboxes } from "./import.tsx";
import { PLACES, type Place, ProviderTiles, Steps } from "./providers.tsx";
import { NewWorkspace } from "./workspaces.tsx";

/** A new mailbox that sends all it may on its first day is soon taken for a spammer's. */
const RAMP = { start: 5, increment: 3 };

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

function bodyOf(draft: Draft, place: Place, isSlow: boolean) {
  const { email, timezone } = draft;
  const own = {
    timezone,
    ...(draft.display_name === "" ? {} : { display_name: draft.display_name }),
    ...(isSlow ? { ramp: RAMP } : {}),
  };
  const { provider } = PLACES[place];
  if (env.value === "test") {
    return { email, provider: "sandbox" as const, ...own };
  }
  if (provider !== "smtp") {
    const [client_id, client_secret] = [draft["oauth.client_id"], draft["oauth.client_secret"]];
    return { email, provider, ...own, oauth: { client_id, client_secret } };
  }
  const { smtp, imap } = place === "gmail" ? guessServers("@gmail.com") : guessServers(email);
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
      <div class="stack">
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
        {can("accounts:write") && env.value === "live" && (
          <>
            <NewWorkspace />
            <ImportMailboxes />
          </>
        )}
      </div>
    </Page>
  );
}

function Connect() {
  const draft = useSignal(EMPTY);
  const place = useSignal<Place>("smtp");
  const isSlow = useSignal(env.value === "live");
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
    const body = bodyOf(draft.peek(), place.peek(), isSlow.peek());
    const account = await api().createAccount({ body });
    if (account.has_oauth_client && !account.has_oauth) {
      const { url } = await api().connectAccount({ id: account.id });
      location.assign(url);
      return;
    }
    // Its page tries the servers, and what they say is where it can be mended.
    go(to(`accounts/${account.id}${env.peek() === "live" ? "?test=1" : ""}`));
  };
  const isLive = env.value === "live";
  const isOauth = isLive && PLACES[place.value].provider !== "smtp";
  return (
    <Form of={form} look="stack narrow" onSend={() => form.submit(send)}>
      {isLive && (
        <>
          <ProviderTiles place={place} />
          <Steps place={place.value} />
        </>
      )}
      <Input label="Email" type="email" required {...line("email")} />
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
        <Servers
          {...{ line, isOauth }}
          isGuessed={place.value === "gmail"}
          guess={guessServers(draft.value.email)}
        />
      ) : (
        <p class="quiet small">
          The sandbox needs no servers: simulated ones receive what this mailbox sends.
        </p>
      )}
      <label class="choice">
        <input
          type="checkbox"
          checked={isSlow.value}
          onChange={({ currentTarget }) => {
            isSlow.value = currentTarget.checked;
          }}
        />{" "}
        Start slowly: {RAMP.start} a day at first, {RAMP.increment} more on each following day
      </label>
      <FormFault of={form} fields={["provider", ...Object.keys(EMPTY)]} />
      <div class="actions">
        <Submit of={form}>
          {form.isBusy ? "Adding…" : isOauth ? "Add mailbox and sign in" : "Add mailbox"}
        </Submit>
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
  /** The servers are known, and not asked for. */
  isGuessed: boolean;
}) {
  const { line, guess, isOauth, isGuessed } = props;
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
      {isGuessed ? null : (
        <>
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
      )}
    </>
  );
}
