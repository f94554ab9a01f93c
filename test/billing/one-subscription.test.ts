/** A team pays for one subscription: how it is bought, changed and told of, and what takes its place. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, plus } from "#domain/time.ts";
import { newSigningKeys } from "#platform/secrets/crypto.ts";
import { issueLicence } from "#usecases/billing/licences.ts";
import { START } from "../support/app.ts";
import { PERIOD_S, type StripeEvent } from "../support/stripe.ts";
import { createSeller, PRICES, type Seller } from "./support.ts";

const signing = newSigningKeys();
const licence = (id: string, days: number) =>
  issueLicence(
    {
      ...{ id, team: null, holder: "Acme", plan: "starter", limits: null },
      ...{ startsAt: START, endsAt: plus(START, days * DAY_MS) },
    },
    signing.privateKey,
  );

let seller: Seller;
beforeEach(async () => {
  seller = await createSeller({ licenceKeys: [signing.publicKey] });
});
afterEach(() => seller.app.close());

const subscribe = (plan: string) => seller.app.live("POST", "/billing/subscribe", { plan });
const enter = (key: string) => seller.app.live("POST", "/billing/licence", { licence: key });
const order = (price: string, customer = "cus_team") => {
  return { teamId: seller.app.team.id, price, customer };
};
const sessionOf = (url: string) => new URL(url).pathname.slice(1);

/** Buys on the page that `subscribe` leads to, and hears of it. */
const buy = async (plan: string) => {
  const { body } = await subscribe(plan);
  const bought = seller.stripe.complete(sessionOf(body.url));
  if (bought === null) {
    throw new Error(`${body.url} is not open`);
  }
  await seller.notifyAll(bought.events);
  return bought.id;
};

describe("Changing the plan", () => {
  test("is confirmed in Stripe's portal, of the one subscription", async () => {
    const id = await buy("starter");
    const changed = await subscribe("pro");
    expect(changed.body.url).toStartWith("https://portal.stripe.example/");
    const { form } = seller.stripe.sent(/POST .*billing_portal/).at(-1) ?? { form: {} };
    expect(form).toMatchObject({
      customer: seller.stripe.held(id).customer,
      "flow_data[type]": "subscription_update_confirm",
      "flow_data[subscription_update_confirm][subscription]": id,
      "flow_data[subscription_update_confirm][items][0][id]": `si_${id}`,
      "flow_data[subscription_update_confirm][items][0][price]": PRICES.pro,
      "flow_data[after_completion][type]": "redirect",
    });
    expect(seller.stripe.sent(/POST .*checkout.sessions$/)).toHaveLength(1);
    expect((await seller.plan()).plan).toBe("starter");
    await seller.notifyAll(seller.stripe.change(id, PRICES.pro));
    expect(await seller.plan()).toMatchObject({ plan: "pro", status: "active" });
  });

  test("stands in the audit log as a purchase does", async () => {
    await buy("starter");
    await subscribe("pro");
    const { data } = (await seller.app.live("GET", "/audit?action=billing.subscribe")).body;
    expect(data.map((entry: { after: object }) => entry.after)).toEqual([
      { plan: "pro" },
      { plan: "starter" },
    ]);
  });

  test("leads to the portal where Stripe cannot change the subscription", async () => {
    await buy("starter");
    seller.stripe.refusesChanges = true;
    const { status, body } = await subscribe("pro");
    expect([status, new URL(body.url).host]).toEqual([200, "portal.stripe.example"]);
  });

  test("with a payment due leads to the portal, where it is paid", async () => {
    const id = await buy("starter");
    seller.app.wall.move(PERIOD_S * 1000);
    await seller.notifyAll(seller.stripe.renew(id, false));
    expect((await seller.plan()).status).toBe("grace");
    for (const plan of ["starter", "pro"]) {
      const { body } = await subscribe(plan);
      expect(new URL(body.url).host).toBe("portal.stripe.example");
    }
    expect(seller.stripe.sent(/checkout.sessions$/)).toHaveLength(1);
  });

  test("to the plan that Stripe has, though nothing was told of it: 409, and the plan is known", async () => {
    const id = await buy("starter");
    seller.stripe.change(id, PRICES.pro);
    const { status, body } = await subscribe("pro");
    expect([status, body.type, body.field]).toEqual([409, "conflict", "plan"]);
    expect((await seller.plan()).plan).toBe("pro");
  });

  test("once the subscription has ended is a purchase", async () => {
    const id = await buy("starter");
    seller.stripe.cancelNow(id);
    const { body } = await subscribe("pro");
    expect(new URL(body.url).host).toBe("checkout.stripe.example");
    const form = seller.stripe.sent(/POST .*checkout.sessions$/).at(-1)?.form;
    expect(form?.["customer"]).toBe(seller.stripe.held(id).customer);
  });
});

describe("Buying", () => {
  test("twice in two tabs: the first page is closed by the second", async () => {
    const first = (await subscribe("starter")).body.url;
    const second = (await subscribe("pro")).body.url;
    expect(seller.stripe.complete(sessionOf(first))).toBe(null);
    expect(seller.stripe.complete(sessionOf(second))).not.toBe(null);
  });

  test("at once in five tabs: one page is open", async () => {
    seller.stripe.latency = () => 3;
    const plans = ["starter", "pro", "starter", "pro", "starter"];
    const pages = await Promise.all(plans.map((plan) => subscribe(plan)));
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const open = [...seller.stripe.sessions.values()].filter(({ status }) => status === "open");
    expect(open).toHaveLength(1);
  });

  test("and changing before Stripe has told of it: a change, not a second purchase", async () => {
    const { url } = (await subscribe("starter")).body;
    seller.stripe.complete(sessionOf(url));
    const next = await subscribe("pro");
    expect(new URL(next.body.url).host).toBe("portal.stripe.example");
    expect(await seller.plan()).toMatchObject({ plan: "starter", source: "stripe" });
  });

  test("while Stripe is down: 502, and the page that is open stays so", async () => {
    const { url } = (await subscribe("starter")).body;
    seller.stripe.isDown = true;
    expect((await subscribe("pro")).status).toBe(502);
    seller.stripe.isDown = false;
    expect(seller.stripe.complete(sessionOf(url))).not.toBe(null);
  });
});

