/**
 * Guarantees of `domain/mailboxes/smtp-fault.ts` on texts that real servers use, collected before the rule. It was
 * written with all of them in sight: what it says of texts that are not here is not measured.
 */

import { describe, expect, test } from "bun:test";
import type { Verdict } from "#domain/mailboxes/send-outcome.ts";
import { classifyFault, type Fault } from "#domain/mailboxes/smtp-fault.ts";
import { REFUSAL_TEXTS, type Speaks } from "./refusal-texts.ts";

function judged(stage: "rcpt" | "data", reply: string): Fault {
  const [, digits = "", enhanced = null, response = ""] =
    /^(\d{3})(?: ([245]\.\d+\.\d+))?(?: (.*))?$/.exec(reply) ?? [];
  const code = Number(digits);
  const kind = code < 500 ? ("deferred" as const) : ("refused" as const);
  const verdict: Verdict<"deferred"> | Verdict<"refused"> = {
    kind,
    stage,
    code,
    enhanced,
    response,
  };
  return classifyFault(verdict);
}

/** What a fault may be where the text speaks of that. */
const FITS: Readonly<Record<Speaks, (fault: Fault) => boolean>> = {
  nobody: ({ kind }) => kind === "bounce",
  recipient: (fault) => fault.kind === "soft_bounce" || (fault.kind === "retry" && !fault.account),
  sender: ({ kind }) => kind === "sender",
  rate: ({ kind }) => kind === "backoff",
  content: ({ kind }) => kind === "failed",
  policy: ({ kind }) => kind === "failed",
  temporary: (fault) => fault.kind === "retry" && !fault.account,
};

const halfOf = (text: string) => (new Bun.CryptoHasher("sha256").update(text).digest()[0] ?? 0) % 2;

describe.each([
  ["one half", 0],
  ["the other half", 1],
])("%s", (_name, half) => {
  const mine = REFUSAL_TEXTS.filter(([, , text]) => halfOf(text) === half);
  const wrong = mine.filter(([speaks, stage, text]) => !FITS[speaks](judged(stage, text)));

  test("every text is read as what it speaks of", () => {
    expect(mine.length).toBeGreaterThan(35);
    expect(wrong.map(([, , text]) => text)).toEqual([]);
  });
});
