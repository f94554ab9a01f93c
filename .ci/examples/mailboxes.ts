/** Mailboxes: added, connected, checked, and what they do. */

import type { Scene } from "./scene.ts";

const SERVERS = {
  smtp: { host: "smtp.example.com", username: "ann@example.com", password: "app-password" },
  imap: { host: "imap.example.com", username: "ann@example.com", password: "app-password" },
};

/** The mailbox that the other parts send from. */
export async function recordMailboxes({ show, ask }: Scene): Promise<string> {
  const { id } = await show.createAccount({
    body: {
      email: "ann@example.com",
      provider: "smtp",
      display_name: "Ann Berg",
      timezone: "Europe/Berlin",
      daily_limit: 40,
      ...SERVERS,
    },
  });
  await show.listAccounts({ limit: 1 });
  await show.getAccount({ id });
  await show.patchAccount({ id, body: { signature: "Ann Berg\nExample Works", daily_limit: 60 } });
  await show.testAccount({ id, body: { send: true } });
  await show.tagAccounts({ body: { ids: [id], add: ["warm"] } });
  await show.listAccountTags({ ids: id });
  await show.listAccountProviders({ account_id: id });
  await show.getAccountDns({ id });
  const domain = "example.com";
  await show.listDomains();
  await show.checkDomain({ domain });
  await show.getDomain({ domain });
  await show.getDomainSenders({ domain });
  await show.setAccountDkim({ id, body: { selector: "out1" } });
  await show.getAccountDkim({ id });
  await show.deleteAccountDkim({ id });
  const oauth = { client_id: "outrider-client", client_secret: "client-secret" };
  const other = await ask.createAccount({
    body: { email: "ben@example.com", provider: "google", oauth },
  });
  await show.changeAccounts({
    body: { ids: [other.id], change: { daily_limit: 30 }, add_tags: ["warm"] },
  });
  const rows =
    "email,daily_limit,smtp_host,smtp_password,tags\nkim@example.com,25,smtp.example.com,secret,warm\n";
  const made = await show.importAccounts({ contentType: "text/csv", body: rows });
  await ask.deleteAccount({ id: made.data[0]?.id ?? "" });
  await show.connectAccount({ id: other.id });
  await recordWorkspaces(show, ask);
  await show.deleteAccount({ id: other.id });
  await show.listDeleted({ limit: 1 });
  await show.restoreAccount({ id: other.id });
  await ask.deleteAccount({ id: other.id });
  await show.purgeDeleted({ id: other.id });
  return id;
}

async function recordWorkspaces(show: Scene["show"], ask: Scene["ask"]): Promise<void> {
  const { id } = await show.createWorkspace({
    body: {
      provider: "microsoft",
      domains: ["example.com"],
      client_id: "0f1c2d3e-0000-4000-8000-000000000001",
      client_secret: "client-secret",
    },
  });
  const { data } = await show.connectWorkspaceAccounts({
    id,
    body: { emails: ["lee@example.com"] },
  });
  await show.checkWorkspace({ id });
  await show.listWorkspaces();
  await show.getWorkspace({ id });
  await show.patchWorkspace({ id, body: { client_secret: "its-successor" } });
  await ask.deleteAccount({ id: data[0]?.id ?? "" });
  await show.deleteWorkspace({ id });
}

/** After it has sent for some days. */
export async function recordMailboxHistory({ show }: Scene, id: string): Promise<void> {
  await show.listAccountActivity({ hours: 24 });
  await show.getAccountHealth({ id, days: 7 });
  await show.getAccountUsage({ id });
}
