/** Two versions of a step: written where its text is, planned while one types, and a test is made of them there. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeBrowser, skipsBrowser, toast } from "../support/browser.ts";
import { type Console, startConsole } from "../support/console.ts";
import { expectClean, press, type Sandbox, sandboxOf, word } from "./console-sandbox.ts";

const TEST_MS_MAX = 180_000;
const LEADS = 200;

describe.skipIf(skipsBrowser())("Versions of a step", () => {
  let server: Console;
  let sandbox: Sandbox;
  beforeAll(async () => {
    server = await startConsole();
    sandbox = sandboxOf(server);
    await sandbox.call("POST", "/sandbox/clock", { speed: 0 });
    await sandbox.addSenders();
  }, TEST_MS_MAX);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await closeBrowser();
  }, TEST_MS_MAX);

  test(
    "are written beside each other, survive a reload, and become a test",
    async () => {
      const { id, step } = await sandbox.makeCampaign("Versions", LEADS);
      await using opened = await server.open("light", `/test/campaigns/${id}/sequence`);
      const { page } = opened;
      const tabs = page.getByRole("group", { name: "Versions" });
      await tabs.getByRole("button", { name: "A Original" }).waitFor();
      await press(page, "Test another version");
      await tabs.getByRole("button", { name: "B Version B", pressed: true }).waitFor();
      // It begins as the step is, and the preview shows it.
      const body = page.getByLabel("Email", { exact: true }).last();
      expect(await page.locator("textarea:visible").inputValue()).toBe("The first way");
      await page.locator("textarea:visible").fill("Quite another way");
      await page.frameLocator("iframe").getByText("Quite another way").waitFor();
      await word(page, "for each version to see ×2");
      await expectClean(opened);
      expect(await body.count()).toBe(1);

      // The step's own text is as it was, and a reload keeps both.
      await tabs.getByRole("button", { name: "A Original" }).click();
      expect(await page.locator("textarea:visible").inputValue()).toBe("The first way");
      await page.reload();
      await tabs.getByRole("button", { name: "B Version B" }).click();
      expect(await page.locator("textarea:visible").inputValue()).toBe("Quite another way");
      await page.getByLabel("Version name").fill("Another way");

      // What is written and not tested is not passed over at the start.
      await page.goto(`${server.url}/test/campaigns/${id}/check`);
      await word(page, "Step 1 has unsaved changes");
      await page.goto(`${server.url}/test/campaigns/${id}/sequence`);
      await tabs.getByRole("button", { name: "B Another way" }).click();
      await press(page, "Start test");
      await toast(page, "Test started");
      await tabs.getByRole("button", { name: "B Another way" }).click();
      await word(page, "Part of the experiment");
      await word(page, "Quite another way");
      await expectClean(opened);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

      const [made] = await sandbox.call("GET", "/experiments");
      expect(made).toMatchObject({
        campaign_id: id,
        step_position: 1,
        optimization_mode: "auto_winner",
      });
      const { variants } = await sandbox.call("GET", `/experiments/${made.id}`);
      expect(variants.map(({ name }: { name: string }) => name)).toEqual([
        "Original",
        "Another way",
      ]);
      expect((await sandbox.call("GET", `/campaigns/${id}/steps/${step}`)).body).toBe(
        "The first way",
      );
      await sandbox.call("POST", `/campaigns/${id}/start`);
      await sandbox.advance("1d");
      const { total } = await sandbox.call("GET", "/sandbox/messages");
      expect(total).toBe(LEADS);
    },
    TEST_MS_MAX,
  );

  test(
    "are thrown away by a button, and the step stays",
    async () => {
      const { id } = await sandbox.makeCampaign("Discarded", 3);
      await using opened = await server.open("dark", `/test/campaigns/${id}/sequence`);
      const { page } = opened;
      await press(page, "Test another version");
      await page.locator("textarea:visible").fill("Never mind");
      await expectClean(opened);
      await press(page, "Discard version B");
      expect(await page.locator("textarea:visible").inputValue()).toBe("The first way");
      await page.goto(`${server.url}/test/campaigns/${id}/check`);
      await page.getByRole("button", { name: "Start campaign", disabled: false }).waitFor();
    },
    TEST_MS_MAX,
  );
});