describe("A second subscription", () => {
  test("moves no plan, and its end ends nothing", async () => {
    const { stripe, app } = seller;
    const first = stripe.subscribe(order(PRICES.starter));
    await seller.notifyAll(first.events);
    app.wall.move(DAY_MS);
    const second = stripe.subscribe(order(PRICES.pro));
    await seller.notifyAll(second.events);
    expect((await seller.plan()).plan).toBe("starter");
    await seller.notifyAll(stripe.cancelNow(second.id));
    expect(await seller.plan()).toMatchObject({ plan: "starter", status: "active" });
  });

  test("takes over when the first ends, of another customer too", async () => {
    const { stripe, app } = seller;
    const first = stripe.subscribe(order(PRICES.starter));
    await seller.notifyAll(first.events);
    app.wall.move(DAY_MS);
    const second = stripe.subscribe(order(PRICES.pro, "cus_other"));
    await seller.notifyAll(second.events);
    expect((await seller.plan()).plan).toBe("starter");
    stripe.cancelNow(first.id);
    await seller.notifyAll(second.events);
    expect(await seller.plan()).toMatchObject({ plan: "pro", status: "active" });
  });
});

describe("What was never paid", () => {
  const unpaid = (): StripeEvent[] => {
    const { id, events } = seller.stripe.subscribe(order(PRICES.pro), false);
    return [...events, ...seller.stripe.giveUp(id, "canceled")];
  };

  test("grants nothing", async () => {
    const { id, events } = seller.stripe.subscribe(order(PRICES.pro), false);
    await seller.notifyAll(events);
    expect(await seller.plan()).toMatchObject({ plan: "community", status: "none" });
    await seller.notifyAll(seller.stripe.giveUp(id, "canceled"));
    expect(await seller.plan()).toMatchObject({ plan: "community", status: "none" });
  });

  test("leaves a license as it is, and what has ended too", async () => {
    await enter(licence("L-1", 90));
    const before = await seller.plan();
    expect(before).toMatchObject({ plan: "starter", source: "licence" });
    await seller.notifyAll(unpaid());
    expect(await seller.plan()).toEqual(before);
    const ended = seller.stripe.subscribe(order(PRICES.pro));
    seller.stripe.cancelNow(ended.id);
    await seller.notifyAll(ended.events);
    expect(await seller.plan()).toEqual(before);
  });
});

describe("A license beside a subscription", () => {
  test("stays while it holds, though the subscription renews; then the subscription counts", async () => {
    const id = await buy("pro");
    await enter(licence("L-1", 45));
    seller.app.wall.move(PERIOD_S * 1000);
    await seller.notifyAll(seller.stripe.renew(id, true));
    expect(await seller.plan()).toMatchObject({ plan: "starter", source: "licence" });
    seller.app.wall.move(PERIOD_S * 1000);
    await seller.notifyAll(seller.stripe.renew(id, true));
    expect(await seller.plan()).toMatchObject({ plan: "pro", source: "stripe" });
  });

  test("does not let the team buy again: 409 while both run", async () => {
    await buy("pro");
    await enter(licence("L-1", 45));
    const { status, body } = await subscribe("pro");
    expect([status, body.type]).toEqual([409, "conflict"]);
  });

  test("gives way to a subscription that is bought after it", async () => {
    await enter(licence("L-1", 45));
    await buy("pro");
    expect(await seller.plan()).toMatchObject({ plan: "pro", source: "stripe" });
  });
});

describe("An event", () => {
  test("of an unknown subscription is 200 and writes nothing", async () => {
    for (const type of ["customer.subscription.updated", "customer.subscription.deleted"]) {
      expect(await seller.tell({ type, object: { id: "sub_unknown" } })).toBe(200);
    }
    const foreign = seller.stripe.subscribe({ teamId: null, price: PRICES.pro });
    const gone = seller.stripe.subscribe({ teamId: crypto.randomUUID(), price: PRICES.pro });
    const odd = seller.stripe.subscribe({ teamId: "no team", price: PRICES.pro });
    for (const event of [...foreign.events, ...gone.events, ...odd.events]) {
      expect(await seller.tell(event)).toBe(200);
    }
    expect(await seller.plan()).toMatchObject({ plan: "community", status: "none" });
    const { raw } = seller.app.environments.live.db;
    expect(raw.query("SELECT count(*) AS n FROM subscriptions").get()).toEqual({ n: 0 });
  });

  test("that comes again writes nothing", async () => {
    const made = seller.stripe.subscribe(order(PRICES.pro));
    await seller.notifyAll([...made.events, ...made.events]);
    const { data } = (await seller.app.live("GET", "/audit?action=billing.change")).body;
    expect(data).toHaveLength(1);
  });

  test("while Stripe does not answer is 503: it comes again", async () => {
    const made = seller.stripe.subscribe(order(PRICES.pro));
    seller.stripe.isDown = true;
    expect(await seller.tell(made.events[0] ?? { type: "", object: {} })).toBe(503);
    expect((await seller.plan()).status).toBe("none");
  });
});
