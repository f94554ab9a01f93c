/** `/accounts`: mailboxes that send and are read. */

import type { Static } from "@sinclair/typebox";
import { tagOf, tagTerm } from "#api/campaigns/tags/routes.ts";
import { DRY_RUN, IN_BATCH, PLAN_LIMITED, resource } from "#api/context.ts";
import { withEtag } from "#api/etag.ts";
import { isFiltered, readFiltered } from "#api/filter.ts";
import { foresee } from "#api/foresee.ts";
import { changes } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { present, read } from "#api/wire.ts";
import { act, actLater, create, patch } from "#api/write.ts";
import { ACCOUNTS_MAX, isReady, limitsWarning } from "#domain/mailboxes/account.ts";
import { NO_TROUBLES, troubleWords } from "#domain/mailboxes/callout.ts";
import type { Environment } from "#environment.ts";
import { tagsOf } from "#store/campaigns/tags.ts";
import { ACCOUNT_LIST } from "#store/filter/lists.ts";
import { accountsOf } from "#store/mailboxes/accounts.ts";
import { countInFlight } from "#store/sending/messages.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { createAccount, patchAccount, requireAccount } from "#usecases/mailboxes/accounts.ts";
import { reconnectUrl } from "#usecases/mailboxes/consent-links.ts";
import { beginConsent } from "#usecases/mailboxes/consents.ts";
import { heldCredentials } from "#usecases/mailboxes/credentials.ts";
import { deleteAccount } from "#usecases/operations/account-removal.ts";
import { restoreAccount } from "#usecases/operations/account-restore.ts";
import { testAccount } from "#usecases/sending/account-test.ts";
import { AccountTest, AccountTestRequest, ConsentLink } from "./connection-schema.ts";
import { refusalOf } from "./provider-schema.ts";
import {
  Account,
  AccountChanged,
  AccountCreate,
  AccountList,
  AccountParams,
  AccountPatch,
  AccountQuery,
  AccountTag,
} from "./schema.ts";

