/**
 * Figures of classification on a corpus of real emails, with what it misses. The corpus is no part of
 * this repository, for its licences differ; see {@link CORPUS_DIR}.
 *
 * Labels are followed where they are ours to follow. Two are not: a status that the labeller made up
 * (`5.0.9xx`, which no server sent) and a severity that the labeller calls unknown.
 */

import { existsSync, readFileSync } from "node:fs";
import { type Classification, classify } from "#domain/inbox/classify.ts";
import { stripReply } from "#domain/inbox/reply.ts";
import { parseMail } from "#mail/parse.ts";

export const CORPUS_DIR = new URL("../../../shared/mailcorpus/", import.meta.url).pathname;
export const isCorpusHere: boolean = existsSync(`${CORPUS_DIR}MANIFEST.json`);

interface Label {
  severity?: string;
  severity_also_ok?: string[];
  status?: string;
  feedback_type?: string;
}

export interface Sample {
  file: string;
  expected_class: "bounce" | "human_reply" | "auto_reply" | "complaint" | "not_bounce";
  expected?: Label[] | null;
  recipients?: string[];
  expected_file?: string;
}

export interface Read {
  sample: Sample;
  reading: Classification;
  /** Bytes as Latin-1, for questions about what the email says at all. */
  raw: string;
}

export interface Figure {
  name: string;
  good: number;
  of: number;
  /** The share that may not be undercut. */
  target: number;
  missed: readonly Read[];
}

export function corpusSamples(): Sample[] {
  return isCorpusHere ? JSON.parse(readFileSync(`${CORPUS_DIR}MANIFEST.json`, "utf8")).samples : [];
}

/**
 * A third of the corpus, chosen by name: rules were written with only the other two thirds in view,
 * so this third shows what they are worth elsewhere.
 */
export function isHeldOut({ file }: Sample): boolean {
  return Bun.hash.crc32(file) % 3 === 0;
}

export async function readCorpus(samples: readonly Sample[]): Promise<Read[]> {
  const reads: Read[] = [];
  for (const sample of samples.filter(({ file }) => file.endsWith(".eml"))) {
    const bytes = readFileSync(CORPUS_DIR + sample.file);
    const reading = classify(await parseMail(bytes), { addresses: [] });
    reads.push({ sample, reading, raw: bytes.toString("latin1") });
  }
  return reads;
}

const SEVERITIES = ["hard", "soft", "block"];
/** Exact cuts where another tool's tests cut: many of those are matters of taste. */
const QUOTED_TARGET = 0.74;

export function figuresOf(reads: readonly Read[]): Figure[] {
  const of = (kind: Sample["expected_class"]) =>
    reads.filter(({ sample }) => sample.expected_class === kind);
  const bounces = of("bounce");
  const graded = bounces.filter(({ sample }) =>
    labels(sample).some(({ severity = "" }) => SEVERITIES.includes(severity)),
  );
  return [
    figure("bounces recognised", 0.99, bounces, isReport),
    figure("bounce status", 0.95, bounces.filter(hasStatusLabel), hasStatus),
    figure(
      "bounce recipient",
      0.95,
      bounces.filter(({ sample }) => (sample.recipients ?? []).length > 0),
      hasRecipient,
    ),
    figure("bounce severity", 0.95, graded, hasSeverity),
    figure("hard: precision", 0.98, graded.filter(isHard), hasSeverity),
    figure(
      "hard: recall",
      0.9,
      graded.filter(({ sample }) => labels(sample)[0]?.severity === "hard"),
      isHard,
    ),
    figure(
      "original Message-ID",
      0.95,
      bounces.filter(({ raw }) => (raw.match(/^[> \t]*message-id:[ \t]*</gim) ?? []).length > 1),
      ({ reading }) => reading.originalMessageIds.length > 0,
    ),
    figure("complaints", 0.95, of("complaint"), ({ reading }) => reading.kind === "complaint"),
    figure(
      "feedback type",
      0.95,
      of("complaint").filter(({ sample }) => labels(sample).length > 0),
      ({ sample, reading }) => labels(sample)[0]?.feedback_type === reading.feedbackType,
    ),
    figure("auto-replies", 0.95, of("auto_reply"), ({ reading }) => reading.kind === "auto_reply"),
    figure("human replies", 1, of("human_reply"), ({ reading }) => reading.kind === "reply"),
    figure("negatives", 1, of("not_bounce"), ({ reading }) => reading.kind !== "bounce"),
  ];
}

/** Texts with quotes against what another tool keeps of them, blanks aside. */
export function quotedFigure(samples: readonly Sample[]): Pick<Figure, "good" | "of" | "target"> {
  const squeeze = (text: string) => text.replace(/\s+/g, " ").trim();
  const read = (file: string) => readFileSync(CORPUS_DIR + file, "utf8");
  const pairs = samples.filter(({ expected_file }) => expected_file !== undefined);
  const exact = pairs.filter(({ file, expected_file = "" }) => {
    return squeeze(stripReply(read(file))) === squeeze(read(expected_file));
  });
  return { good: exact.length, of: pairs.length, target: QUOTED_TARGET };
}

function figure(
  name: string,
  target: number,
  all: readonly Read[],
  isGood: (read: Read) => boolean,
): Figure {
  const missed = all.filter((read) => !isGood(read));
  return { name, good: all.length - missed.length, of: all.length, target, missed };
}

function labels(sample: Sample): Label[] {
  return sample.expected ?? [];
}

/** A delay is a notice; what lasts must be a bounce. */
function isReport({ sample, reading }: Read): boolean {
  const isLasting = labels(sample).some(({ severity = "", severity_also_ok: others = [] }) => {
    return ["hard", "block", "permanent"].includes(severity) && !others.includes("soft");
  });
  return reading.kind === "bounce" || (reading.kind === "notice" && !isLasting);
}

function hasStatusLabel({ sample }: Read): boolean {
  return labels(sample).some(
    ({ status }) => status !== undefined && status !== "" && !isMadeUp(status),
  );
}

function isMadeUp(status: string): boolean {
  return /^[45]\.0\.9\d\d$/.test(status);
}

function hasStatus({ sample, reading }: Read): boolean {
  return labels(sample).some(({ status }) => status === reading.status);
}

function hasRecipient({ sample, reading }: Read): boolean {
  return (sample.recipients ?? []).some((one) => reading.recipients.includes(one.toLowerCase()));
}

function hasSeverity({ sample, reading }: Read): boolean {
  return labels(sample).some(({ severity = "", severity_also_ok: others = [] }) =>
    [severity, ...others].includes(reading.severity ?? ""),
  );
}

function isHard({ reading }: Read): boolean {
  return reading.kind === "bounce" && reading.severity === "hard";
}
