/** One placement run: its score, by provider, and each mailbox against each seed. */

import type { PlacementRun, PlacementRunCreated } from "#client.ts";
import { ShareBars, type ShareRow } from "../../charts/share-bars.tsx";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { count, dateTime, percent, plural } from "../../lib/format.ts";
import { filter, setFilters, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Act } from "../../parts/act.tsx";
import { Pick } from "../../parts/form/pick.tsx";
import { Card, Loaded, Notice, Page, Pill } from "../../parts/page.tsx";
import { When } from "../../parts/when.tsx";
import { providerName } from "../accounts/words.ts";
import { Compare } from "./compare.tsx";
import { LatencyStrip } from "./latency.tsx";
import { Matrix } from "./matrix.tsx";
import { countsOf, PARTS, STATUS_TONES, STATUS_WORDS, triggerName } from "./words.ts";

const OTHERS_MAX = 20;

export function RunPage({ id }: { id: string }) {
  const data = useData(() => api().getPlacementRun({ id }), ["placement", "email"]);
  const run = data.value;
  return (
    <Page
      title={
        run ? `${triggerName(run.trigger_type)}, ${dateTime(run.created_at)}` : "Placement run"
      }
      badge={run && <Pill tone={STATUS_TONES[run.status]}>{STATUS_WORDS[run.status]}</Pill>}
      about={run && <About run={run} />}
      actions={
        run &&
        can("placement:write") &&
        (run.status === "pending" || run.status === "running") && (
          <Act
            label="Cancel run"
            look="danger"
            done="Run canceled"
            run={() => api().cancelPlacementRun({ id }).then(data.reload)}
            asks={{ title: "Cancel this run?", action: "Cancel run" }}
          >
            Results so far stay. Emails that haven’t been sent yet won’t be.
          </Act>
        )
      }
    >
      <Loaded data={data} lines={8}>
        {(detail) => <Body run={detail} />}
      </Loaded>
    </Page>
  );
}

function About({ run }: { run: PlacementRunCreated }) {
  const accounts = new Set(run.results.map(({ account_id }) => account_id)).size;
  const seeds = new Set(run.results.map(({ seed_id }) => seed_id)).size;
  return (
    <>
      {plural(accounts, "mailbox", "mailboxes")} × {plural(seeds, "seed")} · started{" "}
      <When at={run.started_at} /> ·{" "}
      {run.completed_at === null ? (
        <>
          ends <When at={run.ends_at} />
        </>
      ) : (
        <>
          completed <When at={run.completed_at} />
        </>
      )}
      {run.campaign_id && (
        <>
          {" "}
          · content from <a href={to(`campaigns/${run.campaign_id}`)}>a campaign</a>
        </>
      )}
    </>
  );
}

function Body({ run }: { run: PlacementRunCreated }) {
  return (
    <div class="stack">
      {run.failed_count > 0 && (
        <Notice tone="warn">
          {plural(run.failed_count, "test")} gave no result because the email couldn’t be sent or
          the seed couldn’t be read. Point to a dash below for the reason.
        </Notice>
      )}
      <div class="grid">
        <Card span={4} title="Inbox placement">
          <Score run={run} />
        </Card>
        <Card span={8}>
          <ShareBars
            title="Placement by provider"
            note="Test emails by seed provider. The figure is the share in the inbox."
            parts={PARTS}
            rows={byProvider(run)}
          />
        </Card>
        <Card span={12} title="Results by mailbox and seed">
          <Matrix runId={run.id} results={run.results} />
        </Card>
        <Card span={12}>
          <LatencyStrip results={run.results} />
        </Card>
      </div>
      <OtherRun run={run} />
    </div>
  );
}

function byProvider(run: PlacementRunCreated): ShareRow[] {
  const groups = Map.groupBy(run.results, ({ seed_provider }) => seed_provider);
  return [...groups].sort().map(([provider, results]) => ({
    name: providerName(provider),
    counts: countsOf(results),
  }));
}

function Score({ run }: { run: PlacementRun }) {
  const done = run.total_tests - run.pending_count;
  return (
    <>
      <p class="figure">{done === 0 ? "–" : percent(run.inbox_rate)}</p>
      <p class="quiet small">
        {done === 0
          ? "No results yet"
          : `${count(run.inbox_count)} of ${plural(done, "email")} with a result, so ${percent(run.inbox_rate_low)} to ${percent(run.inbox_rate_high)} (95% interval)`}
      </p>
      <dl class="counts">
        {(
          [
            ["Promotions", run.promotions_count],
            ["Spam", run.spam_count],
            ["Missing", run.not_delivered_count],
            ["Waiting", run.pending_count],
            ["Not tested", run.failed_count],
          ] as const
        ).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="number">{count(value)}</dd>
          </div>
        ))}
      </dl>
      {run.pending_count > 0 && (
        <progress
          class="meter"
          aria-label="Completed tests"
          max={Math.max(1, run.total_tests)}
          value={done}
        />
      )}
    </>
  );
}

function OtherRun({ run }: { run: PlacementRunCreated }) {
  const other = filter("with");
  const runs = useData(() => api().listPlacementRuns({ limit: OTHERS_MAX }));
  const others = (runs.value?.data ?? []).filter(({ id }) => id !== run.id);
  return (
    <Card title="Compare runs">
      <div class="stack">
        <Pick
          look="field"
          label="Compare with"
          value={other}
          options={[
            ["", "None"],
            ...others.map(
              ({ id, created_at, trigger_type, inbox_rate }) =>
                [
                  id,
                  `${dateTime(created_at)}, ${triggerName(trigger_type).toLowerCase()}: ${percent(inbox_rate)} in the inbox`,
                ] as const,
            ),
          ]}
          onPick={(value) => setFilters({ with: value })}
        />
        {other !== "" && <Compare key={other} run={run} otherId={other} />}
      </div>
    </Card>
  );
}
