/**
 * How many clicks it takes: a campaign from a file, the first one from an empty installation, a group of leads that
 * is on hold. Keys are free, as far as a hand goes: a field that is more than a few Tabs away takes a click.
 */

import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { skipsBrowser, toast } from "../support/browser.ts";
import { typeAt } from "./by-keyboard.ts";
import { expectClean, press, startSandbox, TEST_MS_MAX, word } from "./console-sandbox.ts";

const LEADS = 40;
const CAMPAIGN_CLICKS_MAX = 10;
const FIRST_CLICKS_MAX = 25;
const GROUP_CLICKS_MAX = 3;
const TABS_MAX = 4;

/** Types into a field that has the focus, or nearly so. */
const type = (page: Page, name: string, text: string) => typeAt(page, name, text, TABS_MAX);

const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).click();

/** Counts from here on, over all pages that are gone to. */
async function counting(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    // Where a page still moves, Playwright aims again: what hit nothing is no click.
    const count = ({ target }: Event) => {
      if (
        target instanceof Element &&
        target.closest("a, button, label, input, select, textarea")
      ) {
        sessionStorage.setItem("clicks", String(Number(sessionStorage.getItem("clicks")) + 1));
      }
    };
    addEventListener("pointerdown", count, true);
  });
  await page.reload();
  return () => page.evaluate(() => Number(sessionStorage.getItem("clicks")));
}

async function importFile(page: Page): Promise<void> {
  await link(page, "Import a file");
  const choosing = page.waitForEvent("filechooser");
  await page.getByText("Drop a CSV file here, or select one").click();
  const rows = Array.from({ length: LEADS }, (_, nth) => `p${nth}@clicks-${nth}.example,Pat`);
  const buffer = Buffer.from(["email,first_name", ...rows].join("\n"));
  await (await choosing).setFiles({ name: "people.csv", mimeType: "text/csv", buffer });
  await press(page, `Import ${LEADS} leads`);
  await page.waitForURL(/\/new\/sequence/);
}

async function writeThree(page: Page): Promise<void> {
  await press(page, "Write first email");
  await page.getByRole("heading", { name: "Step 1: email" }).waitFor();
  await type(page, "Subject", "A question");
  await type(page, "Email", "Hi {{first_name}}");
  for (const [nth, body] of ["And again.", "My last note."].entries()) {
    await press(page, "Add email");
    await page.getByRole("heading", { name: `Step ${nth + 2}: email` }).waitFor();
    await type(page, "Email", body);
    await page.getByRole("status").filter({ hasText: "All changes saved" }).waitFor();
  }
}

async function launch(page: Page): Promise<void> {
  await link(page, "Continue to schedule and mailboxes");
  await link(page, "Continue to review and start");
  await word(page, `${LEADS} leads`);
  await press(page, "Start campaign");
  await page.locator(".title-line .pill", { hasText: "Active" }).waitFor();
}

describe.skipIf(skipsBrowser())("Clicks", () => {
  const { server, sandbox } = startSandbox({ hasSenders: false });

  test(
    `from an empty sandbox to its first campaign: ${FIRST_CLICKS_MAX} at most`,
    async () => {
      await using opened = await server.open("light", "/test/");
      const { page } = opened;
      const clicks = await counting(page);
      await link(page, "Connect a mailbox");
      await page.getByLabel("Email").waitFor();
      await type(page, "Email", "ann@sender.example");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/accounts\/[0-9a-f-]{36}$/);
      await link(page, "Overview");
      await link(page, "Add leads");
      await page.getByLabel("Name").waitFor();
      await type(page, "Name", "First");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/new\/leads$/);
      await importFile(page);
      await writeThree(page);
      await launch(page);
      expect(await clicks()).toBeGreaterThan(8);
      expect(await clicks()).toBeLessThanOrEqual(FIRST_CLICKS_MAX);
      // Half a merge field is no template yet.
      await expectClean(opened, /422/);
      // It is played in the sandbox, and somebody gets something.
      await sandbox.advance("3d");
      expect((await sandbox.call("GET", "/sandbox/messages")).total).toBeGreaterThan(0);
    },
    TEST_MS_MAX,
  );

  test(
    `a campaign of three emails and a file: ${CAMPAIGN_CLICKS_MAX} at most`,
    async () => {
      await using opened = await server.open("dark", "/test/campaigns");
      const { page } = opened;
      const clicks = await counting(page);
      await link(page, "New campaign");
      await page.getByLabel("Name").waitFor();
      await type(page, "Name", "Second");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/new\/leads$/);
      await importFile(page);
      await writeThree(page);
      await launch(page);
      expect(await clicks()).toBeGreaterThan(5);
      expect(await clicks()).toBeLessThanOrEqual(CAMPAIGN_CLICKS_MAX);
      const { data } = await sandbox.call("GET", "/campaigns?status=active");
      const made = data.find(({ name }: { name: string }) => name === "Second");
      expect((await sandbox.call("GET", `/campaigns/${made.id}/stats`)).enrolled).toBe(LEADS);
      await expectClean(opened, /422/);
    },
    TEST_MS_MAX,
  );

  test(
    `a group of leads that lacks a value: ${GROUP_CLICKS_MAX} at most`,
    async () => {
      const { id, step } = await sandbox.makeCampaign("Lacking", 2);
      const body = "What does {{company}} ship?";
      await sandbox.call("PATCH", `/campaigns/${id}/steps/${step}`, { body });
      await sandbox.call("POST", `/campaigns/${id}/start`);
      await sandbox.advance("3d");
      await using opened = await server.open("light", "/test/");
      const { page } = opened;
      const clicks = await counting(page);
      await word(page, "2 leads in Lacking on hold");
      await page
        .getByRole("listitem")
        .filter({ hasText: "2 leads in Lacking" })
        .getByRole("button", { name: "Add value" })
        .click();
      await page.getByLabel("Company").waitFor();
      await type(page, "Company", "your team");
      await page.keyboard.press("Enter");
      await toast(page, "2 leads no longer on hold");
      expect(await clicks()).toBeGreaterThan(0);
      expect(await clicks()).toBeLessThanOrEqual(GROUP_CLICKS_MAX);
      expect((await sandbox.call("GET", `/campaigns/${id}`)).on_hold.total).toBe(0);
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );
});
