/** One experiment: what it says, how sure that is, and what can be done about it. */

import { api, ask } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { plural } from "../../lib/format.ts";
import { to } from "../../lib/route.ts";
import { Card, Loaded, Page, Pill } from "../../parts/page.tsx";
import { Actions } from "./actions.tsx";
import { Lifts, Posteriors, RateByDay, Split } from "./charts.tsx";
import { Method } from "./method.tsx";
import { Variants } from "./variants.tsx";
import { Outlook, Verdict } from "./verdict.tsx";
import {
  type Detail,
  type History,
  METRICS,
  MODES,
  type Results,
  STATUS_TONES,
  STATUS_WORDS,
} from "./words.ts";

interface All {
  detail: Detail;
  results: Results;
  history: History;
}

async function load(id: string): Promise<All> {
  const of = api().experiments({ id });
  const [detail, results, history] = await Promise.all([
    ask(of.get()),
    ask(of.results.get()),
    ask(of.history.get()),
  ]);
  return { detail, results, history };
}

export function ExperimentPage({ id }: { id: string }) {
  const data = useData(() => load(id), ["experiment", "email", "reply", "lead"]);
  const all = data.value;
  return (
    <Page
      title={all?.detail.name ?? "Experiment"}
      badge={
        all && <Pill tone={STATUS_TONES[all.detail.status]}>{STATUS_WORDS[all.detail.status]}</Pill>
      }
      about={all && <About {...all} />}
      actions={all && <Actions {...all} reload={data.reload} />}
    >
      <Loaded data={data} lines={8}>
        {(loaded) => <Body {...loaded} />}
      </Loaded>
    </Page>
  );
}

function About({ detail, results }: All) {
  const { days_elapsed, days_remaining } = results.experiment;
  const sent = results.variants.reduce((sum, variant) => sum + variant.emails_sent, 0);
  const day =
    days_remaining > 0
      ? `day ${days_elapsed + 1} of ${detail.duration_days}`
      : `ran ${plural(days_elapsed, "day")}`;
  return (
    <>
      <a href={to(`campaigns/${detail.campaign_id}`)}>Campaign</a>, step {detail.step_position} ·{" "}
      {METRICS[detail.primary_metric].rate} · {MODES[detail.optimization_mode].name} · {day} ·{" "}
      {plural(sent, "lead")} written to
    </>
  );
}

function Body({ detail, results, history }: All) {
  return (
    <div class="stack">
      <Verdict detail={detail} results={results} />
      <div class="grid">
        <Card span={8}>
          <Posteriors results={results} />
        </Card>
        <Card span={4}>
          <Lifts results={results} />
        </Card>
        <Card span={12} flush title="Variants">
          <Variants detail={detail} results={results} />
        </Card>
        <Card span={6}>
          <RateByDay results={results} history={history} />
        </Card>
        <Card span={6}>
          <Split results={results} history={history} />
        </Card>
      </div>
      <Outlook detail={detail} results={results} />
      <Method detail={detail} results={results} />
    </div>
  );
}
