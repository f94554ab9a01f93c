/** What a person may set of a campaign, checked: its window, its mailboxes, its rules. */

import type { CAMPAIGN_DEFAULTS } from "#domain/campaigns/campaign.ts";
import { checkRules, RULE_WAIT_DAYS, type Rule } from "#domain/campaigns/rule.ts";
import type { Wait } from "#domain/campaigns/step.ts";
import { checkWindow, type SendWindow } from "#domain/campaigns/window.ts";
import { invalidAll, together } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { campaignsOf } from "#store/campaigns/campaigns.ts";
import { findAccount } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";

type Settable = Pick<CampaignRow, keyof typeof CAMPAIGN_DEFAULTS | "name" | "accountIds">;

/** What a person may set, absent where it stays. */
export type CampaignFields = Omit<Readonly<Settable>, "sendWindow" | "accountIds" | "rules"> & {
  sendWindow: Partial<SendWindow>;
  accountIds: readonly Id[];
  rules: readonly (Omit<Rule, keyof Wait> & Partial<Wait>)[];
};

/**
 * `before` with what is `given`. Throws `validation_error` for a window that cannot be, an account or a campaign that
 * is not the team's, and rules that can't be.
 */
export function mergeFields(
  env: Environment,
  caller: Caller,
  before: CampaignRow,
  { sendWindow: window, accountIds: accounts, rules: given, ...fields }: Partial<CampaignFields>,
): CampaignRow {
  const after: CampaignRow = { ...before, ...fields };
  const [sendWindow, accountIds, rules] = together(
    () => mergeWindow(before.sendWindow, window),
    () => (accounts ? checkAccounts(env, caller, accounts, before.accountIds) : before.accountIds),
    () => (given ? readRules(env, caller, after, given) : before.rules),
  );
  return { ...after, sendWindow, accountIds, rules };
}

function mergeWindow(base: SendWindow, change: Partial<SendWindow> | undefined): SendWindow {
  const window = { ...base, ...change };
  checkWindow(window);
  return window;
}

/** Ids that the campaign has already may stay, also of accounts that are gone. */
function checkAccounts(
  env: Environment,
  caller: Caller,
  ids: readonly Id[],
  held: readonly Id[],
): Id[] {
  const unique = [...new Set(ids.map((id) => id.toLowerCase()))];
  const [first, ...others] = [...unique.entries()]
    .filter(([, id]) => !held.includes(id) && findAccount(env.db, caller.teamId, id) === undefined)
    .map(([index]) => {
      return { field: `account_ids.${index}`, message: "no such account", didYouMean: null };
    });
  if (first !== undefined) {
    throw invalidAll([first, ...others]);
  }
  return unique;
}

function readRules(
  env: Environment,
  caller: Caller,
  own: CampaignRow,
  given: CampaignFields["rules"],
): Rule[] {
  const rules = given.map((rule) => ({
    waitDays: RULE_WAIT_DAYS,
    waitMinutes: 0,
    ...rule,
    campaignId: rule.campaignId.toLowerCase(),
  }));
  if (rules.length > 0) {
    const others = new Map(campaignsOf(env.db, caller.teamId).map((row) => [row.id, row]));
    checkRules({ ...own, rules }, others);
  }
  return rules;
}
