/** A hand that slips: a start and a deletion are taken back, late, twice, by keyboard, and from another tab. */

import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { skipsBrowser, toast } from "../support/browser.ts";
import { press, ROUND_THE_CLOCK, startSandbox, TEST_MS_MAX } from "./console-sandbox.ts";

describe.skipIf(skipsBrowser())("A hand that slips", () => {
  const { server, sandbox } = startSandbox();
  const draft = async (name: string): Promise<string> => {
    const { call } = sandbox;
    const { id } = await call("POST", "/campaigns", { name, send_window: ROUND_THE_CLOCK });
    await call("POST", `/campaigns/${id}/steps`, { type: "email", subject: "Hi", body: "Hello" });
    const email = `${name.toLowerCase().replaceAll(" ", "-")}@quiet.example`;
    await call("POST", `/campaigns/${id}/leads`, { leads: [{ email }] });
    return id;
  };
  const statusOf = async (id: string) =>
    (await server.api("test", "GET", `/campaigns/${id}`)).status;
  const undo = (page: Page) => page.locator(".toast", { hasText: "Undo" }).getByRole("button");
  beforeAll(() => sandbox.call("POST", "/sandbox/clock", { speed: 1 }), TEST_MS_MAX);

  test(
    "takes a start back: nothing was sent, and says so",
    async () => {
      const id = await draft("Too soon");
      await using opened = await server.open("light", `/test/campaigns/${id}/new/check`);
      const { page, faults } = opened;
      await press(page, "Start campaign");
      await toast(page, "Nothing is sent for 10 seconds");
      await undo(page).click();
      await toast(page, "Too soon is paused. Nothing was sent.");
      await sandbox.advance("3d");
      expect(await sandbox.call("GET", `/campaigns/${id}/stats`)).toMatchObject({ sent: 0 });
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "keeps the start where the tab is closed, and says what had gone out to who is late",
    async () => {
      const [id, late] = [await draft("Closed tab"), await draft("Late")];
      {
        await using opened = await server.open("light", `/test/campaigns/${id}/new/check`);
        await press(opened.page, "Start campaign");
        await toast(opened.page, "Closed tab started");
      }
      await sandbox.advance("3d");
      expect(await sandbox.call("GET", `/campaigns/${id}/stats`)).toMatchObject({ sent: 1 });

      await using opened = await server.open("light", `/test/campaigns/${late}/new/check`);
      const { page } = opened;
      await press(page, "Start campaign");
      await undo(page).waitFor();
      await sandbox.advance("30m");
      await undo(page).click();
      const says = page.locator(".toast", { hasText: "Late is completed" });
      await says.waitFor();
      expect(await says.textContent()).toContain("1 email had already gone out");
    },
    TEST_MS_MAX,
  );

  test(
    "gets a deleted draft back, with two clicks, once; also from another tab, and from the list",
    async () => {
      const id = await draft("Slipped");
      await using opened = await server.open("light", `/test/campaigns/${id}`);
      const { page } = opened;
      await page.getByRole("button", { name: "Delete", exact: true }).dblclick();
      await toast(page, "Slipped deleted");
      expect(await statusOf(id)).toBe(404);
      await undo(page).dblclick();
      await page.waitForURL(new RegExp(`campaigns/${id}`));
      await toast(page, "Slipped is back");
      expect(await statusOf(id)).toBe(200);
      const { enrolled } = await sandbox.call("GET", `/campaigns/${id}/stats`);
      expect(enrolled).toBe(1);

      // Taken back from the list of another tab first, then from the toast.
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await undo(page).waitFor();
      await using other = await server.open("dark", "/test/settings/deleted");
      await other.page.getByRole("button", { name: "Restore" }).first().click();
      await toast(other.page, "Slipped is back");
      await undo(page).click();
      await toast(page, "Slipped is back");
      expect(await statusOf(id)).toBe(200);
    },
    TEST_MS_MAX,
  );

  test(
    "has ten seconds, as long as it needs where it stays there, and the key Z after that",
    async () => {
      const [id, second] = [await draft("Slow"), await draft("Slower")];
      await using opened = await server.open("light", `/test/campaigns/${id}`);
      const { page } = opened;
      await page.clock.install();
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await undo(page).waitFor();
      await page.clock.runFor(9_500);
      await undo(page).focus();
      await page.clock.runFor(60_000);
      await page.keyboard.press("Enter");
      await page.waitForURL(new RegExp(`campaigns/${id}`));
      expect(await statusOf(id)).toBe(200);

      await page.goto(`${server.url}/test/campaigns/${second}`);
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await undo(page).focus();
      await page.keyboard.press("Escape");
      await undo(page).waitFor({ state: "detached" });
      expect(await statusOf(second)).toBe(404);
      await page.keyboard.press("z");
      await page.waitForURL(new RegExp(`campaigns/${second}`));
      expect(await statusOf(second)).toBe(200);
    },
    TEST_MS_MAX,
  );

  test(
    "gets a mailbox back, paused",
    async () => {
      const account = await sandbox.call("POST", "/accounts", {
        email: "slip@sender.example",
        provider: "sandbox",
      });
      await using opened = await server.open("light", `/test/accounts/${account.id}`);
      const { page } = opened;
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await press(page, "Delete mailbox");
      await toast(page, "slip@sender.example deleted");
      await undo(page).click();
      await toast(page, "slip@sender.example is back and paused");
      const { status } = await sandbox.call("GET", `/accounts/${account.id}`);
      expect(status).toBe("paused");
    },
    TEST_MS_MAX,
  );
});
