/** Whole workspaces: connected by an administrator's one consent, step by step, and what their mailboxes wait for. */

import { useSignal } from "@preact/signals";
import type { ConnectWorkspaceAccountsResult, Workspace } from "#client.ts";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { plural } from "../../lib/format.ts";
import { go, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { Field, Form, FormFault, Submit, useSubmission } from "../../parts/form/form.tsx";
import { Input, Select } from "../../parts/form/input.tsx";
import { Card, Notice } from "../../parts/page.tsx";

const NAMES = { google: "Google Workspace", microsoft: "Microsoft 365" };
const EMPTY = { domains: "", service_account_key: "", client_id: "", client_secret: "" };
const wordsIn = (text: string) => text.split(/[\s,;]+/).filter((word) => word !== "");

export function Workspaces() {
  const data = useData(async () => (await api().listWorkspaces()).data, ["workspace", "account"]);
  return (
    <>
      {data.value?.map((workspace) => (
        <WorkspaceCard key={workspace.id} workspace={workspace} reload={data.reload} />
      ))}
    </>
  );
}

function WorkspaceCard({ workspace, reload }: { workspace: Workspace; reload: () => void }) {
  const { id, provider, domains, status, accounts, last_error: said, remedy } = workspace;
  const form = useSubmission();
  const emails = useSignal("");
  const added = useSignal<ConnectWorkspaceAccountsResult | undefined>(undefined);
  const check = () =>
    form.submit(async () => {
      await api().checkWorkspace({ id });
      reload();
    });
  const add = () =>
    form.submit(async () => {
      const body = { emails: wordsIn(emails.peek()) };
      added.value = await api().connectWorkspaceAccounts({ id, body });
      emails.value = "";
      reload();
    });
  const failed = added.value?.data.filter(({ connected }) => !connected) ?? [];
  return (
    <Card title={`${NAMES[provider]}: ${domains.join(", ")}`}>
      <div class="stack narrow">
        <p class="small quiet">
          {plural(accounts, "mailbox", "mailboxes")},{" "}
          {status === "connected" ? "connected" : "waiting for an administrator’s consent"}
        </p>
        {said !== null && (
          <Notice tone={status === "refused" ? "bad" : "warn"}>
            {NAMES[provider]} says: {said}. {remedy}
          </Notice>
        )}
        {status !== "connected" && <Steps workspace={workspace} />}
        {can("accounts:write") && (
          <Form of={form} look="stack" onSend={add}>
            <Field label="Add mailboxes" name="emails" of={form} hint="Up to 100 addresses">
              {(attributes) => (
                <textarea
                  {...attributes}
                  rows={2}
                  value={emails.value}
                  onInput={({ currentTarget }) => {
                    emails.value = currentTarget.value;
                  }}
                />
              )}
            </Field>
            <FormFault of={form} fields={["emails"]} />
            <div class="actions">
              <Submit of={form}>{form.isBusy ? "Connecting…" : "Connect mailboxes"}</Submit>
              {status !== "connected" && <Button onClick={check}>Check again</Button>}
            </div>
          </Form>
        )}
        {added.value !== undefined && (
          <Notice tone={failed.length === 0 ? "good" : "warn"}>
            {plural(added.value.connected, "mailbox", "mailboxes")} connected.
            {failed.map(({ email, error }) => (
              <p key={email} class="small">
                {email}: {error?.message}
              </p>
            ))}
          </Notice>
        )}
      </div>
    </Card>
  );
}

/** Names of pages and buttons are the providers' own. */
function Steps({ workspace }: { workspace: Workspace }) {
  const { provider, consent_url: url, redirect_uri: back, scope } = workspace;
  const link = url !== null && (
    <a class="button compact" href={url} target="_blank" rel="noreferrer">
      Consent page
    </a>
  );
  return provider === "google" ? (
    <ol class="provider-steps small">
      <li>
        As a super administrator, open the {link}. The client ID and the scope <code>{scope}</code>{" "}
        are filled in: select <b>Authorize</b>.
      </li>
      <li>Turn on IMAP: Apps, Google Workspace, Gmail, End user access.</li>
      <li>Add a mailbox below. Google can take a while to apply the consent.</li>
    </ol>
  ) : (
    <ol class="provider-steps small">
      <li>
        In Microsoft Entra, open the application’s <b>Authentication</b> and add the redirect URI{" "}
        <code>{back ?? "(set public_url first)"}</code> <CopyButton text={back ?? ""} />
      </li>
      <li>
        Under <b>API permissions</b>, add the application permissions IMAP.AccessAsApp and
        SMTP.SendAsApp of Office 365 Exchange Online.
      </li>
      <li>As an administrator, open the {link} and accept.</li>
      <li>
        In Exchange Online PowerShell, register the application (New-ServicePrincipal) and give it
        each mailbox (Add-MailboxPermission, FullAccess).
      </li>
    </ol>
  );
}

export function NewWorkspace() {
  const provider = useSignal<Workspace["provider"]>("google");
  const draft = useSignal(EMPTY);
  const form = useSubmission();
  const line = (name: keyof typeof EMPTY) => ({
    name,
    of: form,
    value: draft.value[name],
    onText: (text: string) => {
      draft.value = { ...draft.peek(), [name]: text };
    },
  });
  const isGoogle = provider.value === "google";
  const send = async () => {
    const { domains, service_account_key, client_id, client_secret } = draft.peek();
    const secret = isGoogle ? { service_account_key } : { client_id, client_secret };
    const body = { provider: provider.peek(), domains: wordsIn(domains), ...secret };
    await api().createWorkspace({ body });
    go(to("accounts"));
  };
  return (
    <Card title="A whole workspace">
      <Form of={form} look="stack narrow" onSend={() => form.submit(send)}>
        <p class="small quiet">
          An administrator gives consent once, and every mailbox of the company can be connected.
        </p>
        <Select
          label="Provider"
          name="provider"
          of={form}
          value={provider.value}
          options={Object.entries(NAMES)}
          onPick={(value) => {
            provider.value = value as Workspace["provider"];
          }}
        />
        <Input label="Domains" placeholder="example.com" required {...line("domains")} />
        {isGoogle ? (
          <Input
            label="Service account key"
            hint="The content of the JSON file that Google Cloud gives for the key"
            type="password"
            required
            {...line("service_account_key")}
          />
        ) : (
          <div class="field-grid">
            <Input label="Application (client) ID" required {...line("client_id")} />
            <Input label="Client secret" type="password" required {...line("client_secret")} />
          </div>
        )}
        <FormFault of={form} fields={["provider", ...Object.keys(EMPTY)]} />
        <div class="actions">
          <Submit of={form}>{form.isBusy ? "Adding…" : "Add workspace"}</Submit>
        </div>
      </Form>
    </Card>
  );
}
