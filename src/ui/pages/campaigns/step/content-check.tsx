/** What the server's rules say of a step while it is written, and, asked for it, its links. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { messageOf } from "#domain/thrown.ts";
import { api } from "../../../lib/api.ts";
import { plural } from "../../../lib/format.ts";
import { Button } from "../../../parts/button.tsx";
import { Pill, type Tone } from "../../../parts/page.tsx";
import { sentence } from "../words.ts";
import type { Words } from "./mail-preview.tsx";

type Report = Awaited<ReturnType<typeof check>>;

interface Place {
  campaignId: string;
  stepId: string;
}

/** From the last key until the words are checked. */
const PAUSE_MS = 1000;

function check(place: Place, words: Words, links: boolean, signal?: AbortSignal) {
  const { campaignId: id, stepId } = place;
  const { body, format } = words;
  const subject = words.subject.trim() === "" ? null : words.subject;
  const options = signal === undefined ? {} : { signal };
  return api().checkCampaignStep({ id, stepId, body: { subject, body, format, links } }, options);
}

const SEVERITIES: Readonly<Record<string, { name: string; tone: Tone }>> = {
  problem: { name: "Problem", tone: "bad" },
  warning: { name: "Warning", tone: "warn" },
  note: { name: "Note", tone: "plain" },
};

export function ContentCheck({ campaignId, stepId, words }: Place & { words: Words }) {
  const report = useSignal<Report | undefined>(undefined);
  const hasLinks = useSignal(false);
  const error = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const { subject, body, format } = words;
  const isEmpty = body.trim() === "";
  const place = { campaignId, stepId };
  useEffect(() => {
    const stop = new AbortController();
    const take = (answer: Report | undefined) => {
      if (!stop.signal.aborted) {
        report.value = answer;
        hasLinks.value = false;
      }
    };
    // What can't be rendered is said beside, by the preview.
    const run = () => check(place, words, false, stop.signal).then(take, () => take(undefined));
    const waiting = isEmpty ? undefined : setTimeout(run, PAUSE_MS);
    error.value = undefined;
    if (isEmpty) {
      take(undefined);
    }
    return () => {
      stop.abort();
      clearTimeout(waiting);
    };
  }, [campaignId, stepId, subject, body, format]);
  const run = () => {
    if (isBusy.value) {
      return;
    }
    isBusy.value = true;
    error.value = undefined;
    check(place, words, true)
      .then((answer) => {
        report.value = answer;
        hasLinks.value = true;
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
            Checks the content as you write, with a SpamAssassin score if one is set up. Run it to
            check the links too. Nothing is sent.
          </p>
        </div>
        <Button look="compact" disabled={isBusy.value || isEmpty} onClick={run}>
          {isBusy.value ? "Checking…" : "Run spam check"}
        </Button>
      </header>
      {error.value !== undefined && (
        <p class="fault small" role="alert">
          {error.value}
        </p>
      )}
      {report.value !== undefined && <Findings report={report.value} hasLinks={hasLinks.value} />}
    </section>
  );
}

function Findings({ report, hasLinks }: { report: Report; hasLinks: boolean }) {
  const { findings, links, spamassassin: spam, missing } = report;
  return (
    <ul class="findings" aria-live="polite">
      {report.ok && (
        <li>
          <Pill tone="good">Passed</Pill>
          <span>No problems found.{hasLinks && ` ${plural(links.length, "link")} checked.`}</span>
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
