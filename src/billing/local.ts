/**
 * Billing without a network: a plan is confirmed on a page of our own, by somebody who has the link. The
 * operator of an installation decides for it; a seller hands out signed licences instead.
 */

import type { Env } from "#domain/team/api-key.ts";
import type { BillingPort } from "#platform/ports/billing.ts";
import type { Vault } from "#platform/secrets/crypto.ts";

const PURPOSE = "checkout";
const ENVIRONMENT_LETTER: Readonly<Record<Env, string>> = { live: "l", test: "t" };

const NOBODY = { kind: "failed", reason: "plans are confirmed here, by nobody else" } as const;

export function createLocalBilling(env: Env, vault: Vault): BillingPort {
  return {
    kind: "local",
    startCheckout: ({ checkoutId, baseUrl }) => {
      const token = ENVIRONMENT_LETTER[env] + vault.sign(PURPOSE, checkoutId);
      const url = `${baseUrl}/billing/checkout/${token}`;
      return Promise.resolve({ kind: "ok", value: { url, session: null } });
    },
    closeCheckout: () => Promise.resolve({ kind: "ok", value: null }),
    startChange: () => Promise.resolve(NOBODY),
    openPortal: () => Promise.resolve(NOBODY),
    findPayer: () => Promise.resolve({ kind: "ok", value: null }),
    findSubscriptions: () => Promise.resolve({ kind: "ok", value: [] }),
    readHook: () => Promise.resolve({ kind: "other" }),
  };
}

/** The checkout that a link of {@link createLocalBilling} names in this environment, or null. */
export function readCheckoutToken(env: Env, vault: Vault, token: string): string | null {
  return token.startsWith(ENVIRONMENT_LETTER[env]) ? vault.verify(PURPOSE, token.slice(1)) : null;
}
