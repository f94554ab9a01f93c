/**
 * Billing without a network: a plan is confirmed on a page of our own, by somebody who has the link. The
 * operator of an installation decides for it; a seller hands out signed licences instead.
 */

import type { Env } from "#domain/api-key.ts";
import type { Vault } from "#runtime/crypto.ts";
import type { BillingPort } from "#runtime/ports/billing.ts";

const PURPOSE = "checkout";
const WORLD_LETTER: Readonly<Record<Env, string>> = { live: "l", test: "t" };

export function createLocalBilling(env: Env, vault: Vault): BillingPort {
  return {
    kind: "local",
    startCheckout: ({ checkoutId, baseUrl }) => {
      const token = WORLD_LETTER[env] + vault.sign(PURPOSE, checkoutId);
      return Promise.resolve({ kind: "ok", value: `${baseUrl}/billing/checkout/${token}` });
    },
    openPortal: () =>
      Promise.resolve({ kind: "failed", reason: "plans are confirmed here, by nobody else" }),
    findSubscription: () => Promise.resolve({ kind: "ok", value: null }),
    readHook: () => Promise.resolve({ kind: "other" }),
  };
}

/** The checkout that a link of {@link createLocalBilling} names in this environment, or null. */
export function readCheckoutToken(env: Env, vault: Vault, token: string): string | null {
  return token.startsWith(WORLD_LETTER[env]) ? vault.verify(PURPOSE, token.slice(1)) : null;
}
