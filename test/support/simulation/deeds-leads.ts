/** What people do with those whom they write to: stop, change, erase, decide. */

import { slotsOf } from "#domain/campaigns/counters.ts";
import { HOUR_MS, plus } from "#domain/time.ts";
import { currentStepOf, stepsOf } from "#store/campaigns/steps.ts";
import { inboundOf } from "#store/inbox/inbound.ts";
import { leadByEmail } from "#store/leads/leads.ts";
import { messageByHeader, messagesOf } from "#store/sending/messages.ts";
import { bytesToId, idToBytes } from "#store/sqlite/columns.ts";
import {
  patchCampaignLead,
  removeCampaignLead,
  resolveCampaignLead,
} from "#usecases/leads/campaign-leads.ts";
import { deleteLead, patchLead } from "#usecases/leads/leads.ts";
import { suppress } from "#usecases/leads/suppressions.ts";
import { patchTask } from "#usecases/leads/tasks.ts";
import { unsubscribeByMessage } from "#usecases/leads/unsubscribe.ts";
import { goneName } from "./chronicle.ts";
import { lineOf, recordProgress, recordStand } from "./lines.ts";
import { ask, type Deed, leadsOf, type Selected, type Stage, someLead, write } from "./stage.ts";
import { ZONES } from "./team.ts";

export const suppressSomebody: Deed = async (stage) => {
  const selected = someLead(stage);
  const { draw, caller, chronicle } = stage.team;
  if (selected === null) {
    return;
  }
  const { email: address } = selected.lead;
  const isDomain = draw.chance(0.08);
  const email = isDomain ? address.slice(address.indexOf("@")) : address;
  if (await write(stage, (env) => suppress(env, caller, { email, reason: "manual" }))) {
    chronicle.note("suppressed", email);
  }
};

/** The public page's button. */
export const unsubscribeSomebody: Deed = async (stage) => {
  const { chronicle, draw } = stage.team;
  const mails = chronicle.handed.filter(({ delivered }) => delivered);
  if (mails.length === 0) {
    return;
  }
  const mail = draw.pick(mails);
  const row = messageByHeader(stage.process.env.db, mail.messageId);
  if (row === undefined) {
    return;
  }
  let email = "";
  await write(stage, (env) => {
    email = unsubscribeByMessage(env, row.id)?.email ?? "";
  });
  if (email !== "") {
    chronicle.note("suppressed", email);
  }
};

export const changeLead: Deed = async (stage) => {
  const selected = someLead(stage);
  const { draw, caller } = stage.team;
  const patch = draw.pick([
    { timezone: draw.chance(0.3) ? null : draw.pick(ZONES) },
    { variables: { city: draw.chance(0.3) ? null : "Turin" } },
    { firstName: draw.chance(0.5) ? null : "Robin" },
  ]);
  if (selected !== null) {
    await write(stage, (env) => patchLead(env, caller, selected.lead.leadId, patch));
  }
};

export const stopLead: Deed = async (stage) => {
  const selected = someLead(stage);
  const { draw, caller, chronicle } = stage.team;
  if (selected === null) {
    return;
  }
  const { mark, campaignId, lead } = selected;
  const status = draw.pick(["paused", "paused", "completed", "unsubscribed"] as const);
  const isDone = await write(stage, (env) =>
    patchCampaignLead(env, caller, campaignId, lead.id, { status }),
  );
  // What it is already it stays: that is no word of a person, and no pause of one who is away until a date.
  if (isDone && status !== lead.status) {
    const kind = ({ paused: "paused", completed: "stopped", unsubscribed: "suppressed" } as const)[
      status
    ];
    chronicle.note(kind, status === "unsubscribed" ? lead.email : `${mark}:${lead.email}`);
  }
};

export const moveLead: Deed = async (stage) => {
  const selected = someLead(stage);
  const { draw, caller, chronicle } = stage.team;
  if (selected === null) {
    return;
  }
  const { mark, campaignId, lead } = selected;
  const { env } = stage.process;
  const patch = draw.pick([
    { currentStep: draw.int(0, stepsOf(env.db, campaignId).length) },
    { nextAttemptAt: plus(env.clock.now(), draw.int(-10, 100) * HOUR_MS) },
    { status: "active" as const },
    { interest: draw.pick(["interested", "not_interested", null] as const) },
  ]);
  if (patch.nextAttemptAt !== undefined || patch.status !== undefined) {
    chronicle.note("resumed", `${mark}:${lead.email}`);
  }
  recordProgress(env.db.raw, chronicle);
  const stepBefore = currentStepOf(env.db, lead);
  const isDone = await write(stage, (now) =>
    patchCampaignLead(now, caller, campaignId, lead.id, patch),
  );
  const who = `${mark}:${lead.email}`;
  if (patch.nextAttemptAt !== undefined) {
    recordStand(chronicle, { kind: "booked", who, place: null });
  }
  // To the step where it is already nobody is moved, and what waits there goes on to wait.
  if (isDone && patch.currentStep !== undefined && patch.currentStep !== stepBefore) {
    const steps = lineOf(chronicle, mark).filter(({ isLeft }) => !isLeft);
    recordStand(chronicle, { kind: "moved", who, place: steps[patch.currentStep - 1] ?? null });
  }
};

