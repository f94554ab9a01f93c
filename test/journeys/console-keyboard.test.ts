/**
 * Journey 19: without a mouse. A campaign is made and started from the palette on, tasks are done; Escape
 * closes the layer on top and gives the focus back.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeBrowser, skipsBrowser } from "../support/browser.ts";
import { type Console, moveToEvening, startConsole } from "../support/console.ts";
import { focused, pressPair, tabTo } from "./by-keyboard.ts";

const TEST_MS_MAX = 180_000;
describe.skipIf(skipsBrowser())("The console by keyboard alone", () => {
  let server: Console;

  beforeAll(async () => {
    server = await startConsole();
    await moveToEvening(server);
    const sender = { email: "ann@sender.example", provider: "smtp" };
    await server.api("test", "POST", "/accounts", sender);
  }, TEST_MS_MAX);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await closeBrowser();
  }, TEST_MS_MAX);

  test(
    "19: a campaign is made from the palette, written and started; Escape closes the top layer only",
    async () => {
      await using opened = await server.open("light", "/test/");
      const { page, faults } = opened;
      const { keyboard } = page;
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await keyboard.press("Control+k");
      await keyboard.type("new campaign");
      await page.getByRole("option", { name: "New campaign" }).waitFor();
      await keyboard.press("Enter");
      await page.getByRole("heading", { name: "New campaign", level: 1 }).waitFor();
      await page.waitForFunction(() => document.activeElement?.tagName === "H1");
      expect(await focused(page)).toBe("New campaign");
      await page.getByLabel("Name").waitFor();
      await tabTo(page, "Name");
      await keyboard.type("Without a mouse");
      await keyboard.press("Enter");
      await page.waitForURL(/\/new\/leads$/);
      await page.getByLabel("Leads, one per line").waitFor();
      await tabTo(page, "Leads, one per line");
      // As a list is pasted, which comes at once.
      await keyboard.insertText("di@third.example, Di, Doe, Third\neli@third.example, Eli");
      await tabTo(page, "Add leads");
      await keyboard.press("Enter");
      await page.getByText("2 leads added").waitFor();
      await page.getByRole("link", { name: "Continue to sequence" }).waitFor();
      await tabTo(page, "Continue to sequence");
      await keyboard.press("Enter");
      await page.getByRole("button", { name: "Write first email" }).waitFor();
      await tabTo(page, "Write first email");
      await keyboard.press("Space");
      await page.getByLabel("Subject").waitFor();

      await tabTo(page, "Subject");
      await keyboard.type("A question");
      await tabTo(page, "Email");
      await keyboard.type("Hello, how are you?");
      await tabTo(page, "Save step");
      await keyboard.press("Enter");
      await page.getByRole("status").filter({ hasText: "All changes saved" }).waitFor();
      await tabTo(page, "Delete", "Shift+Tab");
      await keyboard.press("Enter");
      await page.getByRole("dialog", { name: "Delete step 1?" }).waitFor();
      await keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(await focused(page)).toBe("Delete");
      for (const [step, text] of [
        [2, "Have you seen it?"],
        [3, "My last note."],
      ] as const) {
        await tabTo(page, "Add email");
        await keyboard.press("Enter");
        await page.getByRole("heading", { name: `Step ${step}: email` }).waitFor();
        await tabTo(page, "Email");
        await keyboard.type(text);
        await page.getByRole("status").filter({ hasText: "All changes saved" }).waitFor();
      }

      await tabTo(page, "Continue to schedule and mailboxes");
      await keyboard.press("Enter");
      await page.getByText("Sending hours").waitFor();
      await page.getByRole("link", { name: "Continue to review and start" }).waitFor();
      await tabTo(page, "Continue to review and start");
      await keyboard.press("Enter");
      await page.getByRole("button", { name: "Start campaign", disabled: false }).waitFor();
      await tabTo(page, "Rehearse 30 days");
      await keyboard.press("Enter");
      await page.getByText("no duplicate emails").first().waitFor();
      await tabTo(page, "Start campaign", "Shift+Tab");
      await keyboard.press("Enter");
      await page.locator(".title-line .pill", { hasText: "Active" }).waitFor();
      const { data } = (await server.api("test", "GET", "/campaigns?status=active")).body;
      expect(data.map(({ name }: { name: string }) => name)).toEqual(["Without a mouse"]);

      await keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      await keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await pressPair(page, "gt", page.getByRole("heading", { name: "Tasks", level: 1 }));
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "19: whoever goes to a page hears its name: the heading has the focus, and the tab the title",
    async () => {
      const { id } = (await server.api("test", "POST", "/campaigns", { name: "Heard" })).body;
      await using opened = await server.open("light", "/test/");
      const { page, faults } = opened;
      const { keyboard } = page;
      const heard = async (heading: string, title: string) => {
        await page.waitForFunction((name) => document.title === name, title);
        await page.waitForFunction(() => document.activeElement?.tagName === "H1");
        expect([await focused(page), await page.title()]).toEqual([heading, title]);
      };
      await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
      // A page that is loaded, and not gone to, is read from its beginning.
      expect(await focused(page)).toBe("");
      expect(await page.title()).toBe("Overview · Sandbox · Outrider");

      // A page whose script comes only now, and one whose name comes with its data.
      await tabTo(page, "Experiments");
      await keyboard.press("Enter");
      await heard("Experiments", "Experiments · Sandbox · Outrider");
      await tabTo(page, "Campaigns", "Shift+Tab");
      await keyboard.press("Enter");
      await heard("Campaigns", "Campaigns · Sandbox · Outrider");
      await page.getByRole("link", { name: "Heard" }).waitFor();
      await tabTo(page, "Heard");
      await keyboard.press("Enter");
      await heard("Heard", "Summary · Heard · Sandbox · Outrider");
      await tabTo(page, "Sequence");
      await keyboard.press("Enter");
      await heard("Heard", "Sequence · Heard · Sandbox · Outrider");

      // The palette gives the focus back to where it was, unless it leads away.
      await keyboard.press("Control+k");
      await keyboard.type("system");
      await page.getByRole("option", { name: "System Settings", exact: true }).waitFor();
      await keyboard.press("Enter");
      await heard("System", "System · Sandbox · Outrider");
      await page.goBack();
      await heard("Heard", "Sequence · Heard · Sandbox · Outrider");
      await keyboard.press("Control+k");
      await page.getByRole("dialog").waitFor();
      await keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(await focused(page)).toBe("Heard");

      await tabTo(page, "Live", "Shift+Tab");
      await keyboard.press("Enter");
      await heard("Overview", "Overview · Outrider");
      await page.goto(`${server.url}/live/nowhere`);
      await page.getByRole("heading", { name: "Page not found", level: 1 }).waitFor();
      expect(await page.title()).toBe("Page not found · Outrider");
      expect(await opened.violations()).toEqual([]);
      expect(faults).toEqual([]);
      await server.api("test", "DELETE", `/campaigns/${id}`);
    },
    TEST_MS_MAX,
  );

  test(
    "19: tasks are done and skipped by keys, and the lead goes on",
    async () => {
      const call = async (method: string, path: string, body?: object) =>
        (await server.api("test", method, path, body)).body;
      const { id } = await call("POST", "/campaigns", { name: "By telephone" });
      await call("POST", `/campaigns/${id}/steps`, { type: "task", subject: "Call them" });
      const leads = ["kim", "lee"].map((name) => ({ email: `${name}@client.example` }));
      await call("POST", `/campaigns/${id}/leads`, { leads });
      await call("POST", `/campaigns/${id}/start`);
      await call("POST", "/sandbox/clock", { advance: "4d" });
      await using opened = await server.open("dark", "/test/tasks");
      const { page, faults } = opened;
      await page.getByText("2 tasks").waitFor();
      // The list of a select is worked by keys, and the page's own keys rest while it is open.
      const show = page.getByRole("combobox", { name: "Show" });
      await show.press("Enter");
      await page.getByRole("option", { name: "Done" }).waitFor();
      expect(await opened.violations()).toEqual([]);
      await page.keyboard.press("e");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "No completed tasks yet" }).waitFor();
      expect(await focused(page)).toBe("Show");
      await show.press("ArrowUp");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await page.getByText("2 tasks").waitFor();
      await page.getByRole("heading", { name: "Tasks", level: 1 }).focus();
      await page.keyboard.press("e");
      await page.getByText("1 task", { exact: true }).waitFor();
      await page.keyboard.press("s");
      await page.getByRole("heading", { name: "No tasks to do" }).waitFor();
      const { data } = await call("GET", "/tasks");
      expect(data.map(({ skipped }: { skipped: boolean }) => skipped).toSorted()).toEqual([
        ...[false, true],
      ]);
      expect((await call("GET", `/campaigns/${id}/leads?status=completed`)).total).toBe(2);
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );
});