export const accountRoutes = resource("accounts", "/accounts")
  .get(
    "",
    async ({ env, caller, request }): Promise<Static<typeof AccountList>> => {
      const { tag: given, ...query } = readQuery(AccountQuery, request);
      const tag = tagOf(given);
      const { offset, limit = Number.POSITIVE_INFINITY } = query;
      if (isFiltered({ ...query, limit }) || query.after !== undefined) {
        const filter = `${tagTerm(tag)}${query.filter ?? ""}`;
        const asked = { ...query, limit: query.limit ?? ACCOUNTS_MAX, filter };
        const { rows, page } = await readFiltered(env, caller, ACCOUNT_LIST, asked);
        const { next_cursor, total_is_capped } = page;
        const data = rows.map((row) => presentAccount(env, row));
        return { data, next_cursor, total_is_capped };
      }
      const rows = accountsOf(env.db, caller.teamId)
        .filter(({ id }) => tag === undefined || tagsOf(env.db, id).includes(tag))
        .slice(offset, offset + limit);
      return { data: rows.map((row) => presentAccount(env, row)) };
    },
    {
      response: { 200: AccountList },
      detail: {
        summary: "List accounts",
        description:
          "Returns the team's accounts, oldest first: all of them, unless `limit` asks for a page.",
        ...queryOf(AccountQuery),
      },
    },
  )
  .post(
    "",
    (context) =>
      create(
        context,
        () => {
          const { env, caller, body } = context;
          return changed(env, createAccount(env, caller, read(AccountCreate, body)), body);
        },
        ({ id }) => `/accounts/${id}`,
      ),
    {
      body: AccountCreate,
      response: { 201: AccountChanged },
      detail: {
        ...DRY_RUN,
        summary: "Create an account",
        description:
          "Adds a mailbox. Address and provider are enough to begin; it sends once its credentials " +
          "are stored and a connection test has passed. In the test environment it is ready at " +
          "once.",
        ...PLAN_LIMITED,
      },
    },
  )
  .get(
    "/:id",
    (context) => {
      const { env, caller, params } = context;
      const row = requireAccount(env, caller, params.id);
      return withEtag(context, presentAccount(env, row), AccountTag);
    },
    {
      params: AccountParams,
      response: { 200: Account },
      detail: {
        ...IN_BATCH,
        summary: "Get an account",
        description:
          "Returns one account with its status, limits and health. Secrets are never returned.",
      },
    },
  )
  .patch(
    "/:id",
    (context) => {
      const { env, caller, params, body } = context;
      return foresee(context, () =>
        patch(
          context,
          AccountTag,
          () => presentAccount(env, requireAccount(env, caller, params.id)),
          ({ status }): Static<typeof AccountChanged> => {
            const row = patchAccount(env, caller, params.id, read(AccountPatch, body));
            const isStopped = row.status === "paused" || row.status === "disabled";
            const whose = { accountId: row.id };
            const shown = changed(env, row, body);
            return isStopped && row.status !== status
              ? { ...shown, in_flight: countInFlight(env.db, row.teamId, whose) }
              : shown;
          },
        ),
      );
    },
    {
      ...changes(AccountPatch, AccountChanged),
      params: AccountParams,
      response: { 200: AccountChanged },
      detail: {
        ...DRY_RUN,
        summary: "Update an account",
        description:
          "Changes the fields that you send, also servers and credentials. Setting `status` pauses, " +
          "disables or reactivates the account.",
      },
    },
  )
  .delete(
    "/:id",
    async ({ env, caller, params }) => {
      await deleteAccount(env, caller, params.id);
      return new Response(null, { status: 204 });
    },
    {
      params: AccountParams,
      detail: {
        summary: "Delete an account",
        description:
          "Deletes a mailbox: nothing is sent from it or read in it any more, and leads that it was emailing are put on " +
          "hold. It can be restored for 30 days, for which its credentials stay encrypted in the database; to forget " +
          "them now, purge it with `DELETE /deleted/{id}`.",
      },
    },
  )
  .post(
    "/:id/restore",
    (context) =>
      actLater(context, async () => {
        const { env, caller, params } = context;
        return presentAccount(env, await restoreAccount(env, caller, params.id));
      }),
    {
      params: AccountParams,
      response: { 200: Account },
      detail: {
        summary: "Restore an account",
        "x-errors": [402, 409],
        description:
          "Brings back a mailbox that was deleted in the last 30 days: paused, with its credentials, which are tested " +
          "anew, and in the campaigns that named it. Leads that were on hold because it was deleted continue once you " +
          "resume it, and replies that came meanwhile are read. Refused with 409 where another mailbox has its address " +
          "or an alias now. An account that isn't deleted is returned as it is.",
      },
    },
  )
  .post(
    "/:id/connect",
    (context) =>
      act(context, () => {
        const { env, caller, params } = context;
        return present(ConsentLink, beginConsent(env, caller, params.id));
      }),
    {
      params: AccountParams,
      response: { 200: ConsentLink },
      detail: {
        ...DRY_RUN,
        summary: "Start an OAuth connection",
        description:
          "Returns a link on which the mailbox's owner signs in to the provider and gives consent. " +
          "The mailbox is connected when the owner comes back.",
      },
    },
  )
  .post(
    "/:id/test",
    (context) =>
      actLater(context, async () => {
        const { env, caller, params, body } = context;
        const send = body?.send ?? true;
        const { account, examination } = await testAccount(env, caller, params.id, { send });
        const { smtp, imap, steps } = examination;
        const ok = smtp.ok && imap.ok && steps.every((entry) => entry.ok !== false);
        return present(AccountTest, { ok, ...examination, account: accountOf(env, account) });
      }),
    {
      params: AccountParams,
      body: AccountTestRequest,
      response: { 200: AccountTest },
      detail: {
        summary: "Test an account",
        description:
          "Tries to send and to read, step by step, with an email from the mailbox to itself, and " +
          "says what failed and how to fix it. A passed test makes the account ready.",
        "x-optional-body": true,
      },
    },
  );

/** Of its limits only who names one is warned. */
function changed(env: Environment, row: AccountRow, given: object): Static<typeof AccountChanged> {
  const names = "daily_limit" in given || "hourly_limit" in given;
  const warning = names ? limitsWarning(row) : null;
  return { ...presentAccount(env, row), ...(warning === null ? {} : { warning }) };
}

export function presentAccount(env: Environment, row: AccountRow) {
  return present(Account, accountOf(env, row));
}

function accountOf(env: Environment, row: AccountRow) {
  const { smtpPassword, imapPassword, oauth, oauthClient } = heldCredentials(row);
  const ready = isReady(row, env.name);
  return {
    ...row,
    ready,
    notReadyReason: ready ? null : row.notReadyReason,
    imap: row.imap === null ? null : { ...row.imap, saveSent: row.saveSent },
    hasSmtpPassword: smtpPassword,
    hasImapPassword: imapPassword,
    hasOauth: oauth,
    hasOauthClient: oauthClient,
    reconnectUrl: reconnectUrl(env, row),
    unconfirmedSince: row.unconfirmed?.since ?? null,
    verifyAddressesProblem: troubleWords(row.calloutTroubles ?? NO_TROUBLES, env.clock.now()),
    refusedBy: (row.refusals ?? []).map(refusalOf),
  };
}
