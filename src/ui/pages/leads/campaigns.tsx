/** A lead in each of its campaigns: how it stands, why, when it is written to next, and what can be done. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { plural } from "../../lib/format.ts";
import { INTEREST_LABELS } from "../../lib/mail-words.ts";
import { to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Pill } from "../../parts/page.tsx";
import { toast, toastError } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { standingWord, stopWords } from "../campaigns/words.ts";

function loadRows(id: string) {
  return api().listLeadCampaigns({ id });
}

type Row = Awaited<ReturnType<typeof loadRows>>["data"][number];

export function LeadCampaigns({ rows, reload }: { rows: readonly Row[]; reload: () => void }) {
  if (rows.length === 0) {
    return <p class="quiet">Not in any campaign.</p>;
  }
  return (
    <ul class="stack lead-campaigns">
      {rows.map((row) => (
        <Standing key={row.id} row={row} reload={reload} />
      ))}
    </ul>
  );
}

function isOpen({ status }: Row): boolean {
  return status === "pending" || status === "active" || status === "paused";
}

function Standing({ row, reload }: { row: Row; reload: () => void }) {
  const { interest } = row;
  return (
    <li>
      <div class="title-line">
        <a href={to(`campaigns/${row.campaign_id}`)}>{row.campaign_name}</a>
        <Pill tone={standingWord(row).tone}>{standingWord(row).name}</Pill>
        {interest && (
          <Pill tone={INTEREST_LABELS[interest].tone}>{INTEREST_LABELS[interest].name}</Pill>
        )}
      </div>
      <p class="small quiet">
        {row.current_step === 0
          ? "No steps completed yet"
          : `${plural(row.current_step, "step")} completed`}
        {row.last_sent_at && (
          <>
            , last email <When at={row.last_sent_at} />
          </>
        )}
      </p>
      {isOpen(row) ? (
        <Why row={row} />
      ) : (
        row.stop_reason && <p class="small quiet">{stopWords(row)}</p>
      )}
      <RowActions row={row} reload={reload} />
    </li>
  );
}

/** Asked of the planner itself, so that it is what will happen. */
function Why({ row }: { row: Row }) {
  const { campaign_id: id, lead_id: leadId } = row;
  const why = useData(
    () => api().explainCampaignLead({ id, leadId }),
    ["lead", "campaign", "account"],
  );
  if (why.value === undefined) {
    return null;
  }
  const { message, next_send_at, estimated } = why.value;
  return (
    <p class="small why-line">
      {message}
      {next_send_at !== null && (
        <span class="quiet">
          {" "}
          Next email {estimated && "(estimated) "}
          <When at={next_send_at} />.
        </span>
      )}
    </p>
  );
}

function RowActions({ row, reload }: { row: Row; reload: () => void }) {
  const { campaign_id: id, lead_id: leadId, status } = row;
  const isBusy = useSignal(false);
  const isAsked = useSignal(false);
  const run = (call: Promise<unknown>, done: string) => {
    isBusy.value = true;
    call
      .then(() => toast(done), toastError)
      .finally(() => {
        isBusy.value = false;
        reload();
      });
  };
  const one = { id, leadId };
  const resolve = (action: "treat_as_sent" | "send_again") =>
    api().resolveCampaignLead({ ...one, body: { action } });
  const turn = (status: "active" | "paused") =>
    api().patchCampaignLead({ ...one, body: { status } });
  if (!can("leads:write")) {
    return null;
  }
  return (
    <div class="actions">
      {row.hold_reason === "unknown_send" && (
        <>
          <Button
            look="compact"
            disabled={isBusy.value}
            onClick={() => run(resolve("treat_as_sent"), "Counted as sent")}
          >
            Count as sent
          </Button>
          <Button
            look="compact"
            disabled={isBusy.value}
            onClick={() => run(resolve("send_again"), "Sending it again")}
          >
            Send again
          </Button>
        </>
      )}
      {status === "paused" && (
        <Button
          look="compact"
          disabled={isBusy.value}
          onClick={() => run(turn("active"), "Sequence resumed")}
        >
          Resume
        </Button>
      )}
      {(status === "active" || status === "pending") && (
        <Button
          look="compact"
          disabled={isBusy.value}
          onClick={() => run(turn("paused"), "Sequence paused")}
        >
          Pause
        </Button>
      )}
      {isOpen(row) && (
        <Button
          look="compact danger"
          disabled={isBusy.value}
          onClick={() => {
            isAsked.value = true;
          }}
        >
          Remove
        </Button>
      )}
      {isAsked.value && (
        <Confirm
          title={`Remove from ${row.campaign_name}?`}
          action="Remove from campaign"
          isDanger
          onConfirm={() => run(api().deleteCampaignLead(one), `Removed from ${row.campaign_name}`)}
          onClose={() => {
            isAsked.value = false;
          }}
        >
          {row.current_step === 0
            ? "Nothing was sent yet, so the lead is removed as if it had never been added."
            : "The sequence ends. Emails already sent still count."}
        </Confirm>
      )}
    </div>
  );
}
