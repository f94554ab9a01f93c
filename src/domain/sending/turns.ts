/**
 * Which campaign a mailbox serves next. Those offering what they prefer (follow-ups, unless a campaign puts
 * new leads first) go before the others; among equals the next campaign after the one served last among
 * them. Each of the two groups has a turn of its own: one turn for both would let a trickle of follow-ups
 * send the new leads' turn back to the same campaign for ever.
 *
 * Source: ours; round robin with one message a turn is deficit round robin with packets of one size.
 */

import type { PlanAccount } from "./budget.ts";
import type { Candidate, PlanCampaign } from "./ledger.ts";

/** The mailbox's turns after a send: part of a {@link PlanAccount}. */
export type Turns = Pick<PlanAccount, "lastCampaignId" | "lastOtherCampaignId">;

/** What a campaign has to send now. */
interface Offers {
  campaign: PlanCampaign;
  followUp: Candidate | undefined;
  fresh: Candidate | undefined;
}

interface Offer {
  campaign: PlanCampaign;
  candidate: Candidate;
}

/** Whom the mailbox serves, and its turns after that; undefined where nobody offers anything. */
export function choose(
  { lastCampaignId, lastOtherCampaignId }: Turns,
  looks: readonly Offers[],
): (Offer & { turns: Turns }) | undefined {
  const preferred = offersOf(looks, ({ campaign, followUp, fresh }) =>
    campaign.priority === "follow_ups" ? followUp : fresh,
  );
  const first = nextInTurn(preferred, lastCampaignId);
  if (first !== undefined) {
    return { ...first, turns: { lastCampaignId: first.campaign.id, lastOtherCampaignId } };
  }
  const others = offersOf(looks, ({ campaign, followUp, fresh }) =>
    campaign.priority === "follow_ups" ? fresh : followUp,
  );
  const other = nextInTurn(others, lastOtherCampaignId);
  return other && { ...other, turns: { lastCampaignId, lastOtherCampaignId: other.campaign.id } };
}

function offersOf(
  looks: readonly Offers[],
  pick: (look: Offers) => Candidate | undefined,
): readonly Offer[] {
  return looks.flatMap((look) => {
    const candidate = pick(look);
    return candidate === undefined ? [] : [{ campaign: look.campaign, candidate }];
  });
}

/** The first campaign in id order after the one served last, around the end. */
function nextInTurn(offers: readonly Offer[], last: string | null): Offer | undefined {
  return offers.find(({ campaign }) => last !== null && campaign.id > last) ?? offers[0];
}
