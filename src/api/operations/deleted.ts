/** `/deleted`: campaigns, accounts and webhooks that can still be restored, and forgetting one of them now. */

import { type Static, Type } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import {
  envelope,
  IdOf,
  IdParamsOf,
  OneOf,
  Page,
  PageQuery,
  Shape,
  TimestampOf,
} from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { removeLater } from "#api/write.ts";
import { permits } from "#domain/team/api-key.ts";
import { listDeleted } from "#store/operations/deleted.ts";
import { DELETED_KINDS } from "#store/tables/deleted.ts";
import { purgeAt, purgeByHand, RESOURCE_OF } from "#usecases/operations/deleted.ts";

const DeletedRecord = Shape({
  id: IdOf("Id of the campaign, account, or webhook, which it has again once it is restored"),
  kind: OneOf(DELETED_KINDS, {
    description: "What was deleted, and so which `restore` brings it back",
  }),
  name: Type.String({
    description: "Name of the campaign, address of the account, name or URL of the webhook",
    examples: ["Spring launch"],
  }),
  deleted_at: TimestampOf("When it was deleted"),
  purge_at: TimestampOf("When it is purged and can't be restored any more"),
});
const DeletedPage = Page(DeletedRecord);

export const deletedRoutes = resource("campaigns", "/deleted")
  .get(
    "",
    ({ env, caller, request }): Static<typeof DeletedPage> => {
      const query = readQuery(PageQuery, request);
      const kinds = DELETED_KINDS.filter((kind) =>
        permits(caller.scopes, RESOURCE_OF[kind], "read"),
      );
      const { rows, total } = listDeleted(env.db, caller.teamId, kinds, query);
      const data = rows.map((row) => present(DeletedRecord, { ...row, purgeAt: purgeAt(row) }));
      return envelope(data, total, query);
    },
    {
      response: { 200: DeletedPage },
      detail: {
        summary: "List deleted records",
        description:
          "Returns the campaigns, accounts, and webhooks that were deleted in the last 30 days and can be restored, " +
          "the latest first; none of a kind that the key may not read.",
        ...queryOf(PageQuery),
      },
    },
  )
  .delete(
    "/:id",
    (context) =>
      removeLater(context, () => purgeByHand(context.env, context.caller, context.params.id)),
    {
      params: IdParamsOf("Id of the record"),
      detail: {
        summary: "Purge a deleted record",
        description:
          "Forgets a deleted record now, with the credentials of an account and the secret of a webhook. It can't be " +
          "restored any more. The key needs the write scope of what was deleted.",
      },
    },
  );
