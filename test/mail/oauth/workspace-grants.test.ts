/**
 * Guarantees of a workspace's grants, judged from outside: assertions are held against those that google-auth (PyPI)
 * makes of the same key, and what a refusal is about against the providers' published errors.
 */

import { describe, expect, test } from "bun:test";
import { type GrantFault, grantFault } from "#domain/mailboxes/workspace.ts";
import { createOauth } from "#mail/oauth/oauth-servers.ts";
import { assertionFor, missingRoles, tokenUrlOf } from "#mail/oauth/workspace-grants.ts";
import { systemClock } from "#platform/clock.ts";
import { silentLog } from "#platform/log.ts";
import type { WorkspaceGrant } from "#platform/ports/oauth.ts";
import { signRs256 } from "#platform/secrets/crypto.ts";
import fixture from "../../fixtures/service-account-assertions.json";

const AT_S = Date.UTC(2026, 2, 2, 15) / 1000;
const decoded = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString());

describe("assertions", () => {
  test.each(fixture.cases)("$subject: as google-auth makes it", (made) => {
    const grant: WorkspaceGrant = {
      ...{ workspaceId: "w", tenant: null, clientId: made.client_email, keyId: made.key_id },
      clientSecret: fixture.private_key,
    };
    const ours = assertionFor(grant, made.subject, "https://oauth2.googleapis.com/token", AT_S);
    const [header, claims] = ours.split(".");
    const [theirHeader, theirClaims, theirSignature] = made.assertion.split(".");
    expect(decoded(header)).toEqual(decoded(theirHeader));
    expect(decoded(claims)).toEqual(decoded(theirClaims));
    // RS256 says the same of the same text whoever signs it.
    const again = signRs256(`${theirHeader}.${theirClaims}`, fixture.private_key);
    expect(again.toString("base64url")).toBe(theirSignature ?? "");
  });
});

const MICROSOFT: WorkspaceGrant = {
  ...{ workspaceId: "w", tenant: "example.onmicrosoft.com", clientId: "app", keyId: null },
  clientSecret: "s3cret",
};
const tokenWith = (claims: object) =>
  `h.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.s`;
const AUD = { aud: "https://outlook.office365.com" };

describe("Microsoft", () => {
  test("is asked at the tenant's own endpoint, with the application's secret", async () => {
    const asked: [string, string][] = [];
    const oauth = createOauth(
      {},
      {
        ...{ clock: systemClock, log: silentLog },
        fetch: async (url, init) => {
          asked.push([String(url), String(init?.body)]);
          const roles = ["SMTP.SendAsApp", "IMAP.AccessAsApp"];
          return Response.json({ access_token: tokenWith({ ...AUD, roles }), expires_in: 3_599 });
        },
      },
    );
    expect((await oauth.workspaceToken("microsoft", MICROSOFT, "ann@example.com")).kind).toBe(
      "granted",
    );
    const [[url, body] = ["", ""]] = asked;
    expect(url).toBe("https://login.microsoftonline.com/example.onmicrosoft.com/oauth2/v2.0/token");
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      grant_type: "client_credentials",
      scope: "https://outlook.office365.com/.default",
      client_id: "app",
      client_secret: "s3cret",
    });
  });

  test.each([
    [{ ...AUD, roles: ["SMTP.SendAsApp", "IMAP.AccessAsApp"] }, []],
    [{ ...AUD, roles: ["SMTP.SendAsApp"] }, ["IMAP.AccessAsApp"]],
    [{ ...AUD }, ["IMAP.AccessAsApp", "SMTP.SendAsApp"]],
    [{ unrelated: true }, []],
  ])("permissions of a token %j", (claims, missing) => {
    expect(missingRoles(MICROSOFT, tokenWith(claims))).toEqual(missing);
  });

  test("an opaque token says nothing of them; another issuer's endpoint stays as it is", () => {
    expect(missingRoles(MICROSOFT, "opaque")).toEqual([]);
    expect(tokenUrlOf("https://id.example.com/token", MICROSOFT)).toBe(
      "https://id.example.com/token",
    );
  });
});

/** As the providers publish them, or as people have posted them: see `consent-advice.test.ts` for the pages. */
const REFUSALS: readonly [GrantFault, string, string][] = [
  [
    "workspace",
    "unauthorized_client",
    "Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the scopes requested.",
  ],
  ["workspace", "access_denied", "Requested client not authorized."],
  ["workspace", "admin_policy_enforced", ""],
  ["workspace", "invalid_client", "The OAuth client was not found."],
  ["workspace", "invalid_grant", "Invalid JWT Signature."],
  ["workspace", "invalid_grant", "Invalid grant: account not found"],
  ["workspace", "invalid_scope", "Invalid OAuth scope or ID token audience provided."],
  ["workspace", "disabled_client", "The OAuth client was disabled."],
  ["workspace", "org_internal", ""],
  ["workspace", "invalid_client", "AADSTS7000215: Invalid client secret provided."],
  ["workspace", "invalid_client", "AADSTS7000222: The provided client secret keys are expired."],
  [
    "workspace",
    "unauthorized_client",
    "AADSTS700016: Application with identifier 'x' was not found in the directory 'y'.",
  ],
  ["workspace", "invalid_grant", "AADSTS65001: The user or administrator has not consented"],
  ["workspace", "invalid_request", "AADSTS90002: Tenant 'x' not found."],
  ["mailbox", "invalid_grant", "Invalid email or User ID"],
  ["mailbox", "invalid_grant", "Not a valid email or user ID."],
  ["mailbox", "invalid_request", 'Invalid impersonation "sub" field: ann@example.com'],
  ["passing", "temporarily_unavailable", "AADSTS90033: A transient error has occurred."],
  ["passing", "invalid_request", "AADSTS90055: The server has terminated the request (throttled)"],
  [
    "passing",
    "invalid_grant",
    "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.",
  ],
  ["passing", "server_error", ""],
  ["passing", "status 500", ""],
];

test.each(REFUSALS)("is about the %s: %s %s", (fault, code, description) => {
  expect(grantFault(code, description)).toBe(fault);
});
