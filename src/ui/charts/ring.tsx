/** A score of 100 as a ring with its figure; null: there is none yet. */

import { NONE } from "../lib/format.ts";

const SIZE = 56;
const WIDTH = 5;
const RADIUS = (SIZE - WIDTH) / 2;
const ROUND = 2 * Math.PI * RADIUS;

/** From these scores downwards a mailbox is held back, or rests. */
export function healthTone(score: number): "good" | "warn" | "bad" {
  return score >= 80 ? "good" : score >= 40 ? "warn" : "bad";
}

export function Ring({ score, label }: { score: number | null; label: string }) {
  return (
    <svg
      class="ring"
      width={SIZE}
      height={SIZE}
      role="img"
      aria-label={score === null ? `${label}: no score yet` : `${label}: ${score} of 100`}
    >
      <circle class="rest" cx={SIZE / 2} cy={SIZE / 2} r={RADIUS} stroke-width={WIDTH} />
      {score !== null && (
        <circle
          class="part"
          data-tone={healthTone(score)}
          cx={SIZE / 2}
          cy={SIZE / 2}
          r={RADIUS}
          stroke-width={WIDTH}
          stroke-dasharray={`${(ROUND * score) / 100} ${ROUND}`}
          transform={`rotate(-90 ${SIZE / 2} ${SIZE / 2})`}
        />
      )}
      <text x={SIZE / 2} y={SIZE / 2} dy="0.36em" text-anchor="middle">
        {score ?? NONE}
      </text>
    </svg>
  );
}
