/** `/accounts/{id}/placement`: where an account's test emails land over time, and whether it got worse. */

import { type TObject, Type } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { AccountParams } from "#api/mailboxes/schema.ts";
import { Count, IdOf, Nullable, OneOf, Shape, TimestampOf } from "#api/schema.ts";
import { MAIL_PROVIDERS } from "#domain/mailboxes/mail-provider.ts";
import { DROP_VERDICTS } from "#domain/placement/drop-reading.ts";
import { toIsoOrNull } from "#domain/time.ts";
import {
  accountPlacement,
  type Rate,
  type Stretch,
} from "#usecases/placement/account-placement.ts";

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const counts = {
  inbox: Count("Of these, emails in the inbox"),
  total: Count("Tests that have a placement"),
};
const rates = {
  ...counts,
  rate: share("`inbox` divided by `total`; 0 without a test"),
  rate_low: share("Lower end of its 95% interval (Wilson)"),
  rate_high: share("Upper end of its 95% interval"),
};
const stretch = {
  ...rates,
  weeks: Type.Array(
    Shape({
      from: Type.String({
        format: "date",
        description: "Monday, in the account's time zone",
        examples: ["2026-03-02"],
      }),
      ...rates,
    }),
    { description: "Weeks with a test, the last 26 at most, oldest first" },
  ),
};
const reading = {
  verdict: OneOf(DROP_VERDICTS, {
    description:
      "`drop`: fewer emails reach the inbox than before, and chance rarely explains it; `unclear`: it could " +
      "be chance; `steady`: no sign of a drop; `too_few`: fewer than two runs",
  }),
  e_value: Type.Number({
    minimum: 0,
    description:
      "Evidence that the share in the inbox fell, as an e-value: whenever you look, chance alone " +
      "reaches `x` in at most 1 of `x` series. A drop is reported from 20",
  }),
  message: Type.String({ description: "The same in plain words" }),
};

// Declared loosely: what it says exactly would cost the checker more than the rest of this resource.
const Placement: TObject = Shape({
  account_id: IdOf("The account's id"),
  ...stretch,
  ...reading,
  providers: Type.Array(
    Shape({
      provider: OneOf(MAIL_PROVIDERS, { description: "Provider of the seeds" }),
      runs: Count("Completed runs"),
      ...stretch,
      ...reading,
      since: Nullable(
        TimestampOf("Run from which the share is lower; null where nothing points at a drop"),
      ),
      before: Nullable(Shape(counts, { description: "Runs before it; null without `since`" })),
      after: Nullable(Shape(counts, { description: "Runs since; null without `since`" })),
    }),
    { description: "The same by the provider of the seeds" },
  ),
});

export const accountPlacementRoutes = resource("placement", "/accounts").get(
  "/:id/placement",
  ({ env, caller, params }) => {
    const { verdict, eValue, message, providers, ...all } = accountPlacement(
      env,
      caller,
      params.id,
    );
    return {
      ...{ account_id: params.id, ...stretched(all), verdict, e_value: eValue, message },
      providers: providers.map(({ provider, runs, before, after, ...one }) => ({
        ...{ provider, runs, ...stretched(one), before, after },
        ...{ verdict: one.verdict, e_value: one.eValue, message: one.message },
        since: toIsoOrNull(one.since),
      })),
    };
  },
  {
    params: AccountParams,
    response: { 200: Placement },
    detail: {
      summary: "Get an account's placement",
      description:
        "Returns where the account's test emails landed, by provider and week, and whether fewer " +
        "reach the inbox than before. Leaves out tests of a campaign's draft.",
    },
  },
);

function stretched({ weeks, ...all }: Stretch) {
  return { ...rated(all), weeks: weeks.map(({ from, ...week }) => ({ from, ...rated(week) })) };
}

function rated({ inbox, total, rate, rateLow, rateHigh }: Rate) {
  return { inbox, total, rate, rate_low: rateLow, rate_high: rateHigh };
}
