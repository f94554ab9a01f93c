/** How the installation is: what doctor says, sizes, queues, and what runs. */

import { useEffect } from "preact/hooks";
import type { SystemStatus } from "#client.ts";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { count, NONE, plural, words } from "../../lib/format.ts";
import { size } from "../../lib/size.ts";
import { Card, Loaded, Page, Pill, type Tone } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";

type Side = SystemStatus["live"];

const VERDICTS: Readonly<Record<string, readonly [string, Tone]>> = {
  ok: ["Passed", "good"],
  warning: ["Needs attention", "warn"],
  fault: ["Must fix", "bad"],
};

const QUEUES: Readonly<Record<string, string>> = {
  sends: "Mailboxes due to send",
  polls: "Mailboxes due to be read",
  deliveries: "Webhook deliveries",
  copies: "Copies for Sent folders",
};

const ASK_EVERY_MS = 10_000;

export function SystemPage() {
  const system = useData(() => api().getSystem());
  const { reload } = system;
  useEffect(() => {
    const asking = setInterval(() => {
      if (document.visibilityState === "visible") {
        reload();
      }
    }, ASK_EVERY_MS);
    return () => clearInterval(asking);
  }, [reload]);
  return (
    <Page title="System" about="The state of this installation, and what needs attention">
      <Loaded data={system} lines={8}>
        {(value) => (
          <div class="stack">
            <Checks of={value} />
            <div class="two">
              <Program of={value} />
              <Card title="Due now" note="Usually zero">
                <Queues live={value.live} test={value.test} />
              </Card>
            </div>
            <Workers title="Live workers" of={value.live} />
            <Workers title="Sandbox workers" of={value.test} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Checks({ of: { checks } }: { of: SystemStatus }) {
  const odd = checks.filter(({ verdict }) => verdict !== "ok").length;
  return (
    <Card
      title="System checks"
      note={odd === 0 ? "All passed" : plural(odd, "needs attention", "need attention")}
      flush={checks.length > 0}
    >
      {checks.length === 0 && <p class="quiet">No problems found.</p>}
      {checks.length > 0 && (
        <Table
          label="Checks"
          rows={checks.map((check, at) => ({ id: String(at), ...check }))}
          columns={[
            { title: "Check", cell: ({ check }) => words(check) },
            {
              title: "Result",
              cell: ({ verdict }) => {
                const [title, tone] = VERDICTS[verdict] ?? [verdict, "plain" as const];
                return <Pill tone={tone}>{title}</Pill>;
              },
            },
            { title: "Details", cell: ({ detail }) => <span class="quiet">{detail}</span> },
          ]}
        />
      )}
    </Card>
  );
}

function Program({ of }: { of: SystemStatus }) {
  const { disk } = of;
  return (
    <Card title="This installation">
      <dl class="pairs">
        <dt>Version</dt>
        <dd>
          {of.version} <code class="faint">{of.commit.slice(0, 12)}</code>
        </dd>
        <dt>Started</dt>
        <dd>
          <When at={of.started_at} isWall />
        </dd>
        <dt>Data</dt>
        <dd>
          <code>{of.data_directory}</code>
        </dd>
        <dt>Live database</dt>
        <dd>
          {size(of.live.database_bytes)}, log {size(of.live.wal_bytes)}
        </dd>
        <dt>Sandbox database</dt>
        <dd>
          {size(of.test.database_bytes)}, log {size(of.test.wal_bytes)}
        </dd>
        <dt>Disk</dt>
        <dd>
          {size(disk.free_bytes)} of {size(disk.total_bytes)} free
          <meter
            class="wide-meter"
            aria-label="Disk usage"
            min={0}
            max={Math.max(1, disk.total_bytes)}
            high={disk.total_bytes * 0.9}
            optimum={0}
            value={disk.total_bytes - disk.free_bytes}
          />
        </dd>
        <dt>Memory</dt>
        <dd>{size(of.memory.resident_bytes)}</dd>
        <dt>Schema</dt>
        <dd>{of.schema_version}</dd>
        <dt>Bun</dt>
        <dd>{of.bun}</dd>
      </dl>
    </Card>
  );
}

function Queues({ live, test }: { live: Side; test: Side }) {
  const names = Object.keys(live.queues) as (keyof Side["queues"])[];
  const rows = names.map((name) => ({
    id: name,
    title: QUEUES[name] ?? words(name),
    live: live.queues[name],
    test: test.queues[name],
  }));
  return (
    <Table
      label="Due now"
      rows={[
        ...rows,
        {
          id: "watches",
          title: "Mailboxes being watched",
          live: live.watches,
          test: test.watches,
        },
      ]}
      columns={[
        { title: "What", cell: ({ title }) => title },
        { title: "Live", cell: (row) => count(row.live), isFigure: true },
        { title: "Sandbox", cell: (row) => count(row.test), isFigure: true },
      ]}
    />
  );
}

function Workers({ title, of }: { title: string; of: Side }) {
  return (
    <Card title={title} flush>
      <Table
        label={title}
        rows={of.workers.map((worker) => ({ id: worker.name, ...worker }))}
        columns={[
          { title: "Worker", cell: ({ name }) => words(name.replaceAll("-", " ")) },
          {
            title: "Status",
            cell: ({ faults, last_fault }) =>
              faults === 0 ? (
                <Pill tone="good">OK</Pill>
              ) : (
                <span title={last_fault ?? undefined}>
                  <Pill tone="warn">{plural(faults, "error")}</Pill>
                </span>
              ),
          },
          {
            title: "Last run",
            cell: ({ last_run_at }) =>
              last_run_at === null ? NONE : <When at={last_run_at} isWall />,
          },
          { title: "Runs", cell: ({ runs }) => count(runs), isFigure: true },
          {
            title: "Busy",
            cell: ({ busy_seconds }) => `${busy_seconds.toFixed(1)} s`,
            isFigure: true,
          },
        ]}
      />
    </Card>
  );
}
