/**
 * A company's workspace at Google or Microsoft, whose administrator lets every mailbox in by one consent: what a
 * server's refusal says of the workspace, of one mailbox, or of nothing that lasts.
 *
 * Source: RFC 6749 §5.2 and RFC 7523 §3.1 for the codes; Google's "Using OAuth 2.0 for server to server applications"
 * (its table of errors) and Microsoft's "Microsoft Entra authentication and authorization error codes" for the rest.
 */

import { invalid } from "#domain/problem.ts";

export const WORKSPACE_PROVIDERS = ["google", "microsoft"] as const;
export type WorkspaceProvider = (typeof WORKSPACE_PROVIDERS)[number];

/** `waiting`: no token was granted yet. `refused`: none is granted any more, and its mailboxes wait. */
export const WORKSPACE_STATUSES = ["waiting", "connected", "refused"] as const;
export type WorkspaceStatus = (typeof WORKSPACE_STATUSES)[number];

/** Of one team. */
export const WORKSPACES_MAX = 50;
export const WORKSPACE_DOMAINS_MAX = 100;
/** Mailboxes added by one request. */
export const WORKSPACE_EMAILS_MAX = 100;
export const SERVICE_KEY_CHARS_MAX = 8_192;
/** A domain of the tenant, or its id. */
export const TENANT_PATTERN = "^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$";

/** What the administrator agrees to. */
export const WORKSPACE_SCOPES: Readonly<Record<WorkspaceProvider, string>> = {
  google: "https://mail.google.com/",
  microsoft: "https://outlook.office365.com/.default",
};

/** Application permissions without which a token of Microsoft's opens no mailbox. */
export const MICROSOFT_ROLES = ["IMAP.AccessAsApp", "SMTP.SendAsApp"] as const;

/** What is used of the file that Google gives for a service account. */
export interface ServiceAccountKey {
  clientEmail: string;
  /** The number that the administrator enters; null where the file has none. */
  clientId: string | null;
  keyId: string | null;
  /** PEM. */
  privateKey: string;
}

/** Throws `validation_error` that says what the text lacks. Its `token_uri` is not believed. */
export function readServiceAccountKey(text: string): ServiceAccountKey {
  const field = "service_account_key";
  let file: Readonly<Record<string, unknown>>;
  try {
    file = Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    throw invalid(field, "must be the JSON file that Google gives for a service account's key");
  }
  const textOf = (name: string) => (typeof file[name] === "string" ? file[name] : "");
  if (textOf("type") !== "service_account") {
    const other = "web" in file || "installed" in file ? "; this is an OAuth client's" : "";
    throw invalid(field, `must be the key of a service account (type "service_account")${other}`);
  }
  const [clientEmail, privateKey] = [textOf("client_email"), textOf("private_key")];
  if (clientEmail === "" || privateKey === "") {
    throw invalid(field, "has no client_email or private_key; create the key anew and choose JSON");
  }
  const [clientId, keyId] = [textOf("client_id") || null, textOf("private_key_id") || null];
  return { clientEmail, clientId, keyId, privateKey };
}

/** Whom a token endpoint's refusal is about. */
export type GrantFault = "workspace" | "mailbox" | "passing";

const ONE_MAILBOX =
  /invalid (e-?mail|impersonation)|not a valid e-?mail|user ?id\b|account (is )?(disabled|suspended)/i;
/** "Invalid JWT: … reasonable timeframe" speaks of our clock; the numbers are Microsoft's own troubles. */
const PASSING =
  /reasonable timeframe|AADSTS(50196|90033|90055|90051|90012|90006|700005)\b|internal_failure/i;
const REFUSALS = new Set([
  ...["invalid_grant", "invalid_client", "unauthorized_client", "access_denied"],
  ...["disabled_client", "deleted_client", "restricted_client", "invalid_scope"],
  ...["admin_policy_enforced", "org_internal", "interaction_required", "consent_required"],
]);

/** `description` is the server's. What is not known to be lasting may pass. */
export function grantFault(code: string, description: string): GrantFault {
  if (PASSING.test(description)) {
    return "passing";
  }
  if (ONE_MAILBOX.test(description) && (code === "invalid_grant" || code === "invalid_request")) {
    return "mailbox";
  }
  const isMicrosofts = code === "invalid_request" && /AADSTS(9000|7000|5000)\d+/.test(description);
  return REFUSALS.has(code) || isMicrosofts ? "workspace" : "passing";
}

/** True where `email` is an address of one of these domains. */
export function isOfWorkspace(domains: readonly string[], email: string): boolean {
  return domains.includes(email.slice(email.lastIndexOf("@") + 1).toLowerCase());
}
