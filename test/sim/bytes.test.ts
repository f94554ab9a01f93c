/**
 * The same weeks with the product's own SMTP and IMAP clients, which speak to servers on this machine: what
 * these say comes whole, in pieces, byte by byte, or breaks off at any byte of any answer. Every invariant
 * holds, and each client understands what was meant: a verdict at its stage, and of what broke off whether
 * the body had been handed over.
 */

import { describe, expect, test } from "bun:test";
import { unixMs } from "#domain/time.ts";
import { message, smtpMailbox } from "../mail/support.ts";
import { tried } from "../support/promises.ts";
import { simulate } from "../support/simulate.ts";
import { type BytesFigures, createBytes } from "../support/simulation/bytes.ts";
import { createChronicle } from "../support/simulation/chronicle.ts";
import { createMovingClock } from "../support/simulation/clock.ts";
import { createDraw } from "../support/simulation/draw.ts";
import { createInternet } from "../support/simulation/internet.ts";
import { createLife } from "../support/simulation/life.ts";
import { batches, replay, seedsOf } from "../support/simulation/seeds.ts";
import { createTally } from "../support/simulation/tally.ts";

const FILE = "test/sim/bytes.test.ts";
const TEST_MS_MAX = 600_000;
/** Fewer people: an email takes twenty words here. */
const STYLE = { leads: 25 };
const ROUNDS = 6;

const heard: BytesFigures = { whole: 0, halves: 0, bytes: 0, cut: 0, compared: 0 };

describe("weeks of sending, word by word", () => {
  test.each(batches({ full: 40, quick: 3 }, 5))(
    "keep every invariant, seeds $from to $to",
    async (batch) => {
      for (const seed of seedsOf(batch)) {
        const { violations, bytes } = await simulate({
          ...{ seed, style: STYLE, rounds: ROUNDS, speaks: true },
        });
        expect({ replay: replay(seed, FILE), violations }).toEqual({
          replay: replay(seed, FILE),
          violations: [],
        });
        for (const name of Object.keys(heard) as (keyof BytesFigures)[]) {
          heard[name] += bytes?.[name] ?? 0;
        }
      }
      tried("sends", seedsOf(batch).length);
    },
    TEST_MS_MAX,
  );

  test("and a client that understands something else is found", async () => {
    const clock = createMovingClock(unixMs(0));
    const life = createLife(createTally());
    const internet = createInternet(createDraw(1), clock, createChronicle());
    const bytes = createBytes(1, clock);
    const meant = { kind: "refused", stage: "rcpt", code: 550, enhanced: "5.1.1" } as const;
    const said = { ...meant, response: "450 4.2.0 busy" };
    const port = bytes.speak(life, { ...internet.port(life), send: async () => said });

    await port.send(smtpMailbox(1), message(), async () => undefined);

    expect(bytes.differences).toEqual([
      "send: meant refused at rcpt: 550 5.1.1, understood deferred at rcpt: 450 4.2.0",
    ]);
    await port.close();
    await bytes.stop();
  });

  test("whole, in halves, byte by byte, and broken off", () => {
    expect(Object.entries(heard).filter(([, times]) => times === 0)).toEqual([]);
  });
});
