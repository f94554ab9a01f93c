/** Runs that begin by themselves every week. */

import { useSignal } from "@preact/signals";
import { WEEKDAYS } from "#domain/campaigns/window.ts";
import { api } from "../../lib/api.ts";
import { curl } from "../../lib/curl.ts";
import { useData } from "../../lib/data.ts";
import { plural, words } from "../../lib/format.ts";
import { to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Act } from "../../parts/act.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, FormActions, FormFault, useSubmission } from "../../parts/form/form.tsx";
import { Select } from "../../parts/form/input.tsx";
import { ZONE_HERE, ZoneField } from "../../parts/form/zone-field.tsx";
import { Card, Empty, Loaded, Page, Pill } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { toast } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";

const SCHEDULES_MAX = 100;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

const CURL = curl("POST", "/placement/schedules", {
  weekday: "monday",
  hour: 6,
  timezone: "Europe/Berlin",
});

function hourOf(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}

export function SchedulesPage() {
  const isAdding = useSignal(false);
  const schedules = useData(
    () => api().listPlacementSchedules({ limit: SCHEDULES_MAX }),
    ["placement"],
  );
  const add = can("placement:write") && (
    <Button
      look="primary"
      onClick={() => {
        isAdding.value = true;
      }}
    >
      Add schedule
    </Button>
  );
  return (
    <Page
      title="Placement schedules"
      about="Runs that start automatically every week"
      actions={add}
    >
      <Card flush>
        <Loaded data={schedules}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon="placement" title="No schedules yet" curl={CURL} action={add}>
                A weekly run shows when a provider starts filtering your emails, before replies
                stop.
              </Empty>
            ) : (
              <Table
                label="Placement schedules"
                rows={data}
                columns={[
                  {
                    title: "When",
                    cell: (row) => (
                      <>
                        {words(row.weekday)}s at {hourOf(row.hour)}{" "}
                        <span class="faint">{row.timezone}</span>
                        {row.last_error && <p class="fault small">{row.last_error}</p>}
                      </>
                    ),
                  },
                  {
                    title: "Status",
                    cell: ({ active }) => (
                      <Pill tone={active ? "good" : "warn"}>{active ? "Active" : "Paused"}</Pill>
                    ),
                  },
                  {
                    title: "Mailboxes and seeds",
                    cell: (row) =>
                      `${row.account_ids.length === 0 ? "All mailboxes" : plural(row.account_ids.length, "mailbox", "mailboxes")}, ${row.seed_ids.length === 0 ? "all seeds" : plural(row.seed_ids.length, "seed")}`,
                  },
                  {
                    title: "Last run",
                    cell: ({ last_run_id }) =>
                      last_run_id === null ? (
                        "–"
                      ) : (
                        <a href={to(`placement/runs/${last_run_id}`)}>View run</a>
                      ),
                  },
                  { title: "Next", cell: ({ next_run_at }) => <When at={next_run_at} /> },
                  ...(can("placement:write")
                    ? [
                        {
                          title: "Actions",
                          cell: (row: (typeof data)[number]) => (
                            <ScheduleActions row={row} reload={schedules.reload} />
                          ),
                          isFigure: true,
                        },
                      ]
                    : []),
                ]}
              />
            )
          }
        </Loaded>
      </Card>
      {isAdding.value && (
        <AddSchedule
          reload={schedules.reload}
          onClose={() => {
            isAdding.value = false;
          }}
        />
      )}
    </Page>
  );
}

function ScheduleActions(props: { row: { id: string; active: boolean }; reload: () => void }) {
  const { row, reload } = props;
  const { id, active } = row;
  return (
    <div class="actions end">
      <Act
        label={active ? "Pause" : "Resume"}
        look="compact"
        run={() =>
          api()
            .patchPlacementSchedule({ id, body: { active: !active } })
            .then(reload)
        }
      />
      <Act
        label="Delete"
        look="compact danger"
        done="Schedule deleted"
        run={() => api().deletePlacementSchedule({ id }).then(reload)}
        asks={{ title: "Delete this schedule?", action: "Delete schedule" }}
      >
        Its past runs stay.
      </Act>
    </div>
  );
}

function AddSchedule({ onClose, reload }: { onClose: () => void; reload: () => void }) {
  const draft = useSignal<{ weekday: (typeof WEEKDAYS)[number]; hour: number; timezone: string }>({
    weekday: "monday",
    hour: 6,
    timezone: ZONE_HERE,
  });
  const form = useSubmission();
  const { weekday, hour, timezone } = draft.value;
  const set = (change: Partial<typeof draft.value>) => {
    draft.value = { ...draft.peek(), ...change };
  };
  return (
    <Dialog title="Add weekly schedule" onClose={onClose}>
      <Form
        onSend={() =>
          form.submit(async () => {
            await api().createPlacementSchedule({ body: draft.peek() });
            toast("Schedule added");
            reload();
            onClose();
          })
        }
      >
        <div class="field-grid">
          <Select
            label="Day"
            name="weekday"
            of={form}
            value={weekday}
            options={WEEKDAYS.map((day) => [day, words(day)] as const)}
            onPick={(value) => set({ weekday: value as typeof weekday })}
          />
          <Select
            label="Hour"
            name="hour"
            of={form}
            value={String(hour)}
            options={HOURS.map((each) => [String(each), hourOf(each)] as const)}
            onPick={(value) => set({ hour: Number(value) })}
          />
        </div>
        <ZoneField
          name="timezone"
          of={form}
          value={timezone}
          onZone={(zone) => set({ timezone: zone })}
        />
        <p class="quiet small">
          At that time, every mailbox that can send sends a test email to every seed.
        </p>
        <FormFault of={form} fields={["weekday", "hour", "timezone"]} />
        <FormActions of={form} action="Add schedule" onClose={onClose} />
      </Form>
    </Dialog>
  );
}
