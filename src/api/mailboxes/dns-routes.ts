/** `/accounts/{id}/dns` and `/dkim`: what receivers see of a mailbox's domain, and its signature. */

import { resource } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { actLater, remove } from "#api/write.ts";
import { generateSigningKey } from "#mail/dkim.ts";
import { requireAccount } from "#usecases/mailboxes/accounts.ts";
import { ownSigningKey, removeSigningKey, setSigningKey } from "#usecases/mailboxes/dkim.ts";
import { checkDomain } from "#usecases/placement/domain-check.ts";
import { Dkim, DkimRequest, DnsQuery, DnsReport, presentDkim, presentDns } from "./dns-schema.ts";
import { AccountParams } from "./schema.ts";

export const accountDnsRoutes = resource("accounts", "/accounts")
  .get(
    "/:id/dns",
    async ({ env, caller, params, request }) => {
      const { selector } = readQuery(DnsQuery, request);
      return presentDns(await checkDomain(env, caller, params.id, selector));
    },
    {
      params: AccountParams,
      response: { 200: DnsReport },
      detail: {
        summary: "Check an account's DNS",
        description:
          "Checks SPF, DKIM, DMARC and the other records of the account's domain, and returns what " +
          "to publish where one is missing or wrong.",
        ...queryOf(DnsQuery),
      },
    },
  )
  .get(
    "/:id/dkim",
    ({ env, caller, params }) => presentDkim(ownSigningKey(env, caller, params.id)),
    {
      params: AccountParams,
      response: { 200: Dkim },
      detail: {
        summary: "Get the DKIM key",
        description:
          "Returns the key with which the account's emails are signed, and the record to publish.",
      },
    },
  )
  .post(
    "/:id/dkim",
    (context) =>
      actLater(context, async () => {
        const { env, caller, params, body } = context;
        requireAccount(env, caller, params.id);
        const fresh = await generateSigningKey();
        const input = { selector: body.selector, fresh };
        await env.commit(() => setSigningKey(env, caller, params.id, input));
        return presentDkim(ownSigningKey(env, caller, params.id));
      }),
    {
      params: AccountParams,
      body: DkimRequest,
      response: { 200: Dkim },
      detail: {
        summary: "Create a DKIM key",
        description:
          "Creates a key and returns the record to publish. Emails are signed once the record has " +
          "been found in DNS.",
      },
    },
  )
  .delete(
    "/:id/dkim",
    (context) => {
      const { env, caller, params } = context;
      return remove(context, () => removeSigningKey(env, caller, params.id));
    },
    {
      params: AccountParams,
      detail: {
        summary: "Delete the DKIM key",
        description: "Deletes the key. Emails are no longer signed here.",
      },
    },
  );
