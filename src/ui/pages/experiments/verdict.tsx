/** What an experiment says, in the server's words: what to do, one figure with its range, and what to know beside it. */

import type { ExperimentResult } from "#client.ts";
import { Notice } from "../../parts/page.tsx";
import { verdictTone } from "./words.ts";

export function Verdict({ results }: { results: ExperimentResult }) {
  const { key_figure: figure, recommendation, recommendation_code: code, warnings } = results;
  const tone = verdictTone(code);
  // It is about the figure, and stands beside it.
  const curse = figure && warnings.find((warning) => warning.code === "winners_curse");
  const others = warnings.filter((warning) => warning !== curse);
  return (
    <>
      <Notice tone={tone} {...(tone === "brand" ? { icon: "activity" } : {})}>
        <p class="verdict">{recommendation}</p>
        {figure && (
          <p class="key-figure">
            <strong>{figure.value}</strong>
            <span class="number">{figure.range}</span>
            <span class="quiet">
              {figure.sentence} {curse?.message}
            </span>
          </p>
        )}
      </Notice>
      {others.length > 0 && (
        <Notice tone="warn">
          <ul class="plain-list">
            {others.map(({ code: of, message }) => (
              <li key={of}>{message}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}
