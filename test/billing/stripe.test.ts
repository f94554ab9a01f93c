/**
 * Stripe: our requests are taken by `stripe-mock`, which knows Stripe's own description of its API, and the
 * stand-in of the other tests has no field that Stripe has not. Buying from one end to the other.
 */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { createStripeBilling } from "#billing/stripe.ts";
import { DAY_MS, SECOND_MS } from "#domain/time.ts";
import { createFetch } from "#platform/http/fetch.ts";
import type { RemoteSubscription } from "#platform/ports/billing.ts";
import { START } from "../support/app.ts";
import { LOCAL_DNS } from "../support/dns.ts";
import { PERIOD_S } from "../support/stripe.ts";
import { invoiceBody, sessionBody, subscriptionBody } from "../support/stripe-bodies.ts";
import { createSeller, OPTIONS, PRICES, type Seller } from "./support.ts";

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
  const port = () => createStripeBilling({ ...OPTIONS, server, fetch: createFetch(LOCAL_DNS) });
  const teamId = crypto.randomUUID();
  const baseUrl = "https://mail.example.com";

  test.each([null, "cus_123"])("takes our checkout, customer %p", async (customer) => {
    const checkoutId = crypto.randomUUID();
    const order = { checkoutId, teamId, plan: "pro", baseUrl, customer } as const;
    const started = await port().startCheckout(order);
    expect(started).toMatchObject({ kind: "ok", value: { session: expect.any(String) } });
    expect(started.kind === "ok" && URL.canParse(started.value.url)).toBe(true);
  });

  test("takes our closing of a checkout, the portal session, and the change of a plan", async () => {
    const billing = port();
    // Its session does not keep that it was expired: it is as open as before.
    expect(await billing.closeCheckout("cs_123")).toMatchObject({
      reason: expect.stringContaining("does not close"),
    });
    expect(await billing.openPortal("cus_123", baseUrl)).toMatchObject({ kind: "ok" });
    const paid = { plan: "starter", until: START } as const;
    const subscription: RemoteSubscription = {
      ...{ id: "sub_123", customer: "cus_123", teamId, item: "si_123" },
      ...{ state: "active" as const, createdAt: START, paid },
    };
    expect(await billing.startChange({ subscription, plan: "pro", baseUrl })).toMatchObject({
      kind: "ok",
    });
  });

  test("takes our look-ups; its fixture is a subscription of nobody's", async () => {
    const billing = port();
    expect(await billing.findPayer("sub_123")).toEqual({ kind: "ok", value: null });
    const found = await billing.findSubscriptions({ customer: "cus_123", teamId });
    expect(found).toEqual({ kind: "ok", value: [] });
    for (const path of ["subscriptions?status=all", "invoices?status=paid"]) {
      const answer = await ask("GET", `/v1/${path}&customer=cus_123&limit=100`);
      expect(answer.status).toBe(200);
    }
  });

  test("refuses what is no request of Stripe's: the check can fail", async () => {
    expect((await ask("POST", "/v1/checkout/sessions", { mode: "nonsense" })).status).toBe(400);
    const flow = { customer: "cus_123", "flow_data[type]": "subscription_swap" };
    expect((await ask("POST", "/v1/billing_portal/sessions", flow)).status).toBe(400);
    expect((await ask("GET", "/v1/invoices?status=settled")).status).toBe(400);
  });

  test("has every field of the stand-in, of the same kind, but the one that its types have", async () => {
    const { stripe, app } = await createSeller();
    const customer = "cus_1";
    const { id } = stripe.subscribe({ teamId, price: PRICES.pro, customer });
    const [bill] = stripe.bills;
    const bodies = {
      "subscriptions/sub_1": subscriptionBody(stripe.held(id)),
      "invoices/in_1": bill && invoiceBody(bill),
      "checkout/sessions/cs_1": sessionBody({
        ...{ id: "cs_1", status: "complete", customer, teamId, price: "", subscription: id },
      }),
    };
    for (const [path, body] of Object.entries(bodies)) {
      const theirs = await (await ask("GET", `/v1/${path}`)).json();
      const strange = strangeFields(body, theirs, path);
      expect(strange.filter((field) => !field.endsWith(".price_details"))).toEqual([]);
    }
    expect(strangeFields({ teh: 1 }, { the: 1 }, "x")).toEqual(["x.teh"]);
    await app.close();
  });

  function ask(method: string, path: string, form?: Record<string, string>): Promise<Response> {
    return fetch(new URL(path, server), {
      method,
      headers: { Authorization: "Bearer sk_test_123" },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
  }
});

