/** Experiments: which are running, and what each says by now. */

import { api } from "../../lib/api.ts";
import { curl } from "../../lib/curl.ts";
import { useData } from "../../lib/data.ts";
import { count, date } from "../../lib/format.ts";
import { to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Card, Empty, Loaded, Page, Pill } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { METRICS, MODES, STATUS_TONES, STATUS_WORDS } from "./words.ts";

const SHOWN_MAX = 100;

const CURL = curl("GET", "/experiments");

export function ExperimentsPage() {
  const experiments = useData(
    () => api().listExperiments({ limit: SHOWN_MAX, offset: 0 }),
    ["experiment"],
  );
  const start = can("experiments:write") && (
    <a class="button primary" href={to("experiments/new")}>
      New experiment
    </a>
  );
  return (
    <Page
      title="Experiments"
      about="Which version gets more replies, and whether that’s more than chance"
      actions={start}
    >
      <Card flush>
        <Loaded data={experiments}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty icon="experiments" title="No experiments yet" curl={CURL} action={start}>
                An experiment sends two or more versions of a step to different leads and shows
                which gets more replies.
              </Empty>
            ) : (
              <>
                <Table
                  label="Experiments"
                  rows={rows}
                  columns={[
                    {
                      title: "Experiment",
                      cell: ({ id, name }) => <a href={to(`experiments/${id}`)}>{name}</a>,
                    },
                    {
                      title: "Status",
                      cell: ({ status }) => (
                        <Pill tone={STATUS_TONES[status]}>{STATUS_WORDS[status]}</Pill>
                      ),
                    },
                    { title: "Result", cell: ({ id }) => <Verdict key={id} id={id} /> },
                    { title: "Metric", cell: (row) => METRICS[row.primary_metric].rate },
                    { title: "Split", cell: (row) => MODES[row.optimization_mode].name },
                    {
                      title: "Ends",
                      cell: (row) => date(row.completed_at ?? row.ends_at),
                      isFigure: true,
                    },
                  ]}
                />
                {rows.length === SHOWN_MAX && (
                  <p class="quiet small long-foot">Showing the newest {count(SHOWN_MAX)}.</p>
                )}
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}

function Verdict({ id }: { id: string }) {
  const results = useData(() => api().getExperimentResults({ id }), ["experiment"]);
  return <span class="verdict-cell small">{results.value?.recommendation ?? "…"}</span>;
}
