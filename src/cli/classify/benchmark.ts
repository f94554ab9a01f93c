/** The samples of the classification benchmark. Its format is described in `bench/classify/README.md`. */

import { CommandError, EXIT } from "#cli/exit.ts";
import builtInEmails from "../../../bench/classify/emails.ndjson" with { type: "file" };
import builtInLanguages from "../../../bench/classify/languages.ndjson" with { type: "file" };

export interface Sample {
  id: string;
  language: string;
  label: string;
  text: string;
  subject?: string;
  /** First day back, `2026-03-16`. */
  returns_on?: string;
  /** A raw email beside the list, instead of one that is made of `text`. */
  file?: string;
}

/** What is put around the texts of a language. */
export interface Surroundings {
  people: readonly string[];
  title: string;
  bye: string;
  quote: string;
  mobile: string;
  legal: string;
  subject: string;
  pitch: string;
  footer: string;
  charset?: string;
}

export const LABELS: readonly string[] = [
  "interested",
  "not_interested",
  "neutral",
  "opt_out",
  "out_of_office",
  "left",
  "acknowledgement",
  "bounce_hard",
  "bounce_soft",
  "bounce_block",
  "delay",
  "complaint",
];

export interface Benchmark {
  samples: readonly Sample[];
  languages: ReadonlyMap<string, Surroundings>;
}

/** Throws a {@link CommandError} that names the line and the field that is wrong. */
export async function readBenchmark(emails?: string): Promise<Benchmark> {
  const languages = new Map(
    linesOf(await Bun.file(builtInLanguages).text()).map((line) => {
      const around: Surroundings & { language: string } = JSON.parse(line);
      return [around.language, around];
    }),
  );
  const lines = linesOf(emails ?? (await Bun.file(builtInEmails).text()));
  return { samples: lines.map((line, n) => readSample(line, n + 1, languages)), languages };
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

function readSample(line: string, number: number, languages: Benchmark["languages"]): Sample {
  const fail = (why: string) => {
    return new CommandError(EXIT.badData, `emails.ndjson: line ${number}: ${why}`);
  };
  const sample = parseLine(line) ?? {};
  const { id, label, text, file, language = "" } = sample;
  if (id === undefined || id === "") {
    throw fail("id is missing");
  }
  if (label === undefined || !LABELS.includes(label)) {
    throw fail(`label must be one of ${LABELS.join(", ")}`);
  }
  if (file === undefined && (text === undefined || !languages.has(language))) {
    throw fail("needs a file, or a text and a language of the built-in benchmark");
  }
  return { ...sample, id, label, language, text: text ?? "" };
}

/** The fields that are texts; null for what is no JSON object. */
function parseLine(line: string): Partial<Record<keyof Sample, string>> | null {
  try {
    const value: unknown = JSON.parse(line);
    const fields = Object.entries(value ?? {});
    return Object.fromEntries(fields.filter((field) => typeof field[1] === "string"));
  } catch {
    return null;
  }
}

/** A number below `count` that depends on the sample and on what is decided, and on nothing else. */
export function draw({ id }: Pick<Sample, "id">, what: string, count: number): number {
  return new Bun.CryptoHasher("sha256").update(`${id}/${what}`).digest().readUInt32BE(0) % count;
}

/** Rules are written with half `a` in view; of `b` only totals are looked at. */
export function halfOf(sample: Pick<Sample, "id">): "a" | "b" {
  return draw(sample, "half", 2) === 0 ? "a" : "b";
}

export const OUR_ADDRESS = "tom.berger@out.example";
export const OUR_NAME = "Tom Berger";
/** Mon, 2 March 2026: what "tomorrow" is counted from. */
export const SENT = "Mon, 2 Mar 2026 09:14:00 +0100";
export const OUR_MESSAGE_ID = "<b3c1.7741@out.example>";

/** Who writes, or doesn't exist any more. */
export function addresseeOf(sample: Sample, around: Surroundings) {
  const person = around.people[draw(sample, "person", around.people.length)] ?? "";
  const [name = "", address = ""] = person.slice(0, -1).split(" <");
  const company = address.split("@")[1]?.split(".")[0] ?? "";
  const fill = (text: string) =>
    text
      .replaceAll("{co}", company)
      .replaceAll("{n}", name)
      .replaceAll("{to}", address)
      .replaceAll("{from}", OUR_ADDRESS);
  return { name, address, fill };
}
