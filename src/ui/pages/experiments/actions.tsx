/** What can be done with an experiment: ship, stop, extend, pause. Each asks first. */

import { useSignal } from "@preact/signals";
import type { ExperimentDetail, ExperimentResult } from "#client.ts";
import { api } from "../../lib/api.ts";
import { plural } from "../../lib/format.ts";
import { Act } from "../../parts/act.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, FormActions, FormFault, useSubmission } from "../../parts/form/form.tsx";
import { Input } from "../../parts/form/input.tsx";
import { Menu } from "../../parts/menu.tsx";
import { toast } from "../../parts/toasts.tsx";
import { Share } from "./share.tsx";
import { clipped, verdictTone } from "./words.ts";

/** Of a variant's name on a button. */
const NAME_MAX = 24;

interface Props {
  detail: ExperimentDetail;
  results: ExperimentResult;
  reload: () => void;
}

export function Actions({ detail, results, reload }: Props) {
  const isExtending = useSignal(false);
  const { id, status } = detail;
  const turn = () =>
    status === "running" ? api().pauseExperiment({ id }) : api().resumeExperiment({ id });
  const isGoing = status === "running" || status === "paused";
  const isOpen = isGoing || status === "evaluating";
  const isDecided = verdictTone(results.recommendation_code) === "good";
  return (
    <>
      {isDecided && <Ship {...{ detail, results, reload }} />}
      <Share {...{ detail, reload }} />
      {isOpen && (
        <Menu label="More actions">
          {isGoing && (
            <>
              <Act
                label={status === "running" ? "Pause" : "Resume"}
                done={status === "running" ? "Experiment paused" : "Experiment resumed"}
                run={() => turn().then(reload)}
              />
              <Button
                onClick={() => {
                  isExtending.value = true;
                }}
              >
                Extend
              </Button>
            </>
          )}
          {!isDecided && <Ship {...{ detail, results, reload }} />}
          <Act
            label="Stop now"
            done="Experiment stopped"
            run={() => api().completeExperiment({ id, body: {} }).then(reload)}
            asks={{ title: "Stop the experiment now?", action: "Stop experiment" }}
          >
            If a variant has won by now, it’s the winner. Otherwise there is no winner.{" "}
            {plural(results.quality.pending, "lead is", "leads are")} not measured yet and won’t
            count.
          </Act>
          <Act
            label="Cancel"
            look="danger"
            done="Experiment canceled"
            run={() => api().cancelExperiment({ id }).then(reload)}
            asks={{ title: "Cancel without a result?", action: "Cancel experiment" }}
          >
            New leads get the step as it is. The counts stay, but there’s no result, and the
            experiment can’t be restarted.
          </Act>
        </Menu>
      )}
      {isExtending.value && (
        <Extend
          detail={detail}
          reload={reload}
          close={() => {
            isExtending.value = false;
          }}
        />
      )}
    </>
  );
}

/** Makes the winner, or the one that leads by now, the step. */
function Ship({ detail, results, reload }: Props) {
  const isOpen = detail.status !== "completed";
  const leader = detail.winner_variant_id ?? (isOpen ? results.quality.leader_id : null);
  const shipped = results.variants.find(({ id }) => id === leader);
  if (!shipped || detail.winner_applied_at !== null || detail.status === "cancelled") {
    return null;
  }
  const { id, name, replies, emails_sent } = shipped;
  const label = `Ship ${clipped(name, NAME_MAX)}`;
  return (
    <Act
      key={id}
      label={label}
      look={verdictTone(results.recommendation_code) === "good" ? "primary" : ""}
      done={`The step now uses ${name}`}
      run={async () => {
        if (isOpen) {
          await api().completeExperiment({ id: detail.id, body: { winner_variant_id: id } });
        }
        await api().applyExperimentWinner({ id: detail.id });
        reload();
      }}
      asks={{ title: `Send ${name} to everyone?`, action: label }}
    >
      {isOpen && "The experiment ends now with this winner. "}
      {name} got {plural(replies, "reply", "replies")} from {plural(emails_sent, "email")}. Its
      content is written into step {detail.step_position}. Leads who already got the step aren’t
      affected.
    </Act>
  );
}

function Extend({
  detail,
  close,
  reload,
}: {
  detail: ExperimentDetail;
  close: () => void;
  reload: () => void;
}) {
  const days = useSignal(String(detail.duration_days + 7));
  const form = useSubmission();
  return (
    <Dialog title="Extend experiment" onClose={close}>
      <Form
        onSend={() =>
          form.submit(async () => {
            const change = { duration_days: Number(days.value) };
            await api().patchExperiment({ id: detail.id, body: change });
            toast("Experiment extended");
            reload();
            close();
          })
        }
      >
        <Input
          label="Total days"
          name="duration_days"
          of={form}
          hint={`Currently ${detail.duration_days}. If you extend it, the test at the planned end no longer counts; the one you can check every day still does.`}
          type="number"
          min={1}
          max={365}
          required
          value={days.value}
          onText={(text) => {
            days.value = text;
          }}
        />
        <FormFault of={form} fields={["duration_days"]} />
        <FormActions of={form} action="Extend experiment" onClose={close} />
      </Form>
    </Dialog>
  );
}
