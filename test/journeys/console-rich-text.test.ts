/** A step as rich text: written by mouse and by keyboard, pasted, switched, shared, and read as it is sent. */

import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { parseMail } from "#mail/parse.ts";
import { skipsBrowser } from "../support/browser.ts";
import { expectClean, press, startSandbox, TEST_MS_MAX, word } from "./console-sandbox.ts";
import { DOT, PASTED, paste } from "./pasted.ts";
import { until } from "./support.ts";

const EFFECT_MS_MAX = 20_000;

/** Not the field that its HTML stands in until it has come. */
const surface = (page: Page) => page.locator("[contenteditable][role=textbox]");
const saved = (page: Page) =>
  page.getByRole("status").filter({ hasText: "All changes saved" }).waitFor();

/**
 * For 20 ms after it got the focus, ProseMirror puts the selection back to where it was: a later timer has come
 * after that, however slow the machine. A dialog gives the focus back as it closes.
 */
async function focusAndPress(page: Page, key: string): Promise<void> {
  await page.locator("dialog[open] .actions").waitFor({ state: "detached" });
  await surface(page).focus();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
  await surface(page).press(key);
}
const toEnd = (page: Page) => focusAndPress(page, "Control+End");
const selectAll = (page: Page) => focusAndPress(page, "Control+a");

