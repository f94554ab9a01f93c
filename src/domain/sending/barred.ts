/**
 * Whom a mailbox doesn't write to for now: providers that refuse it or whose limit it has reached, and those whose new
 * leads it leaves to mailboxes of theirs.
 *
 * Source: ours.
 */

import { type LocalDay, localDay } from "#domain/campaigns/local-day.ts";
import { type MailProvider, UNKNOWN_PROVIDER } from "#domain/mailboxes/mail-provider.ts";
import { earlier, type UnixMs } from "#domain/time.ts";
import { type PlanAccount, takesNewLeads } from "./budget.ts";
import { type Barred, isBarred, type Ledger, type PlanCampaign } from "./ledger.ts";
import { isProvider, isStopped } from "./refusals.ts";

/** Whom the mailbox doesn't write to for now, and when the first of them may be written to again. */
export interface Bar extends Barred {
  until: UnixMs | undefined;
}

export function refusedAt({ refusals }: Pick<PlanAccount, "refusals">, now: UnixMs): Bar {
  const stops = refusals.filter((one) => isStopped(one, now));
  const receivers = stops.map(({ receiver }) => receiver);
  const until = stops.reduce<UnixMs | undefined>(
    (least, stop) => earlier(least, stop.until ?? undefined),
    undefined,
  );
  const domains = receivers.filter((one) => !isProvider(one));
  return { domains, providers: receivers.filter(isProvider), unknown: false, until };
}

/** A domain that may be any provider's counts against each limit, and waits while one is reached. */
export function limitedAt(
  ledger: Ledger,
  { id: owner, providerLimits }: PlanAccount,
  day: LocalDay,
): Bar {
  const count = (provider: string) =>
    ledger.count({ kind: "account_provider", owner, bucket: `${day.date}:${provider}` });
  const providers = Object.entries(providerLimits)
    .filter(([provider, limit]) => count(provider) + count(UNKNOWN_PROVIDER) >= limit)
    .map(([provider]) => provider);
  const unknown = providers.length > 0;
  return { domains: [], providers, unknown, until: unknown ? day.to : undefined };
}

/** True where the mailbox's limits let it write to nobody at `domain` now. */
export function isLimited(
  ledger: Ledger,
  account: PlanAccount,
  domain: string,
  now: UnixMs,
): boolean {
  const limited = limitedAt(ledger, account, localDay(account.zone, now));
  return isBarred(limited, domain, ledger.receiverOf);
}

/** What is asked of a mailbox to know whose new leads it takes. */
export type MatchedMailbox = Pick<
  PlanAccount,
  | "domain"
  | "server"
  | "sendable"
  | "fails"
  | "healthScore"
  | "dailyLimit"
  | "hourlyLimit"
  | "refusals"
>;

/** The server that it sends through says who runs a mailbox, and where that is nobody's known, its domain. */
export function providerOfMailbox(
  { domain, server }: Pick<MatchedMailbox, "domain" | "server">,
  receiverOf: Ledger["receiverOf"],
): MailProvider {
  return server === "custom" ? receiverOf(domain).provider : server;
}

/**
 * Providers whose new leads the mailbox leaves to others of the campaign: such as run a mailbox that can start leads
 * there, now or once a limit of it ends. Where leads wait for theirs, they wait for one in error too, so that a lapsed
 * password doesn't have them written to from elsewhere.
 */
export function leftToOthers(
  ledger: Ledger,
  account: MatchedMailbox,
  { id, matching }: PlanCampaign,
  now: UnixMs,
): MailProvider[] {
  if (matching === "off") {
    return [];
  }
  const own = providerOfMailbox(account, ledger.receiverOf);
  const found = new Set<MailProvider>();
  for (const other of ledger.mailboxesOf(id)) {
    const provider = providerOfMailbox(other, ledger.receiverOf);
    const isNamed = provider !== "custom" && provider !== own;
    if (isNamed && (other.sendable || (other.fails && matching === "only"))) {
      const hasCapacity = other.dailyLimit > 0 && other.hourlyLimit > 0 && takesNewLeads(other);
      const isRefused = refusedAt(other, now).providers.includes(provider);
      if (hasCapacity && !isRefused) {
        found.add(provider);
      }
    }
  }
  return [...found];
}

/** True where new leads at `provider` wait for other mailboxes of the campaign. */
export function waitsForOthers(
  ledger: Ledger,
  account: PlanAccount,
  at: { campaignId: string; provider: MailProvider; now: UnixMs },
): boolean {
  const campaign = ledger.campaignsOf(account.id).find(({ id }) => id === at.campaignId);
  return (
    campaign?.matching === "only" &&
    leftToOthers(ledger, account, campaign, at.now).includes(at.provider)
  );
}
