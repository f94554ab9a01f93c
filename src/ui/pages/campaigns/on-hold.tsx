/** Leads of a campaign that are on hold: how many, why, and what settles all of a group at once. */

import type { Campaign, CampaignDetail, ChangeCampaignLeadsRequest } from "#client.ts";
import { HOLD_REASONS, type HoldReason } from "#domain/campaigns/enrollment.ts";
import { Card } from "../../parts/page.tsx";
import { type Need, Needs, type Remedy } from "../overview/need-list.tsx";
import { changeAll } from "./bulk.ts";
import { FillDialog } from "./fill.tsx";
import { holdNeed } from "./words.ts";

/** What settles all leads of a group, and the question before it; a missing value is asked for. */
const SETTLES: Readonly<
  Record<HoldReason, readonly (readonly [string, ChangeCampaignLeadsRequest["action"], string])[]>
> = {
  missing_variable: [["Add value", "release", ""]],
  unknown_send: [
    ["Count as sent", "treat_as_sent", "The sequences continue with the next step."],
    ["Send again", "send_again", "Leads whose email was delivered after all get it twice."],
  ],
  task: [["Skip tasks", "release", "The sequences continue without them. This can’t be undone."]],
  account_gone: [["End sequences", "complete", "They get no more emails from this campaign."]],
  planning_failed: [["Try again", "release", "They’re scheduled again."]],
  invalid_address: [["Try again", "release", "They’re scheduled again."]],
  risky_address: [["Send anyway", "release", "They’re scheduled again."]],
};

/** One need for each reason; `of` names the campaign where that is not plain. */
export function holdNeeds({ id, on_hold }: Pick<Campaign, "id" | "on_hold">, of = ""): Need[] {
  return HOLD_REASONS.filter((reason) => on_hold[reason] > 0).map((reason) => ({
    id: id + reason,
    about: reason === "task" ? "task" : "lead",
    tone: "warn",
    ...holdNeed(reason, on_hold[reason], of),
    page: `campaigns/${id}/leads?held=${reason}`,
    look: "View leads",
    remedy: SETTLES[reason].map(
      ([name, action, question]): Remedy => ({
        name,
        question,
        done: "They are no longer on hold",
        run: () => changeAll(id, { action, filter: { hold_reason: reason } }),
        ...(question === "" ? { Form: (props) => <FillDialog id={id} {...props} /> } : {}),
      }),
    ),
  }));
}

export function OnHold({ campaign, onDone }: { campaign: CampaignDetail; onDone: () => void }) {
  return campaign.on_hold.total === 0 ? null : (
    <Card span={12} title="Needs attention" flush>
      <Needs label="Leads on hold" needs={holdNeeds(campaign)} reload={onDone} />
    </Card>
  );
}