/** Paths at which `ours` has what `theirs` has not, or what is of another kind. Metadata is ours to name. */
function strangeFields(ours: unknown, theirs: unknown, path: string): string[] {
  if (ours === null || theirs === null || path.endsWith(".metadata")) {
    return [];
  }
  if (typeof ours !== typeof theirs || Array.isArray(ours) !== Array.isArray(theirs)) {
    return [path];
  }
  if (typeof ours !== "object" || typeof theirs !== "object") {
    return [];
  }
  const known = new Map(Object.entries(theirs ?? {}));
  return Object.entries(ours ?? {}).flatMap(([name, value]) =>
    known.has(name)
      ? strangeFields(value, known.get(name), `${path}.${name}`)
      : [`${path}.${name}`],
  );
}

describe("From one end to the other", () => {
  let seller: Seller;
  beforeEach(async () => {
    seller = await createSeller();
  });
  afterEach(() => seller.app.close());

  const subscribe = (plan: string) => seller.app.live("POST", "/billing/subscribe", { plan });
  const order = () => ({ teamId: seller.app.team.id, price: PRICES.pro });

  test("subscribe answers Stripe's address; the test environment never reaches Stripe", async () => {
    const live = await subscribe("pro");
    expect(live.body).toEqual({ url: "https://checkout.stripe.example/cs_1" });
    const asked = seller.stripe.requests.length;
    const sandbox = await seller.app.call("POST", "/billing/subscribe", { plan: "pro" });
    expect(sandbox.body.url).toStartWith("http://localhost/billing/checkout/");
    expect(seller.stripe.requests).toHaveLength(asked);
  });

  test("Stripe down: 502, and nothing has changed", async () => {
    seller.stripe.isDown = true;
    const { status, body } = await subscribe("pro");
    expect([status, body.type]).toEqual([502, "upstream_error"]);
    expect(await seller.plan()).toMatchObject({ plan: "community", status: "none" });
    seller.stripe.isDown = false;
    expect((await subscribe("pro")).status).toBe(200);
  });

  test("a plan without a price is refused, not sold", async () => {
    expect((await subscribe("scale")).status).toBe(502);
  });

  test("buying, the portal, cancelling, the end after grace", async () => {
    const { app, stripe, plan, notifyAll } = seller;
    expect((await app.live("POST", "/billing/portal")).status).toBe(409);
    await subscribe("pro");
    const { id = "", events = [] } = stripe.complete("cs_1") ?? {};
    await notifyAll(events.slice(-1));
    expect(await plan()).toMatchObject({ plan: "pro", status: "active", source: "stripe" });
    const portal = await app.live("POST", "/billing/portal");
    expect(new URL(portal.body.url).host).toBe("portal.stripe.example");
    await notifyAll(stripe.cancelAtEnd(id));
    expect(await plan()).toMatchObject({ plan: "pro", status: "active" });
    app.wall.move(PERIOD_S * SECOND_MS);
    await notifyAll(stripe.renew(id, true));
    expect(await plan()).toMatchObject({ plan: "pro", status: "grace" });
    app.wall.move(14 * DAY_MS);
    expect(await plan()).toMatchObject({ plan: "community", status: "expired" });
  });

  test("forged, stale and nameless events are refused; strange ones change nothing", async () => {
    const { app, stripe, tell, plan } = seller;
    const { id, events } = stripe.subscribe(order());
    const [event = { type: "", object: {} }] = events;
    expect(await tell(event, { secret: "whsec_other" })).toBe(400);
    expect(await tell(event, { timestamp: 1_000_000 })).toBe(400);
    const bare = new Request("http://localhost/hooks/stripe", { method: "POST", body: "{}" });
    expect((await app.fetch(bare)).status).toBe(400);
    expect(await tell({ type: "charge.refunded", object: { id } })).toBe(200);
    expect(await plan()).toMatchObject({ plan: "community" });
    expect(stripe.requests).toEqual([]);
  });
});
