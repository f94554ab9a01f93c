/**
 * Whether it pays to write to a provider's recipients from mailboxes at that provider, by what placement tests found.
 *
 * A mailbox that takes such a lead leaves another one to the other mailboxes. So what is gained is how much better it
 * does there than they do, less how much better it does elsewhere: nothing, where it's simply the better mailbox.
 *
 * Source: ours; the interval of the difference of two differences is put together from theirs as Newcombe 1998 does.
 */

import { newcombe } from "#domain/experiments/stats/intervals.ts";
import { MAIL_PROVIDERS, type MailProvider } from "#domain/mailboxes/mail-provider.ts";

/** Tests of one mailbox at seeds of one provider. */
export interface PairShare {
  /** The provider of the mailbox. */
  from: MailProvider;
  provider: MailProvider;
  total: number;
  inbox: number;
}

interface Share {
  total: number;
  inbox: number;
}

export interface MatchGain {
  provider: MailProvider;
  /** At seeds of the provider: from mailboxes there, and from the others. */
  own: Share;
  others: Share;
}

const NAMED = MAIL_PROVIDERS.filter((provider) => provider !== "custom");
/** Five in a hundred, shared by the providers that are looked at. */
const LEVEL = 1 - 0.05 / NAMED.length;

/** The providers where matching pays beyond what may be chance. */
export function matchGains(shares: readonly PairShare[]): MatchGain[] {
  return NAMED.flatMap((provider) => {
    const sumOf = (isOwn: boolean, isThere: boolean): Share => {
      const cell = shares.filter(
        (one) => (one.from === provider) === isOwn && (one.provider === provider) === isThere,
      );
      return {
        total: cell.reduce((sum, { total }) => sum + total, 0),
        inbox: cell.reduce((sum, { inbox }) => sum + inbox, 0),
      };
    };
    const [own, others] = [sumOf(true, true), sumOf(false, true)];
    const there = betterBy(own, others);
    const elsewhere = betterBy(sumOf(true, false), sumOf(false, false));
    const gain = there.diff - elsewhere.diff;
    const least = gain - Math.hypot(there.diff - there.lower, elsewhere.upper - elsewhere.diff);
    return least > 0 ? [{ provider, own, others }] : [];
  });
}

/** By how much more of `a` than of `b` is in the inbox. */
function betterBy(a: Share, b: Share) {
  return newcombe({ xA: b.inbox, nA: b.total, xB: a.inbox, nB: a.total, level: LEVEL });
}
