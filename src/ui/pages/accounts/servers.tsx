/**
 * Where a mailbox logs in and by what: its servers, its passwords, or a consent. Secrets are written and
 * never shown; what is left empty stays as it is.
 */

import type { Account, AccountPatch } from "#client.ts";
import { api } from "../../lib/api.ts";
import { Act } from "../../parts/act.tsx";
import { Input, Select } from "../../parts/form/input.tsx";
import { Card } from "../../parts/page.tsx";
import {
  type AccountForm,
  type Draft,
  Editing,
  type FieldOf,
  Fields,
  useAccountForm,
} from "./editing.tsx";

const SIDES = [
  ["smtp", "Sending (SMTP)"],
  ["imap", "Receiving (IMAP)"],
] as const;
type Side = (typeof SIDES)[number][0];

const SECURITIES = [
  ["tls", "TLS"],
  ["starttls", "STARTTLS"],
  ["none", "None (this machine only)"],
] as const;

const OAUTH: readonly FieldOf[] = [
  ["oauth.client_id", "OAuth client ID", "text", "From the app you registered with the provider"],
  ["oauth.client_secret", "OAuth client secret", "password", "Leave empty to keep it"],
];

/** What a side's fields are called, without the password, which is never read. */
const NAMES = { host: "Server", port: "Port", security: "Encryption", username: "Username" };

function draftOf({ smtp, imap }: Account): Draft {
  const draft: Record<string, string> = {};
  for (const [side, of] of [["smtp", smtp] as const, ["imap", imap] as const]) {
    draft[`${side}.host`] = of?.host ?? "";
    draft[`${side}.port`] = String(of?.port ?? "");
    draft[`${side}.security`] = of?.security ?? "tls";
    draft[`${side}.username`] = of?.username ?? "";
    draft[`${side}.password`] = "";
  }
  for (const [name] of OAUTH) {
    draft[name] = "";
  }
  return draft;
}

function changeOf(before: Draft, draft: Draft): AccountPatch {
  const change: Record<string, Record<string, string | number>> = {};
  for (const [path, value] of Object.entries(draft)) {
    if (value !== before[path]) {
      const [part = "", name = ""] = path.split(".");
      change[part] = { ...change[part], [name]: name === "port" ? Number(value) : value };
    }
  }
  return change;
}

function labelOf(path: string): string {
  const [part, name] = path.split(".");
  const side = SIDES.find(([each]) => each === part)?.[1];
  return `${side}: ${NAMES[name as keyof typeof NAMES].toLowerCase()}`;
}

export function Servers({ account, reload }: { account: Account; reload: () => void }) {
  const of = useAccountForm(account, { draftOf, changeOf }, reload);
  const { provider, has_oauth: isConnected, id } = account;
  const isOauth = provider === "google" || provider === "microsoft";
  return (
    <Card title="Login" note={heldOf(account)}>
      <div class="stack">
        {isOauth && <Connect id={id} isConnected={isConnected} />}
        <Editing of={of} labelOf={labelOf}>
          {SIDES.map(([side, title]) => (
            <ServerFields key={side} {...{ side, title, of }} account={account} />
          ))}
          {isOauth && <Fields of={of} fields={OAUTH} />}
        </Editing>
      </div>
    </Card>
  );
}

function heldOf(account: Account): string {
  if (account.has_oauth) {
    return "Connected with OAuth";
  }
  return account.has_smtp_password || account.has_imap_password ? "Password saved" : "No login yet";
}

/** A password never follows to another server: whoever changes the server gives it again. */
function ServerFields(props: { side: Side; title: string; of: AccountForm; account: Account }) {
  const { side, title, of, account } = props;
  const { fields: draft, form, before, set } = of;
  const isHeld = side === "smtp" ? account.has_smtp_password : account.has_imap_password;
  const isMoved = before[`${side}.host`] !== "" && draft[`${side}.host`] !== before[`${side}.host`];
  const line = (name: string) => ({
    name: `${side}.${name}`,
    of: form,
    value: draft[`${side}.${name}`] ?? "",
    onText: (text: string) => set({ [`${side}.${name}`]: text }),
  });
  return (
    <fieldset class="bare">
      <legend class="side-legend small">{title}</legend>
      <div class="field-grid">
        <Input label={NAMES.host} {...line("host")} />
        <Input label={NAMES.port} type="number" min={1} max={65_535} {...line("port")} />
        <Select
          label={NAMES.security}
          name={`${side}.security`}
          of={form}
          value={draft[`${side}.security`] ?? ""}
          onPick={(value) => set({ [`${side}.security`]: value })}
          options={SECURITIES}
        />
        <Input label={NAMES.username} {...line("username")} />
        <Input
          label="New password"
          type="password"
          required={isHeld && isMoved}
          hint={
            isHeld && isMoved
              ? "The server changed, so enter the password again"
              : side === "imap"
                ? "Leave empty to keep it, or to use the one for sending"
                : "Leave empty to keep it"
          }
          {...line("password")}
        />
      </div>
    </fieldset>
  );
}

function Connect({ id, isConnected }: { id: string; isConnected: boolean }) {
  return (
    <div class="actions">
      <Act
        label={isConnected ? "Reconnect mailbox" : "Connect mailbox"}
        look={isConnected ? "" : "primary"}
        run={async () => {
          const { url } = await api().connectAccount({ id });
          location.assign(url);
        }}
      />
    </div>
  );
}
