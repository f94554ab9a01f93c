/**
 * The compiled executable under clients that write down all that they ask and are told, while it is killed,
 * cut off from mail servers and receivers, backed up and put back. What they saw is one history, and a checker
 * that knows nothing of the program looks for effects that were lost, doubled or out of order.
 * `soak/history.soak.ts` does the same for hours.
 */

import { expect, test } from "bun:test";
import { checkHistory } from "../support/history/check.ts";
import { figuresOf } from "../support/history/figures.ts";
import { runHistory } from "../support/history/run.ts";
import { tried } from "../support/promises.ts";

const SEED = Number(process.env["OUTRIDER_TEST_SEED"] ?? 1);
const SECONDS = process.env["OUTRIDER_TEST_TIER"] === "full" ? 30 : 8;
const TEST_MS_MAX = 600_000;

test(
  "what clients, mail servers and receivers saw is a history without a fault",
  async () => {
    const { entries, rules } = await runHistory({ seconds: SECONDS, seed: SEED });
    const figures = figuresOf(entries);
    process.stderr.write(`history: ${JSON.stringify(figures)}\n`);
    expect(checkHistory(entries, rules)).toEqual([]);
    expect(figures.requests).toBeGreaterThan(10 * SECONDS);
    expect(figures.emails).toBeGreaterThan(SECONDS);
    expect(figures.deliveries).toBeGreaterThan(SECONDS);
    tried("kills", figures.kills);
  },
  TEST_MS_MAX,
);
