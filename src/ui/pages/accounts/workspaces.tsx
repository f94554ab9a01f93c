/** Whole workspaces: connected by an administrator's one consent, step by step, and what their mailboxes wait for. */

import { useSignal } from "@preact/signals";
import type { ConnectWorkspaceAccountsResult, Workspace } from "#client.ts";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { plural } from "../../lib/format.ts";
import { go, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Act } from "../../parts/act.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { isKept, keepAs, keptAs, useDraft } from "../../parts/form/draft.ts";
import { DraftForm } from "../../parts/form/draft-form.tsx";
import {
  Field,
  Form,
  FormFault,
  type Submission,
  Submit,
  useSubmission,
} from "../../parts/form/form.tsx";
import { Input, Select } from "../../parts/form/input.tsx";
import { Card, Notice } from "../../parts/page.tsx";

const NAMES = { google: "Google Workspace", microsoft: "Microsoft 365" };
const LABELS = {
  domains: "Domains",
  service_account_key: "Service account key",
  client_id: "Application (client) ID",
  client_secret: "Client secret",
};
type Access = Record<keyof typeof LABELS, string>;
const EMPTY: Access = { domains: "", service_account_key: "", client_id: "", client_secret: "" };
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
  const isEdited = useSignal(isKept(`workspaces/${id}`));
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
        {isEdited.value && (
          <Edit
            workspace={workspace}
            onSaved={reload}
            onClose={() => {
              isEdited.value = false;
            }}
          />
        )}
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
              {!isEdited.value && (
                <Button
                  onClick={() => {
                    isEdited.value = true;
                  }}
                >
                  Edit
                </Button>
              )}
              <Act
                label="Delete"
                look="danger"
                done="Workspace deleted"
                run={() => api().deleteWorkspace({ id }).then(reload)}
                asks={{ title: "Delete this workspace?", action: "Delete workspace" }}
              >
                {accounts === 0
                  ? "None of your mailboxes log in with its consent."
                  : `${plural(accounts, "mailbox loses its", "mailboxes lose their")} credentials, and can’t send or read email until you connect them again. The mailboxes themselves stay.`}
              </Act>
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

/** Names its domains, and what lets it in; the provider never shows a secret again, nor do we. */
function AccessFields(props: {
  provider: Workspace["provider"];
  of: Submission;
  fields: Access;
  set: (change: Partial<Access>) => void;
  /** The secret's stays as it is where none is typed. */
  isStored?: boolean;
}) {
  const { provider, of, fields, set, isStored = false } = props;
  const line = (name: keyof Access) => ({
    label: LABELS[name],
    name,
    of,
    value: fields[name],
    onText: (text: string) => set({ [name]: text }),
  });
  const secret = { type: "password", required: !isStored } as const;
  const stays = "Leave empty to keep the current one";
  return (
    <>
      <Input placeholder="example.com" required {...line("domains")} />
      {provider === "google" ? (
        <Input
          hint={
            isStored ? stays : "The content of the JSON file that Google Cloud gives for the key"
          }
          {...secret}
          {...line("service_account_key")}
        />
      ) : (
        <div class="field-grid">
          <Input required {...line("client_id")} />
          <Input hint={isStored && stays} {...secret} {...line("client_secret")} />
        </div>
      )}
    </>
  );
}

/** What is sent: a secret only where one was typed. */
function accessOf(provider: Workspace["provider"], fields: Access) {
  const { domains, service_account_key, client_id, client_secret } = fields;
  const secret =
    provider === "google"
      ? service_account_key !== "" && { service_account_key }
      : { client_id, ...(client_secret !== "" && { client_secret }) };
  return { domains: wordsIn(domains), ...secret };
}

function Edit(props: { workspace: Workspace; onSaved: () => void; onClose: () => void }) {
  const { workspace, onSaved, onClose } = props;
  const { id, provider } = workspace;
  const of = useDraft({
    target: `workspace:${id}`,
    keptAs: `workspaces/${id}`,
    hidden: { service_account_key: "", client_secret: "" },
    read: () => api().getWorkspace({ id }),
    stored: workspace,
    fieldsOf: ({ domains, client_id }: Workspace): Access => ({
      ...EMPTY,
      domains: domains.join(", "),
      client_id,
    }),
    changeOf: (_, fields) => accessOf(provider, fields),
    write: (body, options) => api().patchWorkspace({ id, body }, options),
    isAuto: false,
    onSaved,
  });
  return (
    <DraftForm
      of={of}
      told={(fields, name) => [LABELS[name], fields[name]]}
      action="Save workspace"
      onClose={() => {
        of.undo();
        onClose();
      }}
    >
      <AccessFields {...{ provider }} of={of.form} fields={of.fields} set={of.set} isStored />
    </DraftForm>
  );
}

/** Name under which the tab keeps a workspace that is not added yet, without its secrets. */
const NEW = "workspaces/new";

export function NewWorkspace() {
  const fields = useSignal({
    ...EMPTY,
    provider: "google" as Workspace["provider"],
    ...keptAs<Partial<Access>>(NEW),
  });
  const form = useSubmission();
  const set = (change: Partial<typeof fields.value>) => {
    fields.value = { ...fields.peek(), ...change };
    const { provider, domains, client_id } = fields.peek();
    keepAs(NEW, { provider, domains, client_id });
  };
  const { provider } = fields.value;
  const send = async () => {
    await api().createWorkspace({ body: { provider, ...accessOf(provider, fields.peek()) } });
    keepAs(NEW, null);
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
          value={provider}
          options={Object.entries(NAMES)}
          onPick={(value) => set({ provider: value as Workspace["provider"] })}
        />
        <AccessFields {...{ provider, set }} of={form} fields={fields.value} />
        <FormFault of={form} fields={["provider", ...Object.keys(EMPTY)]} />
        <div class="actions">
          <Submit of={form}>{form.isBusy ? "Adding…" : "Add workspace"}</Submit>
        </div>
      </Form>
    </Card>
  );
}
