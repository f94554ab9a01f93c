/**
 * Stripe: our requests are taken by `stripe-mock`, which knows Stripe's own description of its API; and
 * against a stand-in that keeps state, news in any order, twice or late leave the team with what its
 * subscription says.
 */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { resolve } from "node:path";
import fc from "fast-check";
import Stripe from "stripe";
import { createStripeBilling } from "#billing/stripe.ts";
import { DAY_MS, SECOND_MS } from "#domain/time.ts";
import { createTestApp, START, type TestApp } from "../support/app.ts";

const PRICES = { starter: "price_starter", pro: "price_pro" } as const;
const SECRET = "whsec_test";
const options = { secretKey: "sk_test_123", webhookSecret: SECRET, prices: PRICES };

/** Where .ci/run puts it. */
const MOCK = resolve(import.meta.dir, "../../.toolchain/bin/stripe-mock");
const IS_FULL = process.env["OUTRIDER_TEST_TIER"] === "full";
/** The full tier skips nothing: there its absence is a failure. */
const SKIPS_MOCK = !IS_FULL && !existsSync(MOCK);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function untilAnswers(url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer !== undefined) {
      return;
    }
    await Bun.sleep(50);
  }
  throw new Error(`${url} does not answer`);
}

describe.skipIf(SKIPS_MOCK)("stripe-mock (skipped where it is not installed)", () => {
  let mock: Bun.Subprocess;
  let server: URL;
  beforeAll(async () => {
    const port = await freePort();
    server = new URL(`http://127.0.0.1:${port}`);
    const command = [MOCK, "-http-addr", `127.0.0.1:${port}`];
    mock = Bun.spawn(command, { stdout: "ignore", stderr: "ignore" });
    await untilAnswers(server.href);
  });
  afterAll(async () => {
    mock.kill();
    await mock.exited;
  });
  const order = {
    checkoutId: crypto.randomUUID(),
    teamId: crypto.randomUUID(),
    plan: "pro",
    baseUrl: "https://mail.example.com",
  } as const;

  test.each([null, "cus_123"])("takes our checkout, customer %p", async (customer) => {
    const billing = createStripeBilling({ ...options, server });
    const started = await billing.startCheckout({ ...order, customer });
    expect(started).toMatchObject({ kind: "ok" });
    expect(started.kind === "ok" && URL.canParse(started.value)).toBe(true);
  });

  test("takes our portal session and our look-up", async () => {
    const billing = createStripeBilling({ ...options, server });
    expect(await billing.openPortal("cus_123", order.baseUrl)).toMatchObject({ kind: "ok" });
    // Its fixture is a subscription of nobody's.
    expect(await billing.findSubscription("sub_123")).toEqual({ kind: "ok", value: null });
  });

  test("refuses what is no request of Stripe's: the check can fail", async () => {
    const answer = await fetch(new URL("/v1/checkout/sessions", server), {
      method: "POST",
      headers: { Authorization: "Bearer sk_test_123" },
      body: new URLSearchParams({ mode: "nonsense" }),
    });
    expect(answer.status).toBe(400);
  });
});

interface Held {
  status: Stripe.Subscription.Status;
  price: string;
  periodEnd: number;
}

/** Stripe as far as it is asked here: subscriptions that change, and sessions. */
function createStandIn(teamId: () => string) {
  const subscriptions = new Map<string, Held>();
  let down = false;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      if (down) {
        return Response.json({ error: { message: "down" } }, { status: 503 });
      }
      if (pathname === "/v1/checkout/sessions") {
        return Response.json({ id: "cs_1", url: "https://checkout.stripe.example/cs_1" });
      }
      if (pathname === "/v1/billing_portal/sessions") {
        return Response.json({ id: "bps_1", url: "https://portal.stripe.example/1" });
      }
      const id = pathname.replace("/v1/subscriptions/", "");
      const held = subscriptions.get(id);
      return held === undefined
        ? Response.json({ error: { message: "no such subscription" } }, { status: 404 })
        : Response.json(subscriptionBody(id, held, teamId()));
    },
  });
  return {
    url: new URL(`http://127.0.0.1:${server.port}`),
    subscriptions,
    goDown: (isDown: boolean) => {
      down = isDown;
    },
    stop: () => server.stop(true),
  };
}

function subscriptionBody(id: string, held: Held, teamId: string) {
  return {
    id,
    object: "subscription",
    customer: "cus_1",
    status: held.status,
    metadata: { team_id: teamId },
    items: { data: [{ price: { id: held.price }, current_period_end: held.periodEnd }] },
  };
}

