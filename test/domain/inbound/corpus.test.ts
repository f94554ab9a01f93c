/**
 * What classification reaches on a corpus of real mails: floors, not hopes. The corpus is not part of
 * this repository, for its licences differ; without it these tests are skipped and say so.
 *
 * Where a label is not ours to follow (a provider's report about authentication is called a complaint,
 * a person's forward of a bounce a bounce), the floor leaves room.
 */

import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { type Classification, classify } from "#domain/inbound/classify.ts";
import { stripReply } from "#domain/inbound/reply.ts";
import { parseMail } from "#mail/parse.ts";

const FOLDER = new URL("../../../../shared/mailcorpus/", import.meta.url).pathname;
const isHere = existsSync(`${FOLDER}MANIFEST.json`);
if (!isHere) {
  console.warn("skipped: the mail corpus (../shared/mailcorpus) is not on this machine");
}

interface Label {
  severity?: string;
  severity_also_ok?: string[];
  status?: string;
}

interface Sample {
  file: string;
  expected_class: "bounce" | "human_reply" | "auto_reply" | "complaint" | "not_bounce";
  expected?: Label[] | Label | null;
  recipients?: string[];
  expected_file?: string;
}

interface Read {
  sample: Sample;
  reading: Classification;
}

const samples: Sample[] = isHere
  ? JSON.parse(readFileSync(`${FOLDER}MANIFEST.json`, "utf8")).samples
  : [];
const mails = samples.filter(({ file }) => file.endsWith(".eml"));

async function readAll(kind: Sample["expected_class"]): Promise<Read[]> {
  const chosen = mails.filter((sample) => sample.expected_class === kind);
  return await Promise.all(
    chosen.map(async (sample) => {
      const mail = await parseMail(readFileSync(FOLDER + sample.file));
      return { sample, reading: classify(mail, { addresses: [] }) };
    }),
  );
}

/** Prints `name: good of all` with the files that miss, and returns the share. */
function share(name: string, all: readonly Read[], isGood: (read: Read) => boolean): number {
  const missed = all.filter((read) => !isGood(read));
  console.info(`corpus, ${name}: ${all.length - missed.length} of ${all.length}`);
  for (const { sample, reading } of missed.slice(0, process.env["CORPUS_VERBOSE"] ? 1000 : 0)) {
    console.info(`  ${sample.file}: ${reading.kind} ${reading.severity} (${reading.evidence})`);
  }
  return (all.length - missed.length) / all.length;
}

describe.skipIf(!isHere)("of the corpus", () => {
  test("bounces are recognised", async () => {
    const bounces = await readAll("bounce");
    const isReport = ({ reading }: Read) => ["bounce", "notice"].includes(reading.kind);
    expect(share("bounces recognised", bounces, isReport)).toBeGreaterThanOrEqual(0.985);
  });

  test("bounces get the severity of their label, and what suppresses is right", async () => {
    const known = (await readAll("bounce")).filter(({ sample }) => {
      return ["hard", "soft", "block"].includes(labelOf(sample).severity ?? "");
    });
    expect(share("severity", known, hasSeverity)).toBeGreaterThanOrEqual(0.87);
    const hard = known.filter(({ reading }) => reading.severity === "hard");
    expect(share("hard rightly", hard, hasSeverity)).toBeGreaterThanOrEqual(0.89);
    const labelled = known.filter(({ sample }) => labelOf(sample).severity === "hard");
    const isHard = ({ reading }: Read) => reading.severity === "hard";
    expect(share("hard found", labelled, isHard)).toBeGreaterThanOrEqual(0.88);
  });

  test("bounces name who failed and the message of ours", async () => {
    const bounces = await readAll("bounce");
    const named = bounces.filter(({ sample }) => (sample.recipients ?? []).length > 0);
    const isNamed = ({ sample, reading }: Read) =>
      (sample.recipients ?? []).some((one) => reading.recipients.includes(one.toLowerCase()));
    expect(share("recipient", named, isNamed)).toBeGreaterThanOrEqual(0.95);
    const hasId = ({ reading }: Read) => reading.originalMessageIds.length > 0;
    expect(share("original Message-ID", bounces, hasId)).toBeGreaterThanOrEqual(0.8);
  });

  test("people's answers are answers: never a bounce, an automatic one or an opt-out", async () => {
    const replies = await readAll("human_reply");
    expect(share("replies", replies, ({ reading }) => reading.kind === "reply")).toBe(1);
  });

  test("automatic answers are recognised", async () => {
    const automatic = await readAll("auto_reply");
    const isAutomatic = ({ reading }: Read) => reading.kind === "auto_reply";
    expect(share("automatic answers", automatic, isAutomatic)).toBeGreaterThanOrEqual(0.96);
  });

  test("complaints are recognised", async () => {
    const complaints = await readAll("complaint");
    const isKnown = ({ reading }: Read) =>
      reading.feedbackType !== null || reading.kind === "unsubscribe";
    expect(share("complaints", complaints, isKnown)).toBeGreaterThanOrEqual(0.95);
  });

  test("quoted text is cut as another tool's tests cut it", () => {
    const pairs = samples.filter(({ expected_file }) => expected_file !== undefined);
    const squeezed = (file: string) =>
      readFileSync(FOLDER + file, "utf8")
        .replace(/\s+/g, " ")
        .trim();
    const exact = pairs.filter(({ file, expected_file = "" }) => {
      const stripped = stripReply(readFileSync(FOLDER + file, "utf8"));
      return stripped.replace(/\s+/g, " ").trim() === squeezed(expected_file);
    });
    console.info(`corpus, quoted text: ${exact.length} of ${pairs.length} exact`);
    expect(exact.length / pairs.length).toBeGreaterThanOrEqual(0.74);
  });
});

function labelOf(sample: Sample): Label {
  return [sample.expected ?? {}].flat()[0] ?? {};
}

function hasSeverity({ sample, reading }: Read): boolean {
  const { severity = "", severity_also_ok: others = [] } = labelOf(sample);
  return [severity, ...others].includes(reading.severity ?? "");
}
