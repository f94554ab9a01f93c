/** The step that a sent email was made from, and the way to what the step said then. */

import { to } from "../lib/route.ts";
import { can } from "../lib/session.ts";

interface Origin {
  campaign_id: string | null;
  step_id: string | null;
  step_position: number | null;
  step_revision: number | null;
}

export function MadeFrom({ mail }: { mail: Origin }) {
  const { campaign_id: campaign, step_id: step, step_revision: revision } = mail;
  const name = mail.step_position === null ? "Written by hand" : `Step ${mail.step_position}`;
  return campaign !== null && step !== null && revision !== null && can("audit:read") ? (
    <a
      href={to(`campaigns/${campaign}/sequence?step=${step}&history=r${revision}`)}
      title="Show the text it was made from"
    >
      {name}
    </a>
  ) : (
    <span>{name}</span>
  );
}
