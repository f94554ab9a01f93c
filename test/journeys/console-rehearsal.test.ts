/** A draft is looked at and played before it is started: who gets what, when, and what a guard would do. */

import { describe, expect, test } from "bun:test";
import { skipsBrowser, toast } from "../support/browser.ts";
import { expectClean, press, startSandbox, TEST_MS_MAX, word } from "./console-sandbox.ts";

describe.skipIf(skipsBrowser())("The review before a start", () => {
  const { server, sandbox } = startSandbox();

  test(
    "says who, what, when, and plays a month, which ends well",
    async () => {
      const { id } = await sandbox.makeCampaign("Well", 200);
      await using opened = await server.open("light", `/test/campaigns/${id}/check`);
      const { page } = opened;
      await word(page, "200 leads");
      await word(page, "from 2 mailboxes");
      const previews = page.getByRole("list", { name: "The first email, as three leads get it" });
      await previews.getByText("@well-").first().waitFor();
      expect(await previews.getByText("The first way").count()).toBe(3);
      await word(page, "sender.example");
      await expectClean(opened);
      await press(page, "Rehearse 30 days");
      await word(page, "No guard stops it");
      await word(page, "no duplicate emails");
      await page.getByRole("button", { name: "Play with other people" }).waitFor();
      await expectClean(opened);
      const { status } = await sandbox.call("GET", `/campaigns/${id}`);
      expect(status).toBe("draft");
      expect((await sandbox.call("GET", "/sandbox/messages")).total).toBe(0);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await page.setViewportSize({ width: 1440, height: 900 });
      await press(page, "Start campaign");
      await toast(page, "Well started.");
    },
    TEST_MS_MAX,
  );

  test(
    "shows the guard that would pause a bad list",
    async () => {
      const { id } = await sandbox.makeCampaign("Bad", 1);
      // Enough for a guard on the first day, and some left for the second: bounces take minutes to come back.
      await sandbox.call("PATCH", `/campaigns/${id}`, { max_leads_per_day: 55 });
      const leads = Array.from({ length: 60 }, (_, nth) => ({
        email: `bounce+${nth}@sandbox.test`,
      }));
      await sandbox.call("POST", `/campaigns/${id}/leads`, { leads });
      await using opened = await server.open("dark", `/test/campaigns/${id}/check`);
      const { page } = opened;
      await press(page, "Rehearse 30 days");
      await word(page, "A guard would pause it on");
      await word(page, "Campaign paused:");
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );
});
