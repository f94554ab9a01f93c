/** What can be done with a campaign as a whole: start, pause, resume, duplicate, archive, delete. */

import { useSignal } from "@preact/signals";
import type { Campaign } from "#client.ts";
import { api } from "../../lib/api.ts";
import { go, place, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { useSubmission } from "../../parts/form/form.tsx";
import { toast, toastError } from "../../parts/toasts.tsx";
import { sayDeleted } from "../restore.ts";
import { ensureSaved } from "./data.ts";

type Move = "pause" | "resume" | "archive";

const DONE: Readonly<Record<Move, string>> = {
  pause: "is paused. No more emails go out",
  resume: "is running again",
  archive: "is archived",
};

async function move(id: string, how: Move): Promise<void> {
  switch (how) {
    case "pause":
      await api().pauseCampaign({ id });
      break;
    case "resume":
      await ensureSaved(id);
      await api().resumeCampaign({ id });
      break;
    case "archive":
      await api().archiveCampaign({ id });
      break;
    default:
      how satisfies never;
  }
}

/** A draft with the same settings, steps and tags, without the leads. Returns its id. */
async function duplicate({ id }: Campaign): Promise<string> {
  await ensureSaved(id);
  return (await api().duplicateCampaign({ id, body: {} })).id;
}

const MOVES: Readonly<Record<Campaign["status"], readonly Move[]>> = {
  draft: ["archive"],
  active: ["pause", "archive"],
  paused: ["resume", "archive"],
  completed: ["archive"],
  archived: [],
};

const NAMES: Readonly<Record<Move, string>> = {
  pause: "Pause",
  resume: "Resume",
  archive: "Archive",
};

/** Buttons for what this campaign can do now; `onDone` loads anew. */
export function CampaignActions(props: {
  campaign: Campaign;
  onDone: () => void;
  isCompact?: boolean;
}) {
  const { campaign, onDone, isCompact } = props;
  const isAsked = useSignal(false);
  const { isBusy, submit } = useSubmission();
  const look = isCompact ? "button compact" : "button";
  const run = (work: () => Promise<void>) => submit(() => work().catch(toastError));
  const drop = async () => {
    const { id, name } = campaign;
    await api().deleteCampaign({ id });
    onDone();
    sayDeleted({ id, name, kind: "campaign" });
  };
  const act = (how: Move) =>
    run(async () => {
      await move(campaign.id, how);
      toast(`${campaign.name} ${DONE[how]}.`);
      onDone();
    });
  if (!can("campaigns:write")) {
    return null;
  }
  return (
    <>
      {campaign.status === "draft" && !place.value.endsWith("/check") && (
        <a class={`${look} primary`} href={to(`campaigns/${campaign.id}/new/check`)}>
          Review and start
        </a>
      )}
      {MOVES[campaign.status].map((how) => (
        <button
          key={how}
          type="button"
          class={how === "resume" ? `${look} primary` : look}
          disabled={isBusy}
          onClick={() => {
            if (how === "archive") {
              isAsked.value = true;
            } else {
              act(how);
            }
          }}
        >
          {NAMES[how]}
        </button>
      ))}
      <button
        type="button"
        class={look}
        disabled={isBusy}
        onClick={() =>
          run(async () => {
            const id = await duplicate(campaign);
            toast(`${campaign.name} duplicated without its leads.`);
            go(to(`campaigns/${id}`));
          })
        }
      >
        Duplicate
      </button>
      {campaign.status === "draft" && (
        <button type="button" class={`${look} danger`} disabled={isBusy} onClick={() => run(drop)}>
          Delete
        </button>
      )}
      {isAsked.value && (
        <Confirm
          title={`Archive ${campaign.name}?`}
          action="Archive campaign"
          onConfirm={() => act("archive")}
          onClose={() => {
            isAsked.value = false;
          }}
        >
          No more emails go out. Replies still come in, and its stats stay.
        </Confirm>
      )}
    </>
  );
}
