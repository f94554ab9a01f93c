/** The steps of a campaign from top to bottom, the waits between them, and one of them to be edited. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { CampaignDetail, CampaignStep } from "#client.ts";
import { STEPS_MAX } from "#domain/campaigns/step.ts";
import { api } from "../../lib/api.ts";
import { curl } from "../../lib/curl.ts";
import { useData } from "../../lib/data.ts";
import { plural } from "../../lib/format.ts";
import { filter, setFilters } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { leave } from "../../lib/unsaved.ts";
import { Button } from "../../parts/button.tsx";
import { Card, Empty, Loaded, Notice } from "../../parts/page.tsx";
import { toast, toastError } from "../../parts/toasts.tsx";
import { readSteps } from "./data.ts";
import { CampaignFrame } from "./frame.tsx";
import { foresee, type Proposal, useProposal } from "./step/step-change.tsx";
import { StepEditor } from "./step/step-editor.tsx";

export function SequencePage({ id }: { id: string }) {
  return <CampaignFrame id={id}>{(campaign) => <Sequence campaign={campaign} />}</CampaignFrame>;
}

const curlOf = (id: string) =>
  curl("POST", `/campaigns/${id}/steps`, {
    type: "email",
    subject: "A question",
    body: "Hi {{first_name}},",
  });

export function Sequence({ campaign }: { campaign: CampaignDetail }) {
  const { id: campaignId } = campaign;
  const steps = useData(() => readSteps(campaignId), ["campaign", "step"]);
  const isBusy = useSignal(false);
  const change = (work: () => Promise<string | undefined>) =>
    leave(() => {
      if (isBusy.peek()) {
        return;
      }
      isBusy.value = true;
      work()
        .then((selected) => {
          if (selected !== undefined) {
            setFilters({ step: selected, history: "" });
          }
          steps.reload();
        })
        .catch(toastError)
        .finally(() => {
          isBusy.value = false;
        });
    });
  // A new step is empty: nothing goes out, nor starts, before somebody has written it.
  const { propose, question } = useProposal();
  const add = (type: CampaignStep["type"]) =>
    propose({
      title: `Add ${type === "task" ? "a task" : "an email"}?`,
      action: "Add step",
      foresee: () => foresee.add(campaignId, type),
      run: () =>
        change(async () => (await api().createCampaignStep({ id: campaignId, body: { type } })).id),
    });
  return (
    <Loaded data={steps}>
      {(list) =>
        list.length === 0 ? (
          <Card>
            <Empty
              icon="campaigns"
              title="No steps yet"
              curl={curlOf(campaignId)}
              action={
                can("campaigns:write") && (
                  <Button look="primary" disabled={isBusy.value} onClick={() => add("email")}>
                    Write first email
                  </Button>
                )
              }
            >
              A sequence starts with an email. Later steps wait their turn and stop when someone
              replies.
            </Empty>
          </Card>
        ) : (
          <Steps
            {...{ list, add, change, propose, isBusy: isBusy.value }}
            isRunning={campaign.status === "active"}
            onSaved={steps.reload}
          >
            {question}
          </Steps>
        )
      }
    </Loaded>
  );
}

function Steps(props: {
  list: readonly CampaignStep[];
  isBusy: boolean;
  isRunning: boolean;
  add: (type: CampaignStep["type"]) => void;
  change: (work: () => Promise<string | undefined>) => void;
  propose: (proposal: Proposal) => void;
  onSaved: () => void;
  children: ComponentChildren;
}) {
  const { list, isBusy, isRunning, add, change, propose, onSaved } = props;
  const selected = list.find(({ id }) => id === filter("step")) ?? list[0];
  const firstMail = list.find(({ type }) => type === "email");
  return (
    <div class="sequence">
      <nav class="step-line" aria-label="Steps">
        <ol>
          {list.map((step) => (
            <li key={step.id}>
              <p class="wait small quiet">{waitWords(step)}</p>
              <button
                type="button"
                class="step-card"
                aria-current={step.id === selected?.id ? "step" : undefined}
                onClick={() => leave(() => setFilters({ step: step.id, history: "" }))}
              >
                <b>
                  {step.position}. {step.type === "task" ? "Task" : "Email"}
                </b>
                <span class="small quiet" dir="auto">
                  {titleOf(step)}
                </span>
              </button>
            </li>
          ))}
        </ol>
        {can("campaigns:write") && (
          <div class="actions">
            {(["email", "task"] as const).map((type) => (
              <Button
                key={type}
                look="compact"
                disabled={isBusy || list.length >= STEPS_MAX}
                onClick={() => add(type)}
              >
                {type === "email" ? "Add email" : "Add task"}
              </Button>
            ))}
          </div>
        )}
      </nav>
      {selected !== undefined && (
        <Card>
          {!["", selected.id].includes(filter("step")) && (
            <Notice tone="warn">The step you were looking for was deleted.</Notice>
          )}
          <StepHead {...{ selected, list, isBusy, change, propose }} />
          <StepEditor
            key={selected.id}
            step={selected}
            isFirst={selected.id === firstMail?.id || selected.position === 1}
            isRunning={isRunning}
            onSaved={onSaved}
          />
        </Card>
      )}
      {props.children}
    </div>
  );
}

function titleOf({ type, subject, body }: CampaignStep): string {
  if (subject === null && body === null) {
    return "No content yet";
  }
  return subject ?? (type === "task" ? "Untitled task" : "In the same thread");
}

function waitWords({ wait_days: days, wait_minutes: minutes, position }: CampaignStep): string {
  // Nothing has been sent before the first step for its wait to count from.
  if (position === 1) {
    return "Sent when the lead’s turn comes";
  }
  const wait = [days && plural(days, "day"), minutes && plural(minutes, "minute")];
  return days + minutes === 0 ? "Send immediately" : `Wait ${wait.filter(Boolean).join(" ")}`;
}

function StepHead(props: {
  selected: CampaignStep;
  list: readonly CampaignStep[];
  isBusy: boolean;
  change: (work: () => Promise<string | undefined>) => void;
  propose: (proposal: Proposal) => void;
}) {
  const { selected, list, isBusy, change, propose } = props;
  const { id, campaign_id: campaignId, position } = selected;
  const one = { id: campaignId, stepId: id };
  const moveTo = (to: number) =>
    propose({
      title: `Move step ${position}?`,
      action: "Move step",
      foresee: () => foresee.move(selected, to),
      run: () =>
        change(async () => (await api().patchCampaignStep({ ...one, body: { position: to } })).id),
    });
  const remove = () =>
    propose({
      title: `Delete step ${position}?`,
      action: "Delete step",
      words:
        "This deletes its content. Emails already sent aren’t affected; other leads continue with the next step.",
      foresee: () => foresee.remove(selected),
      run: () =>
        change(async () => {
          await api().deleteCampaignStep(one);
          toast(`Step ${position} deleted. Later steps moved up.`);
          return "";
        }),
    });
  return (
    <header class="step-head">
      <h2>
        Step {position}: {selected.type === "task" ? "task" : "email"}
      </h2>
      {can("audit:read") && (
        <Button look="compact" onClick={() => setFilters({ history: "now" })}>
          History
        </Button>
      )}
      {can("campaigns:write") && (
        <div class="actions">
          <Button
            look="compact"
            disabled={isBusy || position === 1}
            onClick={() => moveTo(position - 1)}
          >
            Move up
          </Button>
          <Button
            look="compact"
            disabled={isBusy || position === list.length}
            onClick={() => moveTo(position + 1)}
          >
            Move down
          </Button>
          <Button look="compact danger" disabled={isBusy} onClick={remove}>
            Delete
          </Button>
        </div>
      )}
    </header>
  );
}
