/**
 * Guarantees of `domain/mailboxes/callout.ts`: what a server's words are taken for, and how often anybody is asked. The
 * texts are those that servers publish, labelled before the rule was written (`refusal-texts.ts`).
 */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { checkAddress } from "#domain/mailboxes/address-check.ts";
import {
  type CalloutReply,
  controlAddress,
  DOMAIN_PACE,
  isControlAddress,
  nextQuestion,
  operatorOf,
  type Questions,
  readCallout,
  type Turns,
  takeTurn,
} from "#domain/mailboxes/callout.ts";
import type { SendOutcome } from "#domain/mailboxes/send-outcome.ts";
import { DAY_MS, plus, unixMs } from "#domain/time.ts";
import { enhancedCode } from "#mail/smtp/smtp-outcome.ts";
import { REFUSAL_TEXTS } from "./refusal-texts.ts";

const DOMAIN = "acme.example.org";
const QUESTIONS: Questions = {
  domain: DOMAIN,
  control: controlAddress("account", DOMAIN),
  leads: [`ann@${DOMAIN}`, `bob@${DOMAIN}`],
};
const TAKEN: SendOutcome = { kind: "accepted", response: "250 ok" };
const UNKNOWN = outcomeOf("550 5.1.1 User unknown");

function outcomeOf(text: string): SendOutcome {
  const code = Number(text.slice(0, 3));
  const verdict = { stage: "rcpt" as const, code, enhanced: enhancedCode(text), response: text };
  return code < 500 ? { kind: "deferred", ...verdict } : { kind: "refused", ...verdict };
}

/** A session with a server that says `say` of each address. */
function session(say: (address: string) => SendOutcome, questions = QUESTIONS): CalloutReply[] {
  const replies: CalloutReply[] = [];
  for (let one = nextQuestion(questions, replies); one !== null; ) {
    replies.push({ recipient: one, outcome: say(one) });
    one = nextQuestion(questions, replies);
  }
  return replies;
}

const read = (replies: CalloutReply[]) => readCallout(QUESTIONS, { replies, ended: null });

describe("what a server says", () => {
  test.each(REFUSAL_TEXTS.filter(([, stage]) => stage === "rcpt"))(
    "%s, %s: %s",
    (speaks, _, text) => {
      const about = (address: string) =>
        address.startsWith("ann@") ? outcomeOf(text) : address.startsWith("bob@") ? TAKEN : UNKNOWN;
      const { answers, blocked } = read(session(about));
      const isNobody = speaks === "nobody" && text.startsWith("5");
      expect(answers.get(`ann@${DOMAIN}`)).toBe(isNobody ? "unknown_user" : undefined);
      if (speaks === "sender") {
        expect(blocked).toBe(text);
      }
      if (speaks === "nobody" || speaks === "recipient") {
        expect(blocked).toBeNull();
      }
    },
  );

  test("of everybody alike is never taken for an answer about one", () => {
    fc.assert(
      fc.property(fc.constantFrom(...REFUSAL_TEXTS), ([, , text]) => {
        const { answers, catchAll } = read(session(() => outcomeOf(text)));
        expect([answers.size, catchAll === true]).toEqual([0, false]);
      }),
    );
    const accepting = session(() => TAKEN);
    expect(accepting.map(({ recipient }) => recipient)).toEqual([QUESTIONS.control]);
    expect(read(accepting).catchAll).toBe(true);
  });

  test("ends after a bounded number of questions, each asked once, whatever it is", () => {
    const said = fc.constantFrom(...REFUSAL_TEXTS.map(([, , text]) => outcomeOf(text)), TAKEN);
    fc.assert(
      fc.property(fc.array(said, { minLength: 8, maxLength: 8 }), (outcomes) => {
        const replies = session(() => outcomes.shift() ?? TAKEN);
        const asked = replies.map(({ recipient }) => recipient);
        expect(asked.length).toBeLessThanOrEqual(QUESTIONS.leads.length + 2);
        expect(new Set(asked).size).toBe(asked.length);
        expect(asked[0]).toBe(QUESTIONS.control);
      }),
    );
  });
});

test("the mailbox that can't exist is the same each time, and another for each domain and mailbox", () => {
  const made = ["a", "b"].flatMap((id) => [
    controlAddress(id, "x.org"),
    controlAddress(id, "y.org"),
  ]);
  expect(new Set(made).size).toBe(4);
  expect(made.every((one) => isControlAddress(one) && one.length < 64)).toBe(true);
  expect(controlAddress("a", "x.org")).toBe(controlAddress("a", "x.org"));
});

test("no pace is ever exceeded, however eagerly turns are taken", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: DAY_MS / 4 }), { maxLength: 60 }), (waits) => {
      let turns: Turns | undefined;
      let now = unixMs(0);
      const taken: number[] = [];
      for (const wait of waits) {
        now = plus(now, wait);
        if (turns === undefined || turns.nextAt <= now) {
          turns = takeTurn(turns, now, DOMAIN_PACE);
          taken.push(now);
        }
      }
      const byDay = Map.groupBy(taken, (at) => Math.floor(at / DAY_MS));
      for (const day of byDay.values()) {
        expect(day.length).toBeLessThanOrEqual(DOMAIN_PACE.dayMax);
      }
      for (const [index, at] of taken.slice(1).entries()) {
        expect(at - (taken[index] ?? 0)).toBeGreaterThanOrEqual(DOMAIN_PACE.gapMs);
      }
    }),
  );
});

test.each([
  ["mx1.mimecast.com", "mimecast.com"],
  ["MX.Acme.CO.UK.", "acme.co.uk"],
  ["acme.de", "acme.de"],
  ["mx00.gmx.net", null],
  ["mx-ha02.web.de", null],
])("%s is asked as %p", (exchange, operator) => {
  expect(operatorOf(exchange)).toBe(operator);
});

test("an address is invalid where its server doesn't know it, and risky where that knows everybody", () => {
  const facts = { email: "ann@acme.com", own: [], mx: "found", softBounces: 0 } as const;
  const check = (callout: "unknown_user" | "released" | "accepted" | null, isCatchAll = false) =>
    checkAddress({ ...facts, callout, isCatchAll }).verdict;
  expect(check("unknown_user")).toBe("invalid");
  expect([check("released"), check("accepted"), check(null)]).toEqual(["valid", "valid", "valid"]);
  expect(check(null, true)).toBe("risky");
});
