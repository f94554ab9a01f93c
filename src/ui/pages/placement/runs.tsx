/** Placement: do our emails reach the inbox? Runs and how it went over time. */

import { useSignal } from "@preact/signals";
import type { PlacementRun } from "#client.ts";
import { Lines } from "../../charts/lines.tsx";
import { api } from "../../lib/api.ts";
import { curl } from "../../lib/curl.ts";
import { useData } from "../../lib/data.ts";
import { count, date, dateTime, percent, rate } from "../../lib/format.ts";
import { to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Card, Empty, Loaded, Page, Pill } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";
import { providerName } from "../accounts/words.ts";
import { StartRun } from "./start-run.tsx";
import { STATUS_TONES, STATUS_WORDS, triggerName } from "./words.ts";

const RUNS_SHOWN = 50;

const CURL = curl("GET", "/placement/runs");

export function PlacementPage() {
  const isStarting = useSignal(false);
  const runs = useData(() => api().listPlacementRuns({ limit: RUNS_SHOWN }), ["placement"]);
  const start = can("placement:write") && (
    <Button
      look="primary"
      onClick={() => {
        isStarting.value = true;
      }}
    >
      Start run
    </Button>
  );
  return (
    <Page
      title="Placement"
      about="Send test emails to your own mailboxes and see where they land"
      actions={start}
    >
      <Loaded data={runs}>
        {({ data, total }) =>
          data.length === 0 ? (
            <Card>
              <Empty icon="placement" title="No runs yet" curl={CURL} action={start}>
                A run sends an email from each mailbox to each seed mailbox, then checks where it
                landed: inbox, promotions, spam, or nowhere.
              </Empty>
            </Card>
          ) : (
            <div class="stack">
              {data.length > 1 && (
                <Card>
                  <Trend runs={data} />
                </Card>
              )}
              <Card flush title="Runs" note={`${count(total)} total`}>
                <RunTable runs={data} />
              </Card>
            </div>
          )
        }
      </Loaded>
      {isStarting.value && (
        <StartRun
          onClose={() => {
            isStarting.value = false;
          }}
        />
      )}
    </Page>
  );
}

function RunTable({ runs }: { runs: readonly PlacementRun[] }) {
  const before = (run: PlacementRun) => runs[runs.indexOf(run) + 1];
  return (
    <Table
      label="Placement runs"
      rows={runs}
      columns={[
        {
          title: "Run",
          cell: (run) => (
            <a class="one-line" href={to(`placement/runs/${run.id}`)}>
              {triggerName(run.trigger_type)}, <When at={run.created_at} />
            </a>
          ),
        },
        {
          title: "Status",
          cell: ({ status }) => <Pill tone={STATUS_TONES[status]}>{STATUS_WORDS[status]}</Pill>,
        },
        {
          title: "Inbox placement",
          cell: (run) => {
            const done = run.total_tests - run.pending_count;
            return <strong>{done === 0 ? "–" : rate(run.inbox_count, done)}</strong>;
          },
          isFigure: true,
        },
        { title: "Inbox", cell: (run) => count(run.inbox_count), isFigure: true },
        { title: "Promotions", cell: (run) => count(run.promotions_count), isFigure: true },
        { title: "Spam", cell: (run) => count(run.spam_count), isFigure: true },
        { title: "Missing", cell: (run) => count(run.not_delivered_count), isFigure: true },
        { title: "Waiting", cell: (run) => count(run.pending_count), isFigure: true },
        {
          title: "Compare",
          cell: (run) => {
            const other = before(run);
            return (
              other && (
                <a class="small" href={to(`placement/runs/${run.id}?with=${other.id}`)}>
                  Previous run
                </a>
              )
            );
          },
          isFigure: true,
        },
      ]}
    />
  );
}

/** Days; with their hours where two runs share a day. */
function labelsOf(times: readonly string[]): string[] {
  const days = times.map((at) => date(at));
  return new Set(days).size === days.length ? days : times.map((at) => dateTime(at));
}

const SERIES_MAX = 5;

/** Share of each provider's seeds whose email came to the inbox, run by run. */
function Trend({ runs }: { runs: readonly PlacementRun[] }) {
  const done = runs
    .filter((run) => run.trigger_type !== "health" && run.total_tests > run.pending_count)
    .toReversed();
  const providers = [...new Set(done.flatMap((run) => Object.keys(run.by_provider)))].sort();
  const last = done.at(-1);
  return (
    <Lines
      title={
        last === undefined
          ? "Inbox placement over time"
          : `${percent(last.inbox_rate)} of the last run’s emails reached the inbox`
      }
      note="Share of test emails in the inbox, by seed provider. Leaves out small health-check runs."
      labels={labelsOf(done.map(({ created_at }) => created_at))}
      series={providers.slice(0, SERIES_MAX).map((provider, nth) => ({
        name: providerName(provider),
        colour: (nth + 1) as 1 | 2 | 3 | 4 | 5,
        values: done.map((run) => run.by_provider[provider]?.rate ?? Number.NaN),
      }))}
      hasAreas={false}
      format={percent}
    />
  );
}
