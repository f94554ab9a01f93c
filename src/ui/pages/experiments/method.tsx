/** How the figures come to be, in words, with what is assumed. */

import type { ExperimentDetail } from "#client.ts";

export function Method({ detail }: { detail: ExperimentDetail }) {
  const days = detail.attribution_window_days;
  return (
    <details class="card method-card">
      <summary>How these numbers are calculated</summary>
      <dl>
        <dt>What counts</dt>
        <dd>
          Leads, not emails: someone who replies three times counts as one reply.{" "}
          {days === 0
            ? "A lead is measured right away, by what has arrived so far."
            : `A lead is measured ${days} days after its email, never before: counting replies right away and silence later would favor what was sent last.`}
        </dd>
        <dt>Probability to be best</dt>
        <dd>
          Each rate is modeled as Beta(1 + successes, 1 + failures): before any data, every rate is
          equally likely. The probability is the share of draws from all variants in which this one
          is highest, computed by integration.
          {detail.optimization_mode === "thompson_sampling" &&
            " Variants are compared within days, so a rate that drifts favors none."}
        </dd>
        <dt>Expected loss</dt>
        <dd>
          The mean of (best rate − this rate) under the same model: what sending this variant to
          everyone costs per lead if another one is better.
        </dd>
        <dt>p-value</dt>
        <dd>
          How often two equal variants would differ this much, however often you check. Adjusted for
          the number of variants (with the present text by Dunnett, of other pairs by Holm); for a
          winner’s, how often it would win if it weren’t the best. Among equal variants, at most 5
          in 100 experiments show a difference.
        </dd>
        <dt>Lift</dt>
        <dd>One rate divided by the other, with a 95% interval; +100% is twice as many.</dd>
        <dt>Split check</dt>
        <dd>
          Tests whether each variant’s number of leads matches its planned share. If it doesn’t, no
          result is declared, because something other than the content decides who gets what.
        </dd>
        <dt>Assumptions</dt>
        <dd>
          Leads reply independently of each other, the content doesn’t change during the test, and
          the weeks that follow are like the weeks of the test.
        </dd>
      </dl>
    </details>
  );
}
