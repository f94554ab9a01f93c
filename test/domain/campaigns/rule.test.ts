/** Guarantees of `domain/campaigns/rule.ts`: whom rules could lead round in a circle, and what else is refused. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { checkRules, RULE_EVENTS, type Rule, type RuleEvent } from "#domain/campaigns/rule.ts";

const rule = (campaignId: string, on: RuleEvent = "interested", change: Partial<Rule> = {}) => ({
  ...{ on, campaignId, waitDays: 1, waitMinutes: 0 },
  ...change,
});
const campaign = (id: string, rules: readonly Rule[] = []) => ({ id, name: id, rules });
const team = (...all: ReturnType<typeof campaign>[]) => new Map(all.map((one) => [one.id, one]));

describe("refused is", () => {
  const others = team(campaign("A"), campaign("B", [rule("C")]), campaign("C"));
  test.each<[string, Rule[], [field: string, message: string]]>([
    ["the campaign itself", [rule("A")], ["rules.0.campaign_id", '"A" → "A"']],
    ["a second rule for an event", [rule("B"), rule("C")], ["rules.1.on", "another rule for"]],
    ["another team's campaign", [rule("Z")], ["rules.0.campaign_id", "no such campaign"]],
    [
      "to go on in the moment of the last email",
      [rule("B", "completed", { waitDays: 0 })],
      ["rules.0.wait_days", "must leave time for a reply"],
    ],
  ])("%s", (_name, rules, [field, message]) => {
    expect(() => checkRules(campaign("A", rules), others)).toThrow(
      expect.objectContaining({ field, message: expect.stringContaining(message) }),
    );
  });

  test("a circle, which is named", () => {
    expect(() => checkRules(campaign("C", [rule("A"), rule("B", "replied")]), others)).toThrow(
      expect.objectContaining({
        field: "rules.1.campaign_id",
        message: 'would send leads round in a circle: "C" → "B" → "C"',
      }),
    );
  });
});

test("two ways to one campaign are no circle, and a wait of minutes leaves time for a reply", () => {
  const others = team(campaign("B", [rule("D")]), campaign("C", [rule("D")]), campaign("D"));
  const rules = [rule("B"), rule("C", "completed", { waitDays: 0, waitMinutes: 1 })];
  expect(() => checkRules(campaign("A", rules), others)).not.toThrow();
});

/** Judge: the closure of the relation by Warshall's algorithm; a circle is a campaign that comes to itself. */
test("what is allowed never makes a circle, and whatever makes none is allowed", () => {
  const names = ["A", "B", "C", "D", "E"];
  const anyRules = fc.uniqueArray(
    fc.record({ to: fc.constantFrom(...names), on: fc.constantFrom(...RULE_EVENTS) }),
    { selector: ({ on }) => on, maxLength: 3 },
  );
  let refused = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...names), anyRules), { maxLength: 12 }),
      (writes) => {
        const known = team(...names.map((id) => campaign(id)));
        for (const [id, given] of writes) {
          const own = campaign(
            id,
            given.map(({ to, on }) => rule(to, on)),
          );
          const isCircle = circles(new Map(known).set(id, own));
          let isRefused = false;
          try {
            checkRules(own, known);
            known.set(id, own);
          } catch {
            isRefused = true;
          }
          refused += Number(isRefused);
          expect(isRefused).toBe(isCircle);
        }
      },
    ),
    { numRuns: 500 },
  );
  expect(refused).toBeGreaterThan(100);
});

function circles(all: ReturnType<typeof team>): boolean {
  const leads = new Set(
    [...all.values()].flatMap(({ id, rules }) => rules.map((one) => `${id}${one.campaignId}`)),
  );
  const names = [...all.keys()];
  for (const via of names) {
    for (const from of names) {
      for (const to of names) {
        if (leads.has(`${from}${via}`) && leads.has(`${via}${to}`)) {
          leads.add(`${from}${to}`);
        }
      }
    }
  }
  return names.some((name) => leads.has(`${name}${name}`));
}
