/** The sandbox's authorization server: a page of ours on which everybody may agree or decline. */

import { HOUR_MS, plus } from "#domain/time.ts";
import type { Clock } from "#platform/clock.ts";
import type { OauthPort } from "#platform/ports/oauth.ts";

/** Where that page is, below the public address. */
export const SANDBOX_CONSENT_PATH = "/oauth/sandbox/consent";

const CODE = /^sandbox\.([A-Za-z0-9_-]{1,400})$/;

/** The code that a consent of `login` comes back with. */
export function sandboxCode(login: string): string {
  return `sandbox.${Buffer.from(login).toString("base64url")}`;
}

export function createSandboxOauth(clock: Clock, publicUrl: string | null): OauthPort {
  const access = () => ({ token: "sandbox", expiresAt: plus(clock.now(), HOUR_MS) });
  return {
    knows: (provider) => provider === "google" || provider === "microsoft",
    client: () => ({ clientId: "sandbox", clientSecret: "sandbox" }),
    server: async () => ({
      kind: "known",
      server: {
        authorizeUrl: `${publicUrl ?? "http://localhost"}${SANDBOX_CONSENT_PATH}`,
        scope: "mail",
        parameters: {},
        issuer: null,
        isAlwaysNamed: false,
      },
    }),
    exchange: async (_provider, { code }) => {
      const login = CODE.exec(code)?.[1];
      if (login === undefined) {
        return { kind: "refused", reason: "invalid_grant: no code of the sandbox" };
      }
      const name = Buffer.from(login, "base64url").toString("utf8").toLowerCase();
      const grant = { refreshToken: `sandbox.${login}`, access: access(), logins: [name] };
      return { kind: "granted", grant };
    },
    refresh: async () => ({ kind: "granted", access: access(), refreshToken: null }),
    workspaceToken: async () => ({ kind: "granted", access: access() }),
    clientFaults: () => [],
  };
}
