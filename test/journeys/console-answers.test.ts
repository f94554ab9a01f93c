/**
 * What comes back, in a real browser over the sandbox: a reply that is labeled by keyboard, a campaign that
 * its guard stops, people who must not be written to any more.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  closeBrowser,
  type OpenPage,
  openPage,
  SCHEMES,
  says,
  skipsBrowser,
} from "../support/browser.ts";
import { type Console, startConsole } from "../support/console.ts";
import { ROUND_THE_CLOCK } from "../support/inbox.ts";
import { show } from "../support/screens.ts";
import { type Receiver, startReceiver } from "../support/webhooks.ts";

const TEST_MS_MAX = 180_000;
const PUBLIC_URL = "https://mail.acme.example";
const NOBODY_ANSWERS = {
  ...{ reply: 0, interested: 0, auto_reply: 0, hard_bounce: 0, soft_bounce: 0 },
  ...{ complaint: 0, unsubscribe: 0, spam: 0 },
};

describe.skipIf(skipsBrowser())("The console about what comes back", () => {
  let server: Console;
  let receiver: Receiver;

  const call = async (method: string, path: string, body?: object) => {
    const answer = await server.api("test", method, path, body);
    if (answer.status >= 400) {
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    }
    return answer.body;
  };
  const advance = (duration: string) => call("POST", "/sandbox/clock", { advance: duration });
  /** A campaign under way: its first email has gone to each of `emails`, who do nothing by themselves. */
  const underway = async (name: string, emails: readonly string[]) => {
    const settings = { send_window: ROUND_THE_CLOCK, max_leads_per_day: 1000 };
    const { id } = await call("POST", "/campaigns", { name, ...settings });
    for (const step of [
      { type: "email", subject: "Deliveries", body: "Hi {{first_name | default: 'there'}}" },
      { type: "email", body: "Have you had a look?", wait_days: 3 },
    ]) {
      await call("POST", `/campaigns/${id}/steps`, step);
    }
    const leads = emails.map((email) => ({ email, first_name: email.split("@")[0] }));
    await call("POST", `/campaigns/${id}/leads`, { leads });
    await call("POST", `/campaigns/${id}/start`);
    await advance("20h");
    return id as string;
  };
  const statsOf = (id: string) => call("GET", `/campaigns/${id}/stats`);
  const leadIn = async (id: string, email: string) =>
    (await call("GET", `/campaigns/${id}/leads?email=${email}`)).data[0];
  /** The email that `email` got last, as it was handed over. */
  const lastMailTo = async (email: string) => {
    const { data } = await call("GET", `/sandbox/messages?recipient=${email}`);
    return (await server.api("test", "GET", `/sandbox/messages/${data[0].id}/raw`)).text;
  };
  const optOutOf = async (email: string) =>
    /\/u\/[\w.-]+/.exec((await lastMailTo(email)).replaceAll("=\r\n", ""))?.[0] ?? "";
  const isSuppressed = async (email: string) =>
    (await call("GET", `/suppressions/check?email=${email}`)).suppressed as boolean;

  beforeAll(async () => {
    receiver = startReceiver(() => new Response(null, { status: 204 }));
    server = await startConsole({
      env: { OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8", OUTRIDER_PUBLIC_URL: PUBLIC_URL },
    });
    await call("PATCH", "/sandbox/settings", { rates: NOBODY_ANSWERS });
    // Time goes by when it is moved, and not while a slow machine takes it.
    await call("POST", "/sandbox/clock", { speed: 0 });
    const limits = { daily_limit: 500, hourly_limit: 500, min_gap_seconds: 0 };
    const sender = { email: "ann@sender.example", provider: "smtp", ...limits };
    await call("POST", "/accounts", sender);
  }, TEST_MS_MAX);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await receiver?.stop();
    await closeBrowser();
  }, TEST_MS_MAX);

  test(
    "7: a reply comes in live, is labeled by keyboard, has stopped the sequence, and is told to a webhook",
    async () => {
      const types = ["reply.received", "lead.interested"];
      await call("POST", "/webhooks", { url: receiver.url, events: types });
      const campaign = await underway("Spring", ["rita@client.example"]);
      await using opened = await server.open("light", "/test/inbox");
      const { page, faults } = opened;
      await page.getByRole("heading", { name: "No replies yet" }).waitFor();

      const { lead_id } = await leadIn(campaign, "rita@client.example");
      await call("POST", "/sandbox/inject", { kind: "reply", lead_id, text: "Tell me the price?" });
      await advance("1m");
      await page.getByText("Tell me the price?").first().waitFor();
      await page.keyboard.press("j");
      await page.getByRole("region", { name: "Conversation" }).waitFor();
      await page.keyboard.press("i");
      await page.getByText("Marked interested").waitFor();
      await page.getByRole("button", { name: "Interested", exact: true, pressed: true }).waitFor();
      await page.getByText("Replied").first().waitFor();
      expect(await leadIn(campaign, "rita@client.example")).toMatchObject({
        ...{ status: "replied", interest: "interested", next_attempt_at: null },
      });

      await page.goto(`${server.url}/test/leads/${lead_id}`);
      const timeline = page.locator(".timeline");
      for (const moment of ["Added to the campaign", "Sent", "Reply"]) {
        await timeline.getByText(moment, { exact: true }).first().waitFor();
      }
      await timeline.getByText("Show email").first().click();
      await timeline.getByText("Tell me the price?").waitFor();
      await advance("4d");
      expect((await statsOf(campaign)).sent).toBe(1);
      await until(() => types.every((type) => told(receiver).includes(type)));
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "7: of two who judge a conversation the second is told who was quicker",
    async () => {
      const { data } = await call("GET", "/inbox/threads");
      await using opened = await server.open("dark", `/test/inbox/${data[0].id}`);
      const { page } = opened;
      await page.getByRole("button", { name: "Interested", exact: true, pressed: true }).waitFor();
      const meeting = { interest: "meeting" };
      let isQuicker = true;
      await page.route("**/inbox/threads/*", async (route) => {
        if (route.request().method() === "PATCH" && isQuicker) {
          isQuicker = false;
          await call("PATCH", `/inbox/threads/${data[0].id}`, meeting);
        }
        await route.continue();
      });
      await page.getByRole("button", { name: "Not interested" }).click();
      // What is said goes away by itself: all of it is waited for at once.
      await Promise.all([
        page.getByText("Ann Example changed it").waitFor(),
        page.getByRole("button", { name: "Meeting", pressed: true }).waitFor(),
      ]);
      await page.getByRole("button", { name: "Change anyway" }).click();
      await page.getByRole("button", { name: "Not interested", pressed: true }).waitFor();
      expect((await call("GET", `/inbox/threads/${data[0].id}`)).interest).toBe("not_interested");
    },
    TEST_MS_MAX,
  );

  test(
    "12: who is suppressed in the middle of a sequence gets no more; the link to unsubscribe and its POST end it",
    async () => {
      const people = ["bob", "cyd", "dee", "eve"].map((name) => `${name}@client.example`);
      const [bob = "", cyd = "", dee = "", eve = ""] = people;
      const campaign = await underway("Summer", people);
      expect((await statsOf(campaign)).sent).toBe(4);

      await using opened = await server.open("light", "/test/suppressions");
      const { page, faults } = opened;
      await page.getByLabel("Email addresses or @domains").fill(bob);
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await page.getByText(`${bob} isn’t suppressed. You can email it.`).waitFor();
      await page.getByRole("button", { name: "Suppress", exact: true }).click();
      await page.getByText(`${bob} is suppressed`).waitFor();
      await page.getByRole("row", { name: bob }).waitFor();

      await using outside = await openPage(server.url);
      await readOptOut(outside, server.url + (await optOutOf(cyd)));
      expect(await isSuppressed(cyd)).toBe(false);
      await outside.page.getByRole("button", { name: "Unsubscribe" }).click();
      await outside.page.getByRole("heading", { name: "You are unsubscribed" }).waitFor();
      const posted = await fetch(server.url + (await optOutOf(dee)), {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: "List-Unsubscribe=One-Click",
      });
      expect([posted.status, await isSuppressed(cyd), await isSuppressed(dee)]).toEqual([
        ...[200, true, true],
      ]);
      expect(outside.faults).toEqual([]);

      await advance("5d");
      const mailsTo = async (email: string) =>
        (await call("GET", `/sandbox/messages?recipient=${email}`)).total;
      expect(await Promise.all(people.map(mailsTo))).toEqual([1, 1, 1, 2]);
      expect((await leadIn(campaign, eve)).status).toBe("completed");
      await page.goto(`${server.url}/test/campaigns/${campaign}/leads?status=suppressed`);
      const row = page.getByRole("row", { name: bob });
      await row.getByRole("button", { name: "Suppressed" }).click();
      await page.getByRole("dialog", { name: `Status of ${bob}` }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByLabel("Status").first().selectOption("unsubscribed");
      await page.getByRole("row", { name: cyd }).waitFor();
      await page.getByRole("row", { name: dee }).waitFor();
      await page.getByRole("row", { name: bob }).waitFor({ state: "detached" });
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "11: a campaign that too many emails of come back pauses itself, needs attention, and goes on when a person says so",
    async () => {
      const emails = Array.from({ length: 80 }, (_, nth) =>
        nth % 12 === 0 ? `bounce+${nth}@sandbox.test` : `person${nth}@firm${nth}.example`,
      );
      // Emails are spread over what is left of a day: late in the evening all go before the first bounce.
      const { now } = await call("GET", "/sandbox/clock");
      await advance(`${24 - new Date(now).getUTCHours()}h`);
      const campaign = await underway("A bought list", emails);
      const stats = await statsOf(campaign);
      expect(await call("GET", `/campaigns/${campaign}`)).toMatchObject({
        ...{ status: "paused", status_reason: "bounce_rate" },
      });
      expect(stats.sent).toBeLessThan(emails.length);

      await using opened = await server.open("light", "/test/");
      const { page, faults } = opened;
      const needs = page.getByRole("list", { name: "Needs attention" });
      await needs.getByText("A bought list is paused").waitFor();
      await needs.getByText("too many emails bounced").waitFor();
      await needs.getByText("A bought list is paused").click();
      await page.locator(".title-line .pill", { hasText: "Paused" }).waitFor();
      await page.getByText("Paused automatically: too many emails bounced").waitFor();
      await says(page.locator(".figure").first(), String(stats.sent));
      const digits = stats.bounce_rate < 0.1 ? 1 : 0;
      const rate = `${(100 * stats.bounce_rate).toFixed(digits)}%`;
      await says(page.locator(".figure").nth(2), rate);
      await page.goBack();
      const remedy = needs.locator("li", { hasText: "A bought list" });
      await remedy.getByRole("button", { name: "Resume" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("its bounce and complaint rates are counted from zero").waitFor();
      expect((await call("GET", `/campaigns/${campaign}`)).status).toBe("paused");
      await dialog.getByRole("button", { name: "Resume" }).click();
      await page.getByText("A bought list resumed").waitFor();
      expect((await call("GET", `/campaigns/${campaign}`)).status).toBe("active");
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test.each([...SCHEMES])(
    "every page about what comes back is clean in %s",
    async (scheme) => {
      const { data: threads } = await call("GET", "/inbox/threads");
      const { data: leads } = await call("GET", "/leads");
      await using opened = await server.open(scheme, "/test/");
      const { page, faults } = opened;
      const places = ["", "inbox", `inbox/${threads[0].id}`, "leads", `leads/${leads[0].id}`];
      for (const place of [...places, "leads?search=nobody", "suppressions", "tasks", "import"]) {
        await show(page, `${server.url}/test/${place}`);
        expect({ place, found: await opened.violations() }).toEqual({ place, found: [] });
      }
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );
});

/** The page behind the link asks, and changes nothing. */
async function readOptOut({ page }: OpenPage, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole("heading", { name: "Unsubscribe" }).waitFor();
}

function told({ received }: Receiver): string[] {
  return received.map(({ body }) => JSON.parse(String(body)).type);
}

/** Deliveries leave by the wall's clock. */
async function until(isSo: () => boolean): Promise<void> {
  const patience = AbortSignal.timeout(TEST_MS_MAX / 2);
  while (!isSo()) {
    patience.throwIfAborted();
    await Bun.sleep(50);
  }
}
