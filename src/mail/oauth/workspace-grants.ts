/**
 * What is asked of a token endpoint by a workspace's consent: Google takes an assertion of a service account for
 * each mailbox, Microsoft the application's own secret for the whole tenant.
 *
 * Source: RFC 7523 §§2.1 and 3, RFC 7515 and RFC 7518 §3.3 (RS256); Google, "Using OAuth 2.0 for Server to Server
 * Applications"; Microsoft, "Authenticate an IMAP, POP or SMTP connection using OAuth" (client credentials).
 */

import { grantFault, MICROSOFT_ROLES, WORKSPACE_SCOPES } from "#domain/mailboxes/workspace.ts";
import type { UnixMs } from "#domain/time.ts";
import type { WorkspaceGrant } from "#platform/ports/oauth.ts";
import { signRs256 } from "#platform/secrets/crypto.ts";
import type { Verdict } from "./token-endpoint.ts";

/** Google takes no assertion that lasts longer. */
const ASSERTION_S = 3_600;

/** The fields by which `grant` asks for a token that opens `mailbox`. */
export function workspaceFields(
  grant: WorkspaceGrant,
  { mailbox, audience, now }: { mailbox: string; audience: string; now: UnixMs },
): Record<string, string> {
  return grant.tenant === null
    ? {
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        assertion: assertionFor(grant, mailbox, audience, Math.floor(now / 1000)),
      }
    : { grant_type: "client_credentials", scope: WORKSPACE_SCOPES.microsoft };
}

/** A JWT by which the service account asks to act as `mailbox`. */
export function assertionFor(
  { clientId, clientSecret, keyId }: WorkspaceGrant,
  mailbox: string,
  audience: string,
  nowSeconds: number,
): string {
  const header = { typ: "JWT", alg: "RS256", ...(keyId === null ? {} : { kid: keyId }) };
  const claims = {
    iss: clientId,
    sub: mailbox,
    scope: WORKSPACE_SCOPES.google,
    aud: audience,
    iat: nowSeconds,
    exp: nowSeconds + ASSERTION_S,
  };
  const content = [header, claims].map((part) => encoded(JSON.stringify(part))).join(".");
  return `${content}.${signRs256(content, clientSecret).toString("base64url")}`;
}

/** Microsoft's endpoint for all is the tenant's own under its name. */
export function tokenUrlOf(url: string, { tenant }: WorkspaceGrant): string {
  return tenant === null
    ? url
    : url.replace(/\/(common|organizations)\//, `/${encodeURIComponent(tenant)}/`);
}

export const workspaceVerdict: Verdict = (code, description) => {
  const verdicts = { mailbox: "refused", workspace: "client", passing: "unreachable" } as const;
  return verdicts[grantFault(code, description)];
};

/**
 * The permissions that a token of an application lacks: Microsoft grants one that opens nothing where the
 * administrator has not agreed to any. None where the token says nothing of them.
 */
export function missingRoles({ tenant }: WorkspaceGrant, token: string): readonly string[] {
  const payload = token.split(".")[1];
  if (tenant === null || payload === undefined) {
    return [];
  }
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    const { aud, roles = [] } = Object(claims) as { aud?: unknown; roles?: unknown };
    return aud === undefined || !Array.isArray(roles)
      ? []
      : MICROSOFT_ROLES.filter((role) => !roles.includes(role));
  } catch {
    return [];
  }
}

function encoded(text: string): string {
  return Buffer.from(text).toString("base64url");
}
