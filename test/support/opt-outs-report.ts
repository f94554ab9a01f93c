/**
 * Writes `docs/reports/opt-outs.md`: `bun test/support/opt-outs-report.ts`. Everything in it but the times
 * is counted again by a test.
 */

import { classify } from "#domain/inbox/classify.ts";
import { type CountedFooter, countFooters, LAYOUTS } from "./footers.ts";
import {
  CASE_KINDS,
  type CaseKind,
  type Counted,
  countOptOuts,
  HALVES,
  type Half,
  replyOf,
  totalOf,
} from "./opt-outs.ts";

export const REPORT: string = new URL("../../docs/reports/opt-outs.md", import.meta.url).pathname;

type Share = { right: number; of: number };

/** Counted by the same code at the commit that added the texts, before any rule was written. */
const BEFORE: Record<Half, Record<CaseKind, Share>> = {
  open: { opt_out: { right: 31, of: 194 }, near_miss: { right: 213, of: 216 } },
  closed: { opt_out: { right: 39, of: 215 }, near_miss: { right: 186, of: 196 } },
};
/** The same, after the words were first written and before the misses of the open half were looked at. */
const FIRST: Record<Half, Record<CaseKind, Share>> = {
  open: { opt_out: { right: 181, of: 194 }, near_miss: { right: 211, of: 216 } },
  closed: { opt_out: { right: 209, of: 215 }, near_miss: { right: 190, of: 196 } },
};
/** Of footers, by the same code, before anything was taken off. */
const FOOTERS_BEFORE = { first: [34, 42], open: [152, 161], closed: [249, 259] } as const;

const NAMES: Record<CaseKind, string> = { opt_out: "opt-outs", near_miss: "near misses" };

/** The report without its times. */
export async function countedReport(): Promise<string> {
  const [counted, footers] = [await countOptOuts(), await countFooters()];
  return `# Opt-outs: what is recognized

\`test/fixtures/opt-outs.json\` holds opt-outs and near misses in ${languagesOf(counted).length} languages, written before the
rules. The SHA-256 of a text puts it into the open half, which the rules were written with, or into the closed half,
whose texts and misses were not looked at again. One writer wrote the texts and, soon after, the words of the rules, and
saw the totals of both halves after every change. The halves are therefore not independent: the closed one shows that the
rules do not merely repeat the open one, and not what they are worth on what strangers write.

An opt-out is right when it unsubscribes its sender by itself. A near miss (a plain refusal, "don't unsubscribe me",
"call me instead", a question about a feature) is right when nothing in it is taken for a request.

| half | kind | texts | before the rules | first version | now |
|---|---|---:|---:|---:|---:|
${HALVES.flatMap((half) => CASE_KINDS.map((kind) => halfRow(counted, half, kind))).join("\n")}

## Open half, by language

| language | opt-outs | near misses |
|---|---:|---:|
${languagesOf(counted)
  .map((language) => languageRow(counted, language))
  .join("\n")}

## Footers

${footers.length} replies: each footer of \`test/fixtures/footers.json\` in each layout, below "Yes, interested! Please call."
(right: an interested reply) and below "Please take me off your list." (right: an opt-out). The halves are made as above.

| layout | interested | opt-outs |
|---|---:|---:|
${Object.keys(LAYOUTS)
  .map((layout) => footerRow(layout, footers))
  .join("\n")}

| footers | interested before | interested now | opt-outs now |
|---|---:|---:|---:|
${footerGroup("the first six", FOOTERS_BEFORE.first, footers, ({ isFirst }) => isFirst)}
${footerGroup("open half", FOOTERS_BEFORE.open, footers, ({ half }) => half === "open")}
${footerGroup("closed half", FOOTERS_BEFORE.closed, footers, ({ half }) => half === "closed")}
`;
}

function halfRow(counted: readonly Counted[], half: Half, kind: CaseKind): string {
  const now = totalOf(counted, half, kind);
  const cells = [BEFORE[half][kind], FIRST[half][kind], now].map(percent);
  return `| ${half} | ${NAMES[kind]} | ${now.of} | ${cells.join(" | ")} |`;
}

function languagesOf(counted: readonly Counted[]): string[] {
  return [...new Set(counted.map(({ language }) => language))].toSorted();
}

function languageRow(counted: readonly Counted[], language: string): string {
  const own = counted.filter((one) => one.language === language);
  const cells = CASE_KINDS.map((kind) => shareOf(totalOf(own, "open", kind)));
  return `| ${language} | ${cells.join(" | ")} |`;
}

function footerRow(layout: string, all: readonly CountedFooter[]): string {
  const own = all.filter((one) => one.layout === layout);
  return `| ${layout} | ${wishShare(own, "interested")} | ${wishShare(own, "opt_out")} |`;
}

function footerGroup(
  name: string,
  [right, of]: readonly [number, number],
  all: readonly CountedFooter[],
  isIn: (one: CountedFooter) => boolean,
): string {
  const own = all.filter(isIn);
  const [interested, optOuts] = [wishShare(own, "interested"), wishShare(own, "opt_out")];
  return `| ${name} | ${right}/${of} | ${interested} | ${optOuts} |`;
}

function wishShare(all: readonly CountedFooter[], wish: CountedFooter["wish"]): string {
  const own = all.filter((one) => one.wish === wish);
  return shareOf({ right: own.filter(({ right }) => right).length, of: own.length });
}

function shareOf({ right, of }: Share): string {
  return `${right}/${of}`;
}

function percent({ right, of }: Share): string {
  return `${right} (${((100 * right) / of).toFixed(1)} %)`;
}

/** Texts of a megabyte that ask for as much work as they can. */
const HOSTILE: Record<string, string> = {
  "one word without an end": "a",
  "sentences of request words": "stop remove not. ",
  "request words without a sign": "no contact remove stop send more from you ",
  "misspelled words": "unsubscrbe, ",
  "Arabic request words": "لا ترسل ",
  "Thai request words": "ไม่ส่งอีเมล",
  "footer phrases": "intended recipient. ",
};
const HOSTILE_CHARS = 1_000_000;

async function timedReport(): Promise<string> {
  const texts = (await countOptOuts()).flatMap(({ text }) => text ?? []);
  const mails = await Promise.all(texts.map((text) => replyOf(text)));
  const read = (mail: (typeof mails)[number]) => classify(mail, { addresses: [] });
  mails.forEach(read);
  const usual = cpuMs(() => mails.forEach(read)) / mails.length;
  const rows = Object.entries(HOSTILE).map(([name, part]) => {
    const text = part.repeat(HOSTILE_CHARS / part.length);
    const mail = { ...mails[0], text } as (typeof mails)[number];
    read(mail);
    return `| 1 MB: ${name} | ${cpuMs(() => read(mail)).toFixed(1)} |`;
  });
  return `
## Time

Processor time of the whole classification, parsing aside, after a first run. Of a long text the first 3,000 and the
last 1,000 characters are read.

| email | ms |
|---|---:|
| a text of the open half, mean of ${mails.length} | ${usual.toFixed(2)} |
${rows.join("\n")}
`;
}

function cpuMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  return process.cpuUsage(before).user / 1000;
}

if (import.meta.main) {
  await Bun.write(REPORT, `${await countedReport()}${await timedReport()}`);
}
