/** `/accounts/{id}/health`, `/usage`, `/accounts/activity` and `/providers`: how well a mailbox is, and what it may still send. */

import { Type } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { Count, IdOf, Shape, TimestampOf } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { accountActivity } from "#usecases/mailboxes/account-activity.ts";
import { reportHealth, reportUse } from "#usecases/mailboxes/account-use.ts";
import { reportProviders } from "#usecases/mailboxes/provider-report.ts";
import {
  AccountHealth,
  AccountUsage,
  HealthQuery,
  presentHealth,
  presentUse,
} from "./health-schema.ts";
import { ProviderList, ProviderQuery, presentProviders } from "./provider-schema.ts";
import { AccountParams } from "./schema.ts";

const HOURS_MAX = 168;
const HOURS_DEFAULT = 48;

const ActivityQuery = Shape({
  hours: Type.Integer({
    minimum: 1,
    maximum: HOURS_MAX,
    default: HOURS_DEFAULT,
    description: "Hours to look back",
  }),
});

const AccountActivity = Shape({
  data: Type.Array(
    Shape({
      account_id: IdOf("The account's id"),
      hours: Type.Array(
        Shape({
          from: TimestampOf("When the hour began"),
          sent: Count("Emails sent"),
          deferred: Count("Emails that a server deferred; they are tried again"),
          failed: Count("Emails that were refused or given up"),
          bounced: Count("Emails that bounced"),
          errors: Count("Errors of the mailbox itself, for example a failed login"),
        }),
        { description: "The hours, oldest first; the last one is not over yet" },
      ),
    }),
    { description: "All accounts, oldest first" },
  ),
});

export const accountHealthRoutes = resource("accounts", "/accounts")
  .get(
    "/activity",
    ({ env, caller, request }) => {
      const { hours } = readQuery(ActivityQuery, request);
      const data = accountActivity(env, caller, hours).map(({ accountId, hours: all }) => {
        return { accountId, hours: all.map((counts) => ({ ...counts, from: counts.hour })) };
      });
      return present(AccountActivity, { data });
    },
    {
      response: { 200: AccountActivity },
      detail: {
        summary: "List account activity",
        description:
          "Returns what each account sent in each of the last hours, and what went wrong.",
        ...queryOf(ActivityQuery),
      },
    },
  )
  .get(
    "/providers",
    ({ env, caller, request }) => {
      return presentProviders(reportProviders(env, caller, readQuery(ProviderQuery, request)));
    },
    {
      response: { 200: ProviderList },
      detail: {
        summary: "List recipient providers",
        description:
          "Returns what each recipient provider made of each account's emails in a range of days, and " +
          "which provider an account has stopped emailing.",
        ...queryOf(ProviderQuery),
      },
    },
  )
  .get(
    "/:id/health",
    ({ env, caller, params, request }) => {
      const { days } = readQuery(HealthQuery, request);
      return presentHealth(reportHealth(env, caller, params.id, days));
    },
    {
      params: AccountParams,
      response: { 200: AccountHealth },
      detail: {
        summary: "Get an account's health",
        description:
          "Returns the health score with its parts, the limits that it causes, and its history by " +
          "day.",
        ...queryOf(HealthQuery),
      },
    },
  )
  .get("/:id/usage", ({ env, caller, params }) => presentUse(reportUse(env, caller, params.id)), {
    params: AccountParams,
    response: { 200: AccountUsage },
    detail: {
      summary: "Get an account's usage",
      description:
        "Returns what the account has sent this hour and today, what remains, and when it may " +
        "send again.",
    },
  });
