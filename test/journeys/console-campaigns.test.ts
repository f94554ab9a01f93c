/**
 * Campaigns in a real browser: one is made in four steps and started; an email is written, looked at as
 * several leads and saved by two people; leads are paused all at once; figures are the API's.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { closeBrowser, SCHEMES, says, skipsBrowser } from "../support/browser.ts";
import { type Console, moveToEvening, startConsole } from "../support/console.ts";
import { show } from "../support/screens.ts";

const TEST_MS_MAX = 180_000;
const ROUND_THE_CLOCK = {
  timezone: "UTC",
  days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
  start_hour: 0,
  end_hour: 24,
};
const PEOPLE = ["ann", "bob", "cy"].map((name) => ({
  email: `${name}@client.example`,
  first_name: name,
  company: `${name} works`,
}));
const HOSTILE =
  'Hi {{first_name}}, <b>look</b> <script>parent.document.title = "taken"</script>' +
  '<img src="https://elsewhere.example/x.png" onerror="parent.document.title = 1">' +
  '<base href="https://elsewhere.example/"><style>@import "https://elsewhere.example/x.css";</style>' +
  '<form action="https://elsewhere.example/"><button>Go</button></form>';

describe.skipIf(skipsBrowser())("The console about campaigns", () => {
  let server: Console;
  let campaign: string;
  let step: string;

  const call = async (method: string, path: string, body?: object) => {
    const answer = await server.api("test", method, path, body);
    if (answer.status >= 400) {
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    }
    return answer.body;
  };
  const word = (page: Page, text: string) => page.getByText(text).first().waitFor();

  beforeAll(async () => {
    server = await startConsole();
    // What is started here sends nothing while the others look: the figures stay.
    await call("POST", "/sandbox/clock", { speed: 0 });
    await moveToEvening(server);
    await call("POST", "/accounts", { email: "ann@sender.example", provider: "smtp" });
    const made = { name: "Spring", send_window: ROUND_THE_CLOCK };
    campaign = (await call("POST", "/campaigns", made)).id;
    const mail = { type: "email", subject: "Hello {{first_name}}", body: "Hi {{first_name}}" };
    step = (await call("POST", `/campaigns/${campaign}/steps`, mail)).id;
    await call("POST", `/campaigns/${campaign}/leads`, { leads: PEOPLE });
  }, TEST_MS_MAX);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await closeBrowser();
  }, TEST_MS_MAX);

  test(
    "3: a campaign is made in four steps that a reload and the back button keep, and started",
    async () => {
      await using opened = await server.open("light", "/test/campaigns/new");
      const { page, faults } = opened;
      await page.getByLabel("Name").fill("Made by hand");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/new\/leads$/);
      await page.getByLabel("Leads, one per line").fill("di@third.example, Di, Doe, Third");
      await page.getByRole("button", { name: "Add leads" }).click();
      await word(page, "1 lead added");
      await page.reload();
      await word(page, "1 lead so far");
      await page.getByRole("link", { name: "Continue to sequence" }).click();
      await page.getByRole("button", { name: "Write first email" }).click();
      await page.getByLabel("Subject").fill("A question");
      await page.locator("textarea").fill("Hello {{first_name}}");
      await page.getByRole("link", { name: "Continue to schedule and mailboxes" }).click();
      await word(page, "Sending hours");
      const countries = page.getByLabel("Skip public holidays");
      await countries.selectOption("Germany");
      await countries.selectOption("France");
      await word(page, "except public holidays in Germany and France");
      await page.getByRole("button", { name: "Remove France" }).press("Enter");
      await word(page, "except public holidays in Germany");
      expect(await countries.evaluate((own) => own === document.activeElement)).toBe(true);
      await page.getByText("All changes saved").waitFor();
      await page.goBack();
      await page.getByLabel("Subject").waitFor();
      await page.goForward();
      // A name server that never answers holds nobody up.
      await page.route("**/dns", () => undefined);
      await page.getByRole("link", { name: "Continue to review and start" }).click();
      const start = page.getByRole("button", { name: "Start campaign" });
      await start.waitFor();
      expect(await page.getByText("Looking up the sending domains…").count()).toBe(1);
      await start.click();
      await page.waitForURL(/\/campaigns\/[0-9a-f-]{36}$/);
      await page.locator(".title-line .pill", { hasText: "Active" }).waitFor();
      expect(faults).toEqual([]);
      const { data } = await call("GET", "/campaigns?status=active");
      expect(data).toMatchObject([
        { name: "Made by hand", send_window: { skip_holidays: ["DE"] } },
      ]);
    },
    TEST_MS_MAX,
  );

  test(
    "notes are saved as they are typed, and taken back by clearing them",
    async () => {
      await using opened = await server.open("light", `/test/campaigns/${campaign}`);
      const { page, faults } = opened;
      const notes = page.getByLabel("Notes for your team");
      await notes.fill("Only founders.\nAnn handles the replies.");
      await page.getByText("All changes saved").waitFor();
      await page.reload();
      expect(await notes.inputValue()).toBe("Only founders.\nAnn handles the replies.");
      const { notes: stored } = await call("GET", `/campaigns/${campaign}`);
      expect(stored).toBe("Only founders.\nAnn handles the replies.");
      await notes.fill("");
      await page.getByText("All changes saved").waitFor();
      expect((await call("GET", `/campaigns/${campaign}`)).notes).toBeNull();
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "6: an email is shown as each lead gets it, what a lead lacks is marked, hostile HTML does nothing",
    async () => {
      const path = `/test/campaigns/${campaign}/sequence`;
      await using opened = await server.open("light", path);
      const { page, faults } = opened;
      const refused: (string | undefined)[] = [];
      page.on("requestfailed", (request) => refused.push(request.failure()?.errorText));
      const next = page.getByRole("button", { name: "Next lead" });
      for (const name of ["cy", "bob"]) {
        await page.locator(".mail-subject", { hasText: `Hello ${name}` }).waitFor();
        await next.click();
      }
      await page.locator(".mail-subject", { hasText: "Hello ann" }).waitFor();
      await page.getByRole("button", { name: "Next lead", disabled: true }).waitFor();
      await page.locator("textarea").fill("Hi {{nickname}}");
      await page.locator(".preview .variable-missing", { hasText: "nickname" }).waitFor();
      await page.locator("textarea").fill(HOSTILE);
      await word(page, "Plain text goes out with its tags");
      await page.getByRole("button", { name: "HTML", exact: true }).click();
      const mail = page.frameLocator("iframe.preview-frame");
      await mail.locator("b", { hasText: "look" }).waitFor();
      expect(await page.title()).toStartWith("Sequence · Spring");
      await page.getByRole("button", { name: "Text", exact: true }).click();
      await page.locator(".preview-text").waitFor();
      expect(page.url()).toContain("view=text");
      // What the email's own document refuses is told; nothing else is.
      expect(faults.filter((fault) => !/elsewhere\.example|sandbox/.test(fault))).toEqual([]);
      const elsewhere = () => faults.filter((fault) => fault.startsWith("request to"));
      // Each is told as it begins and as it is refused.
      while (refused.length < elsewhere().length) {
        await page.waitForEvent("requestfailed");
      }
      expect(refused).toEqual(elsewhere().map(() => "csp"));
    },
    TEST_MS_MAX,
  );

  test(
    "16: of two people who edit one step the second is told by whom, and nothing is lost",
    async () => {
      const path = `/test/campaigns/${campaign}/sequence`;
      await using opened = await server.open("light", path);
      const { page, faults } = opened;
      await page.getByRole("status").filter({ hasText: "All changes saved" }).waitFor();
      // Theirs comes while mine is on its way. A draft saves itself, so nobody has to click.
      await page.route(
        `**/steps/${step}`,
        async (route) => {
          await call("PATCH", `/campaigns/${campaign}/steps/${step}`, { body: "Theirs" });
          await route.continue();
        },
        { times: 1 },
      );
      await page.locator("textarea").fill("Mine {{first_name}}");
      await word(page, "Ann Example changed it on");
      expect(await page.locator(".version pre").allInnerTexts()).toEqual([
        "Theirs",
        "Mine {{first_name}}",
      ]);
      await page.getByRole("button", { name: "Overwrite with mine" }).click();
      await page.getByRole("status").filter({ hasText: "All changes saved" }).waitFor();
      const saved = await call("GET", `/campaigns/${campaign}/steps/${step}`);
      expect(saved.body).toBe("Mine {{first_name}}");
      expect(faults.filter((fault) => !fault.includes("412"))).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "5: all leads that a filter finds are paused at once",
    async () => {
      const path = `/test/campaigns/${campaign}/leads?status=pending`;
      await using opened = await server.open("light", path);
      const { page, faults } = opened;
      await page.getByRole("button", { name: "Select all 3" }).click();
      await page.getByRole("button", { name: "Pause", exact: true }).last().click();
      await page.getByRole("button", { name: "Pause 3 leads" }).click();
      await word(page, "3 leads paused.");
      expect((await call("GET", `/campaigns/${campaign}/leads?status=paused`)).total).toBe(3);
      expect(faults).toEqual([]);
      const again = { action: "resume", filter: {} };
      await call("POST", `/campaigns/${campaign}/leads/bulk`, again);
    },
    TEST_MS_MAX,
  );

  test(
    "a saved step goes to whoever wants to see it, with the values of the lead that is shown",
    async () => {
      await using opened = await server.open("light", `/test/campaigns/${campaign}/sequence?as=2`);
      const { page, faults } = opened;
      await page.locator(".mail-subject", { hasText: "Hello ann" }).waitFor();
      expect(await page.getByLabel("Send to").inputValue()).toBe("ann@example.com");
      await page.getByLabel("Send to").fill("nobody");
      await page.getByRole("button", { name: "Send test email" }).click();
      await word(page, "must be an email address");
      await page.getByLabel("Send to").fill("me@example.com");
      await page.keyboard.press("Enter");
      await word(page, "Sent from ann@sender.example to me@example.com");
      const { data } = await call("GET", "/sandbox/messages?recipient=me@example.com");
      expect(data).toMatchObject([{ subject: "Hello ann" }]);
      // The browser tells of the refusal itself.
      expect(faults.filter((fault) => !fault.includes("422"))).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test.each([...SCHEMES])(
    "every page is clean in %s, and its figures are the API's",
    async (scheme) => {
      const { data } = await call("GET", "/campaigns?status=active");
      const stats = await call("GET", `/campaigns/${data[0].id}/stats`);
      const base = `/test/campaigns/${data[0].id}`;
      await using opened = await server.open(scheme, base);
      const { page, faults } = opened;
      await says(page.locator(".figure").first(), String(stats.sent));
      const pages = ["", "/sequence", "/leads", "/schedule", "/rules", "/check", "/new/leads"];
      for (const place of [...pages.map((each) => base + each), "/test/campaigns"]) {
        await show(page, server.url + place);
        expect({ place, found: await opened.violations() }).toEqual({ place, found: [] });
      }
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );
});
