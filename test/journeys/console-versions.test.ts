/** Two versions of a step: written where its text is, planned while one types, and a test is made of them there. */

import { describe, expect, test } from "bun:test";
import { skipsBrowser, toast } from "../support/browser.ts";
import { expectClean, press, startSandbox, TEST_MS_MAX, word } from "./console-sandbox.ts";

const LEADS = 200;

describe.skipIf(skipsBrowser())("Versions of a step", () => {
  const { server, sandbox } = startSandbox();

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
    "take names of values by two braces, and templates of the team at the cursor",
    async () => {
      const { id } = await sandbox.makeCampaign("Names", 1);
      const lead = { email: "pat@names.example", first_name: "Pat", variables: { city: "Graz" } };
      await sandbox.call("POST", `/campaigns/${id}/leads`, { leads: [lead] });
      const template = { name: "Closing", body: "Best, {{ sender.name }}" };
      await sandbox.call("POST", "/canned-replies", template);
      await using opened = await server.open("light", `/test/campaigns/${id}/sequence`);
      const { page } = opened;
      const area = page.getByLabel("Email", { exact: true });
      await area.fill("");
      await area.pressSequentially("Hi {{fi");
      const offered = page.getByRole("group", { name: "Variables to insert" });
      await offered.getByRole("button", { name: "first_name" }).waitFor();
      // Half a name is no template yet, and the preview says so.
      await expectClean(opened, /422/);
      await area.press("Enter");
      await page.keyboard.type(", how is {{ci");
      await offered.getByRole("button", { name: "city" }).waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.type("? ");
      // Undo takes back what was completed as it does what was typed.
      await page.keyboard.press("Control+z");
      await page.keyboard.press("Control+z");
      expect(await area.inputValue()).toBe("Hi {{first_name}}, how is {{ci");
      await page.keyboard.press("Control+Shift+z");
      await page.keyboard.press("Control+Shift+z");
      expect(await area.inputValue()).toBe("Hi {{first_name}}, how is {{city}}? ");
      await word(page, "5 words, read in about 1 second");
      // Escape puts the list away and leaves the words.
      await page.keyboard.type("{{");
      await offered.waitFor();
      await page.keyboard.press("Escape");
      await offered.waitFor({ state: "detached" });
      await page.keyboard.press("Backspace");
      await page.keyboard.press("Backspace");
      await press(page, "Insert a template");
      await page.getByLabel("Insert").last().selectOption({ label: "Closing" });
      expect(await area.inputValue()).toBe(
        "Hi {{first_name}}, how is {{city}}? Best, {{ sender.name }}",
      );
      await page.getByRole("status").filter({ hasText: "All changes saved" }).waitFor();
      await expectClean(opened, /422/);
    },
    TEST_MS_MAX,
  );

  test(
    "are not tested against a text that could not be saved",
    async () => {
      const { id, step } = await sandbox.makeCampaign("Unsaved", LEADS);
      await using opened = await server.open("light", `/test/campaigns/${id}/sequence`);
      const { page } = opened;
      await page.route("**/steps/*", (route) =>
        route.request().method() === "PATCH" ? route.abort() : route.continue(),
      );
      await page.locator("textarea:visible").fill("A better way");
      await press(page, "Test another version");
      await press(page, "Start test");
      await word(page, "Version A isn’t saved");
      const tested = async () =>
        (await sandbox.call("GET", "/experiments")).filter(
          ({ campaign_id }: { campaign_id: string }) => campaign_id === id,
        );
      expect(await tested()).toEqual([]);
      await page.unroute("**/steps/*");
      await press(page, "Start test");
      await toast(page, "Test started");
      expect((await tested()).length).toBe(1);
      expect((await sandbox.call("GET", `/campaigns/${id}/steps/${step}`)).body).toBe(
        "A better way",
      );
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
