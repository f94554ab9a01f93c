/**
 * Counts whether footers of a replier's own email system change what the reply is read as: each footer of
 * `test/fixtures/footers.json`, in each layout, below words of interest and below an opt-out:
 * `bun test/support/footers.ts [--misses]`. The footers are parted in halves as the opt-outs are.
 */

import { readFileSync } from "node:fs";
import { classify } from "#domain/inbox/classify.ts";
import { type Half, halfOf, replyOf } from "./opt-outs.ts";

interface Footer {
  language: string;
  kind: string;
  text: string;
}

const WORDS = {
  interested: "Yes, interested! Please call.",
  opt_out: "Please take me off your list.",
} as const;
export type Wish = keyof typeof WORDS;

const ATTRIBUTION = "On Mon, 2 Mar 2026 at 09:14, Sam Miller <sam@out.test> wrote:";
const QUOTE = "> Hi Ada,\n> may I call you about your freight costs?\n> Sam";
const SIGNATURE = "Best regards\nAda Smith\nHead of Purchasing | Client Ltd\n+44 20 7946 0000";

/** How mail programs and servers put a footer below a person's words. */
export const LAYOUTS: Record<string, (words: string, footer: string) => string> = {
  "above the quote": (words, footer) => `${words}\n\n${footer}\n\n${ATTRIBUTION}\n${QUOTE}`,
  "below the quote": (words, footer) => `${words}\n\n${ATTRIBUTION}\n${QUOTE}\n\n${footer}`,
  "HTML only": (words, footer) =>
    `<div>${words}</div><br><div><font size="1">${footer}</font></div><br><div>${ATTRIBUTION}</div><blockquote>Hi Ada, may I call you?</blockquote>`,
  "next line, no separator": (words, footer) => `${words}\n${footer}`,
  "one line": (words, footer) => `${words} ${footer}`,
  "below a signature": (words, footer) => `${words}\n\n${SIGNATURE}\n\n${footer}`,
  "wrapped, below a rule": (words, footer) => `${words}\n\n${"_".repeat(30)}\n${wrap(footer)}`,
};

function wrap(text: string): string {
  return text.replace(/(?<line>.{50,68}) /g, "$<line>\n");
}

export interface CountedFooter {
  wish: Wish;
  layout: string;
  half: Half;
  language: string;
  /** One of the first six, which the 42 combinations are made of. */
  isFirst: boolean;
  right: boolean;
  /** Null in the closed half. */
  text: string | null;
}

const FIRST = 6;

/** Words of interest are right as an interested reply, opt-outs as an unsubscribe. */
export async function countFooters(): Promise<CountedFooter[]> {
  const footers: Footer[] = JSON.parse(
    readFileSync(new URL("../fixtures/footers.json", import.meta.url), "utf8"),
  );
  const counted: CountedFooter[] = [];
  for (const [place, { text, language }] of footers.entries()) {
    const half = halfOf(text);
    for (const [layout, arrange] of Object.entries(LAYOUTS)) {
      for (const wish of ["interested", "opt_out"] as const) {
        const right = await isRight(wish, layout, arrange(WORDS[wish], text));
        const shown = half === "open" || place < FIRST ? text : null;
        counted.push({ wish, layout, half, language, isFirst: place < FIRST, right, text: shown });
      }
    }
  }
  return counted;
}

async function isRight(wish: Wish, layout: string, body: string): Promise<boolean> {
  const mail = await replyOf(body, layout === "HTML only" ? body : undefined);
  const { kind, interest, optOut } = classify(mail, { addresses: ["sam@out.test"] });
  return wish === "opt_out"
    ? kind === "unsubscribe"
    : kind === "reply" && interest === "interested" && !optOut;
}

async function main(withMisses: boolean): Promise<void> {
  const counted = await countFooters();
  const groups: [string, (one: CountedFooter) => boolean][] = [
    ["first six", ({ isFirst }) => isFirst],
    ["open", ({ half }) => half === "open"],
    ["closed", ({ half }) => half === "closed"],
  ];
  for (const [name, isIn] of groups) {
    for (const wish of Object.keys(WORDS)) {
      const cases = counted.filter((one) => isIn(one) && one.wish === wish);
      console.info(`${name} ${wish}: ${cases.filter(({ right }) => right).length}/${cases.length}`);
    }
  }
  for (const { wish, layout, language, text } of counted.filter(({ right }) => !right)) {
    if (withMisses && text !== null) {
      console.info(`${wish}, ${layout}, ${language}: ${JSON.stringify(text)}`);
    }
  }
}

if (import.meta.main) {
  await main(process.argv.includes("--misses"));
}
