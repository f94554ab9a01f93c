/** `/accounts/{id}/health`, `/usage` and `/accounts/activity`: how well a mailbox is, and what it may still send. */

import { Type } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { Id, IdParams, Shape, Timestamp } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { accountActivity } from "#usecases/mailboxes/account-activity.ts";
import { reportHealth, reportUse } from "#usecases/mailboxes/account-use.ts";
import {
  AccountHealth,
  AccountUsage,
  HealthQuery,
  presentHealth,
  presentUse,
} from "./health-schema.ts";

const HOURS_MAX = 168;
const HOURS_DEFAULT = 48;
const Count = Type.Integer({ minimum: 0 });

const ActivityQuery = Shape({
  hours: Type.Integer({ minimum: 1, maximum: HOURS_MAX, default: HOURS_DEFAULT }),
});

const AccountActivity = Shape({
  data: Type.Array(
    Shape({
      account_id: Id,
      hours: Type.Array(
        Shape({
          from: Timestamp,
          sent: Count,
          deferred: Type.Integer({ minimum: 0, description: "Put off by a server; tried again" }),
          failed: Type.Integer({ minimum: 0, description: "Refused, or given up" }),
          bounced: Count,
          errors: Type.Integer({
            minimum: 0,
            description: "Of the mailbox itself: its login, say",
          }),
        }),
        { description: "Oldest first; the last is the present one" },
      ),
    }),
    { description: "Every account, oldest first" },
  ),
});

export const accountHealthRoutes = resource("accounts", "/accounts")
  .get(
    "/activity",
    ({ world, caller, request }) => {
      const { hours } = readQuery(ActivityQuery, request);
      const data = accountActivity(world, caller, hours).map(({ accountId, hours: all }) => {
        return { accountId, hours: all.map((counts) => ({ ...counts, from: counts.hour })) };
      });
      return present(AccountActivity, { data });
    },
    {
      response: { 200: AccountActivity },
      detail: {
        summary: "What happened to each account in each of the latest hours",
        ...queryOf(ActivityQuery),
      },
    },
  )
  .get(
    "/:id/health",
    ({ world, caller, params, request }) => {
      const { days } = readQuery(HealthQuery, request);
      return presentHealth(reportHealth(world, caller, params.id, days));
    },
    {
      params: IdParams,
      response: { 200: AccountHealth },
      detail: {
        summary: "The score with its parts, what follows from it, and its history by day",
        ...queryOf(HealthQuery),
      },
    },
  )
  .get(
    "/:id/usage",
    ({ world, caller, params }) => presentUse(reportUse(world, caller, params.id)),
    {
      params: IdParams,
      response: { 200: AccountUsage },
      detail: {
        summary: "What was sent this hour and day, what is left, and when more comes free",
      },
    },
  );
