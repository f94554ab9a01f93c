import { type Static, Type } from "@sinclair/typebox";
import { Id, Shape, Timestamp } from "#api/schema.ts";
import { toIso } from "#domain/time.ts";
import type { AccountActivity as Activity } from "#usecases/mailboxes/account-activity.ts";

const HOURS_MAX = 168;
const HOURS_DEFAULT = 48;
const Count = Type.Integer({ minimum: 0 });

export const ActivityQuery = Shape({
  hours: Type.Integer({ minimum: 1, maximum: HOURS_MAX, default: HOURS_DEFAULT }),
});

export const AccountActivity = Shape({
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

export function presentActivity(activity: readonly Activity[]): Static<typeof AccountActivity> {
  return {
    data: activity.map(({ accountId, hours }) => ({
      account_id: accountId,
      hours: hours.map(({ hour, sent, deferred, failed, bounced, errors }) => {
        return { from: toIso(hour), sent, deferred, failed, bounced, errors };
      }),
    })),
  };
}
