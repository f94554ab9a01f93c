/**
 * The inbox as a team shares it: put off until tomorrow, given to a colleague, noted for all, tagged, and a whole
 * page of it cleared at once.
 */

import { beforeAll, describe, expect, test } from "bun:test";
import { skipsBrowser, toast } from "../support/browser.ts";
import { PERSON } from "../support/console.ts";
import { expectClean, press, startSandbox, TEST_MS_MAX, word } from "./console-sandbox.ts";

const LEADS = 4;

describe.skipIf(skipsBrowser())("A shared inbox", () => {
  const { server, sandbox } = startSandbox();
  let leads: string[];
  beforeAll(async () => {
    const { call, advance } = sandbox;
    const none = { reply: 0, interested: 0, auto_reply: 0, hard_bounce: 0, soft_bounce: 0 };
    const rates = { ...none, complaint: 0, unsubscribe: 0, spam: 0 };
    await call("PATCH", "/sandbox/settings", { rates });
    const { id } = await sandbox.makeCampaign("Shared", LEADS);
    await call("POST", `/campaigns/${id}/start`);
    await advance("2h");
    const { data } = await call("GET", `/campaigns/${id}/leads`);
    leads = data.map((one: { id: string }) => one.id);
    for (const enrollment_id of leads) {
      await call("POST", "/sandbox/inject", { kind: "reply", enrollment_id });
      await advance("1h");
    }
  }, TEST_MS_MAX);

  const threadOf = (nth: number) => sandbox.call("GET", `/inbox/threads/${leads[nth]}`);

  test(
    "one is snoozed by a key, seen in its folder, and comes back when its time has come",
    async () => {
      await using opened = await server.open("light", `/test/inbox/${leads[0]}`);
      const { page } = opened;
      const folders = page.getByRole("navigation", { name: "Folders" });
      await page.getByRole("region", { name: "Conversation" }).waitFor();
      await page.keyboard.press("s");
      await toast(page, "Snoozed until");
      await folders.getByRole("link", { name: "Snoozed 1", exact: true }).click();
      await page.waitForURL(/show=snoozed/);
      await page.getByRole("region", { name: "Conversation" }).waitFor();
      await word(page, "Snoozed until");
      await expectClean(opened);
      await sandbox.advance("2d");
      await page.goto(`${server.url}/test/inbox`);
      await page.locator(`.inbox-list a.is-unread[href*="${leads[0]}"]`).waitFor();
      expect(await threadOf(0)).toMatchObject({ snoozed_until: null, read: false });

      // At a time of one's own, and taken back.
      await page.goto(`${server.url}/test/inbox/${leads[0]}`);
      await page.getByRole("combobox", { name: /^Snooze/ }).selectOption("pick");
      await page.getByLabel("Snooze until").fill("2031-05-02T09:30");
      await press(page, "Snooze");
      await toast(page, "Snoozed until");
      expect((await threadOf(0)).snoozed_until).toContain("2031-05-02");
      await press(page, "End snooze");
      await toast(page, "Back in the inbox");
      expect((await threadOf(0)).folder).not.toBe("snoozed");
    },
    TEST_MS_MAX,
  );

  test(
    "one is assigned by a key, and a note mentions a colleague who finds it",
    async () => {
      await using opened = await server.open("dark", `/test/inbox/${leads[1]}`);
      const { page } = opened;
      await page.getByRole("region", { name: "Conversation" }).waitFor();
      await page.keyboard.press("a");
      await toast(page, "Assigned to you");
      const assigned = page.getByRole("combobox", { name: /^Assigned to/ });
      await assigned.locator("option:checked").getByText("(you)").waitFor({ state: "attached" });
      await press(page, "Note");
      const box = page.getByLabel("Note for your team");
      await box.pressSequentially("Who knows them? @an");
      await page.getByRole("button", { name: `@${PERSON.name}` }).waitFor();
      await expectClean(opened);
      await box.press("Tab");
      expect(await box.inputValue()).toBe(`Who knows them? @${PERSON.name} `);
      await box.press("Control+Enter");
      await toast(page, "Note added");
      const note = page.getByRole("article", { name: "Note" });
      await note.getByText("Who knows them?").waitFor();
      const folders = page.getByRole("navigation", { name: "Folders" });
      await folders.getByRole("link", { name: "Assigned to me 1", exact: true }).click();
      await page.locator(`.inbox-list a[href*="${leads[1]}"]`).waitFor();
      await folders.getByRole("link", { name: "Mentions of me 1", exact: true }).click();
      await page.waitForURL(/show=mentions/);
      await page.locator(`.inbox-list a[href*="${leads[1]}"]`).waitFor();
      await note.getByRole("button", { name: "Delete note" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete note" }).click();
      await toast(page, "Note deleted");
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "several are chosen, tagged, marked done, and undone together",
    async () => {
      await using opened = await server.open("light", "/test/inbox");
      const { page } = opened;
      await page.waitForURL(/\/inbox\/[0-9a-f-]{36}$/);
      await page.keyboard.press("x");
      const bar = page.getByRole("region", { name: "Selected conversations" });
      await bar.getByText("1 conversation selected").waitFor();
      await bar.getByRole("button", { name: `Select all ${LEADS} on show` }).click();
      await bar.getByText(`${LEADS} conversations selected`).waitFor();
      await bar.getByLabel("Tag").fill("Q4");
      await bar.getByLabel("Tag").press("Enter");
      await toast(page, "tagged");
      await page.locator(".inbox-list .pill").getByText("q4").first().waitFor();
      await expectClean(opened);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await bar.getByRole("button", { name: "Mark done" }).click();
      await toast(page, `${LEADS} conversations: marked done`);
      const open = async () => (await sandbox.call("GET", "/inbox/threads?done=false")).total;
      expect(await open()).toBe(0);
      await press(page, "Undo");
      await toast(page, "Undone");
      expect(await open()).toBe(LEADS);
      expect((await threadOf(2)).tags).toEqual(["q4"]);
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "a reply goes to all, with copies, and an email is forwarded by the keyboard",
    async () => {
      const [, , , id] = leads;
      await using opened = await server.open("light", `/test/inbox/${id}`);
      const { page } = opened;
      await page.getByRole("region", { name: "Conversation" }).waitFor();
      // A hand so fast that no frame is drawn between its keys.
      const field = await page.evaluate(async () => {
        const press = (key: string) =>
          document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        press("f");
        press("r");
        await undefined;
        return document.activeElement?.getAttribute("name");
      });
      expect(field).toBe("body");
      await page.keyboard.type("Tuesday it is.");
      await press(page, "Add Cc or Bcc");
      await page.getByLabel("Cc", { exact: true }).fill("carol@acme.example, nobody");
      await page.getByLabel("Bcc", { exact: true }).fill("dan@acme.example");
      await page.getByLabel("Reply as").press("Control+Enter");
      // What is no address is told of at its field, and nothing is lost.
      await word(page, "must be an email address");
      expect(await page.getByLabel("Reply as").inputValue()).toBe("Tuesday it is.");
      await page.getByLabel("Cc", { exact: true }).fill("carol@acme.example");
      await expectClean(opened, /422/);
      await page.getByLabel("Reply as").press("Control+Enter");
      await toast(page, "Your reply is on its way");
      await word(page, "carol@acme.example");
      await word(page, "dan@acme.example");

      await page.getByLabel("Reply as").press("Escape");
      await page.keyboard.press("f");
      await page.getByLabel("Forward to").fill("eve@acme.example");
      await page.getByLabel("Your words before it").fill("Yours?");
      await expectClean(opened, /422/);
      await page.getByRole("button", { name: "Forward", exact: true }).last().click();
      await toast(page, "Forwarded");
      await page.getByLabel("Reply as").waitFor();
      const { messages } = await threadOf(3);
      expect(messages.at(-1)).toMatchObject({ to: "eve@acme.example", lead_id: null });
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    },
    TEST_MS_MAX,
  );

  test(
    "on a phone a swipe says interested or not, and a short one nothing",
    async () => {
      const [, , id] = leads;
      await using opened = await server.open("dark", "/test/inbox?show=all");
      const { page } = opened;
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`${server.url}/test/inbox?show=all`);
      const row = page.locator(`.inbox-list a[href*="${id}"]`);
      await row.waitFor();
      const swipe = (byPx: number) =>
        row.evaluate((element, by) => {
          const at = (x: number) => {
            const touch = new Touch({ identifier: 1, target: element, clientX: x, clientY: 200 });
            return { touches: [touch], bubbles: true, cancelable: true };
          };
          element.dispatchEvent(new TouchEvent("touchstart", at(150)));
          element.dispatchEvent(new TouchEvent("touchmove", at(150 + by)));
          element.dispatchEvent(new TouchEvent("touchend", { bubbles: true, cancelable: true }));
        }, byPx);
      await swipe(40);
      await swipe(120);
      await toast(page, "Marked interested");
      expect((await threadOf(2)).interest).toBe("interested");
      await swipe(-120);
      await toast(page, "Marked not interested");
      expect((await threadOf(2)).interest).toBe("not_interested");
      await page.getByRole("button", { name: "Undo", exact: true }).last().click();
      await toast(page, "Undone");
      expect((await threadOf(2)).interest).toBe("interested");
      // It was swiped, not opened.
      expect(new URL(page.url()).pathname).toBe("/test/inbox");
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );
});
