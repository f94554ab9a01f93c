/** `/accounts/{id}/health`, `/usage` and `/accounts/activity`: how well a mailbox is, and what it may still send. */

import { resource } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { IdParams } from "#api/schema.ts";
import { accountActivity } from "#usecases/mailboxes/account-activity.ts";
import { reportHealth, reportUse } from "#usecases/mailboxes/account-use.ts";
import { AccountActivity, ActivityQuery, presentActivity } from "./activity-schema.ts";
import {
  AccountHealth,
  AccountUsage,
  HealthQuery,
  presentHealth,
  presentUse,
} from "./health-schema.ts";

export const accountHealthRoutes = resource("accounts", "/accounts")
  .get(
    "/activity",
    ({ world, caller, request }) => {
      const { hours } = readQuery(ActivityQuery, request);
      return presentActivity(accountActivity(world, caller, hours));
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
