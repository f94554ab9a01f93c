/** One change to many leads of a campaign, as many calls as it takes. */

import type { ChangeCampaignLeadsRequest } from "#client.ts";
import { api } from "../../lib/api.ts";

/** Leads that one call changes (the API's bound). */
const BULK_MAX = 500;

interface Changed {
  changed: number;
  skipped: number;
  /** Why nothing is sent to them. */
  warning?: string | undefined;
}

/** Changes all that a filter finds, or those that are named; `onProgress` hears how many were looked at. */
export async function changeAll(
  id: string,
  change: ChangeCampaignLeadsRequest,
  onProgress: (done: number) => void = () => undefined,
): Promise<Changed> {
  const sum: Changed = { changed: 0, skipped: 0 };
  const run = async (part: Partial<ChangeCampaignLeadsRequest>): Promise<string | null> => {
    const answer = await api().changeCampaignLeads({ id, body: { ...change, ...part } });
    sum.changed += answer.changed;
    sum.skipped += answer.skipped;
    sum.warning ??= answer.warning;
    onProgress(sum.changed + sum.skipped);
    return answer.next_cursor;
  };
  const { lead_ids: ids } = change;
  if (ids !== undefined) {
    for (let from = 0; from < ids.length; from += BULK_MAX) {
      await run({ lead_ids: ids.slice(from, from + BULK_MAX) });
    }
    return sum;
  }
  for (let after = await run({}); after !== null; ) {
    after = await run({ after });
  }
  return sum;
}