describe.skipIf(skipsBrowser())("Rich text", () => {
  const { server, sandbox } = startSandbox();

  const stored = async (id: string, step: string) => {
    const { body, format } = await sandbox.call("GET", `/campaigns/${id}/steps/${step}`);
    return { body, format };
  };

  test(
    "is written by keyboard alone: marks, lists, a link, a merge field and a choice",
    async () => {
      const { id, step } = await sandbox.makeCampaign("Keys", 1);
      await using opened = await server.open("light", `/test/campaigns/${id}/sequence`);
      const { page } = opened;
      await page.getByRole("button", { name: "Rich text" }).focus();
      await page.keyboard.press("Enter");
      const area = surface(page);
      await area.waitFor();
      await expectClean(opened);
      expect(await area.textContent()).toBe("The first way");
      await selectAll(page);
      await page.keyboard.type("Hi {{fi");
      await page.getByRole("button", { name: "first_name", exact: true }).waitFor();
      await page.keyboard.press("Enter");
      await page.keyboard.type(", {Hel");
      await page.keyboard.press("Escape");
      await page.keyboard.type("lo|Welcome} ");
      await page.keyboard.press("Control+b");
      await page.keyboard.type("bold");
      await page.keyboard.press("Control+b");
      await page.keyboard.type(" and ");
      await page.keyboard.press("Control+i");
      await page.keyboard.type("italic");
      await page.keyboard.press("Control+i");
      await page.keyboard.press("Enter");
      await page.keyboard.type("one");
      // Into the toolbar and along it.
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("End");
      await page.keyboard.press("Home");
      for (let times = 0; times < 4; times += 1) {
        await page.keyboard.press("ArrowRight");
      }
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
      await page.keyboard.type("two");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
      await page.keyboard.type("See ");
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").getByLabel("Address").waitFor();
      await page.keyboard.type("javascript:alert(1)");
      await page.keyboard.press("Enter");
      await word(page, "Enter a web address");
      await page.keyboard.press("Control+a");
      await page.keyboard.type("site.example/a?b=1&c=2");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.keyboard.type(" now");
      await word(page, "11 words");
      await saved(page);
      await expectClean(opened, /422/);
      const html =
        "<p>Hi {{first_name}}, {Hello|Welcome} <strong>bold</strong> and <em>italic</em></p>\n" +
        "<ul><li>one</li><li>two</li></ul>\n" +
        '<p>See <a href="https://site.example/a?b=1&amp;c=2">https://site.example/a?b=1&amp;c=2</a> now</p>';
      expect(await stored(id, step)).toEqual({ body: html, format: "html" });
      expect(await area.locator(".chip").allInnerTexts()).toEqual([
        "{{first_name}}",
        "{Hello|Welcome}",
      ]);

      // What was written is what another visit opens, and opening it changes nothing.
      await page.reload();
      await area.waitFor();
      await word(page, "two");
      expect(await stored(id, step)).toEqual({ body: html, format: "html" });
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  /** The step that `fields` make, open in the console. */
  const openStep = async (name: string, fields: object) => {
    const { id, step } = await sandbox.makeCampaign(name, 1);
    await sandbox.call("PATCH", `/campaigns/${id}/steps/${step}`, fields);
    const opened = await server.open("light", `/test/campaigns/${id}/sequence`);
    return { id, step, opened };
  };

  test(
    "takes what other programs copy, cleaned, and nothing that runs",
    async () => {
      const { id, step, opened } = await openStep("Pasted", { body: "<p>x</p>", format: "html" });
      const { page } = opened;
      const area = surface(page);
      await area.waitFor();
      for (const [name, html, expected] of PASTED) {
        await selectAll(page);
        await paste(page, { "text/html": html, "text/plain": "plain" });
        await until(EFFECT_MS_MAX, name, async () =>
          (await written(page, id, step)) === expected ? true : undefined,
        ).catch(async () =>
          expect([name, await written(page, id, step)]).toEqual([name, expected]),
        );
      }
      await selectAll(page);
      await paste(page, { "text/plain": "Hi {{first_name}},\n\none\ntwo <b>" });
      const lines = "<p>Hi {{first_name}},</p>\n<p>one<br>two &lt;b&gt;</p>";
      await until(EFFECT_MS_MAX, "lines", async () =>
        (await written(page, id, step)) === lines ? true : undefined,
      );
      await page.keyboard.press("Control+z");
      await page.keyboard.press("Control+Shift+z");
      await area.getByText("two <b>").waitFor();
      expect(await page.evaluate(() => "pwned" in globalThis)).toBe(false);
      await expectClean(opened, /422/);
      await opened[Symbol.asyncDispose]();
    },
    TEST_MS_MAX,
  );

  test(
    "opens HTML that it can't hold as its source, unchanged, and says what would be lost",
    async () => {
      const body = '<table style="width:100%"><tr><td>Hi {{first_name}}</td></tr></table>';
      const { id, step, opened } = await openStep("Source", { body, format: null });
      const { page } = opened;
      await word(page, "Opened as HTML");
      await word(page, "tables");
      const area = page.getByLabel("Email", { exact: true });
      expect(await area.inputValue()).toBe(body);
      await press(page, "Rich text");
      await word(page, "This email loses its");
      await expectClean(opened);
      await press(page, "Cancel");
      expect(await stored(id, step)).toEqual({ body, format: null });
      await press(page, "Rich text");
      await press(page, "Switch");
      await surface(page).getByText("Hi {{first_name}}").waitFor();
      await page.getByRole("button", { name: "Undo" }).last().click();
      await area.and(page.locator("textarea")).waitFor();
      expect(await area.inputValue()).toBe(body);
      await saved(page);
      await expectClean(opened);
      await opened[Symbol.asyncDispose]();
    },
    TEST_MS_MAX,
  );

  test(
    "becomes plain text and back, where one tag collapses nothing",
    async () => {
      const body = "<p>Hi {{email}},</p>\n<p><strong>one</strong><br>two</p>";
      const { id, step, opened } = await openStep("Plain", { body, format: "html" });
      const { page } = opened;
      await surface(page).waitFor();
      await press(page, "Plain text");
      await word(page, "This email loses its bold");
      await press(page, "Switch");
      const area = page.locator("textarea:visible");
      await area.waitFor();
      expect(await area.inputValue()).toBe("Hi {{email}},\n\none\ntwo");
      await area.press("End");
      await area.fill("Hi {{email}},\n\none <b>\ntwo");
      await page.frameLocator("iframe").getByText("one <b>").waitFor();
      await until(EFFECT_MS_MAX, "saved", async () =>
        (await stored(id, step)).body.includes("<b>") ? true : undefined,
      );
      expect(await stored(id, step)).toEqual({
        body: "Hi {{email}},\n\none <b>\ntwo",
        format: "plain",
      });
      await press(page, "Rich text");
      await surface(page).getByText("one <b>").waitFor();
      await saved(page);
      await until(EFFECT_MS_MAX, "saved", async () =>
        (await stored(id, step)).format === "html" ? true : undefined,
      );
      expect(await stored(id, step)).toEqual({
        body: "<p>Hi {{email}},</p>\n<p>one &lt;b&gt;<br>two</p>",
        format: "html",
      });
      await expectClean(opened, /422/);
      await opened[Symbol.asyncDispose]();
    },
    TEST_MS_MAX,
  );

  test(
    "shows what colleagues save, keeps what is typed, and goes out as it was written",
    async () => {
      const body = "<p>First</p>\n<p>Second</p>";
      const { id, step, opened } = await openStep("Shared", { body, format: "html" });
      const { page } = opened;
      await surface(page).waitFor();
      await sandbox.call("PATCH", `/campaigns/${id}/steps/${step}`, {
        body: "<p>First</p>\n<p>Second, by a colleague</p>",
      });
      await surface(page).getByText("by a colleague").waitFor();
      // Both change the text: both are shown, and what was typed stays.
      await surface(page).press("Control+Home");
      await page.route("**/api/v1/**", (route) =>
        route.request().method() === "PATCH" ? route.abort() : route.continue(),
      );
      await page.keyboard.type("Mine: ");
      await sandbox.call("PATCH", `/campaigns/${id}/steps/${step}`, { body: "<p>Theirs</p>" });
      await page.unroute("**/api/v1/**");
      await word(page, "Compare the two");
      await surface(page).getByText("Mine: First").waitFor();
      await press(page, "Overwrite with mine");
      await saved(page);
      expect((await stored(id, step)).body).toBe(
        "<p>Mine: First</p>\n<p>Second, by a colleague</p>",
      );
      await expectClean(opened, /ERR_FAILED|412/);
      await sandbox.call("POST", `/campaigns/${id}/start`);
      await sandbox.advance("1d");
      const { data } = await sandbox.call("GET", "/sandbox/messages?limit=1");
      const raw = await server.api("test", "GET", `/sandbox/messages/${data[0].id}/raw`);
      const sent = await parseMail(new TextEncoder().encode(raw.text));
      expect(sent.text).toStartWith("Mine: First\n\nSecond, by a colleague");
      expect(sent.html).toStartWith("<p>Mine: First</p>\n<p>Second, by a colleague</p>");
      await opened[Symbol.asyncDispose]();
    },
    TEST_MS_MAX,
  );

  test(
    "a dialog edits what it was opened for, wherever a colleague's save has moved it",
    async () => {
      const { id, step, opened } = await openStep("Moved", {
        body: "<p>Hi {{first_name}}, our offer</p>",
        format: "html",
      });
      const { page } = opened;
      const [area, dialog] = [surface(page), page.getByRole("dialog")];
      const path = `/campaigns/${id}/steps/${step}`;
      const meanwhile = (body: string, seen: string) =>
        sandbox.call("PATCH", path, { body }).then(() => area.getByText(seen).waitFor());
      await area.locator(".chip.field").click();
      await dialog.getByLabel("Fallback").fill("there");
      await meanwhile("<p>News!</p>\n<p>Hi {{first_name}}, our offer</p>", "News!");
      await dialog.getByRole("button", { name: "Apply" }).click();
      await toEnd(page);
      await page.keyboard.press("Control+Shift+ArrowLeft");
      await page.waitForFunction(() => getSelection()?.toString() === "offer");
      await focusAndPress(page, "Control+k");
      await dialog.getByLabel("Address").fill("https://site.example/");
      await saved(page);
      const hi = 'Hi {{first_name | default: "there"}}, our';
      await meanwhile(`<p>Old news!</p>\n<p>${hi} offer</p>`, "Old news!");
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      await saved(page);
      const link = '<a href="https://site.example/">offer</a>';
      expect((await stored(id, step)).body).toBe(`<p>Old news!</p>\n<p>${hi} ${link}</p>`);
      // The chip is gone by then: what was typed stands where it was.
      await area.locator(".chip.field").click();
      await dialog.getByLabel("Fallback").fill("friend");
      await meanwhile(`<p>No news!</p>\n<p>Hi , our ${link}</p>`, "No news!");
      await dialog.getByRole("button", { name: "Apply" }).click();
      await saved(page);
      const friend = `<p>No news!</p>\n<p>${hi.replace("there", "friend")} ${link}</p>`;
      expect((await stored(id, step)).body).toBe(friend);
      expect(opened.faults).toEqual([]);
      await opened[Symbol.asyncDispose]();
    },
    TEST_MS_MAX,
  );

  test(
    "is written by mouse: a chip's fallback, an image by its address, and composed words",
    async () => {
      const { id, step, opened } = await openStep("Mouse", {
        body: "<p>Hi {{first_name}}, {Hello|Hey}</p>",
        format: "html",
      });
      const { page } = opened;
      const area = surface(page);
      await area.locator(".chip.field").click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Fallback").fill("there");
      await expectClean(opened);
      await dialog.getByRole("button", { name: "Apply" }).click();
      await area.locator(".chip.choice").click();
      await dialog.getByLabel("Alternatives").fill("Hello\nHey & ho\n{Hi|Yo}");
      await dialog.getByRole("button", { name: "Apply" }).click();
      await toEnd(page);
      await press(page, "Image");
      await dialog.getByLabel("Image address").fill("https://site.example/a.png");
      await dialog.getByLabel("Alternative text").fill("A chart");
      await dialog.getByRole("button", { name: "Apply" }).click();
      await toEnd(page);
      // As an input method does it: what is composed becomes no chip before it is done.
      const session = await page.context().newCDPSession(page);
      await page.keyboard.press("Enter");
      await session.send("Input.imeSetComposition", {
        text: "に",
        selectionStart: 1,
        selectionEnd: 1,
      });
      await session.send("Input.imeSetComposition", {
        text: "日本",
        selectionStart: 2,
        selectionEnd: 2,
      });
      await session.send("Input.insertText", { text: "日本語" });
      await page.keyboard.type(" 👩‍🚀 ");
      await page.keyboard.insertText("שלום {{company}}");
      const html =
        '<p>Hi {{first_name | default: "there"}}, {Hello|Hey &amp; ho|{Hi|Yo}}' +
        '<img src="https://site.example/a.png" alt="A chart"></p>\n<p>日本語 👩‍🚀 שלום {{company}}</p>';
      await until(EFFECT_MS_MAX, "written", async () =>
        (await written(page, id, step)) === html ? true : undefined,
      ).catch(async () => expect(await written(page, id, step)).toBe(html));
      expect(await area.locator(".chip").count()).toBe(4);
      // An uploaded image goes out as a part of the email.
      await toEnd(page);
      await press(page, "Image");
      await dialog.locator("input[type=file]").setInputFiles({
        ...{ name: "dot.png", mimeType: "image/png" },
        buffer: Buffer.from(DOT, "base64"),
      });
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>("dialog input[name=src]")?.value !== "",
      );
      await dialog.getByLabel("Alternative text").fill("A dot");
      await expectClean(opened, /422/);
      await dialog.getByRole("button", { name: "Apply" }).click();
      await until(EFFECT_MS_MAX, "image", async () =>
        /<img src="cid:[0-9a-f-]{36}" alt="A dot"><\/p>$/.test(await written(page, id, step))
          ? true
          : undefined,
      );
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await expectClean(opened, /422/);
      await opened[Symbol.asyncDispose]();
    },
    TEST_MS_MAX,
  );

  test(
    "takes a template where the cursor is, and ten thousand characters",
    async () => {
      const body = "Best,\n\n{{ sender.name }}";
      await sandbox.call("POST", "/canned-replies", { name: "Closing", body });
      const { id, step, opened } = await openStep("Long", { body: "<p>Hi</p>", format: "html" });
      const { page } = opened;
      await toEnd(page);
      await press(page, "Insert a template");
      await page.getByLabel("Insert").last().selectOption({ label: "Closing" });
      const long = "a word ".repeat(1450).trim();
      await page.keyboard.insertText(long);
      const html = `<p>HiBest,</p>\n<p>{{ sender.name }}${long}</p>`;
      await until(EFFECT_MS_MAX, "written", async () =>
        (await written(page, id, step)) === html ? true : undefined,
      ).catch(async () => expect(await written(page, id, step)).toBe(html));
      await expectClean(opened);
      await opened[Symbol.asyncDispose]();
    },
    TEST_MS_MAX,
  );

  /** As it is stored, once all is. */
  const written = async (page: Page, id: string, step: string) => {
    await saved(page);
    return (await stored(id, step)).body;
  };
});
