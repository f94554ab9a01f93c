/** Guarantees of `sandbox/people.ts` and `faults.ts`: magic addresses, rates, and the same seed's same people. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SECOND_MS } from "#domain/time.ts";
import { pollFault, sendFault } from "#sandbox/faults.ts";
import { behave, languageOf, magicName } from "#sandbox/people.ts";
import {
  affectedBy,
  RATE_NAMES,
  REACTION_KINDS,
  type SandboxSettings,
  SETTINGS_DEFAULTS,
} from "#sandbox/settings.ts";
import { NOTHING, START } from "./support.ts";

function settings(change: Partial<SandboxSettings> = {}): SandboxSettings {
  return { seed: 1, ...SETTINGS_DEFAULTS, rates: NOTHING, ...change };
}

const CROWD = Array.from({ length: 4000 }, (_, index) => `person${index}@example.com`);

describe("effects", () => {
  const effects = [
    { contains: "Free Trial", rates: { reply: 1 } },
    { contains: "free", rates: { hard_bounce: 1 } },
  ];

  test.each([
    ["a text that is said in other letters", "Start your FREE trial", "reply"],
    ["the first of two that fit", "free trial", "reply"],
    ["a later one where the first does not fit", "Are you free?", "hard_bounce"],
  ])("%s changes what people do", (_name, content, kind) => {
    const { reactions } = behave(affectedBy(settings({ effects }), content), "ann@example.com", 0);
    expect(reactions.map((reaction) => reaction.kind)).toEqual([kind as "reply"]);
  });

  test("other messages find people as they are", () => {
    const given = settings({ effects });
    expect(affectedBy(given, "A question")).toBe(given);
  });

  test("a higher rate only adds answers: nobody who would answer anyway keeps silent", () => {
    const low = settings({ rates: { ...NOTHING, reply: 0.1 } });
    const high = affectedBy({ ...low, effects: [{ contains: "x", rates: { reply: 0.3 } }] }, "x");
    const answers = (of: SandboxSettings) =>
      CROWD.filter((person) => behave(of, person, 0).reactions.length > 0);
    expect(new Set(answers(high)).isSupersetOf(new Set(answers(low)))).toBe(true);
    expect(answers(high).length).toBeGreaterThan(2 * answers(low).length);
  });
});

describe("magic addresses", () => {
  test.each([
    ["reply@sandbox.test", "delivered", "reply"],
    ["interested@sandbox.test", "delivered", "interested"],
    ["ooo@sandbox.test", "delivered", "auto_reply"],
    ["bounce@sandbox.test", "bounced", "hard_bounce"],
    ["softbounce@sandbox.test", "bounced", "soft_bounce"],
    ["complaint@sandbox.test", "delivered", "complaint"],
    ["unsubscribe@sandbox.test", "delivered", "unsubscribe"],
    ["reply+anything-17@sandbox.test", "delivered", "reply"],
    ["REPLY@Sandbox.Test", "delivered", "reply"],
  ] as const)("%s does its one thing, every time", (address, verdict, kind) => {
    for (const ordinal of [0, 1, 7]) {
      const behaviour = behave(settings({ seed: ordinal }), address, ordinal);
      expect(behaviour.verdict).toBe(verdict);
      expect(behaviour.reactions.map((reaction) => reaction.kind)).toEqual([kind]);
    }
  });

  test.each([
    ["smtp421@sandbox.test", { kind: "deferred", stage: "rcpt", code: 421, enhanced: "4.3.2" }],
    ["smtp550+x@sandbox.test", { kind: "refused", stage: "rcpt", code: 550, enhanced: "5.1.1" }],
    ["timeout@sandbox.test", { kind: "unreachable", stage: "rcpt", bodySent: false }],
  ])("%s fails before the body", (recipient, outcome) => {
    const fault = sendFault(settings(), { accountId: "a", recipient, at: START });
    expect(fault).toMatchObject({ kind: "before", outcome });
  });

  test.each([
    "reply@sandbox.test.example.com",
    "noreply@sandbox.test",
    "reply@example.com",
    "+reply@sandbox.test",
  ])("%s is an ordinary address", (address) => {
    expect(magicName(address)).toBeUndefined();
    expect(behave(settings(), address, 0)).toEqual({ verdict: "delivered", reactions: [] });
  });

  test("rates and rated faults leave them alone", () => {
    const rates = { ...NOTHING, hard_bounce: 1 };
    const faults = { ...SETTINGS_DEFAULTS.faults, smtp421: 1 };
    const wild = settings({ rates, faults });
    const kinds = behave(wild, "reply@sandbox.test", 0).reactions.map(({ kind }) => kind);
    expect(kinds).toEqual(["reply"]);
    const attempt = { accountId: "a", recipient: "reply@sandbox.test", at: START };
    expect(sendFault(wild, attempt)).toBeUndefined();
  });
});

describe("rates", () => {
  test.each(REACTION_KINDS.map((kind) => [kind] as const))(
    "%s strikes its share of messages",
    (kind) => {
      const some = settings({ rates: { ...NOTHING, [kind]: 0.1 } });
      const struck = CROWD.filter(
        (address) => behave(some, address, 0).reactions[0]?.kind === kind,
      );
      expect(struck.length).toBeGreaterThan(CROWD.length * 0.08);
      expect(struck.length).toBeLessThan(CROWD.length * 0.12);
    },
  );

  test("spam is read by nobody", () => {
    const some = settings({ rates: { ...NOTHING, spam: 1, reply: 1 } });
    expect(behave(some, "x@example.com", 0)).toEqual({ verdict: "spam", reactions: [] });
  });

  test("who does not exist does not exist for any message", () => {
    const some = settings({ rates: { ...NOTHING, hard_bounce: 0.2 } });
    for (const address of CROWD.slice(0, 200)) {
      const verdicts = [0, 1, 2].map((ordinal) => behave(some, address, ordinal).verdict);
      expect(new Set(verdicts).size).toBe(1);
    }
  });

  test("0 and 1 are never and always", () => {
    fc.assert(
      fc.property(fc.nat(), fc.emailAddress(), fc.nat(20), (seed, address, ordinal) => {
        expect(behave(settings({ seed }), address, ordinal).reactions).toEqual([]);
        const always = settings({ seed, rates: { ...NOTHING, reply: 1 } });
        expect(behave(always, address, ordinal).reactions).toHaveLength(1);
      }),
    );
  });
});

test.each(RATE_NAMES.map((name) => [name] as const))(
  "%s: the same seed strikes the same people, another seed others",
  (name) => {
    const struck = (seed: number) => {
      const some = settings({ seed, rates: { ...NOTHING, [name]: 0.3 } });
      return CROWD.slice(0, 300).map((address) => behave(some, address, 1));
    };
    expect(struck(7)).toEqual(struck(7));
    expect(struck(7)).not.toEqual(struck(8));
  },
);

test("delays keep within their bounds", () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.constantFrom(...REACTION_KINDS),
      fc.nat({ max: 100_000 }),
      fc.nat({ max: 100_000 }),
      (seed, kind, a, b) => {
        const [minSeconds, maxSeconds] = [Math.min(a, b), Math.max(a, b)];
        const delays = { ...SETTINGS_DEFAULTS.delays, [kind]: { minSeconds, maxSeconds } };
        const some = settings({ seed, delays, rates: { ...NOTHING, [kind]: 1 } });
        const after = behave(some, `p${seed}@example.com`, 0).reactions[0]?.after ?? -1;
        expect(after).toBeGreaterThanOrEqual(minSeconds * SECOND_MS);
        expect(after).toBeLessThanOrEqual(maxSeconds * SECOND_MS);
      },
    ),
  );
});

describe("faults", () => {
  const attempt = (recipient: string, at = START) => ({ accountId: "a", recipient, at });

  test("strike their share of attempts, and another instant may fare better", () => {
    const faults = { ...SETTINGS_DEFAULTS.faults, smtp450: 0.2 };
    const failed = CROWD.filter((to) => sendFault(settings({ faults }), attempt(to)) !== undefined);
    expect(failed.length).toBeGreaterThan(CROWD.length * 0.17);
    expect(failed.length).toBeLessThan(CROWD.length * 0.23);
    const later = (ms: number) => (START + ms) as typeof START;
    const again = failed.filter((to) =>
      sendFault(settings({ faults }), attempt(to, later(300_000))),
    );
    expect(again.length).toBeLessThan(failed.length * 0.4);
  });

  test("a cut loses some messages and not others", () => {
    const faults = { ...SETTINGS_DEFAULTS.faults, cut: 1 };
    const kept = CROWD.slice(0, 200).map((to) => sendFault(settings({ faults }), attempt(to)));
    expect(new Set(kept.map((fault) => fault?.kind === "cut" && fault.kept))).toEqual(
      new Set([true, false]),
    );
  });

  test("an account whose login is refused can neither send nor read", () => {
    const some = settings({ authFailures: ["a"] });
    const refused = { kind: "refused", stage: "auth", code: 535 };
    expect(sendFault(some, attempt("x@example.com"))).toMatchObject({ outcome: refused });
    expect(pollFault(some, "a", START)).toMatchObject({ login: true });
    expect(pollFault(some, "b", START)).toBeUndefined();
  });
});

test.each([
  ["ooo+de@sandbox.test", "de"],
  ["ooo@sandbox.test", "en"],
  ["x@firma.de", "de"],
  ["x@entreprise.fr", "fr"],
  ["reply+nl@sandbox.test", "nl"],
])("%s writes %s", (address, language) => {
  expect(languageOf(1, address)).toBe(language as ReturnType<typeof languageOf>);
});
