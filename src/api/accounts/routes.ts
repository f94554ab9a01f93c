/** `/accounts`: mailboxes that send and are read. */

import { PLAN_LIMITED, resource } from "#api/context.ts";
import { defined } from "#api/defined.ts";
import { checkMatch, tagged } from "#api/etag.ts";
import { checkIdentity, dropReadOnly } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { IdParams } from "#api/schema.ts";
import { act, actLater, create, patch } from "#api/write.ts";
import { toIso } from "#domain/time.ts";
import { accountsOf } from "#store/mailboxes/accounts.ts";
import { createAccount, ownAccount, patchAccount } from "#usecases/mailboxes/accounts.ts";
import { beginConsent } from "#usecases/mailboxes/consents.ts";
import { deleteAccount } from "#usecases/operations/account-removal.ts";
import { testAccount } from "#usecases/sending/account-test.ts";
import {
  ACCOUNT_READ_ONLY,
  ACCOUNT_SETTABLE,
  Account,
  AccountChanged,
  AccountCreate,
  AccountList,
  AccountPatch,
  AccountQuery,
  AccountTest,
  AccountTestRequest,
  ConsentLink,
  presentAccount,
  presentChanged,
  presentTest,
  readAccount,
} from "./schema.ts";

export const accountRoutes = resource("accounts", "/accounts")
  .get(
    "",
    ({ world, caller, request }) => {
      const { offset, limit = Number.POSITIVE_INFINITY } = readQuery(AccountQuery, request);
      const rows = accountsOf(world.db, caller.teamId).slice(offset, offset + limit);
      return { data: rows.map((row) => presentAccount(row, world)) };
    },
    {
      response: { 200: AccountList },
      detail: { summary: "List accounts, oldest first", ...queryOf(AccountQuery) },
    },
  )
  .post(
    "",
    (context) =>
      create(
        context,
        () => {
          const { world, caller, body } = context;
          const input = { ...readAccount(body), email: body.email, provider: body.provider };
          return presentAccount(createAccount(world, caller, input), world);
        },
        ({ id }) => `/accounts/${id}`,
      ),
    {
      body: AccountCreate,
      response: { 201: Account },
      detail: {
        summary: "Connect a mailbox; address and provider are enough to begin",
        ...PLAN_LIMITED,
      },
    },
  )
  .get(
    "/:id",
    (context) => {
      const { world, caller, params } = context;
      const row = ownAccount(world, caller, params.id);
      return tagged(context, presentAccount(row, world), ACCOUNT_SETTABLE);
    },
    { params: IdParams, response: { 200: Account }, detail: { summary: "An account" } },
  )
  .patch(
    "/:id",
    (context) =>
      patch(
        context,
        () => {
          const { world, caller, params, body, state, request } = context;
          const before = presentAccount(ownAccount(world, caller, params.id), world);
          checkIdentity(state, before);
          checkMatch(request, before, ACCOUNT_SETTABLE);
          const { email, provider, status } = body;
          const change = { ...readAccount(body), ...defined({ email, provider, status }) };
          const row = patchAccount(world, caller, params.id, change);
          const set = row.status === before.status ? undefined : row.status;
          return presentChanged(row, world, set);
        },
        ACCOUNT_SETTABLE,
      ),
    {
      params: IdParams,
      body: AccountPatch,
      transform: dropReadOnly(ACCOUNT_READ_ONLY),
      response: { 200: AccountChanged },
      detail: { summary: "Change an account, or pause, disable or reactivate it by its status" },
    },
  )
  .delete(
    "/:id",
    async ({ world, caller, params }) => {
      await deleteAccount(world, caller, params.id);
      return new Response(null, { status: 204 });
    },
    {
      params: IdParams,
      detail: { summary: "Delete an account; leads that it was writing to wait for a person" },
    },
  )
  .post(
    "/:id/connect",
    (context) =>
      act(context, () => {
        const { world, caller, params } = context;
        const { url, expiresAt } = beginConsent(world, caller, params.id);
        return { url, expires_at: toIso(expiresAt) };
      }),
    {
      params: IdParams,
      response: { 200: ConsentLink },
      detail: { summary: "A link by which the mailbox is connected in a browser (OAuth 2.0)" },
    },
  )
  .post(
    "/:id/test",
    (context) =>
      actLater(context, async () => {
        const { world, caller, params, body } = context;
        const send = body?.send ?? true;
        return presentTest(await testAccount(world, caller, params.id, { send }), world);
      }),
    {
      params: IdParams,
      body: AccountTestRequest,
      response: { 200: AccountTest },
      detail: {
        summary: "Try both servers step by step, with a mail from the mailbox to itself",
        "x-optional-body": true,
      },
    },
  );
