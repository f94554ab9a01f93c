/** The contract of `/billing`: what a team has, how it gets more, and what its plan refuses. */

import { afterEach, describe, expect, test } from "bun:test";
import { DAY_MS, plus } from "#domain/time.ts";
import { newSigningKeys } from "#platform/secrets/crypto.ts";
import { issueLicence } from "#usecases/billing/licences.ts";
import { createTestApp, START, type TestApp, type TestAppOptions } from "../../support/app.ts";
import { confirm, page, subscribe, subscription } from "../../support/billing.ts";

let app: TestApp;
const start = async (options: TestAppOptions = {}) => {
  app = await createTestApp(options);
};
afterEach(() => app.close());

describe.each(["call", "live"] as const)("Local billing, %s key", (env) => {
  test("a team without a plan is on community, without limits", async () => {
    await start();
    const { plan, status, source, usage } = await subscription(app[env]);
    expect({ plan, status, source }).toEqual({ plan: "community", status: "none", source: null });
    expect(usage.accounts).toEqual({ used: 0, limit: null });
    expect(usage.keys).toEqual({ used: 1, limit: null });
  });

  test("subscribe, open the page, confirm: the plan is active in this environment alone", async () => {
    await start();
    const { status, body } = await subscribe(app[env]);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["url"]);
    const shown = await page(app, body.url);
    expect(shown.status).toBe(200);
    expect(await shown.text()).toContain("Confirm pro");
    expect((await subscription(app[env])).plan).toBe("community");
    expect((await page(app, body.url, {})).status).toBe(200);
    expect(await subscription(app[env])).toMatchObject({
      plan: "pro",
      status: "active",
      source: "local",
      ends_at: null,
    });
    const other = env === "call" ? app.live : app.call;
    expect((await subscription(other)).plan).toBe("community");
  });

  test("the page can be used once, and for a day", async () => {
    await start();
    const { body } = await subscribe(app[env]);
    expect((await page(app, body.url, {})).status).toBe(200);
    expect((await page(app, body.url, {})).status).toBe(410);
    expect((await page(app, body.url)).status).toBe(410);
    const late = (await subscribe(app[env], "scale")).body.url;
    app.wall.move(DAY_MS);
    expect((await page(app, late, {})).status).toBe(410);
    expect((await subscription(app[env])).plan).toBe("pro");
  });

  test("a link that was tampered with is none", async () => {
    await start();
    const { url } = (await subscribe(app[env])).body;
    for (const wrong of [`${url}x`, url.slice(0, -1), url.replace(/.$/, "_"), `${url}/..`]) {
      expect((await page(app, wrong, {})).status).not.toBe(200);
    }
    const letter = env === "call" ? "l" : "t";
    const foreign = url.replace(/checkout\/./, `checkout/${letter}`);
    expect((await page(app, foreign, {})).status).toBe(404);
    expect((await subscription(app[env])).plan).toBe("community");
  });

  test("422 for a word that is no plan, 409 for the plan that is active", async () => {
    await start();
    for (const plan of ["gold", "community", "", "Pro"]) {
      const { status, body } = await subscribe(app[env], plan);
      expect([status, body.type, body.field]).toEqual([422, "validation_error", "plan"]);
    }
    await confirm(app, app[env]);
    const again = await subscribe(app[env]);
    expect([again.status, again.body.type, again.body.field]).toEqual([409, "conflict", "plan"]);
    expect((await subscribe(app[env], "scale")).status).toBe(200);
  });

  test("there is no portal without a payment provider", async () => {
    await start();
    const { status, body } = await app[env]("POST", "/billing/portal");
    expect([status, body.type]).toEqual([409, "conflict"]);
  });
});