describe("A stand-in that keeps state", () => {
  let app: TestApp;
  let standIn: ReturnType<typeof createStandIn>;
  /** Whose subscriptions they are. */
  let owner = "";
  const begin = async () => {
    standIn = createStandIn(() => owner);
    app = await createTestApp({
      billing: createStripeBilling({ ...options, server: standIn.url }),
    });
    owner = app.team.id;
  };
  afterEach(async () => {
    await app.close();
    await standIn.stop();
  });

  const seconds = (at: number) => Math.floor(at / SECOND_MS);
  const signer = new Stripe(options.secretKey);
  const tell = async (type: string, object: object, secret = SECRET, timestamp?: number) => {
    const payload = JSON.stringify({ id: `evt_${type}`, object: "event", type, data: { object } });
    const signature = await signer.webhooks.generateTestHeaderStringAsync({
      payload,
      secret,
      ...(timestamp === undefined ? {} : { timestamp }),
    });
    return app.fetch(
      new Request("http://localhost/hooks/stripe", {
        method: "POST",
        headers: { "stripe-signature": signature },
        body: payload,
      }),
    );
  };
  const plan = async (key = app.keys.live) =>
    (await app.live("GET", "/billing/subscription", undefined, { key })).body;

  test("subscribe answers Stripe's address; the test environment never reaches Stripe", async () => {
    await begin();
    const live = await app.live("POST", "/billing/subscribe", { plan: "pro" });
    expect(live.body).toEqual({ url: "https://checkout.stripe.example/cs_1" });
    const sandbox = await app.call("POST", "/billing/subscribe", { plan: "pro" });
    expect(sandbox.body.url).toStartWith("http://localhost/billing/checkout/");
  });

  test("Stripe down: 502, and nothing has changed", async () => {
    await begin();
    standIn.goDown(true);
    const { status, body } = await app.live("POST", "/billing/subscribe", { plan: "pro" });
    expect([status, body.type]).toEqual([502, "upstream_error"]);
    expect(await plan()).toMatchObject({ plan: "community", status: "none" });
    standIn.goDown(false);
    expect((await app.live("POST", "/billing/subscribe", { plan: "pro" })).status).toBe(200);
  });

  test("a plan without a price is refused, not sold", async () => {
    await begin();
    expect((await app.live("POST", "/billing/subscribe", { plan: "scale" })).status).toBe(502);
  });

  test("buying, the portal, cancelling, the end after grace", async () => {
    await begin();
    expect((await app.live("POST", "/billing/portal")).status).toBe(409);
    const periodEnd = seconds(START + 30 * DAY_MS);
    standIn.subscriptions.set("sub_1", { status: "active", price: PRICES.pro, periodEnd });
    expect((await tell("checkout.session.completed", { subscription: "sub_1" })).status).toBe(200);
    expect(await plan()).toMatchObject({ plan: "pro", status: "active", source: "stripe" });
    const portal = await app.live("POST", "/billing/portal");
    expect(portal.body.url).toBe("https://portal.stripe.example/1");
    standIn.subscriptions.set("sub_1", { status: "canceled", price: PRICES.pro, periodEnd });
    expect((await tell("customer.subscription.deleted", { id: "sub_1" })).status).toBe(200);
    expect(await plan()).toMatchObject({ plan: "pro", status: "grace" });
    app.wall.move(14 * DAY_MS);
    expect(await plan()).toMatchObject({ plan: "community", status: "expired" });
  });

  test("forged, stale and nameless news are refused; strange ones change nothing", async () => {
    await begin();
    const periodEnd = seconds(START + 30 * DAY_MS);
    standIn.subscriptions.set("sub_1", { status: "active", price: PRICES.pro, periodEnd });
    const news = { id: "sub_1" };
    const type = "customer.subscription.created";
    expect((await tell(type, news, "whsec_other")).status).toBe(400);
    expect((await tell(type, news, SECRET, 1_000_000)).status).toBe(400);
    const bare = new Request("http://localhost/hooks/stripe", { method: "POST", body: "{}" });
    expect((await app.fetch(bare)).status).toBe(400);
    expect((await tell("charge.refunded", news)).status).toBe(200);
    expect(await plan()).toMatchObject({ plan: "community" });
    standIn.goDown(true);
    expect((await tell(type, news)).status).toBe(503);
    expect(await plan()).toMatchObject({ plan: "community" });
  });

  test("news in any order, repeated and late: the state is the subscription's", async () => {
    await begin();
    const held = fc.record({
      status: fc.constantFrom<Stripe.Subscription.Status>(
        "active",
        "past_due",
        "canceled",
        "unpaid",
      ),
      price: fc.constantFrom(...Object.values(PRICES)),
      days: fc.integer({ min: 1, max: 60 }),
    });
    const types = ["created", "updated", "deleted"].map((word) => `customer.subscription.${word}`);
    const step = fc.record({ change: fc.option(held), told: fc.array(fc.constantFrom(...types)) });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        runs += 1;
        const id = `sub_${runs}`;
        const { team, keys } = await app.addTeam(id);
        owner = team.id;
        const changes = steps.map(({ change }) => change).filter((change) => change !== null);
        for (const { change, told } of steps) {
          if (change !== null) {
            const periodEnd = seconds(START + change.days * DAY_MS);
            standIn.subscriptions.set(id, { ...change, periodEnd });
          }
          for (const type of told) {
            await tell(type, { id });
          }
        }
        const last = changes.at(-1);
        if (last === undefined) {
          return;
        }
        await tell("customer.subscription.updated", { id });
        const now = await plan(keys.live);
        const isLive = last.status === "active" || last.status === "past_due";
        const sold = last.price === PRICES.pro ? "pro" : "starter";
        if (isLive) {
          expect(now).toMatchObject({ plan: sold, status: "active" });
        } else {
          expect(now.status).not.toBe("active");
        }
      }),
      { numRuns: 40, seed: 7 },
    );
  });
});
