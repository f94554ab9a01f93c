/**
 * Stripe's events in every order, late, twice and at once: whatever arrives when, the team has what the
 * payments say at that moment. What they say is read off the invoices alone, which is how Stripe's
 * documentation tells a seller to think of access; the product reads it off the subscriptions' statuses.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { GRACE_MS } from "#domain/billing/subscription.ts";
import { SECOND_MS, toIso, unixMs } from "#domain/time.ts";
import { PERIOD_S, type StripeEvent } from "../support/stripe.ts";
import { createSeller, PRICES, type Seller } from "./support.ts";

let seller: Seller;
beforeEach(async () => {
  seller = await createSeller();
});
afterEach(() => seller.app.close());

const PLANS: Readonly<Record<string, string>> = {
  [PRICES.starter]: "starter",
  [PRICES.pro]: "pro",
};

/** What a team should have now, read off its invoices. */
function owed(teamId: string) {
  const { stripe, app } = seller;
  const now = app.wall.now();
  const all = [...stripe.subscriptions.values()].filter((held) => held.teamId === teamId);
  const paid = all.flatMap(({ id, endedAt }) => {
    const bills = stripe.bills.filter(({ subscription }) => subscription === id);
    const lines = bills
      .filter(({ status }) => status === "paid")
      .flatMap(({ lines }) => lines.filter(({ amount }) => amount >= 0));
    const until = Math.max(...lines.map(({ end }) => end));
    const last = lines.findLast(({ end }) => end === until);
    const owes = bills.some(({ status }) => status === "open");
    const ends = Math.min(until, endedAt ?? until);
    return last ? [{ price: last.price, ends, runs: endedAt === null && !owes }] : [];
  });
  const longest = paid.toSorted((one, other) => other.ends - one.ends)[0];
  const standing = paid.find(({ runs }) => runs) ?? longest;
  if (standing === undefined) {
    return { plan: "community", status: "none", source: null, ends_at: null };
  }
  const ends = unixMs(standing.ends * SECOND_MS);
  const isOver = now >= ends + GRACE_MS;
  return {
    plan: isOver ? "community" : PLANS[standing.price],
    status: now < ends ? "active" : isOver ? "expired" : "grace",
    source: "stripe",
    ends_at: toIso(ends),
  };
}

/** What can happen to a subscription, and to which of a team's. */
type Move = (id: string) => StripeEvent[];

/** The wall clock goes to the end of the period, unless it is later already. */
function untilPeriodEnd(id: string): void {
  const { app, stripe } = seller;
  app.wall.set(unixMs(Math.max(app.wall.now(), stripe.held(id).periodEnd * SECOND_MS)));
}

const later = (seconds: number) => seller.app.wall.move(seconds * SECOND_MS);

const MOVES = {
  pay: (id) => seller.stripe.pay(id),
  renew: (id) => {
    untilPeriodEnd(id);
    return seller.stripe.renew(id, true);
  },
  fail: (id) => {
    untilPeriodEnd(id);
    return seller.stripe.renew(id, false);
  },
  cancelled: (id) => {
    later(PERIOD_S / 10);
    return seller.stripe.giveUp(id, "canceled");
  },
  unpaid: (id) => seller.stripe.giveUp(id, "unpaid"),
  upgrade: (id) => {
    later(PERIOD_S / 3);
    return seller.stripe.change(id, PRICES.pro);
  },
  downgrade: (id) => {
    later(PERIOD_S / 5);
    return seller.stripe.change(id, PRICES.starter);
  },
  upgradeUnpaid: (id) => seller.stripe.change(id, PRICES.pro, false),
  cancelNow: (id) => {
    later(PERIOD_S / 4);
    return seller.stripe.cancelNow(id);
  },
  cancelAtEnd: (id) => seller.stripe.cancelAtEnd(id),
} satisfies Record<string, Move>;
type MoveName = keyof typeof MOVES;

interface Team {
  id: string;
  key: string;
}
let teams = 0;
const newTeam = async (): Promise<Team> => {
  teams += 1;
  const { team, keys } = await seller.app.addTeam(`T${teams}`);
  return { id: team.id, key: keys.live };
};

/** Tells of `event`, and holds the team's plan against its invoices. */
async function sendAndCheck(team: Team, event: StripeEvent, context: unknown): Promise<void> {
  expect(await seller.tell(event)).toBe(200);
  const { plan, status, source, ends_at } = await seller.plan(team.key);
  expect({ context, plan, status, source, ends_at }).toEqual({ context, ...owed(team.id) });
}

type Opening = "paid" | "unpaid" | "trial";
const open = (teamId: string, opening: Opening) =>
  opening === "trial"
    ? seller.stripe.trial({ teamId, price: PRICES.starter })
    : seller.stripe.subscribe({ teamId, price: PRICES.starter }, opening === "paid");

/** Six moves each, the opening too. */
const HISTORIES: readonly [Opening, ...MoveName[]][] = [
  ["paid", "upgrade", "renew", "fail", "pay", "cancelNow"],
  ["unpaid", "pay", "fail", "unpaid", "fail", "pay"],
  ["trial", "fail", "cancelled", "pay", "renew", "upgrade"],
  ["paid", "upgradeUnpaid", "fail", "pay", "cancelAtEnd", "renew"],
];

/** Every order in the full tier, else each seventh. */
const EACH = process.env["OUTRIDER_TEST_TIER"] === "full" ? 1 : 7;

