/** Tasks: steps that a person does. Their leads wait until they are done. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { api } from "../lib/api.ts";
import { curl } from "../lib/curl.ts";
import { useData } from "../lib/data.ts";
import { plural } from "../lib/format.ts";
import { useKeys } from "../lib/keys.ts";
import { filter, go, to } from "../lib/route.ts";
import { can } from "../lib/session.ts";
import { Button } from "../parts/button.tsx";
import { FilterPick } from "../parts/form/pick.tsx";
import { Card, Empty, Loaded, Page, Pill } from "../parts/page.tsx";
import { toast, toastError } from "../parts/toasts.tsx";
import { When } from "../parts/when.tsx";
import { LEAD_STATUSES } from "./campaigns/words.ts";

const CURL = curl("GET", "/tasks?done=false");

const PAGE_ROWS = 50;

function isDoneShown(): boolean {
  return filter("show") === "done";
}

async function load() {
  const query = { done: isDoneShown(), limit: PAGE_ROWS };
  const [tasks, campaigns] = await Promise.all([
    api().listTasks(query),
    api().listCampaigns({ limit: 100 }),
  ]);
  const names = new Map(campaigns.data.map(({ id, name }) => [id, name]));
  return { tasks: tasks.data, total: tasks.total, names };
}

type Task = Awaited<ReturnType<typeof load>>["tasks"][number];

export function TasksPage() {
  const found = useData(load, ["task", "lead"]);
  const at = useSignal(0);
  const tasks = found.value?.tasks ?? [];
  const selected = tasks[Math.min(at.value, tasks.length - 1)];
  const end = (task: Task, how: "done" | "skipped") => {
    api()
      .patchTask({ id: task.id, body: { [how]: true } })
      .then(() => {
        toast(`Task ${how === "done" ? "done" : "skipped"}: ${task.email} continues`);
        found.reload();
      }, toastError);
  };
  const step = (by: number) => {
    at.value = Math.max(0, Math.min(tasks.length - 1, at.value + by));
  };
  const isOpen = selected !== undefined && !selected.done && can("leads:write");
  useKeys(
    {
      j: { name: "Next task", run: () => step(1) },
      k: { name: "Previous task", run: () => step(-1) },
      e: isOpen ? { name: "Mark done", run: () => end(selected, "done") } : undefined,
      s: isOpen ? { name: "Skip task", run: () => end(selected, "skipped") } : undefined,
      l: selected && { name: "Open lead", run: () => go(to(`leads/${selected.lead_id}`)) },
    },
    "Tasks",
  );
  return (
    <Page
      title="Tasks"
      about="Steps you do by hand, such as a call. Each lead waits until its task is done or skipped."
      actions={
        <FilterPick label="Show" isBare name="show" any="To do" options={[["done", "Done"]]} />
      }
    >
      <Card
        flush
        title={isDoneShown() ? "Done" : "To do"}
        note={found.value && plural(found.value.total, "task")}
      >
        <Loaded data={found}>
          {({ tasks: shown, names }) =>
            shown.length === 0 ? (
              <NoTasks />
            ) : (
              <ol class="tasks">
                {shown.map((task) => (
                  <Row
                    key={task.id}
                    task={task}
                    campaign={names.get(task.campaign_id) ?? "a campaign"}
                    isSelected={task.id === selected?.id}
                    onEnd={(how) => end(task, how)}
                  />
                ))}
              </ol>
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}

function NoTasks() {
  return (
    <Empty
      icon="check"
      title={isDoneShown() ? "No completed tasks yet" : "No tasks to do"}
      curl={CURL}
      action={
        <a class="button" href={to("campaigns")}>
          View campaigns
        </a>
      }
    >
      A sequence can include steps that aren’t emails, such as a call. When a lead reaches one, the
      task shows up here.
    </Empty>
  );
}

function Row(props: {
  task: Task;
  campaign: string;
  isSelected: boolean;
  onEnd: (how: "done" | "skipped") => void;
}) {
  const { task, campaign, isSelected, onEnd } = props;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) {
      row.current?.scrollIntoView({ block: "nearest" });
    }
  }, [isSelected]);
  const status = LEAD_STATUSES[task.lead_status];
  return (
    <li ref={row} aria-current={isSelected ? "true" : undefined}>
      <div class="what">
        <p>
          <strong dir="auto">{task.subject || "Untitled task"}</strong>{" "}
          <span class="quiet">
            for <a href={to(`leads/${task.lead_id}`)}>{task.email}</a> in{" "}
            <a href={to(`campaigns/${task.campaign_id}`)}>{campaign}</a>
          </span>
        </p>
        {task.body && (
          <p class="mail-text quiet" dir="auto">
            {task.body}
          </p>
        )}
        <p class="small faint">
          {task.skipped ? "Skipped " : task.done ? "Done " : "Created "}
          <When at={task.done ? task.done_at : task.created_at} />
        </p>
        <Note task={task} />
      </div>
      <Pill tone={status.tone}>{status.name}</Pill>
      {!task.done && can("leads:write") && (
        <div class="actions">
          <Button look="compact" onClick={() => onEnd("done")}>
            Mark done
          </Button>
          <Button look="compact plain" onClick={() => onEnd("skipped")}>
            Skip
          </Button>
        </div>
      )}
    </li>
  );
}

/** Written when the field is left, so that nothing typed is lost. */
function Note({ task }: { task: Task }) {
  if (!can("leads:write")) {
    return task.note ? <p class="small">{task.note}</p> : null;
  }
  return (
    <input
      class="input"
      aria-label={`Note on ${task.email}`}
      placeholder="Note"
      defaultValue={task.note ?? ""}
      onChange={({ currentTarget: { value } }) => {
        const note = value.trim() === "" ? null : value;
        api()
          .patchTask({ id: task.id, body: { note } })
          .then(() => toast("Note saved"), toastError);
      }}
    />
  );
}
