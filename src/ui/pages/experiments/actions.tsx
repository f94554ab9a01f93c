/** What can be done with an experiment: ship, stop, extend, pause. Each asks first. */

import { useSignal } from "@preact/signals";
import { api, ask } from "../../lib/api.ts";
import { plural } from "../../lib/format.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { Form, FormActions, FormFault, useSubmission } from "../../parts/form.tsx";
import { Input } from "../../parts/input.tsx";
import { say } from "../../parts/toasts.tsx";
import { clipped, type Detail, type Results } from "./words.ts";

/** Of a variant's name on a button. */
const NAME_MAX = 24;

type Asking = "ship" | "stop" | "cancel" | "extend" | null;

interface Props {
  detail: Detail;
  results: Results;
  reload: () => void;
}

export function Actions({ detail, results, reload }: Props) {
  const asking = useSignal<Asking>(null);
  const work = useSubmission();
  const { id, status } = detail;
  const of = api().experiments({ id });
  const run = (done: string, call: () => Promise<unknown>) =>
    work.submit(async () => {
      await call();
      say(done);
      reload();
    });
  const open = (what: Asking) => () => {
    asking.value = what;
  };
  const close = open(null);
  const isOpen = status === "running" || status === "paused" || status === "evaluating";
  const winner = results.variants.find((each) => each.id === detail.winner_variant_id);
  const leader = results.variants.find((each) => each.id === results.quality.leader_id);
  const shipped = winner ?? (isOpen ? leader : undefined);
  return (
    <>
      <FormFault of={work} fields={[]} />
      {status === "running" && (
        <Button disabled={work.isBusy} onClick={() => run("Paused", () => ask(of.pause.post()))}>
          Pause
        </Button>
      )}
      {status === "paused" && (
        <Button disabled={work.isBusy} onClick={() => run("Goes on", () => ask(of.resume.post()))}>
          Resume
        </Button>
      )}
      {(status === "running" || status === "paused") && (
        <Button disabled={work.isBusy} onClick={open("extend")}>
          Extend
        </Button>
      )}
      {isOpen && (
        <>
          <Button disabled={work.isBusy} onClick={open("cancel")}>
            Cancel
          </Button>
          <Button disabled={work.isBusy} onClick={open("stop")}>
            Stop now
          </Button>
        </>
      )}
      {shipped && detail.winner_applied_at === null && status !== "cancelled" && (
        <Button
          {...(winner ? { look: "primary" } : {})}
          disabled={work.isBusy}
          onClick={open("ship")}
        >
          Ship {clipped(shipped.name, NAME_MAX)}
        </Button>
      )}
      {asking.value === "ship" && shipped && (
        <Confirm
          title={`Send ${shipped.name} to everyone?`}
          action={`Ship ${clipped(shipped.name, NAME_MAX)}`}
          onClose={close}
          onConfirm={() =>
            run(`${shipped.name} is now the step`, async () => {
              if (isOpen) {
                await ask(of.complete.post({ winner_variant_id: shipped.id }));
              }
              await ask(of["apply-winner"].post());
            })
          }
        >
          {isOpen && "The experiment ends now with this winner. "}
          {shipped.name} has {plural(shipped.replies, "reply", "replies")} of{" "}
          {plural(shipped.emails_sent, "mail")}. Its content is written into step{" "}
          {detail.step_position}; leads who have had the step keep what they had.
        </Confirm>
      )}
      {asking.value === "stop" && (
        <Confirm
          title="Stop now?"
          action="Stop the experiment"
          onClose={close}
          onConfirm={() => run("Stopped", () => ask(of.complete.post({})))}
        >
          Whoever has won by now is the winner, and nobody where nothing is shown.{" "}
          {plural(results.quality.pending, "lead is", "leads are")} not judged yet and will not
          count.
        </Confirm>
      )}
      {asking.value === "cancel" && (
        <Confirm
          title="Cancel without a verdict?"
          action="Cancel the experiment"
          isDanger
          onClose={close}
          onConfirm={() => run("Cancelled", () => ask(of.cancel.post()))}
        >
          New leads get the step as it is. The counters stay, and there is no result. It cannot be
          begun again.
        </Confirm>
      )}
      {asking.value === "extend" && <Extend detail={detail} close={close} reload={reload} />}
    </>
  );
}

function Extend({
  detail,
  close,
  reload,
}: {
  detail: Detail;
  close: () => void;
  reload: () => void;
}) {
  const days = useSignal(String(detail.duration_days + 7));
  const form = useSubmission();
  return (
    <Dialog title="Run longer" onClose={close}>
      <Form
        onSend={() =>
          form.submit(async () => {
            const change = { duration_days: Number(days.value) };
            await ask(api().experiments({ id: detail.id }).patch(change));
            say("It runs longer");
            reload();
            close();
          })
        }
      >
        <Input
          label="Days in all"
          name="duration_days"
          of={form}
          hint={`Planned are ${detail.duration_days}. The test at the planned end is then not read any more; the one that may be read every day stays.`}
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
        <FormActions of={form} action="Run longer" onClose={close} />
      </Form>
    </Dialog>
  );
}
