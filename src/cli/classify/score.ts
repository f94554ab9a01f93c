/** How often the classification of a benchmark is right: by class, by language, and what is mistaken for what. */

import type { Interest } from "#domain/campaigns/enrollment.ts";
import { type Classification, classify } from "#domain/inbox/classify.ts";
import { parseMail } from "#mail/parse.ts";
import { type Benchmark, halfOf, type Sample } from "./benchmark.ts";
import { makeEmail } from "./benchmark-email.ts";

export const HALVES = ["a", "b"] as const;

interface Share {
  right: number;
  of: number;
}

interface ClassScore extends Share {
  class: string;
  /** Of the emails that were read as this class, the share that is; null where there are none. */
  precision: number | null;
  recall: number;
}

export interface Score extends Share {
  half: string;
  classes: readonly ClassScore[];
  languages: readonly (Share & { language: string })[];
  /** What was mistaken for what, the most frequent first. */
  confusions: readonly { class: string; read_as: string; emails: number }[];
  /** Emails that name a first day back, and those whose day was read. */
  return_dates: Share;
  /** Automatic replies of somebody who left, and those that were read so. */
  left: Share;
  /** Ids, of half a alone. */
  missed: readonly string[];
  /** Replies that a model was asked about and those of them it labelled right; null: there was none. */
  model: (Share & { labelled: number }) | null;
}

/** Asks a model about a reply that the rules are silent about; null: unsure. */
export type Ask = (text: string) => Promise<Interest | null>;

interface Read {
  sample: Sample;
  class: string;
  readAs: string;
  reading: Classification;
  /** What the model said where the rules were silent; undefined: it wasn't asked. */
  model: Interest | null | undefined;
}

/** Bytes of the samples that come as files are `load`ed. Without a model, nothing is `ask`ed. */
export async function scoreBenchmark(
  { samples, languages }: Benchmark,
  load: (file: string) => Promise<Uint8Array>,
  ask: Ask | null,
): Promise<Score[]> {
  const reads: Read[] = [];
  for (const sample of samples) {
    const around = languages.get(sample.language);
    const bytes = sample.file === undefined && around ? makeEmail(sample, around) : null;
    const reading = classify(await parseMail(bytes ?? (await load(sample.file ?? ""))), {
      addresses: [],
    });
    const { kind, interest, optOut, text } = reading;
    const isSilent = kind === "reply" && interest === null && !optOut && text !== "";
    const model = ask !== null && isSilent ? await ask(text) : undefined;
    const labelled = { ...reading, interest: interest ?? model ?? null };
    reads.push({
      ...{ sample, reading, model },
      class: classOf(sample.label),
      readAs: readAs(labelled),
    });
  }
  return HALVES.map((half) =>
    scoreOf(
      half,
      reads.filter(({ sample }) => halfOf(sample) === half),
      ask !== null,
    ),
  );
}

/** The inbox makes no difference between what answers by itself. */
function classOf(label: string): string {
  return /^(?:out_of_office|left|acknowledgement)$/.test(label) ? "automatic" : label;
}

function readAs({ kind, severity, interest }: Classification): string {
  switch (kind) {
    case "reply":
      return interest === "meeting" ? "interested" : (interest ?? "neutral");
    case "auto_reply":
      return "automatic";
    case "bounce":
      return `bounce_${severity}`;
    case "notice":
      return "delay";
    case "unsubscribe":
      return "opt_out";
    default:
      return kind;
  }
}

function scoreOf(half: string, reads: readonly Read[], hasModel: boolean): Score {
  const dated = reads.filter(({ sample }) => sample.returns_on !== undefined);
  const left = reads.filter(({ sample }) => sample.label === "left");
  const missed = reads.filter((read) => !isRight(read));
  const pairs = Map.groupBy(missed, (read) => `${read.class} ${read.readAs}`);
  const confusions = [...pairs].map(([pair, { length }]) => {
    const [name = "", other = ""] = pair.split(" ");
    return { class: name, read_as: other, emails: length };
  });
  return {
    half,
    ...shareOf(reads, isRight),
    classes: [...Map.groupBy(reads, (read) => read.class)].map(([name, own]) => {
      const named = reads.filter(({ readAs: other }) => other === name);
      const { right, of } = shareOf(own, isRight);
      const precision = named.length === 0 ? null : round(right / named.length);
      return { class: name, right, of, precision, recall: round(right / of) };
    }),
    languages: [...Map.groupBy(reads, ({ sample }) => sample.language)].map(([language, own]) => ({
      language,
      ...shareOf(own, isRight),
    })),
    confusions: confusions.toSorted((one, other) => other.emails - one.emails),
    return_dates: shareOf(dated, ({ sample, reading }) => reading.returnsOn === sample.returns_on),
    left: shareOf(left, ({ reading }) => reading.hasLeft),
    missed: half === "a" ? missed.map(({ sample }) => sample.id) : [],
    model: hasModel ? modelShare(reads.filter(({ model }) => model !== undefined)) : null,
  };
}

function modelShare(asked: readonly Read[]) {
  const labelled = asked.filter(({ model }) => model !== null);
  return { right: labelled.filter(isRight).length, of: asked.length, labelled: labelled.length };
}

function isRight(read: Read): boolean {
  return read.class === read.readAs;
}

function shareOf(reads: readonly Read[], isGood: (read: Read) => boolean): Share {
  return { right: reads.filter(isGood).length, of: reads.length };
}

function round(share: number): number {
  return Math.round(share * 1000) / 1000;
}