export const removeLead: Deed = async (stage) => {
  const selected = someLead(stage);
  const { caller, chronicle } = stage.team;
  if (selected === null) {
    return;
  }
  const { mark, campaignId, lead } = selected;
  const isDone = await write(stage, (env) => removeCampaignLead(env, caller, campaignId, lead.id));
  const isWritten = chronicle.handed.some(
    ({ campaign, to }) => campaign === mark && to === lead.email,
  );
  if (isDone && isWritten) {
    chronicle.note("stopped", `${mark}:${lead.email}`);
  }
  if (leadsOf(stage, campaignId).every(({ id }) => id !== lead.id)) {
    recordStand(chronicle, { kind: "anew", who: `${mark}:${lead.email}`, place: null });
  }
};

/** Erases a person. Who comes again under the same address is somebody else to the chronicle. */
export const eraseLead: Deed = async (stage) => {
  const selected = someLead(stage);
  const { caller, chronicle } = stage.team;
  if (selected === null) {
    return;
  }
  const { leadId, email } = selected.lead;
  const { db } = stage.process.env;
  const before = [...chronicle.marks.values()].flatMap((campaignId) =>
    leadsOf(stage, campaignId)
      .filter((row) => row.leadId === leadId)
      .map(({ id, status }) => {
        const kinds = inboundOf(db, id).map(({ kind }) => kind);
        const [replied, autoReplied] = [kinds.includes("reply"), kinds.includes("auto_reply")];
        return { campaignId, status, replied, autoReplied };
      }),
  );
  await ask(stage, (env) => deleteLead(env, caller, leadId));
  if (leadByEmail(stage.process.env.db, caller.teamId, email) !== undefined) {
    return;
  }
  chronicle.erased.push(...before);
  const gone = goneName(chronicle.next(), email);
  for (const mail of chronicle.handed) {
    if (mail.to === email) {
      mail.to = gone;
    }
  }
  chronicle.zones.set(gone, chronicle.zones.get(email) ?? []);
  chronicle.zones.delete(email);
  for (const fact of chronicle.facts) {
    if (fact.kind !== "suppressed" && fact.about.endsWith(`:${email}`)) {
      fact.about = fact.about.replace(email, gone);
    }
  }
  for (const stand of chronicle.stands) {
    if (stand.who.endsWith(`:${email}`)) {
      stand.who = stand.who.replace(email, gone);
    }
  }
};

/** Does what a lead that is held waits for. */
export const resolveHold: Deed = async (stage) => {
  const selected = someLead(stage, ({ holdReason }) => holdReason !== null);
  if (selected !== null) {
    await resolve(stage, selected);
  }
};

export async function resolve(stage: Stage, { mark, campaignId, lead }: Selected): Promise<void> {
  const { caller, draw, chronicle } = stage.team;
  switch (lead.holdReason) {
    case "task": {
      const task = stage.process.env.db.raw
        .query<{ id: Uint8Array }, [Uint8Array]>(
          "select id from tasks where enrollment_id = ? and done_at is null",
        )
        .get(idToBytes(lead.id));
      if (task !== null) {
        const id = bytesToId(task.id);
        await write(stage, (env) => patchTask(env, caller, id, { done: true }));
      }
      return;
    }
    case "missing_variable":
      await write(stage, (env) =>
        patchLead(env, caller, lead.leadId, { variables: { city: "Porto" } }),
      );
      return;
    case "unknown_send": {
      const message = messagesOf(stage.process.env.db, lead.id).findLast(
        ({ status }) => status === "unknown",
      );
      const action = draw.pick(["treat_as_sent", "send_again"] as const);
      if (message === undefined) {
        return;
      }
      chronicle.decided.add(`${mark}:${lead.email}`);
      chronicle.note(action === "send_again" ? "again" : "believed", message.messageId);
      await write(stage, (env) =>
        resolveCampaignLead(env, caller, campaignId, lead.id, { action }),
      );
      const after = messagesOf(stage.process.env.db, lead.id).find(({ id }) => id === message.id);
      if (action === "send_again" && after !== undefined && after.status !== "unknown") {
        const { reserved, claimedAt } = message;
        chronicle.doubted.push(...reserved, ...slotsOf(reserved, claimedAt));
      }
      return;
    }
    case "account_gone":
      if (
        await write(stage, (env) =>
          patchCampaignLead(env, caller, campaignId, lead.id, { status: "completed" }),
        )
      ) {
        chronicle.note("stopped", `${mark}:${lead.email}`);
      }
      return;
    default:
  }
}
