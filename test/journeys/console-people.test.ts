/**
 * The people whom one writes to, in a real browser: a reply is read and labeled by keyboard and its
 * lead's page has all of it; a suppressed address gets nothing more; figures are the API's.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeBrowser, SCHEMES, says, skipsBrowser } from "../support/browser.ts";
import { type Console, startConsole } from "../support/console.ts";
import { show } from "../support/screens.ts";

const TEST_MS_MAX = 180_000;
/** Within which a page has asked for what it can ask for. */
const QUIET_MS = 1000;
const BOB = "bob@client.example";
const DI = "di@third.example";

const ROUND_THE_CLOCK = {
  timezone: "UTC",
  days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
  start_hour: 0,
  end_hour: 24,
};
const QUIET = { reply: 0, interested: 0, auto_reply: 0, hard_bounce: 0, soft_bounce: 0 };

describe.skipIf(skipsBrowser())("The console about people", () => {
  let server: Console;
  let leads: { id: string; lead_id: string; email: string }[];

  const call = async (method: string, path: string, body?: object) => {
    const answer = await server.api("test", method, path, body);
    if (answer.status >= 400) {
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    }
    return answer.body;
  };

  beforeAll(async () => {
    server = await startConsole();
    // Time goes by when it is moved, and not while a slow machine takes it.
    await call("POST", "/sandbox/clock", { speed: 0 });
    const rates = { ...QUIET, complaint: 0, unsubscribe: 0, spam: 0 };
    await call("PATCH", "/sandbox/settings", { rates });
    await call("POST", "/accounts", { email: "ann@sender.example", provider: "smtp" });
    const { id } = await call("POST", "/campaigns", {
      name: "Spring",
      send_window: ROUND_THE_CLOCK,
    });
    await call("POST", `/campaigns/${id}/steps`, {
      type: "email",
      subject: "Offer",
      body: "Hello",
    });
    await call("POST", `/campaigns/${id}/steps`, { type: "email", body: "Again", wait_days: 3 });
    const emails = [BOB, "cy@other.example", DI];
    await call("POST", `/campaigns/${id}/leads`, { leads: emails.map((email) => ({ email })) });
    leads = (await call("GET", `/campaigns/${id}/leads`)).data;
    await call("POST", `/campaigns/${id}/start`);
    await call("POST", "/sandbox/clock", { advance: "1d" });
  }, TEST_MS_MAX);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await closeBrowser();
  }, TEST_MS_MAX);

  const leadOf = (email: string) => {
    const found = leads.find((lead) => lead.email === email);
    if (found === undefined) {
      throw new Error(`no lead ${email}`);
    }
    return found;
  };

  test(
    "7: an answer comes in live, is marked interested by a key, taken back, and stands on the lead's page",
    async () => {
      await using opened = await server.open("light", "/test/inbox");
      const { page, faults } = opened;
      const bob = leadOf(BOB);
      await page.getByText("No replies yet").waitFor();
      await call("POST", "/sandbox/inject", {
        kind: "reply",
        enrollment_id: bob.id,
        text: "Who are you?",
      });
      await call("POST", "/sandbox/clock", { advance: "1m" });
      await page.locator(".inbox-list a").first().waitFor();
      await page.keyboard.press("j");
      await page.locator(".one-mail[data-direction=in]").waitFor();
      await page.keyboard.press("i");
      await page.getByText("Marked interested").waitFor();
      const thread = () => call("GET", `/inbox/threads/${bob.id}`);
      expect(await thread()).toMatchObject({ interest: "interested", read: true });
      await page.keyboard.press("z");
      await page.getByText("Undone").waitFor();
      expect(await thread()).toMatchObject({ interest: null, read: true });
      await page.keyboard.press("i");
      await page.getByRole("button", { name: "Interested", pressed: true }).waitFor();
      expect((await thread()).enrollment).toMatchObject({ status: "replied" });

      await page.keyboard.press("r");
      await page.keyboard.type("<b>Thank you</b>, tomorrow at ten?");
      // Only the tab has these words: the browser asks before it drops them.
      const asked = page.waitForEvent("dialog");
      await page.close({ runBeforeUnload: true });
      expect((await asked).type()).toBe("beforeunload");
      await (await asked).dismiss();
      await page.keyboard.press("Control+Enter");
      await page.getByText("Your reply is on its way").waitFor();
      expect(await page.getByLabel(/^Reply as/).inputValue()).toBe("");

      await page.getByRole("link", { name: BOB, exact: true }).click();
      const timeline = page.locator(".timeline");
      await timeline.getByText("Reply", { exact: true }).waitFor();
      await timeline.getByText("Added to the campaign").waitFor();
      expect(await timeline.getByText("Sent", { exact: true }).count()).toBeGreaterThan(0);
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "12: an address that is suppressed in the middle of its sequence gets nothing more, and it is said why",
    async () => {
      await using opened = await server.open("light", "/test/suppressions");
      const { page, faults } = opened;
      await page.getByLabel("Email addresses or @domains").fill(DI);
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await page.getByText(`${DI} isn’t suppressed. You can email it.`).waitFor();
      await page.getByRole("button", { name: "Suppress", exact: true }).click();
      await page.getByText(`${DI} is suppressed`).waitFor();
      await call("POST", "/sandbox/clock", { advance: "5d" });
      const lead = leadOf(DI);
      const { data } = await call("GET", `/leads/${lead.lead_id}/timeline`);
      const written = data.filter(({ kind }: { kind: string }) => kind === "written");
      expect(written).toHaveLength(1);
      await page.goto(`${server.url}/test/leads/${lead.lead_id}`);
      await page.locator(".timeline").getByText("Suppressed", { exact: true }).waitFor();
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "the overview's figures are the API's",
    async () => {
      await using opened = await server.open("light", "/test/");
      const { page, faults } = opened;
      const zone = await page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone");
      const { totals } = await call("GET", `/stats?timezone=${encodeURIComponent(String(zone))}`);
      const sent = page.locator(".figure-card", {
        has: page.getByRole("heading", { name: "Sent" }),
      });
      await says(sent.locator(".figure"), String(totals.sent));
      const leads = `${totals.contacted} ${totals.contacted === 1 ? "lead" : "leads"}`;
      await page.getByText(`${totals.contacted_replied} of ${leads} emailed`).waitFor();
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "the overview asks for all it shows at once, in six requests however many campaigns there are",
    async () => {
      for (let n = 0; n < 8; n += 1) {
        await call("POST", "/campaigns", { name: `Autumn ${n}` });
      }
      await using opened = await server.open("light", "/test/");
      const { page, faults } = opened;
      await page.goto("about:blank");
      const asked: string[] = [];
      const held = Promise.withResolvers<void>();
      await page.route(/\/api\/v1\/(?!events\/stream)/, async (route) => {
        asked.push(new URL(route.request().url()).pathname);
        await held.promise;
        await route.continue();
      });
      // Nothing is answered before everything was asked for: a second round would never come to be.
      await page.goto(`${server.url}/test/`);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.waitForTimeout(QUIET_MS);
      const first = asked.toSorted();
      held.resolve();
      await page.locator(".figure-card").first().waitFor();
      await page.getByText("Recent activity").waitFor();
      await page.locator(".ticker li").first().waitFor();
      await page.getByText("You’re all caught up.").or(page.locator(".needs li").first()).waitFor();
      expect(first).toEqual(
        ["attention", "events", "placement/runs", "sandbox/clock", "stats", "stats"].map(
          (path) => `/test/api/v1/${path}`,
        ),
      );
      expect(asked.toSorted()).toEqual(first);
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test.each(SCHEMES)(
    "every page about people is accessible, %s",
    async (scheme) => {
      await using opened = await server.open(scheme, "/test/");
      const { page, faults, violations } = opened;
      const lead = leadOf(BOB);
      const places = ["", "leads", `leads/${lead.lead_id}`, `inbox/${lead.id}`, "tasks"];
      for (const place of [...places, "suppressions"]) {
        await show(page, `${server.url}/test/${place}`);
        expect([place, await violations()]).toEqual([place, []]);
      }
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );
});
