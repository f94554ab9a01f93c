/** One experiment: what it says, how sure that is, and what can be done about it. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ExperimentDetail, ExperimentHistory, ExperimentResult } from "#client.ts";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { plural } from "../../lib/format.ts";
import { printWhole } from "../../lib/print.ts";
import { to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { sum } from "../../lib/sum.ts";
import { Card, Loaded, Page, Pill } from "../../parts/page.tsx";
import { Actions } from "./actions.tsx";
import { Sureness } from "./charts.tsx";
import { Costs, costPerLead } from "./costs.tsx";
import { Limits } from "./guardrails.tsx";
import { Segments } from "./segments.tsx";
import { AddVariant } from "./switch.tsx";
import { NO_VARIANT } from "./variant-fields.tsx";
import { Variants } from "./variants.tsx";
import { Verdict } from "./verdict.tsx";
import { METRICS, MODES, STATUS_TONES, STATUS_WORDS } from "./words.ts";

interface All {
  detail: ExperimentDetail;
  results: ExperimentResult;
  history: ExperimentHistory;
  /** Its campaign's name; null where the role may not read it, or it is gone. */
  campaign: string | null;
}

async function load(id: string): Promise<All> {
  const [detail, results, history] = await Promise.all([
    api().getExperiment({ id }),
    api().getExperimentResults({ id, cost_per_lead: costPerLead.value }),
    api().getExperimentHistory({ id }),
  ]);
  const campaign = await api()
    .getCampaign({ id: detail.campaign_id })
    .catch(() => null);
  return { detail, results, history, campaign: campaign?.name ?? null };
}

export function ExperimentPage({ id }: { id: string }) {
  const data = useData(() => load(id), ["experiment", "email", "reply", "lead"]);
  const all = data.value;
  useEffect(printWhole, []);
  return (
    <Page
      title={all?.detail.name ?? "Experiment"}
      badge={
        all && <Pill tone={STATUS_TONES[all.detail.status]}>{STATUS_WORDS[all.detail.status]}</Pill>
      }
      about={all && <About {...all} />}
      actions={all && can("experiments:write") && <Actions {...all} reload={data.reload} />}
    >
      <Loaded data={data} lines={8}>
        {(loaded) => <Body {...loaded} reload={data.reload} />}
      </Loaded>
    </Page>
  );
}

function About({ detail, results, campaign }: All) {
  const { days_elapsed, days_remaining } = results.experiment;
  const sent = sum(results.variants.map((variant) => variant.emails_sent));
  const day =
    days_remaining > 0
      ? `day ${days_elapsed + 1} of ${detail.duration_days}`
      : `ran ${plural(days_elapsed, "day")}`;
  return (
    <>
      <a href={to(`campaigns/${detail.campaign_id}`)}>{campaign ?? "Campaign"}</a>, step{" "}
      {detail.step_position} · {METRICS[detail.primary_metric].rate} ·{" "}
      {MODES[detail.optimization_mode].name} · {day} · {plural(sent, "lead")} emailed
    </>
  );
}

function Body({ detail, results, history, reload }: All & { reload: () => void }) {
  const draft = useSignal(NO_VARIANT);
  return (
    <div class="stack">
      <Verdict results={results} />
      <Card flush title="Variants" note={<AddVariant {...{ detail, draft, reload }} />}>
        <Variants {...{ detail, results, reload }} />
      </Card>
      <Sureness {...{ results, history }} />
      <Segments detail={detail} />
      <Costs results={results} />
      <Limits {...{ detail, reload }} />
    </div>
  );
}
