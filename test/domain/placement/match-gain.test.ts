/** Guarantees of `domain/placement/match-gain.ts`. */

import { describe, expect, test } from "bun:test";
import type { MailProvider } from "#domain/mailboxes/mail-provider.ts";
import { matchGains, type PairShare } from "#domain/placement/match-gain.ts";
import { hash01 } from "#domain/random.ts";

/** Tests from mailboxes at Google and Microsoft, at seeds at both: `[inbox, total]` each. */
function shares(cells: Record<string, [number, number]>): PairShare[] {
  return Object.entries(cells).map(([pair, [inbox, total]]) => {
    const [from, provider] = pair.split(" ") as [MailProvider, MailProvider];
    return { from, provider, inbox, total };
  });
}

const providersOf = (cells: Record<string, [number, number]>) =>
  matchGains(shares(cells)).map(({ provider }) => provider);

describe("where matching pays", () => {
  test("each does clearly better at home: at both", () => {
    const cells = shares({
      ...{ "google google": [55, 60], "google microsoft": [20, 60] },
      ...{ "microsoft google": [30, 60], "microsoft microsoft": [54, 60] },
    });
    expect(matchGains(cells)).toEqual([
      { provider: "google", own: { inbox: 55, total: 60 }, others: { inbox: 30, total: 60 } },
      { provider: "microsoft", own: { inbox: 54, total: 60 }, others: { inbox: 20, total: 60 } },
    ]);
  });

  test.each<[string, Record<string, [number, number]>]>([
    ["nothing was tested", {}],
    [
      "one is better everywhere",
      {
        ...{ "google google": [20, 60], "google microsoft": [20, 60] },
        ...{ "microsoft google": [55, 60], "microsoft microsoft": [55, 60] },
      },
    ],
    [
      "elsewhere was never tested",
      { "google microsoft": [10, 60], "microsoft microsoft": [58, 60] },
    ],
    [
      "all mailboxes are at one provider",
      { "google google": [58, 60], "google microsoft": [5, 60] },
    ],
    [
      "it may be chance",
      {
        ...{ "google google": [8, 10], "google microsoft": [6, 10] },
        ...{ "microsoft google": [7, 10], "microsoft microsoft": [8, 10] },
      },
    ],
    [
      "each does worse at home",
      {
        ...{ "google google": [20, 60], "google microsoft": [55, 60] },
        ...{ "microsoft google": [54, 60], "microsoft microsoft": [30, 60] },
      },
    ],
  ])("nowhere, where %s", (_, cells) => {
    expect(providersOf(cells)).toEqual([]);
  });

  test("by chance alone at most five times in a hundred", () => {
    for (const total of [15, 60, 200]) {
      for (const [better, base] of [
        [0, 0.5],
        [0.2, 0.7],
        [0, 0.9],
      ] as const) {
        let claims = 0;
        for (let nth = 0; nth < 1000; nth += 1) {
          const draw = (from: string, provider: string): [number, number] => {
            const rate = base + (from === "google" ? better : 0);
            const inbox = Array.from({ length: total }, (_, n) =>
              Number(hash01(`${total} ${base} ${nth}`, `${from} ${provider}`, n) < rate),
            );
            return [inbox.reduce((sum, one) => sum + one, 0), total];
          };
          const pairs = ["google google", "google microsoft", "microsoft google"];
          const cells = [...pairs, "microsoft microsoft"].map((pair) => {
            const [from = "", provider = ""] = pair.split(" ");
            return [pair, draw(from, provider)] as const;
          });
          claims += Number(providersOf(Object.fromEntries(cells)).length > 0);
        }
        expect(claims).toBeLessThanOrEqual(50);
      }
    }
  });
});
