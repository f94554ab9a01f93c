/** What the pages of experiments and accounts work out by themselves agrees with the analysis. */

import { expect, test } from "bun:test";
import { curveOf, extentOf } from "../../src/ui/charts/density.tsx";
import { describeBeat, kindOf } from "../../src/ui/charts/heartbeat.tsx";
import { guessServers } from "../../src/ui/pages/accounts/guess.ts";
import { sentence } from "../../src/ui/pages/accounts/words.ts";
import { chance, clipped } from "../../src/ui/pages/experiments/words.ts";

test("a posterior's area is 1, its top at the rate, and half of it above its middle", () => {
  const of = { successes: 30, failures: 270 };
  const curve = curveOf(of, extentOf([of]));
  const step = (curve[1]?.x ?? 0) - (curve[0]?.x ?? 0);
  const top = curve.toSorted((a, b) => b.density - a.density)[0];

  expect(curve.reduce((sum, { density }) => sum + density * step, 0)).toBeCloseTo(1, 6);
  expect(Math.abs((top?.x ?? 0) - 0.1)).toBeLessThanOrEqual(step);
  expect(curve.at(0)?.above).toBeCloseTo(1, 3);
  expect(curve.at(-1)?.above).toBeCloseTo(0, 3);
});

test("a posterior of no successes at all is drawn from 0 on", () => {
  const of = { successes: 0, failures: 12 };
  const curve = curveOf(of, extentOf([of]));

  expect(curve[0]?.x).toBe(0);
  expect(curve.every(({ density }) => Number.isFinite(density))).toBe(true);
});

test("no chance is told as certain", () => {
  expect([chance(1), chance(0), chance(0.975235)]).toEqual(["> 99.9%", "< 0.1%", "97.5%"]);
});

test("an hour is marked by the worst that happened in it, and told in whole", () => {
  const beat = { from: "", sent: 3, deferred: 1, failed: 0, bounced: 0, errors: 0 };

  expect(kindOf(beat)).toBe("held");
  expect(kindOf({ ...beat, errors: 1 })).toBe("fault");
  expect(kindOf({ ...beat, deferred: 0 })).toBe("sent");
  expect(describeBeat(beat)).toBe("3 sent, 1 deferred");
});

test("servers are the provider's own where the address shows whose it is", () => {
  expect(guessServers("a@gmail.com").smtp.host).toBe("smtp.gmail.com");
  expect(guessServers("a@gmail.com").imap).toEqual({ host: "imap.gmail.com", port: 993 });
  expect(guessServers("a@acme.example").smtp).toEqual({ host: "smtp.acme.example", port: 587 });
});

test("what a server says becomes a sentence, and names of hosts and settings stay as they are", () => {
  expect(sentence("no email was to be sent")).toBe("No email was to be sent.");
  expect(sentence("smtp.acme.example has no address in DNS")).toBe(
    "smtp.acme.example has no address in DNS.",
  );
  expect(sentence("public_url is not set!")).toBe("public_url is not set!");
});

test("a name that is too long ends in an ellipsis within its place", () => {
  expect(clipped("Promise", 7)).toBe("Promise");
  expect(clipped("A question about it", 11)).toBe("A question…");
});
