/** Where deeds are done, how a person asks for one, and whom or what it is about. */

import { Problem } from "#domain/problem.ts";
import type { Environment } from "#environment.ts";
import { isStorageTrouble } from "#store/campaigns/trouble.ts";
import { type CampaignLead, listCampaignLeads } from "#store/leads/campaign-leads.ts";
import { accountsOf } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Internet } from "./internet.ts";
import { DEATH } from "./life.ts";
import type { Process } from "./process.ts";
import { campaignsOf, type Team } from "./team.ts";

/** Where deeds are done. `process` changes when one dies over a deed. */
export interface Stage {
  team: Team;
  internet: Internet;
  process: Process;
  /** Starts the next process after the death of one. */
  revive(): Promise<void>;
}

export type Deed = (stage: Stage) => Promise<void>;

/** Times that somebody asks again because nobody answered. */
const ASKS_MAX = 20;

/** Asks until it is answered. False: refused with a reason. */
export async function ask(
  stage: Stage,
  deed: (env: Environment) => Promise<unknown> | unknown,
): Promise<boolean> {
  for (let asks = 0; asks < ASKS_MAX; asks += 1) {
    try {
      const { process } = stage;
      const answer = await process.run(async () => {
        await deed(process.env);
      });
      if (answer !== DEATH) {
        return true;
      }
    } catch (error) {
      if (error instanceof Problem) {
        return false;
      }
      if (isStorageTrouble(error)) {
        continue;
      }
      throw error;
    }
    await stage.revive();
  }
  throw new Error("nobody answers");
}

export function write(stage: Stage, deed: (env: Environment) => unknown): Promise<boolean> {
  return ask(stage, (env) => env.commit(() => deed(env)));
}

export function someCampaign({ team, process }: Stage) {
  const [mark, id] = team.draw.pick([...team.chronicle.marks]);
  const row = campaignsOf(process.env, team).find((one) => one.id === id)!;
  return { mark, id, row };
}

export function someAccount({ team, process }: Stage) {
  const accounts = accountsOf(process.env.db, team.caller.teamId);
  return accounts.length === 0 ? null : team.draw.pick(accounts);
}

export function leadsOf({ process }: Stage, campaignId: Id): CampaignLead[] {
  const range = { limit: 10_000, offset: 0 };
  return listCampaignLeads(process.env.db, campaignId, {}, range).rows;
}

/** A lead of a campaign. */
export interface Selected {
  mark: string;
  campaignId: Id;
  lead: CampaignLead;
}

export function someLead(
  stage: Stage,
  fits: (lead: CampaignLead) => boolean = () => true,
): Selected | null {
  const { mark, id } = someCampaign(stage);
  const leads = leadsOf(stage, id).filter(fits);
  return leads.length === 0 ? null : { mark, campaignId: id, lead: stage.team.draw.pick(leads) };
}
