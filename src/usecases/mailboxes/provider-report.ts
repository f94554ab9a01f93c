/** What recipients' providers make of each mailbox's emails, and which of them it has stopped writing to. */

import { MAIL_PROVIDERS, type MailProvider } from "#domain/mailboxes/mail-provider.ts";
import { invalid } from "#domain/problem.ts";
import { isProvider, type Refusals } from "#domain/sending/refusals.ts";
import { dateFromIso } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { type ProviderCounts, type ProviderSums, providerSums } from "#store/campaigns/figures.ts";
import { accountsOf, findAccount } from "#store/mailboxes/accounts.ts";
import { inboxSharesOf } from "#store/placement/placement-tests.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { utcDate } from "#usecases/campaigns/figures.ts";

/** Days of one report. */
const PROVIDER_DAYS_MAX = 92;
const DAYS_DEFAULT = 30;

export interface ProviderQuery {
  /** Dates, both included. */
  from?: string;
  to?: string;
  accountId?: Id;
  provider?: MailProvider;
}

export interface ProviderLine extends ProviderSums {
  attempts: number;
  /** Placement tests at seed mailboxes of the provider, and how many of them came to the inbox. */
  placed: { total: number; inbox: number };
  refusals: readonly Refusals[];
}

export interface ProviderReport {
  from: string;
  to: string;
  lines: ProviderLine[];
}

/** Throws `validation_error` for another team's account, and for dates that are none. */
export function reportProviders(
  env: Environment,
  caller: Caller,
  query: ProviderQuery,
): ProviderReport {
  const days = rangeOf(env, query);
  const { teamId } = caller;
  const rows =
    query.accountId === undefined
      ? accountsOf(env.db, teamId)
      : [accountOf(env, caller, query.accountId)];
  const whose = query.accountId === undefined ? { teamId } : { accountId: query.accountId };
  const sums = Map.groupBy(providerSums(env.db, whose, days), ({ accountId }) => accountId);
  const lines = rows.flatMap(({ id, refusals }) => {
    const shares = inboxSharesOf(env.db, id, days);
    return MAIL_PROVIDERS.flatMap((provider): ProviderLine[] => {
      const found = sums.get(id)?.find((one) => one.provider === provider);
      const placed = shares.find((one) => one.provider === provider);
      const stops = (refusals ?? []).filter(
        ({ receiver }) => (isProvider(receiver) ? receiver : "custom") === provider,
      );
      if (found === undefined && placed === undefined && stops.length === 0) {
        return [];
      }
      const counts = found ?? { ...NOTHING, accountId: id, provider };
      const attempts = counts.accepted + counts.deferred + counts.refused;
      return [{ ...counts, attempts, placed: placed ?? NOWHERE, refusals: stops }];
    });
  });
  const wanted = lines.filter(({ provider }) => (query.provider ?? provider) === provider);
  return { ...days, lines: wanted };
}

const NOTHING: ProviderCounts = { accepted: 0, deferred: 0, refused: 0, bounced: 0, replied: 0 };
const NOWHERE = { total: 0, inbox: 0 };

function accountOf({ db }: Environment, { teamId }: Caller, id: Id): AccountRow {
  const row = findAccount(db, teamId, id);
  if (row === undefined) {
    throw invalid("account_id", "no such account");
  }
  return row;
}

function rangeOf(env: Environment, query: ProviderQuery): { from: string; to: string } {
  const to = query.to ?? utcDate(env.clock.now());
  const last = dateFromIso(to, "to");
  const first =
    query.from === undefined
      ? last.subtract({ days: DAYS_DEFAULT - 1 })
      : dateFromIso(query.from, "from");
  const length = first.until(last).days + 1;
  if (length < 1) {
    throw invalid("to", "must be on or after from");
  }
  if (length > PROVIDER_DAYS_MAX) {
    throw invalid("from", `must be within ${PROVIDER_DAYS_MAX} days before to`);
  }
  return { from: first.toString(), to: last.toString() };
}
