/**
 * Prints what classification reaches on the corpus, and what it misses:
 * `bun test/support/corpus-report.ts [--tuned | --held-out]`.
 */

import {
  CORPUS_DIR,
  corpusSamples,
  type Figure,
  figuresOf,
  isCorpusHere,
  isHeldOut,
  quotedFigure,
  readCorpus,
} from "./corpus.ts";

const WORDS_MAX = 140;

/** A line a figure; "!" where it is below its target. */
export function tableOf(figures: readonly Figure[], held: readonly Figure[]): string {
  const lines = figures.map(({ name, good, of, target }) => {
    const other = held.find((figure) => figure.name === name);
    const heldOut = other === undefined ? "" : `held out ${percent(other)} of ${other.of}`;
    const mark = of === 0 || good / of >= target ? " " : "!";
    const cells = [name.padEnd(20), `${good}/${of}`.padStart(8), percent({ good, of }).padStart(8)];
    return `${mark} ${cells.join(" ")}  (${target * 100} %)  ${heldOut}`.trimEnd();
  });
  return lines.join("\n");
}

function missesOf({ name, missed }: Figure): string[] {
  return missed.map(({ sample, reading }) => {
    const label = JSON.stringify(sample.expected ?? sample.recipients ?? "").slice(0, WORDS_MAX);
    const { kind, severity, status, recipients } = reading;
    const words = reading.evidence.slice(0, WORDS_MAX);
    const read = `${kind} ${severity} ${status} ${recipients.join(",")}: ${words}`;
    return `\n${name}: ${sample.file} ${label}\n  ${read}`;
  });
}

function percent({ good, of }: { good: number; of: number }): string {
  return of === 0 ? "-" : `${((100 * good) / of).toFixed(1)} %`;
}

async function main(choice: string | undefined): Promise<void> {
  const samples = corpusSamples().filter((sample) => {
    return choice === undefined || isHeldOut(sample) === (choice === "--held-out");
  });
  const reads = await readCorpus(samples);
  const quoted = { name: "quoted text", missed: [], ...quotedFigure(samples) };
  const figures = [...figuresOf(reads), quoted];
  const held = figuresOf(reads.filter(({ sample }) => isHeldOut(sample)));
  console.info([tableOf(figures, held), ...figures.flatMap(missesOf)].join("\n"));
}

if (import.meta.main) {
  if (!isCorpusHere) {
    console.error(`the corpus is not on this machine (${CORPUS_DIR})`);
    process.exit(1);
  }
  await main(process.argv[2]);
}
