/**
 * The inbox as somebody works through it in the morning: what waits is in folders, the first conversation is
 * open, one key sorts a reply, and a reply that was sent too soon is called back.
 */

import { beforeAll, describe, expect, test } from "bun:test";
import { says, skipsBrowser, toast } from "../support/browser.ts";
import { settled } from "../support/screens.ts";
import { expectClean, press, startSandbox, TEST_MS_MAX, word } from "./console-sandbox.ts";

const NOBODY_ANSWERS = {
  ...{ reply: 0, interested: 0, auto_reply: 0, hard_bounce: 0, soft_bounce: 0 },
  ...{ complaint: 0, unsubscribe: 0, spam: 0 },
};
/** What comes back from each lead. */
const BACK = ["reply", "interested", "auto_reply", "unsubscribe", "bounce"] as const;

describe.skipIf(skipsBrowser())("The inbox", () => {
  const { server, sandbox } = startSandbox();
  /** Campaign leads, by what comes back from them. */
  let leads: Record<string, string>;
  beforeAll(async () => {
    const { call, advance } = sandbox;
    await call("PATCH", "/sandbox/settings", { rates: NOBODY_ANSWERS });
    const { id } = await sandbox.makeCampaign("Morning", BACK.length);
    await call("POST", `/campaigns/${id}/start`);
    await advance("2h");
    const { data } = await call("GET", `/campaigns/${id}/leads`);
    leads = Object.fromEntries(BACK.map((kind, nth) => [kind, data[nth].id]));
    for (const kind of BACK) {
      await call("POST", "/sandbox/inject", { kind, enrollment_id: leads[kind] });
      await advance("1h");
    }
  }, TEST_MS_MAX);

  const threadOf = (kind: string) => sandbox.call("GET", `/inbox/threads/${leads[kind]}`);

  test(
    "has folders with counts, and its first conversation is open and read",
    async () => {
      await using opened = await server.open("light", "/test/inbox");
      const { page } = opened;
      await page.waitForURL(/\/inbox\/[0-9a-f-]{36}$/);
      await page.getByRole("region", { name: "Conversation" }).waitFor();
      const folders = page.getByRole("navigation", { name: "Folders" });
      for (const folder of ["Questions", "Interested", "Out of office", "Not interested"]) {
        await says(folders.getByRole("link", { name: `${folder} 1`, exact: true }), `${folder} 1`);
      }
      await folders.getByRole("link", { name: "Bounces 1", exact: true }).waitFor();
      // The newest of the five has been opened.
      await folders.getByRole("link", { name: "Unread 4", exact: true }).waitFor();
      await page.waitForFunction(() => document.title.startsWith("(4) Inbox"));
      expect((await threadOf("bounce")).read).toBe(true);
      // No refusal looks like good news.
      const row = page.getByRole("navigation", { name: "Conversations" }).locator("li");
      await row.nth(1).locator(".pill[data-tone=warn]").getByText("Opt-out").waitFor();
      await expectClean(opened);

      await folders.getByRole("link", { name: "Interested 1", exact: true }).click();
      await page.waitForURL(new RegExp(`${leads["interested"]}\\?show=interested$`));
      expect(await row.count()).toBe(1);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`${server.url}/test/inbox`);
      await settled(page);
      expect(new URL(page.url()).pathname).toBe("/test/inbox");
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "one key sorts a reply: done and on to the next, undone by another",
    async () => {
      await using opened = await server.open("dark", `/test/inbox/${leads["auto_reply"]}`);
      const { page } = opened;
      await page.getByRole("region", { name: "Conversation" }).waitFor();
      await page.keyboard.press("e");
      await toast(page, "Marked done");
      await page.waitForURL(new RegExp(leads["interested"] ?? "nobody"));
      expect(await threadOf("auto_reply")).toMatchObject({ done: true, folder: "done" });
      const list = page.getByRole("navigation", { name: "Conversations" });
      await page.waitForFunction(
        (id) => document.querySelector(`.inbox-list a[href*="${id}"]`) === null,
        leads["auto_reply"],
      );
      await page.keyboard.press("z");
      await toast(page, "Undone");
      await list.locator(`a[href*="${leads["auto_reply"]}"]`).waitFor();
      expect((await threadOf("auto_reply")).folder).toBe("out_of_office");

      await page.goto(`${server.url}/test/inbox/${leads["reply"]}?show=questions`);
      await page.getByRole("region", { name: "Conversation" }).waitFor();
      await page.keyboard.press("m");
      await toast(page, "Marked as meeting");
      expect((await threadOf("reply")).folder).toBe("meeting");
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "a reply that was sent too soon is called back, and goes out when it is not",
    async () => {
      await using opened = await server.open("light", `/test/inbox/${leads["interested"]}`);
      const { page } = opened;
      const box = page.getByLabel("Reply as");
      await box.fill("Thursday it is.");
      await box.press("Control+Enter");
      await toast(page, "Sending your reply…");
      await press(page, "Undo");
      expect(await box.inputValue()).toBe("Thursday it is.");
      await page.waitForTimeout(7_000);
      expect((await threadOf("interested")).answered_at).toBeNull();
      await box.press("Control+Enter");
      await toast(page, "Your reply is on its way");
      await word(page, "Thursday it is.");
      expect(await box.inputValue()).toBe("");
      expect((await threadOf("interested")).answered_at).not.toBeNull();
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "a reply is saved once, edited with merge fields, and inserted filled in",
    async () => {
      await using opened = await server.open("light", `/test/inbox/${leads["reply"]}`);
      const { page } = opened;
      const box = page.getByLabel("Reply as");
      await box.fill("Our prices start at ten euros.");
      await press(page, "Save as canned reply");
      const dialog = page.getByRole("dialog", { name: "Save as canned reply" });
      await dialog.getByLabel("Name").fill("Prices");
      await dialog.getByRole("button", { name: "Save" }).click();
      await toast(page, "Prices saved");
      expect(await box.inputValue()).toBe("Our prices start at ten euros.");
      await box.fill("");

      await page.getByRole("link", { name: "Manage canned replies" }).click();
      await press(page, "Edit Prices");
      const body = page.getByLabel("Reply", { exact: true });
      await body.fill("Hi {{ first_name }}, from {{ sender.email }} in {{ city }}.");
      await press(page, "Save canned reply");
      await page.getByRole("cell", { name: /in \{\{ city \}\}/ }).waitFor();
      await expectClean(opened);

      // Where a value is missing the template itself is inserted, and a person fills it in.
      await page.goto(`${server.url}/test/inbox/${leads["reply"]}`);
      const menu = page.getByLabel("Insert");
      await menu.selectOption({ label: "Prices" });
      await toast(page, "city: fill it in by hand");
      expect(await box.inputValue()).toContain("in {{ city }}.");

      const { lead_id } = await threadOf("reply");
      await sandbox.call("PATCH", `/leads/${lead_id}`, {
        first_name: "Mo",
        variables: { city: "Graz" },
      });
      await box.fill("");
      await page.reload();
      await menu.selectOption({ label: "Prices" });
      expect(await box.inputValue()).toMatch(/^Hi Mo, from \w+@sender\.example in Graz\.$/);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "what waits is told by email, for who wants that, and from a mailbox of the team",
    async () => {
      const host = { host: "mail.acme.example", password: "secret" };
      const desk = { email: "desk@acme.example", provider: "smtp", smtp: host, imap: host };
      expect((await server.api("live", "POST", "/accounts", desk)).status).toBe(201);
      await using opened = await server.open("light", "/live/settings/you");
      const { page } = opened;
      const card = page.locator("section", { hasText: "Email digest" });
      const hour = card.getByLabel("Send it");
      await hour.selectOption({ label: "On working days at 07:00" });
      await card.getByLabel("From").selectOption(desk.email);
      await expectClean(opened);
      await card.getByRole("button", { name: "Save" }).click();
      await word(page, "Digest saved");
      await page.reload();
      expect(await hour.inputValue()).toBe("7");
      await hour.selectOption({ label: "Never" });
      await card.getByRole("button", { name: "Save" }).click();
      await word(page, "Digest turned off");
      await page.goto(page.url().replace("/live/", "/test/"));
      await word(page, "Where you are signed in");
      expect(await card.count()).toBe(0);
    },
    TEST_MS_MAX,
  );

  test(
    "a reply is told on the desktop while nobody looks, for who wants that",
    async () => {
      await using opened = await server.open("light", "/live/settings/you");
      const { page } = opened;
      await page.addInitScript(() => {
        const told: string[] = [];
        class Told {
          static permission = "granted";
          static requestPermission = async () => "granted";
          constructor(title: string, options: { body: string }) {
            told.push(`${title}: ${options.body}`);
          }
        }
        Object.assign(window, { Notification: Told, told });
      });
      await page.reload();
      const box = page.getByLabel("Tell me about replies on this computer");
      await box.check();
      await expectClean(opened);
      await page.reload();
      expect(await box.isChecked()).toBe(true);

      // In the background from now on; nothing real comes back to a mailbox that is none.
      await page.addInitScript(() => {
        Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
      });
      const data = { from: "bob@client.example", subject: "Re: Offer", thread_id: "1" };
      const events = { data: [{ id: "1", type: "reply.received", data }] };
      await page.route("**/live/api/v1/events?*", (route) => route.fulfill({ json: events }));
      await page.route("**/live/api/v1/events/stream*", (route) =>
        route.fulfill({ contentType: "text/event-stream", body: "event: change\ndata: reply\n\n" }),
      );
      await page.reload();
      const told = () => page.evaluate(() => (window as unknown as { told: string[] }).told);
      await page.waitForFunction(() => (window as unknown as { told: string[] }).told.length > 0);
      // The stream ends and begins again: the same reply is told once.
      await page.waitForTimeout(6_000);
      expect(await told()).toEqual(["Reply from bob@client.example: Re: Offer"]);
    },
    TEST_MS_MAX,
  );
});
