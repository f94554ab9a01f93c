/** What a change of a running campaign's steps means for its leads, said before it is made. */

import { useSignal } from "@preact/signals";
import type { CampaignStep } from "#client.ts";
import { AFFECTED_MAX } from "#domain/campaigns/campaign.ts";
import { api } from "../../../lib/api.ts";
import { plural } from "../../../lib/format.ts";
import { Confirm } from "../../../parts/dialog.tsx";
import { toastError } from "../../../parts/toasts.tsx";

const dryRunOf = ({ campaign_id, id }: CampaignStep) => ({
  ...{ id: campaign_id, stepId: id, dry_run: true },
});

/** Dry runs of the changes that the page can make. */
export const foresee = {
  add: async (id: string, type: CampaignStep["type"]) =>
    (await api().createCampaignStep({ id, body: { type }, dry_run: true })).effects,
  move: async (step: CampaignStep, position: number) =>
    (await api().patchCampaignStep({ ...dryRunOf(step), body: { position } })).effects,
  remove: async (step: CampaignStep) => (await api().deleteCampaignStep(dryRunOf(step)))?.effects,
};
export type Effects = Awaited<ReturnType<typeof foresee.add>>;

/** "12 leads will get “Two” next." Empty where nobody is affected. */
export function effectWords(effects: Effects): string {
  // Where counting stopped, any group may have more.
  const more = (effects?.leads ?? 0) >= AFFECTED_MAX ? " or more" : "";
  const sentences = effects?.groups.map(({ leads, next }) => {
    const who = `${plural(leads, "lead")}${more}`;
    return next === null
      ? `${who} will get no further step.`
      : `${who} will get ${named(next)} next.`;
  });
  return sentences?.join(" ") ?? "";
}

function named({ subject, position }: Pick<CampaignStep, "subject" | "position">): string {
  return subject === null ? `step ${position}` : `“${subject}”`;
}

export interface Proposal {
  title: string;
  /** What the button does. */
  action: string;
  foresee: () => Promise<Effects>;
  /** Asked about even where nobody is affected, in these words too. */
  words?: string;
  run: () => void;
}

/** Proposes a change: who is affected is said first, and somebody agrees. */
export function useProposal() {
  const asked = useSignal<(Proposal & { effects: string }) | null>(null);
  const propose = (proposal: Proposal) => {
    proposal
      .foresee()
      .then(effectWords)
      .then((effects) => {
        if (effects === "" && proposal.words === undefined) {
          proposal.run();
        } else {
          asked.value = { ...proposal, effects };
        }
      })
      .catch(toastError);
  };
  const question = asked.value !== null && (
    <Confirm
      title={asked.value.title}
      action={asked.value.action}
      isDanger={asked.value.words !== undefined}
      onConfirm={asked.value.run}
      onClose={() => {
        asked.value = null;
      }}
    >
      {[asked.value.words, asked.value.effects].filter(Boolean).join(" ")}
    </Confirm>
  );
  return { propose, question };
}
