/** What people do with the steps of a campaign while it runs. */

import { stepsOf } from "#store/campaigns/steps.ts";
import { createStep, deleteStep, patchStep } from "#usecases/leads/steps.ts";
import { recordDeleted, recordInserted, recordMoved, recordProgress, recordWait } from "./lines.ts";
import { type Deed, type Stage, someCampaign, write } from "./stage.ts";
import { drawBody, drawStep } from "./team.ts";

/** More of them would take a run too much time. */
const STEPS_MAX = 6;

/** Between two rounds. */
const EDITS_MAX = 2;

/** How many edits there were. */
export async function editSequences(stage: Stage): Promise<number> {
  const edits = stage.team.draw.int(0, EDITS_MAX);
  for (let left = edits; left > 0; left -= 1) {
    await editSequence(stage);
  }
  return edits;
}

/** Inserts, moves or deletes a step, or changes its wait. */
const editSequence: Deed = async (stage) => {
  const { mark, id } = someCampaign(stage);
  const { draw, caller, chronicle } = stage.team;
  recordProgress(stage.process.env.db.raw, chronicle);
  const steps = stepsOf(stage.process.env.db, id);
  const kind = draw.pick(["insert", "move", "move", "delete", "wait"] as const);
  if (kind === "insert" || steps.length < 2) {
    const position = draw.int(1, steps.length + 1);
    const type = stage.team.style.tasks && draw.chance(0.12) ? "task" : "email";
    if (steps.length < STEPS_MAX) {
      await write(stage, (env) => {
        // Asked again over a death it may become two steps, each with a mark of its own.
        const fields = { ...drawStep(stage.team, mark), type, position } as const;
        return createStep(env, caller, id, fields);
      });
      recordInserted(stage.process.env, chronicle, mark);
    }
    return;
  }
  const step = draw.pick(steps);
  const [position, waitDays] = [draw.int(1, steps.length), draw.int(0, 5)];
  switch (kind) {
    case "delete":
      // Asked again over a death it may be gone already.
      await write(stage, (env) => deleteStep(env, caller, id, step.id));
      recordDeleted(chronicle, mark, step.id);
      return;
    case "move":
      await write(stage, (env) => patchStep(env, caller, id, step.id, { position }));
      recordMoved(chronicle, mark, step.id, position);
      return;
    default:
      await write(stage, (env) => patchStep(env, caller, id, step.id, { waitDays }));
      recordWait(chronicle, mark, step.id, waitDays);
  }
};

export const changeStep: Deed = async (stage) => {
  const { id } = someCampaign(stage);
  const { draw, caller, style } = stage.team;
  const steps = stepsOf(stage.process.env.db, id);
  if (steps.length === 0) {
    return;
  }
  const step = draw.pick(steps);
  const stepMark = /\[\[[^\]]*\]\]/.exec(step.body ?? "")?.[0] ?? "";
  const patch = draw.pick([
    { body: drawBody(draw, stepMark, style.holes) },
    { subject: draw.chance(0.5) ? null : "Another subject" },
  ]);
  await write(stage, (env) => patchStep(env, caller, id, step.id, patch));
};
