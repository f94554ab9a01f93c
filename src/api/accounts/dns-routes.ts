/** `/accounts/{id}/dns` and `/dkim`: what receivers see of a mailbox's domain, and its signature. */

import { resource } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { IdParams } from "#api/schema.ts";
import { actLater, remove } from "#api/write.ts";
import { generateSigningKey } from "#mail/dkim.ts";
import { ownAccount } from "#usecases/mailboxes/accounts.ts";
import { ownSigningKey, removeSigningKey, setSigningKey } from "#usecases/mailboxes/dkim.ts";
import { checkDomain } from "#usecases/placement/domain-check.ts";
import { Dkim, DkimRequest, DnsQuery, DnsReport, presentDkim, presentDns } from "./dns-schema.ts";

export const accountDnsRoutes = resource("accounts", "/accounts")
  .get(
    "/:id/dns",
    async ({ world, caller, params, request }) => {
      const { selector } = readQuery(DnsQuery, request);
      return presentDns(await checkDomain(world, caller, params.id, selector));
    },
    {
      params: IdParams,
      response: { 200: DnsReport },
      detail: {
        summary: "What DNS says of the account's domain, and what to publish",
        ...queryOf(DnsQuery),
      },
    },
  )
  .get(
    "/:id/dkim",
    ({ world, caller, params }) => presentDkim(ownSigningKey(world, caller, params.id)),
    {
      params: IdParams,
      response: { 200: Dkim },
      detail: { summary: "The key that the account's mail is signed with" },
    },
  )
  .post(
    "/:id/dkim",
    (context) =>
      actLater(context, async () => {
        const { world, caller, params, body } = context;
        ownAccount(world, caller, params.id);
        const fresh = await generateSigningKey();
        const input = { selector: body.selector, fresh };
        await world.commit(() => setSigningKey(world, caller, params.id, input));
        return presentDkim(ownSigningKey(world, caller, params.id));
      }),
    {
      params: IdParams,
      body: DkimRequest,
      response: { 200: Dkim },
      detail: { summary: "Sign the account's mail: makes a key and says what to publish" },
    },
  )
  .delete(
    "/:id/dkim",
    (context) => {
      const { world, caller, params } = context;
      return remove(context, () => removeSigningKey(world, caller, params.id));
    },
    { params: IdParams, detail: { summary: "Sign no more" } },
  );
