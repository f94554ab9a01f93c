/** What a dry run says beside its result: what the change would do to the emails of the next days. */

import { Type } from "@sinclair/typebox";
import { Count, Nullable, Shape, TimestampOf } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import type { WriteContext } from "#api/write.ts";
import type { UnixMs } from "#domain/time.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { type Effect, effectOf } from "#usecases/forecast/effect.ts";

const ForecastEffect = Shape(
  {
    moved: Count("Emails that would be sent at another minute, or from another account"),
    added: Count("Emails that would be sent and aren't planned now"),
    removed: Count("Emails that are planned now and wouldn't be sent"),
    first_at: Nullable(TimestampOf("When the first of them is planned; null if there is none")),
    until: TimestampOf("How far the forecast looks ahead"),
    summary: Type.String({
      description: "The same in words",
      examples: [
        "moves 312 emails, removes 4; the first on Tuesday 3 March at 09:04 (Europe/Berlin)",
      ],
    }),
  },
  { description: "What the change would do to the emails of the next 7 days. Only in a dry run" },
);

/** For the response to a write that {@link foresee} carries out. */
export const foreseen = { forecast: Type.Optional(ForecastEffect) };

/** What `write` answers; in a dry run with the change's effect on the emails of all the team's campaigns. */
export async function foresee<Body extends object>(
  context: WriteContext,
  write: () => Promise<Body>,
): Promise<Body> {
  const { env, caller, state, request } = context;
  if (!state.isDryRun || state.within !== undefined) {
    return await write();
  }
  state.tried = {};
  const body = await write();
  const { rows } = state.tried;
  if (rows === undefined) {
    throw new Error("a dry run has left no rows to foresee by");
  }
  state.disableIdleTimeout();
  const effect = await effectOf(env, caller, rows, request.signal);
  const campaign = campaignById(env.db, effect.firstCampaignId ?? "");
  const summary = summaryOf(effect, campaign?.sendWindow.timezone ?? "UTC");
  return { ...body, forecast: present(ForecastEffect, { ...effect, summary }) };
}

function summaryOf({ moved, added, removed, firstAt }: Effect, zone: string): string {
  const emails = (n: number) => `${n} email${n === 1 ? "" : "s"}`;
  const [first, ...others] = Object.entries({ moves: moved, adds: added, removes: removed }).filter(
    ([, n]) => n > 0,
  );
  if (first === undefined || firstAt === null) {
    return "changes no email of the next 7 days";
  }
  const told = [`${first[0]} ${emails(first[1])}`, ...others.map(([verb, n]) => `${verb} ${n}`)];
  return `${told.join(", ")}; the first on ${whenIn(zone, firstAt)}`;
}

function whenIn(zone: string, at: UnixMs): string {
  const date = new Intl.DateTimeFormat("en-GB", {
    ...{ weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" },
    timeZone: zone,
  });
  return `${date.format(at)} (${zone})`;
}
