import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { Count, Described, IdOf, Nullable, OneOf, Shape, TimestampOf } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { DAILY_LIMIT_MAX } from "#domain/mailboxes/account.ts";
import { MAIL_PROVIDERS, type ProviderLimits } from "#domain/mailboxes/mail-provider.ts";
import { pageOf, type Refusals, remedyFor } from "#domain/sending/refusals.ts";
import type { ProviderReport } from "#usecases/mailboxes/provider-report.ts";

export const Refusal = Shape({
  provider: Type.String({
    description:
      "Provider that refuses, or a domain with servers of its own; `*` for all such domains",
    examples: ["google"],
  }),
  refusals: Type.Integer({ minimum: 1, description: "Refusals in a row" }),
  since: TimestampOf("When the first of them came"),
  until: Nullable(
    TimestampOf("When one email is tried again; null while a single refusal stops nothing"),
  ),
  said: Type.String({ description: "What the server said" }),
  remedy: Type.String({ description: "What to do about it" }),
  page: Nullable(Type.String({ description: "Page on which the provider explains its refusals" })),
});

/** As {@link Refusal} has it, its names in camelCase. */
export function refusalOf({ receiver, count, since, until, words }: Refusals) {
  return {
    ...{ provider: receiver, refusals: count, since, until, said: words },
    ...{ remedy: remedyFor(words), page: pageOf(receiver) },
  };
}

const provider = OneOf(MAIL_PROVIDERS, {
  description: "Who runs the recipients' servers; `custom`: anybody else, or not known",
});
const date = (description: string) =>
  Type.String({ format: "date", description, examples: ["2026-03-02"] });

export const ProviderQuery = Shape({
  account_id: Type.Optional(IdOf("Only this account; without it, all")),
  provider: Type.Optional(provider),
  from: Type.Optional(date("First day (UTC); without it, 30 days up to `to`")),
  to: Type.Optional(date("Last day (UTC); without it, today")),
});

export const ProviderList = Shape({
  from: date("First day"),
  to: date("Last day"),
  data: Type.Array(
    Shape({
      account_id: IdOf("The account"),
      provider,
      attempts: Count("Attempts: accepted, deferred, and refused"),
      accepted: Count("Emails that were accepted"),
      deferred: Count("Attempts that were deferred; they are made again"),
      refused: Count("Attempts that were refused"),
      bounced: Count("Of these days' emails, those that bounced"),
      replied: Count("Of these days' emails, those that got a reply"),
      placed: Shape(
        {
          total: Count("Test emails whose folder is known"),
          inbox: Count("Those of them in the inbox"),
        },
        { description: "Placement tests at the provider in these days" },
      ),
      refused_by: Type.Array(Refusal, {
        description:
          "What is stopped now, until when, and why; `POST /accounts/{id}/test` tries again right away",
      }),
    }),
    { description: "One line for each account and provider, accounts oldest first" },
  ),
});

export function presentProviders({ lines, ...days }: ProviderReport): Static<typeof ProviderList> {
  const data = lines.map(({ refusals, ...line }) => {
    return { ...line, refusedBy: refusals.map(refusalOf) };
  });
  return present(ProviderList, { ...days, data });
}

const limitsByProvider: TProperties = Object.fromEntries(
  MAIL_PROVIDERS.filter((name) => name !== "custom").map((name) => [
    name,
    Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: DAILY_LIMIT_MAX,
        description: `Emails per day to recipients at ${name}`,
        examples: [20],
      }),
    ),
  ]),
);

export const LimitsByProvider = Described(
  Type.Unsafe<ProviderLimits>(Shape(limitsByProvider)),
  "Emails of sequences per day to recipients at each provider, within the daily limit; a provider left out has no limit of its own. Replaced as a whole: {} removes all",
  { google: 20, microsoft: 10 },
);
