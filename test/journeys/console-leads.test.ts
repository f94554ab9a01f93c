/** Journey 5: a hundred thousand leads in one scroll: the last of them, some of them, all of a filter at once. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { closeBrowser, says, skipsBrowser } from "../support/browser.ts";
import { type Console, startConsole } from "../support/console.ts";

const TEST_MS_MAX = 240_000;
/** A slow machine takes minutes for so many. */
const PREPARE_MS_MAX = 480_000;
const LEADS = 100_000;
const ONE = "lead50505@firm50505.example";
/** More than one call changes. */
const INTERESTED = 1200;

describe.skipIf(skipsBrowser())("A hundred thousand leads", () => {
  let server: Console;
  let campaign: string;

  const leadsLike = async (query: string) =>
    (await server.api("test", "GET", `/campaigns/${campaign}/leads?${query}`)).body;

  beforeAll(async () => {
    server = await startConsole();
    campaign = (await server.api("test", "POST", "/campaigns", { name: "Everybody" })).body.id;
    const lines = Array.from(
      { length: LEADS },
      (_, nth) => `lead${nth}@firm${nth}.example,L${nth}`,
    );
    const query = "existing=keep";
    const path = `/test/api/v1/campaigns/${campaign}/leads/import?${query}`;
    const answer = await fetch(server.url + path, {
      method: "POST",
      headers: { Cookie: server.cookie, Origin: server.url, "Content-Type": "text/csv" },
      body: ["email,first_name", ...lines].join("\n"),
    });
    expect(await answer.json()).toMatchObject({ status: "done", imported: LEADS });
    for (let offset = 0; offset < INTERESTED; offset += 100) {
      const { data } = await leadsLike(`limit=100&offset=${10 * offset}`);
      const paths = data.map(({ id }: { id: string }) => `/campaigns/${campaign}/leads/${id}`);
      const interest = { interest: "interested" };
      await Promise.all(paths.map((path: string) => server.api("test", "PATCH", path, interest)));
    }
  }, PREPARE_MS_MAX);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await closeBrowser();
  }, TEST_MS_MAX);

  test(
    "5: the last lead is a scroll away, one is found by its address, all of a filter are paused at once",
    async () => {
      const path = `/test/campaigns/${campaign}/leads`;
      await using opened = await server.open("light", path);
      const { page, faults } = opened;
      await page.getByText("100,000 total").waitFor();
      const [newest] = (await leadsLike("limit=1")).data;
      await rowAt(page, 1).getByRole("link", { name: newest.email }).waitFor();
      await page.locator(".long-table tbody").evaluate((body) => {
        body.scrollTop = body.scrollHeight;
      });
      const [oldest] = (await leadsLike(`limit=1&offset=${LEADS - 1}`)).data;
      await rowAt(page, LEADS).getByRole("link", { name: oldest.email }).waitFor();

      // Words are found a moment after they were written.
      while ((await leadsLike(`search=${ONE}`)).total === 0) {
        await Bun.sleep(50);
      }
      await page.getByLabel("Search", { exact: true }).fill(ONE);
      await page.getByText("1 total").waitFor();
      await rowAt(page, 1).getByRole("link", { name: ONE }).waitFor();
      await rowAt(page, 1).getByRole("checkbox").check();
      await act(page, "Pause", "Pause 1 lead");
      await page.getByText("1 lead paused.").waitFor();

      await page.getByLabel("Search", { exact: true }).fill("");
      await page.getByText("100,000 total").waitFor();
      await page.getByLabel("Status").first().selectOption("pending");
      await page.getByText("99,999 total").waitFor();
      await page.getByLabel("Interest").selectOption("interested");
      await page.getByText("1,200 total").waitFor();
      await page.getByRole("button", { name: "Select all 1,200" }).click();
      await act(page, "Pause", "Pause 1,200 leads");
      await page.getByText("1,200 leads paused.").waitFor();
      await page.getByRole("heading", { name: "No matching leads" }).waitFor();
      expect((await leadsLike("status=paused&limit=1")).total).toBe(INTERESTED + 1);
      expect(await opened.violations()).toEqual([]);

      await page.getByRole("button", { name: "Clear filters" }).click();
      await page.getByLabel("Status").first().selectOption("paused");
      await page.getByText("1,201 total").waitFor();
      const tab = await page.context().newPage();
      await tab.goto(page.url());
      await tab.getByText("1,201 total").waitFor();
      expect(await tab.getByLabel("Status").first().inputValue()).toBe("paused");
      const first = await rowAt(page, 1).getByRole("link").textContent();
      await says(rowAt(tab, 1).getByRole("link"), first ?? "");
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "leads of all campaigns are found by where they stand, and the address keeps how they were asked for",
    async () => {
      await using opened = await server.open("dark", "/test/leads?interest=interested");
      const { page, faults } = opened;
      await page.getByText("1,200 total").waitFor();
      expect(await page.getByLabel("Interest").inputValue()).toBe("interested");
      await page.getByLabel("Status").first().selectOption("bounced");
      await page.getByText("No leads match your search and filters.").waitFor();
      expect(new URL(page.url()).search).toBe("?interest=interested&status=bounced");
      expect(await opened.violations()).toEqual([]);
      await page.getByRole("button", { name: "Show all leads" }).click();
      await page.getByText("100,000 total").waitFor();
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );
});

function rowAt(page: Page, place: number) {
  return page.locator(`.long-table [aria-rowindex="${place}"]`);
}

/** Chosen leads are changed when the question is answered. */
async function act(page: Page, button: string, answer: string): Promise<void> {
  await page.locator(".selection").getByRole("button", { name: button, exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: answer }).click();
}
