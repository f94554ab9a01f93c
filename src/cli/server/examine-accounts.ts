/** `outrider doctor --accounts`: whether every mailbox lets us in, step by step. Sends no mail. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "#config/config.ts";
import type { ConnectionStep } from "#domain/mailboxes/connection-step.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { World } from "#world.ts";
import type { Finding } from "./examine.ts";
import { withWorlds } from "./worlds.ts";

/** Mailboxes that are tried at the same time. */
const AT_ONCE = 8;

/** One finding for each live account that is not switched off. */
export async function examineAccounts(config: Config): Promise<Finding[]> {
  if (!existsSync(join(config.dataDir, "live.db"))) {
    return [{ check: "accounts", verdict: "ok", detail: "there are none yet" }];
  }
  const { listTeams } = await import("#store/team/teams.ts");
  const { accountsOf } = await import("#store/mailboxes/accounts.ts");
  return await withWorlds(config, async ({ live }) => {
    const accounts = listTeams(live.db)
      .flatMap((team) => accountsOf(live.db, team.id))
      .filter(({ status }) => status !== "disabled");
    const findings: Finding[] = [];
    for (let from = 0; from < accounts.length; from += AT_ONCE) {
      const batch = accounts.slice(from, from + AT_ONCE);
      findings.push(...(await Promise.all(batch.map((account) => examined(live, account)))));
    }
    return findings.length > 0
      ? findings
      : [{ check: "accounts", verdict: "ok", detail: "there are none" }];
  });
}

async function examined(live: World, account: AccountRow): Promise<Finding> {
  const { inspectAccount } = await import("#usecases/sending/account-test.ts");
  const check = `account ${account.email}`;
  const { steps } = await inspectAccount(live, account);
  const failed = steps.filter(({ ok }) => ok === false);
  return failed.length === 0
    ? { check, verdict: "ok", detail: "both servers let us in" }
    : { check, verdict: "fault", detail: failed.map(worded).join(" ") };
}

function worded({ step, message, remedy }: ConnectionStep): string {
  return `${step}: ${message}.${remedy === null ? "" : ` ${remedy}`}`;
}
