/**
 * Counts which opt-outs the inbox recognizes, and which near misses it mistakes for one, in
 * `test/fixtures/opt-outs.json`. The texts were written before the rules. Rules are written with the
 * open half in view; of the closed half only totals are ever counted, and nothing here can print its
 * texts: `bun test/support/opt-outs.ts [--misses]`.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { classify } from "#domain/inbox/classify.ts";
import { parseMail } from "#mail/parse.ts";

export const HALVES = ["open", "closed"] as const;
export type Half = (typeof HALVES)[number];
export const CASE_KINDS = ["opt_out", "near_miss"] as const;
export type CaseKind = (typeof CASE_KINDS)[number];

interface Case {
  language: string;
  kind: CaseKind;
  text: string;
  half: Half;
}

export interface Counted {
  half: Half;
  kind: CaseKind;
  language: string;
  right: boolean;
  /** Null in the closed half, which is not to be looked at. */
  text: string | null;
  evidence: string | null;
}

type Languages = Record<string, { opt_outs: string[]; near_misses: string[] }>;

const FILE = new URL("../fixtures/opt-outs.json", import.meta.url);

/** Open where the last byte of the text's SHA-256 is even. */
export function halfOf(text: string): Half {
  const last = createHash("sha256").update(text).digest().at(-1) ?? 0;
  return last % 2 === 0 ? "open" : "closed";
}

function readCases(): Case[] {
  const languages: Languages = JSON.parse(readFileSync(FILE, "utf8"));
  return Object.entries(languages).flatMap(([language, { opt_outs, near_misses }]) => [
    ...opt_outs.map((text): Case => ({ language, kind: "opt_out", text, half: halfOf(text) })),
    ...near_misses.map((text): Case => ({ language, kind: "near_miss", text, half: halfOf(text) })),
  ]);
}

/** A reply as it comes by email. Throws nothing: the bytes are always a message. */
export function replyOf(text: string, html?: string): Promise<Parameters<typeof classify>[0]> {
  const type = html === undefined ? "text/plain" : "text/html";
  const head = [
    "From: Ada Smith <ada@client.example>",
    "To: sam@out.test",
    "Subject: Re: A question",
    "Message-ID: <reply@client.example>",
    "In-Reply-To: <m1@out.test>",
    `Content-Type: ${type}; charset=utf-8`,
    "Content-Transfer-Encoding: 8bit",
  ];
  return parseMail(Buffer.from(`${head.join("\r\n")}\r\n\r\n${html ?? text}\r\n`));
}

/**
 * An opt-out is right when it unsubscribes its sender by itself; a near miss when nothing in it is
 * taken for a request, not even one to show to a person.
 */
export async function countOptOuts(): Promise<Counted[]> {
  const counted: Counted[] = [];
  for (const { half, kind, language, text } of readCases()) {
    const reading = classify(await replyOf(text), { addresses: ["sam@out.test"] });
    const right = kind === "opt_out" ? reading.kind === "unsubscribe" : !reading.optOut;
    const isOpen = half === "open";
    const evidence = isOpen ? reading.evidence : null;
    counted.push({ half, kind, language, right, text: isOpen ? text : null, evidence });
  }
  return counted;
}

/** `of` texts, `right` of them read as they are meant. */
export function totalOf(counted: readonly Counted[], half: Half, kind: CaseKind) {
  const cases = counted.filter((one) => one.half === half && one.kind === kind);
  return { right: cases.filter(({ right }) => right).length, of: cases.length };
}

async function main(withMisses: boolean): Promise<void> {
  const counted = await countOptOuts();
  for (const half of HALVES) {
    for (const kind of CASE_KINDS) {
      const { right, of } = totalOf(counted, half, kind);
      console.info(`${half} ${kind}: ${right}/${of} right, ${((100 * right) / of).toFixed(1)} %`);
    }
  }
  const missed = counted.filter(({ right, half }) => withMisses && !right && half === "open");
  for (const { kind, language, text, evidence } of missed) {
    console.info(`${kind} ${language}: ${JSON.stringify(text)}  [${evidence}]`);
  }
}

if (import.meta.main) {
  await main(process.argv.includes("--misses"));
}
