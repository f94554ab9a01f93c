/**
 * Prints what classification reaches on the corpus, and what it misses:
 * `bun test/support/corpus-report.ts [--tuned | --held-out]`.
 */

import {
  CORPUS_DIR,
  corpusSamples,
  figuresOf,
  isCorpusHere,
  isHeldOut,
  quotedFigure,
  readCorpus,
} from "./corpus.ts";

const WORDS_MAX = 140;

if (!isCorpusHere) {
  console.error(`the corpus is not on this machine (${CORPUS_DIR})`);
  process.exit(1);
}
const choice = process.argv[2];
const samples = corpusSamples().filter((sample) => {
  return choice === undefined || isHeldOut(sample) === (choice === "--held-out");
});
const figures = figuresOf(await readCorpus(samples));
const held = figuresOf(await readCorpus(samples.filter(isHeldOut)));
for (const { name, good, of, target } of [
  ...figures,
  { name: "quoted text", ...quotedFigure(samples) },
]) {
  const other = held.find((figure) => figure.name === name);
  const heldOut = other === undefined ? "" : `held out ${percent(other)} of ${other.of}`;
  const mark = of === 0 || good / of >= target ? " " : "!";
  const share = percent({ good, of }).padStart(8);
  console.info(
    `${mark} ${name.padEnd(20)} ${`${good}/${of}`.padStart(8)} ${share}  (${target * 100} %)  ${heldOut}`,
  );
}
for (const { name, missed } of figures) {
  for (const { sample, reading } of missed) {
    const label = JSON.stringify(sample.expected ?? sample.recipients ?? "");
    console.info(`\n${name}: ${sample.file} ${label.slice(0, WORDS_MAX)}`);
    console.info(
      `  ${reading.kind} ${reading.severity} ${reading.status} ${reading.recipients.join(",")}: ${reading.evidence.slice(0, WORDS_MAX)}`,
    );
  }
}

function percent({ good, of }: { good: number; of: number }): string {
  return of === 0 ? "-" : `${((100 * good) / of).toFixed(1)} %`;
}
