/** What the server's rules, the links themselves and SpamAssassin say of a saved step. */

import { useSignal } from "@preact/signals";
import { messageOf } from "#domain/thrown.ts";
import { api } from "../../../lib/api.ts";
import { plural } from "../../../lib/format.ts";
import { Button } from "../../../parts/button.tsx";
import { Pill, type Tone } from "../../../parts/page.tsx";
import { sentence } from "../words.ts";

type Report = Awaited<ReturnType<typeof check>>;

function check(id: string, stepId: string) {
  return api().checkCampaignStep({ id, stepId, body: {} });
}

const SEVERITIES: Readonly<Record<string, { name: string; tone: Tone }>> = {
  problem: { name: "Problem", tone: "bad" },
  warning: { name: "Warning", tone: "warn" },
  note: { name: "Note", tone: "plain" },
};

export function ContentCheck(props: { campaignId: string; stepId: string; isSaved: boolean }) {
  const { campaignId, stepId, isSaved } = props;
  const report = useSignal<Report | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const run = () => {
    if (isBusy.value) {
      return;
    }
    isBusy.value = true;
    error.value = undefined;
    check(campaignId, stepId)
      .then((answer) => {
        report.value = answer;
      })
      .catch((cause: unknown) => {
        error.value = messageOf(cause);
      })
      .finally(() => {
        isBusy.value = false;
      });
  };
  return (
    <section class="check-step" aria-label="Spam check">
      <header class="figure-row">
        <div>
          <h3>Spam check</h3>
          <p class="small quiet">
            Checks the content and its links, and gets a SpamAssassin score if one is set up.
            Nothing is sent.
          </p>
        </div>
        <Button
          look="compact"
          disabled={isBusy.value || !isSaved}
          title={isSaved ? undefined : "Save the step first. The check uses the saved version."}
          onClick={run}
        >
          {isBusy.value ? "Checking…" : "Run spam check"}
        </Button>
      </header>
      {error.value !== undefined && (
        <p class="fault small" role="alert">
          {error.value}
        </p>
      )}
      {report.value !== undefined && <Findings report={report.value} />}
    </section>
  );
}

function Findings({ report }: { report: Report }) {
  const { findings, links, spamassassin: spam, missing } = report;
  return (
    <ul class="findings" aria-live="polite">
      {report.ok && (
        <li>
          <Pill tone="good">Passed</Pill>
          <span>No problems found. {plural(links.length, "link")} checked.</span>
        </li>
      )}
      {missing.length > 0 && (
        <li>
          <Pill tone="bad">Problem</Pill>
          <span>No value for {missing.join(", ")}, so the check couldn’t run.</span>
        </li>
      )}
      {findings.map(({ rule, severity, message }) => (
        <li key={rule}>
          <Pill tone={SEVERITIES[severity]?.tone ?? "plain"}>
            {SEVERITIES[severity]?.name ?? severity}
          </Pill>
          <span>{sentence(message)}</span>
        </li>
      ))}
      {links
        .filter(({ ok }) => !ok)
        .map(({ url, error }) => (
          <li key={url}>
            <Pill tone="bad">Broken link</Pill>
            <span>
              <code>{url}</code>: {error}
            </span>
          </li>
        ))}
      {spam !== null && (
        <li>
          <Pill tone={spam.is_spam === null ? "plain" : spam.is_spam ? "bad" : "good"}>
            SpamAssassin
          </Pill>
          <span>
            {spam.available
              ? `Score ${spam.score}; ${spam.required} or more is spam. ${spam.rules
                  .map(({ name, points }) => `${name} ${points}`)
                  .join(", ")}`
              : `No score: ${spam.reason}`}
          </span>
        </li>
      )}
    </ul>
  );
}
