/** How the figures come to be, in words, with what is assumed. */

import type { ExperimentDetail, ExperimentResult } from "#client.ts";

export function Method({
  detail,
  results,
}: {
  detail: ExperimentDetail;
  results: ExperimentResult;
}) {
  const days = detail.attribution_window_days;
  return (
    <details class="card method-card">
      <summary>How these figures are made</summary>
      <dl>
        <dt>What counts</dt>
        <dd>
          Leads, not mails: somebody who writes three times is one reply.{" "}
          {days === 0
            ? "A lead is judged at once, by what has come so far."
            : `A lead is judged ${days} days after its mail, never before: counting replies at once and silence later would favour what was sent last.`}
        </dd>
        <dt>Chance to be best</dt>
        <dd>
          Each rate is believed to lie as Beta(1 + successes, 1 + failures): every rate is as likely
          before anything is known. The chance is the share of draws from all variants in which this
          one is the highest, computed by integration.
          {detail.optimization_mode === "thompson_sampling" &&
            " Variants are compared within days, so that a rate that moves favors none."}
        </dd>
        <dt>Expected loss</dt>
        <dd>
          The mean of (best rate − this rate) over the same beliefs: what sending it to everyone
          costs a lead where another is better.
        </dd>
        <dt>p-value</dt>
        <dd>
          How often two equal variants would differ this much. Valid however often it is read (a
          mixture sequential test), adjusted for the number of pairs by Holm’s rule
          {results.is_final && ", with an ordinary test at the planned end"}. At most 5 of 100
          experiments of equals end in a false winner.
        </dd>
        <dt>Lift</dt>
        <dd>One rate over the other with a 95% interval; +100% is twice as many.</dd>
        <dt>Split check</dt>
        <dd>
          A test of the leads of each variant against their planned shares. An alarm blocks every
          verdict, since then something else than the wording chooses who gets what.
        </dd>
        <dt>Assumed</dt>
        <dd>
          Leads answer independently of each other, what is sent stays as it is while it runs, and
          the weeks to come are like the weeks of the test.
        </dd>
      </dl>
    </details>
  );
}
