/**
 * Merge fields and choices where the team writes what it sends again and again: both are completed and shown in
 * canned replies and in plain emails, which fill them in, and in no text that goes out as it is.
 */

import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { skipsBrowser, toast } from "../support/browser.ts";
import { widestOf } from "../support/screens.ts";
import { expectClean, press, startSandbox, TEST_MS_MAX } from "./console-sandbox.ts";

const BRACES = `{a|b} ${"{".repeat(99_900)}`;

describe.skipIf(skipsBrowser())("Templates of the team", () => {
  const { server, sandbox } = startSandbox();
  let campaign: { id: string; step: string };
  let thread: string;
  beforeAll(async () => {
    const { call, advance } = sandbox;
    await call("PATCH", "/sandbox/settings", { rates: { reply: 0, interested: 0 } });
    campaign = await sandbox.makeCampaign("Templates", 1);
    await call("POST", `/campaigns/${campaign.id}/start`);
    await advance("2h");
    const { data } = await call("GET", `/campaigns/${campaign.id}/leads`);
    thread = data[0].id;
    await call("POST", "/sandbox/inject", { kind: "reply", enrollment_id: thread });
    await advance("1h");
    await call("PATCH", `/leads/${data[0].lead_id}`, { first_name: "Pat" });
  }, TEST_MS_MAX);

  const offered = (page: Page) => page.getByRole("group", { name: "Variables to insert" });
  const choices = (page: Page) =>
    page.getByRole("list", { name: "Choices in this text" }).getByRole("listitem");
  const variables = (page: Page) =>
    page.getByRole("list", { name: "Variables in this text" }).getByRole("listitem");

  test(
    "a canned reply completes both by keyboard, shows them, and is inserted with one of each choice",
    async () => {
      await using opened = await server.open("light", "/test/settings/replies");
      const { page } = opened;
      await page.getByRole("button", { name: "New canned reply" }).first().click();
      await page.getByLabel("Name", { exact: true }).fill("Prices");
      const area = page.getByLabel("Reply", { exact: true });
      await area.pressSequentially("{hi");
      await offered(page).getByRole("button", { name: "Hi | Hello | Hey" }).waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.type(" {{fi");
      await offered(page).getByRole("button", { name: "first_name" }).waitFor();
      await page.keyboard.press("Enter");
      // Whoever has replied is in a conversation, which has no link to opt out.
      await page.keyboard.type(" {{uns");
      await offered(page).waitFor({ state: "detached" });
      for (const _ of "{{uns") {
        await page.keyboard.press("Backspace");
      }
      await page.keyboard.type("from {ten|10 {euros|€}}.");
      const text = "{Hi|Hello|Hey} {{first_name}} from {ten|10 {euros|€}}.";
      expect(await area.inputValue()).toBe(text);
      expect(await choices(page).allTextContents()).toEqual([
        "{Hi|Hello|Hey}",
        "{ten|10 {euros|€}}",
      ]);
      expect(await variables(page).allTextContents()).toEqual(["first_name"]);
      await expectClean(opened);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(widestOf)).toBe(null);
      await press(page, "Create canned reply");
      await toast(page, "Prices created");

      await page.goto(`${server.url}/test/inbox/${thread}`);
      await page.getByLabel("Insert").selectOption({ label: "Prices" });
      const box = page.getByLabel("Reply as");
      expect(await box.inputValue()).toMatch(/^(Hi|Hello|Hey) Pat from (ten|10 (euros|€))\.$/);
      // A reply goes out as it is written, so nothing is completed in it.
      await box.fill("");
      await box.pressSequentially("{hi {{fi");
      expect(await offered(page).count()).toBe(0);
      await box.fill("");
    },
    TEST_MS_MAX,
  );

  test(
    "a plain email shows the choices of its subject and its text, long and Arabic ones too",
    async () => {
      const draft = await sandbox.makeCampaign("Plain", 1);
      const long = `{${"a".repeat(500)}|b}`;
      await sandbox.call("PATCH", `/campaigns/${draft.id}/steps/${draft.step}`, {
        ...{ subject: "{Question|A question}", format: "plain" },
        body: `{مرحبا|أهلا} {{first_name}} ${long} {not one}`,
      });
      await using opened = await server.open("dark", `/test/campaigns/${draft.id}/sequence`);
      const { page } = opened;
      await page.setViewportSize({ width: 390, height: 844 });
      await choices(page).first().waitFor();
      expect(await choices(page).allTextContents()).toEqual([
        "{Question|A question}",
        "{مرحبا|أهلا}",
        long.slice(0, 100),
      ]);
      expect(await page.evaluate(widestOf)).toBe(null);
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test.each(["plain", "html"] as const)(
    "a hundred thousand braces leave the page at work: %s",
    async (format) => {
      const draft = await sandbox.makeCampaign(`Braces ${format}`, 1);
      const step = `/campaigns/${draft.id}/steps/${draft.step}`;
      await sandbox.call("PATCH", step, { body: format === "plain" ? BRACES : "<p>a</p>", format });
      await using opened = await server.open("light", `/test/campaigns/${draft.id}/sequence`);
      const { page } = opened;
      const area = page.getByLabel("Email", { exact: true });
      await area.focus();
      if (format === "html") {
        await page.keyboard.insertText(BRACES);
      }
      await page.keyboard.press("Control+End");
      await page.keyboard.type("!?");
      await choices(page).first().waitFor();
      expect(await choices(page).allTextContents()).toEqual(["{a|b}"]);
      await page.getByLabel("Subject").fill("Still here");
      expect(await page.getByLabel("Subject").inputValue()).toBe("Still here");
    },
    TEST_MS_MAX,
  );
});