/** For each of six events after how many moves it arrives: its own at the earliest. All 720. */
function* delays(count: number, selected: readonly number[] = []): Generator<readonly number[]> {
  if (selected.length === count) {
    yield selected;
    return;
  }
  for (let slot = selected.length; slot < count; slot += 1) {
    yield* delays(count, [...selected, slot]);
  }
}

describe("One subscription", () => {
  test.each(HISTORIES)("%s, %s, %s, %s, %s, %s: events in every order", async (...history) => {
    const [opening, ...moves] = history;
    let orders = 0;
    for (const slots of delays(history.length)) {
      orders += 1;
      if (orders % EACH !== 0) {
        continue;
      }
      const team = await newTeam();
      const { id, events } = open(team.id, opening);
      const told: (StripeEvent | undefined)[] = [events[0]];
      for (let at = 0; at < history.length; at += 1) {
        const move = at === 0 ? undefined : moves[at - 1];
        if (move !== undefined) {
          // A move that Stripe would not make tells of nothing; what was told before comes again.
          told.push(MOVES[move](id)[0] ?? told[0]);
        }
        // The later ones first: what was delayed comes after what came of it.
        for (let n = at; n >= 0; n -= 1) {
          const event = slots[n] === at ? told[n] : undefined;
          if (event !== undefined) {
            await sendAndCheck(team, event, { slots, at, n });
          }
        }
      }
    }
    expect(orders).toBe(720);
  });
});

const opening = fc.constantFrom<Opening>("paid", "paid", "unpaid", "trial");
const moveName = fc.constantFrom(...(Object.keys(MOVES) as MoveName[]));

/** What happens, and which of the events so far arrive after it; the same one may arrive twice. */
const step = fc.record({
  second: fc.boolean(),
  move: fc.oneof({ weight: 6, arbitrary: moveName }, { weight: 1, arbitrary: opening }),
  arrive: fc.array(fc.nat(), { maxLength: 3 }),
});

const isOpening = (word: MoveName | Opening): word is Opening => !(word in MOVES);

describe("Two subscriptions of one team", () => {
  test("events in any order, late and twice: the plan is the one that is paid", async () => {
    await fc.assert(
      fc.asyncProperty(opening, fc.array(step, { maxLength: 8 }), async (first, steps) => {
        const team = await newTeam();
        const made = open(team.id, first);
        const { customer } = seller.stripe.held(made.id);
        const ids = [made.id];
        const told = [...made.events];
        for (const { second, move, arrive } of steps) {
          if (isOpening(move)) {
            if (ids.length < 2) {
              const paid = move !== "unpaid";
              const other = { teamId: team.id, price: PRICES.pro, customer };
              const { id, events } = seller.stripe.subscribe(other, paid);
              ids.push(id);
              told.push(...events);
            }
          } else {
            told.push(...MOVES[move](ids[second ? ids.length - 1 : 0] ?? made.id));
          }
          for (const n of arrive) {
            const event = told[n % told.length];
            if (event !== undefined) {
              await sendAndCheck(team, event, n % told.length);
            }
          }
        }
        await sendAndCheck(team, told.at(-1) ?? { type: "none", object: {} }, "last");
      }),
      { numRuns: 400, seed: 11 },
    );
  });
});

describe("Events at once, of which each asks a Stripe that answers late", () => {
  test("the last state stands, whichever answer comes last", async () => {
    const ms = fc.constantFrom(0, 1, 3, 25);
    const burst = fc.record({ move: moveName, copies: fc.integer({ min: 1, max: 4 }), pause: ms });
    const bursts = fc.array(burst, { minLength: 2, maxLength: 5 });
    const latencies = fc.array(ms, { minLength: 7, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(bursts, latencies, async (all, waits) => {
        const team = await newTeam();
        let asked = 0;
        seller.stripe.latency = () => {
          asked += 1;
          return waits[asked % waits.length] ?? 0;
        };
        const { id, events } = open(team.id, "paid");
        const answers = events.map((event) => seller.tell(event));
        for (const { move, copies, pause } of all) {
          const told = [...MOVES[move](id), ...events].slice(0, copies);
          answers.push(...told.map((event) => seller.tell(event)));
          await Bun.sleep(pause);
        }
        answers.push(...events.slice(0, 1).map((event) => seller.tell(event)));
        expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
        seller.stripe.latency = () => 0;
        const { plan, status, source, ends_at } = await seller.plan(team.key);
        expect({ plan, status, source, ends_at }).toEqual(owed(team.id) as never);
      }),
      { numRuns: 60, seed: 5 },
    );
  });

  test("a look-up from before the end does not bring a cancelled subscription back", async () => {
    const { stripe, app, tell, plan } = seller;
    const { id, events } = stripe.subscribe({ teamId: app.team.id, price: PRICES.pro });
    // The look-up of what there is, after the one of its owner.
    const waits = [0, 60];
    stripe.latency = () => waits.shift() ?? 0;
    const early = tell(events[0] ?? { type: "none", object: {} });
    while (stripe.sent(/GET .*\/subscriptions$/).length === 0) {
      await Bun.sleep(1);
    }
    const [ended] = stripe.cancelNow(id);
    const late = tell(ended ?? { type: "none", object: {} });
    expect(await Promise.all([early, late])).toEqual([200, 200]);
    expect((await plan()).status).toBe("grace");
    expect((await plan()).ends_at).toBe(toIso(app.wall.now()));
  });
});