describe("Licences", () => {
  const keys = newSigningKeys();
  const licence = {
    id: "L-1",
    team: null,
    holder: "Acme",
    plan: "scale",
    limits: { accounts: 7 },
    startsAt: START,
    endsAt: plus(START, 30 * DAY_MS),
  } as const;
  const url = async () => (await subscribe(app.live)).body.url;
  const paste = async (text: string) => {
    const response = await page(app, await url(), { licence: text });
    return { status: response.status, text: await response.text() };
  };

  test("one that holds brings its plan, its limits and its end", async () => {
    await start({ licenceKeys: [keys.publicKey] });
    const key = issueLicence(licence, keys.privateKey);
    const wrapped = `  ${key.replace(/(.{40})/g, "$1\n  ")} \n`;
    expect((await paste(wrapped)).status).toBe(200);
    const now = await subscription(app.live);
    expect(now).toMatchObject({ plan: "scale", source: "licence", status: "active" });
    expect(now.usage.accounts.limit).toBe(7);
    expect(now.ends_at).toBe("2026-04-01T15:00:00.000Z");
  });

  test("one is entered by whoever may see to billing, and stands in the log as theirs", async () => {
    await start({ licenceKeys: [keys.publicKey] });
    const enter = (text: string) => app.live("POST", "/billing/licence", { licence: text });
    const refused = await enter("key/none");
    expect([refused.status, refused.body.field]).toEqual([422, "licence"]);
    const { status, body } = await enter(issueLicence(licence, keys.privateKey));
    expect([status, body.plan, body.source]).toEqual([200, "scale", "licence"]);
    const { data } = (await app.live("GET", "/audit?action=billing.licence")).body;
    expect(data).toMatchObject([
      { actor: expect.stringMatching(/^key:/), after: { licence_id: "L-1" } },
    ]);
  });

  test("past its end come 14 days of grace, then community; a clock set back changes nothing", async () => {
    await start({ licenceKeys: [keys.publicKey] });
    expect((await paste(issueLicence(licence, keys.privateKey))).status).toBe(200);
    app.wall.move(30 * DAY_MS);
    expect(await subscription(app.live)).toMatchObject({ plan: "scale", status: "grace" });
    app.wall.move(14 * DAY_MS);
    expect(await subscription(app.live)).toMatchObject({ plan: "community", status: "expired" });
    await subscribe(app.live, "starter").then(({ body }) => page(app, body.url, {}));
    app.wall.set(START);
    const { text } = await paste(issueLicence({ ...licence, id: "L-2" }, keys.privateKey));
    expect(text).toContain("expired on");
  });

  test("what does not hold is refused with the reason, and the page stays good", async () => {
    await start({ licenceKeys: [keys.publicKey] });
    const key = issueLicence(licence, keys.privateKey);
    const foreign = issueLicence({ ...licence, team: crypto.randomUUID() }, keys.privateKey);
    const early = { ...licence, startsAt: plus(START, DAY_MS) };
    const over = { ...licence, endsAt: START };
    const cases: [string, string][] = [
      ["hello", "a license key; paste"],
      ["x".repeat(5_000), "a license key; paste"],
      [key.replace("key/ey", "key/eY"), "signed by a key"],
      [`${key.slice(0, -6)}AAAAAA`, "signed by a key"],
      [issueLicence(licence, newSigningKeys().privateKey), "signed by a key"],
      [foreign, "another team"],
      [issueLicence(early, keys.privateKey), "does not start"],
      [issueLicence(over, keys.privateKey), "expired on"],
    ];
    const link = await url();
    for (const [text, reason] of cases) {
      const response = await page(app, link, { licence: text });
      expect(response.status).toBe(422);
      expect(await response.text()).toContain(reason);
    }
    expect((await page(app, link, { licence: key })).status).toBe(200);
  });

  test("two teams cannot live on one licence", async () => {
    await start({ licenceKeys: [keys.publicKey] });
    const key = issueLicence(licence, keys.privateKey);
    expect((await paste(key)).status).toBe(200);
    const other = await app.addTeam("Other");
    const { body } = await app.live(
      "POST",
      "/billing/subscribe",
      { plan: "pro" },
      { key: other.keys.live },
    );
    const response = await page(app, body.url, { licence: key });
    expect(response.status).toBe(422);
    expect(await response.text()).toContain("already used");
  });
});
