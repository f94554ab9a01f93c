/** A rich text whose editor is on its way, or can't be had: what is typed and pasted meanwhile is kept. */

import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { skipsBrowser } from "../support/browser.ts";
import { expectClean, press, startSandbox, TEST_MS_MAX, word } from "./console-sandbox.ts";
import { paste } from "./pasted.ts";

const surface = (page: Page) => page.locator("[contenteditable][role=textbox]");

describe.skipIf(skipsBrowser())("Rich text before its editor", () => {
  const { server, sandbox } = startSandbox();

  /** Scripts that no page has needed so far: those of the editor. */
  const isEditor = async (page: Page) => {
    const { id } = await sandbox.makeCampaign("Present", 1);
    await page.goto(`${server.url}/test/campaigns/${id}/sequence`);
    await page.locator("textarea:visible").waitFor();
    const names = () => performance.getEntriesByType("resource").map(({ name }) => name);
    const known = new Set(await page.evaluate(names));
    return ({ href }: URL) => href.endsWith(".js") && !known.has(href);
  };
  const makeStep = async (name: string, fields: { body: string; format: "plain" | "html" }) => {
    const { id, step } = await sandbox.makeCampaign(name, 1);
    await sandbox.call("PATCH", `/campaigns/${id}/steps/${step}`, fields);
    const stored = async () => (await sandbox.call("GET", `/campaigns/${id}/steps/${step}`)).body;
    return { url: `${server.url}/test/campaigns/${id}/sequence`, stored };
  };
  const saved = (page: Page) =>
    page.getByRole("status").filter({ hasText: "All changes saved" }).waitFor();

  test(
    "keeps what is typed and pasted, and goes on where the cursor was",
    async () => {
      const html = "<p>Hi Ann</p>\n<p>Bye</p>";
      const { url, stored } = await makeStep("Early", { body: html, format: "html" });
      await using opened = await server.open();
      const { page } = opened;
      const { promise: come, resolve: letCome } = Promise.withResolvers<void>();
      await page.route(await isEditor(page), async (route) => {
        await come;
        await route.continue();
      });
      await page.goto(url);
      const area = page.locator("textarea:visible");
      await area.focus();
      await area.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(6, 9));
      await page.keyboard.type("dear ");
      await paste(page, { "text/plain": "you & <me>\nnext", "text/html": "<b>you</b>" });
      letCome();
      await surface(page).getByText("next").waitFor();
      await page.keyboard.type("!");
      await surface(page).getByText("next!").waitFor();
      await saved(page);
      expect(await stored()).toBe("<p>Hi dear you &amp; &lt;me&gt;<br>next!</p>\n<p>Bye</p>");
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "becomes one with what was typed while the switch to it waited",
    async () => {
      const { url, stored } = await makeStep("Switched", { body: "Hi", format: "plain" });
      await using opened = await server.open();
      const { page } = opened;
      const { promise: come, resolve: letCome } = Promise.withResolvers<void>();
      await page.route(await isEditor(page), async (route) => {
        await come;
        await route.continue();
      });
      await page.goto(url);
      await press(page, "Rich text");
      await page.locator("textarea:visible").press("End");
      await page.keyboard.type(" Ann");
      letCome();
      await surface(page).getByText("Hi Ann").waitFor();
      await saved(page);
      expect(await stored()).toBe("<p>Hi Ann</p>");
    },
    TEST_MS_MAX,
  );

  test(
    "is a plain field with the HTML in it as long as the editor can't be had",
    async () => {
      const { url } = await makeStep("Missing", { body: "<p>Hi</p>", format: "html" });
      await using opened = await server.open();
      const { page } = opened;
      const which = await isEditor(page);
      await page.route(which, (route) => route.abort());
      await page.goto(url);
      await word(page, "Couldn’t load the rich text editor");
      const area = page.locator("textarea:visible");
      expect(await area.inputValue()).toBe("<p>Hi</p>");
      await area.fill("<p>Hi there</p>");
      await expectClean(opened, /ERR_FAILED/);
      await page.unroute(which);
      await press(page, "Try again");
      await surface(page).getByText("Hi there").waitFor();
      expect(await surface(page).getAttribute("contenteditable")).toBe("true");
    },
    TEST_MS_MAX,
  );
});
