/** What people do with campaigns and mailboxes while they run. */

import { WEEKDAYS } from "#domain/campaigns/window.ts";
import { accountsOf } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { moveCampaign, patchCampaign } from "#usecases/campaigns/campaigns.ts";
import { patchAccount } from "#usecases/mailboxes/accounts.ts";
import { deleteAccount } from "#usecases/operations/account-removal.ts";
import { ask, type Deed, type Stage, someAccount, someCampaign, write } from "./stage.ts";
import { importSome, ZONES } from "./team.ts";

export const pauseCampaign: Deed = async (stage) => {
  const { id } = someCampaign(stage);
  const { draw, caller, chronicle } = stage.team;
  const status = draw.chance(0.2) ? "archived" : "paused";
  if (await write(stage, (env) => moveCampaign(env, caller, id, status))) {
    chronicle.note("paused", id);
  }
};

export const resumeCampaign: Deed = async (stage) => {
  const { id, row } = someCampaign(stage);
  const { caller, chronicle } = stage.team;
  const move = (status: "paused" | "active") =>
    write(stage, (env) => moveCampaign(env, caller, id, status));
  if (row.status === "archived") {
    await move("paused");
  }
  if (row.status === "archived" || row.status === "paused") {
    chronicle.note("resumed", id);
    await move("active");
  }
};

export const changeCampaign: Deed = async (stage) => {
  const { id, row } = someCampaign(stage);
  const { draw, caller } = stage.team;
  const accounts = accountsOf(stage.process.env.db, caller.teamId).map((account) => account.id);
  const startHour = draw.int(0, 20);
  const days = draw.some(WEEKDAYS, 0.7);
  const patch = draw.pick([
    { maxLeadsPerDay: draw.int(1, 20) },
    { dailyLimit: draw.pick([null, 1, 5, 20]) },
    { maxPerDomainPerDay: draw.pick([null, 1, 2]) },
    { priority: draw.pick(["follow_ups", "new_leads"] as const) },
    { stopOnReply: draw.chance(0.5) },
    { stopCompanyOnReply: draw.chance(0.5) },
    { accountIds: draw.some(accounts, 0.6) },
    {
      sendWindow: {
        timezone: row.sendWindow.timezone,
        startHour,
        endHour: draw.int(startHour + 1, 24),
        days: days.length === 0 ? [WEEKDAYS[1]] : days,
      },
    },
  ]);
  await write(stage, (env) => patchCampaign(env, caller, id, patch));
};

export const pauseAccount: Deed = async (stage) => {
  const account = someAccount(stage);
  const { draw, caller, chronicle } = stage.team;
  const status = draw.pick(["paused", "paused", "disabled"] as const);
  // Paused by its health it stays so, and goes on by itself: asking for what is there is no change.
  if (
    account !== null &&
    account.status !== status &&
    (await write(stage, (env) => patchAccount(env, caller, account.id, { status })))
  ) {
    chronicle.note("paused", account.id);
  }
};

/** Gives an account that is paused or failing another try, with a password that is right. */
export const fixAccount: Deed = async (stage) => {
  const account = someAccount(stage);
  if (account !== null) {
    await mend(stage, account.id);
  }
};

export async function mend(stage: Stage, id: Id): Promise<void> {
  const { caller, chronicle } = stage.team;
  const login = { password: `mended ${chronicle.next()}` };
  stage.internet.locked.delete(id);
  chronicle.note("resumed", id);
  await write(stage, (env) =>
    patchAccount(env, caller, id, { status: "active", smtp: login, imap: login }),
  );
}

export const lockAccount: Deed = async (stage) => {
  const account = someAccount(stage);
  if (account !== null) {
    stage.internet.locked.add(account.id);
  }
};

export const changeAccount: Deed = async (stage) => {
  const account = someAccount(stage);
  const { draw, caller } = stage.team;
  const patch = draw.pick([
    { dailyLimit: draw.int(0, 20) },
    { hourlyLimit: draw.int(1, 10) },
    {
      providerLimits: draw.chance(0.3) ? {} : { google: draw.int(1, 4), microsoft: draw.int(1, 4) },
    },
    { minGapSeconds: draw.int(0, 900), maxGapSeconds: null },
    { ramp: draw.chance(0.5) ? null : { start: draw.int(1, 5), increment: draw.int(0, 3) } },
    { displayName: "Somebody Else" },
  ]);
  if (account !== null) {
    await write(stage, (env) => patchAccount(env, caller, account.id, patch));
  }
};

/** Of a mailbox or of a campaign. */
export const changeZone: Deed = async (stage) => {
  const { draw, caller } = stage.team;
  const timezone = draw.pick(ZONES);
  const account = draw.chance(0.5) ? someAccount(stage) : null;
  if (account !== null) {
    await write(stage, (env) => patchAccount(env, caller, account.id, { timezone }));
    return;
  }
  const { id } = someCampaign(stage);
  await write(stage, (env) => patchCampaign(env, caller, id, { sendWindow: { timezone } }));
};

export const removeAccount: Deed = async (stage) => {
  const account = someAccount(stage);
  const { caller, chronicle } = stage.team;
  if (account === null || accountsOf(stage.process.env.db, caller.teamId).length < 3) {
    return;
  }
  if (await ask(stage, (env) => deleteAccount(env, caller, account.id))) {
    chronicle.note("paused", account.id);
  }
};

export const importMore: Deed = async (stage) => {
  const { id } = someCampaign(stage);
  const { draw } = stage.team;
  await ask(stage, (env) => importSome(env, stage.team, id, draw.int(1, 8)));
};
