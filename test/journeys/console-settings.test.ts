/**
 * What a campaign does with its leads, set in a real browser: nothing that was chosen is lost on the way, and the
 * API has what the form says.
 */

import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { skipsBrowser } from "../support/browser.ts";
import { settled, spillsOf, widestOf } from "../support/screens.ts";
import { expectClean, press, startSandbox, TEST_MS_MAX, word } from "./console-sandbox.ts";

async function expectPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(widestOf)).toBeNull();
  expect(await page.evaluate(spillsOf)).toEqual([]);
}

describe.skipIf(skipsBrowser())("The settings of a campaign", () => {
  const { server, sandbox } = startSandbox();
  const { call, makeCampaign } = sandbox;

  test(
    "risky addresses and mailboxes at the lead's provider are chosen beside the limits, and outlive a reload",
    async () => {
      const { id } = await makeCampaign("Risky", 1);
      const chosen = async () => (await call("GET", `/campaigns/${id}`)).risky_addresses;
      // It stays active: what is changed there waits for the button.
      const later = { type: "email", subject: "", body: "The second", wait_days: 3 };
      await call("POST", `/campaigns/${id}/steps`, later);
      await call("POST", `/campaigns/${id}/start`);
      await using opened = await server.open("light", `/test/campaigns/${id}/schedule`);
      const { page } = opened;
      const select = page.getByLabel("New leads with a risky address");
      expect(await select.inputValue()).toBe("send");
      await expectClean(opened);
      await select.selectOption("Put on hold");
      const matching = page.getByLabel("Email new leads from a mailbox at their own provider");
      expect(await matching.inputValue()).toBe("off");
      await matching.selectOption("If possible");
      await word(page, "Unsaved changes");
      page.on("dialog", (dialog) => void dialog.accept());
      await page.reload();
      await settled(page);
      expect(await select.inputValue()).toBe("hold");
      expect(await matching.inputValue()).toBe("prefer");
      expect(await chosen()).toBe("send");
      await press(page, "Save schedule");
      await word(page, "All changes saved");
      expect(await chosen()).toBe("hold");
      expect((await call("GET", `/campaigns/${id}`)).provider_matching).toBe("prefer");
      await expectPhone(page);
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "rules outlive a reload, a circle is refused at its field, and what is saved is the API's",
    async () => {
      const from = await makeCampaign("From", 1);
      const round = await makeCampaign("Round", 1);
      const on = await makeCampaign("Onward", 1);
      const back = { on: "replied", campaign_id: from.id };
      await call("PATCH", `/campaigns/${round.id}`, { rules: [back] });
      const rules = async () => (await call("GET", `/campaigns/${from.id}`)).rules;
      await using opened = await server.open("light", `/test/campaigns/${from.id}/rules`);
      const { page } = opened;
      page.on("dialog", (dialog) => void dialog.accept());
      await press(page, "Add rule");
      await press(page, "Add rule");
      const rule = page.getByRole("group", { name: "Rule 1" });
      const other = page.getByRole("group", { name: "Rule 2" });
      await rule.getByLabel("When a lead").selectOption("Got all emails and didn’t reply");
      await rule.getByLabel("Move it to").selectOption("Round");
      await rule.getByLabel("Days to wait").fill("30");
      await expectClean(opened);
      await page.reload();
      await settled(page);
      expect(await rule.getByLabel("When a lead").inputValue()).toBe("completed");
      expect(await rule.getByLabel("Move it to").inputValue()).toBe(round.id);
      expect(await rule.getByLabel("Days to wait").inputValue()).toBe("30");
      await press(page, "Remove rule 2");
      await other.waitFor({ state: "detached" });
      await press(page, "Save rules");
      const circle = "would send leads round in a circle";
      await rule.locator(".field", { hasText: "Move it to" }).getByText(circle).waitFor();
      expect(await rules()).toEqual([]);

      await rule.getByLabel("Move it to").selectOption("Onward");
      await press(page, "Save rules");
      await word(page, "All changes saved");
      const saved = { on: "completed", campaign_id: on.id, wait_days: 30, wait_minutes: 0 };
      expect(await rules()).toEqual([saved]);
      await expectPhone(page);
      await expectClean(opened, /422/);
      await press(page, "Remove rule 1");
      await press(page, "Save rules");
      await word(page, "All changes saved");
      expect(await rules()).toEqual([]);
    },
    TEST_MS_MAX,
  );
});
