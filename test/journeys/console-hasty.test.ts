/** An impatient hand: it presses twice, goes on before it is done, and comes back. All of it acts once. */

import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { skipsBrowser, toast } from "../support/browser.ts";
import { press, startSandbox, TEST_MS_MAX } from "./console-sandbox.ts";

const LEADS = 2;

describe.skipIf(skipsBrowser())("An impatient hand", () => {
  const { server, sandbox } = startSandbox();
  let threads: string[];
  beforeAll(async () => {
    const { call, advance } = sandbox;
    await call("PATCH", "/sandbox/settings", { rates: { reply: 0, interested: 0 } });
    const { id } = await sandbox.makeCampaign("Hasty", LEADS);
    await call("POST", `/campaigns/${id}/start`);
    await advance("2h");
    const { data } = await call("GET", `/campaigns/${id}/leads`);
    threads = data.map((one: { id: string }) => one.id);
    for (const enrollment_id of threads) {
      await call("POST", "/sandbox/inject", { kind: "reply", enrollment_id });
    }
    await advance("1h");
  }, TEST_MS_MAX);

  const repliesOf = async (thread = "") => {
    const { messages } = await sandbox.call("GET", `/inbox/threads/${thread}`);
    return messages
      .filter(({ step_position }: { step_position: number | null }) => step_position === null)
      .filter(({ direction }: { direction: string }) => direction === "out")
      .map(({ text }: { text: string }) => text.trim());
  };
  const field = (page: Page) => page.getByLabel("Reply as");
  /** To another conversation and back, before what was sent can't be undone any more. */
  const thereAndBack = async (page: Page) => {
    await page.locator(`.inbox-list a[href*="${threads[1]}"]`).click();
    await page.waitForURL(new RegExp(`${threads[1]}`));
    await field(page).waitFor();
    await page.locator(`.inbox-list a[href*="${threads[0]}"]`).click();
    await page.waitForURL(new RegExp(`${threads[0]}`));
    await field(page).waitFor();
  };

  test(
    "sends a reply once, as it stood, also where it leaves and comes back meanwhile",
    async () => {
      await using opened = await server.open("light", `/test/inbox/${threads[0]}`);
      const { page } = opened;
      await field(page).fill("Tuesday at ten?");
      await page.getByRole("button", { name: "Send reply" }).dblclick();
      await thereAndBack(page);
      await field(page).focus();
      await page.keyboard.type(" Or eleven?");
      expect(await field(page).inputValue()).toBe("Tuesday at ten?");
      await page.keyboard.press("Control+Enter");
      await toast(page, "Your reply is on its way");
      await sandbox.advance("1h");
      expect(await repliesOf(threads[0])).toEqual(["Tuesday at ten?"]);
      expect(await field(page).inputValue()).toBe("");
    },
    TEST_MS_MAX,
  );

  test(
    "is told of a reply that was refused after it had gone on, and finds its text again",
    async () => {
      await using opened = await server.open("light", `/test/inbox/${threads[0]}`);
      const { page } = opened;
      await page.route("**/reply", (route) => route.abort());
      await field(page).fill("Wednesday?");
      await press(page, "Send reply");
      await page.locator(`.inbox-list a[href*="${threads[1]}"]`).click();
      await toast(page, "Not sent");
      await page.unroute("**/reply");
      await page.locator(`.inbox-list a[href*="${threads[0]}"]`).click();
      await page.waitForURL(new RegExp(`${threads[0]}`));
      await field(page).waitFor();
      expect(await field(page).inputValue()).toBe("Wednesday?");
      await press(page, "Send reply");
      await toast(page, "Your reply is on its way");
      await sandbox.advance("1h");
      expect(await repliesOf(threads[0])).toEqual(["Tuesday at ten?", "Wednesday?"]);
    },
    TEST_MS_MAX,
  );

  test(
    "writes on while its note is saved, and nothing of it is lost",
    async () => {
      await using opened = await server.open("light", `/test/inbox/${threads[1]}`);
      const { page } = opened;
      const { promise: slow, resolve: goOn } = Promise.withResolvers<void>();
      await page.route("**/notes", async (route) => {
        await (route.request().method() === "POST" ? slow : undefined);
        await route.continue();
      });
      await press(page, "Note");
      const note = page.getByLabel("Note for your team");
      await note.fill("She knows Ann");
      await note.press("Control+Enter");
      await page.getByRole("button", { name: "Adding…" }).waitFor();
      await page.keyboard.type(" well");
      const shown = await note.inputValue();
      goOn();
      await toast(page, "Note added");
      const { data: notes } = await sandbox.call("GET", `/inbox/threads/${threads[1]}/notes`);
      expect(notes.map(({ body }: { body: string }) => body)).toEqual([shown]);
    },
    TEST_MS_MAX,
  );
});
