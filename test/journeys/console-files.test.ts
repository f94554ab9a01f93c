/**
 * The team's files in the settings: uploaded, found to be in use or not, downloaded and deleted, by keyboard alone,
 * whatever they are called; and a viewer is offered nothing that is refused.
 */

import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openPage, SCHEMES, skipsBrowser, toast } from "../support/browser.ts";
import { PERSON } from "../support/console.ts";
import { PIXEL } from "../support/files.ts";
import { resize, settled, spillsOf, widestOf } from "../support/screens.ts";
import { expectClean, rowsOf, startSandbox, TEST_MS_MAX } from "./console-sandbox.ts";

const given = (name: string, content: Uint8Array | string = "%PDF") => ({
  ...{ name, mimeType: "application/octet-stream" },
  buffer: Buffer.from(content),
});
const LONG = `${"An offer that goes on and on ".repeat(6)}end.pdf`;
const ARABIC = "عرض أسعار الربيع للعملاء.pdf";
const EMOJI = "👩‍💻🚀 Überblick.png";
const PICTURES = process.env["OUTRIDER_PICTURES"];

describe.skipIf(skipsBrowser())("Files of the team", () => {
  const { server, sandbox } = startSandbox();
  let campaign: { id: string; step: string };
  beforeAll(async () => {
    campaign = await sandbox.makeCampaign("Spring", 1);
  }, TEST_MS_MAX);

  const tabTo = async (page: Page, name: string | RegExp) => {
    await page.locator("#content h1").focus();
    const wanted = page
      .locator("#content")
      .getByRole("button", { name })
      .or(page.locator("#content").getByLabel(name))
      .first();
    for (let nth = 0; nth < 60; nth += 1) {
      await page.keyboard.press("Tab");
      if (await wanted.evaluate((one) => one === document.activeElement)) {
        return;
      }
    }
    throw new Error(`the keyboard does not reach ${name}`);
  };
  const upload = async (page: Page, ...files: ReturnType<typeof given>[]) => {
    await tabTo(page, "Upload files");
    await page.locator("input:focus").setInputFiles(files);
    for (const { name } of files) {
      await rowsOf(page, "Files").getByRole("link", { name }).waitFor();
    }
  };

  test(
    "are uploaded, said to be used, downloaded, and deleted by keyboard alone",
    async () => {
      await using opened = await server.open("light", "/test/settings/files");
      const { page } = opened;
      await page.getByRole("heading", { name: "No files yet" }).waitFor();
      expect(await page.getByLabel("Upload files").count()).toBe(1);
      await upload(page, given(LONG), given(ARABIC), given(EMOJI, PIXEL), given("free.pdf"));
      await toast(page, "File uploaded");
      await page.getByText("4 of 1,000 files").waitFor();

      const { data } = await sandbox.call("GET", "/files");
      const idOf = (name: string) =>
        data.find((one: { name: string }) => one.name === name.trim()).id as string;
      const step = `/campaigns/${campaign.id}/steps/${campaign.step}`;
      await sandbox.call("PATCH", step, {
        ...{ attachment_ids: [idOf(ARABIC)], format: "html" },
        body: `<p><img src="cid:${idOf(EMOJI)}"></p>`,
      });
      await page.reload();
      for (const name of [ARABIC, EMOJI]) {
        const row = rowsOf(page, "Files").filter({ hasText: name });
        expect(await row.getByRole("link", { name: "Spring, step 1" }).getAttribute("href")).toBe(
          `/test/campaigns/${campaign.id}/sequence`,
        );
        const button = row.getByRole("button", { name: `Delete ${name}` });
        expect(await button.getAttribute("aria-disabled")).toBe("true");
        expect(await button.getAttribute("title")).toBe("In use: remove it there first");
        await button.press("Enter");
        expect(await page.getByRole("dialog").count()).toBe(0);
      }
      await expectClean(opened);

      const download = page.waitForEvent("download");
      await page.getByRole("link", { name: "free.pdf" }).press("Enter");
      expect((await download).suggestedFilename()).toBe("free.pdf");

      await tabTo(page, "Delete free.pdf");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog", { name: "Delete free.pdf?" }).waitFor();
      // It stands in a row whose texts don't wrap.
      const isWhole = (dialog: Element) => dialog.scrollWidth <= dialog.clientWidth;
      expect(await page.getByRole("dialog").evaluate(isWhole)).toBe(true);
      await expectClean(opened);
      await page.getByRole("dialog").getByRole("button", { name: "Delete file" }).press("Enter");
      await toast(page, "free.pdf deleted");
      await page.getByText("3 of 1,000 files").waitFor();
      expect(await page.getByRole("link", { name: "free.pdf" }).count()).toBe(0);
    },
    TEST_MS_MAX,
  );

  test.each([
    ["light", 1440],
    ["light", 390],
    ["dark", 390],
    ["dark", 320],
  ] as const)(
    "hold long, Arabic, and emoji names: %s, %d px",
    async (scheme, width) => {
      await using opened = await server.open(scheme, "/test/settings/files");
      const { page } = opened;
      await rowsOf(page, "Files").getByRole("link", { name: LONG }).waitFor();
      await resize(page, { width, height: 844 });
      expect(await page.evaluate(widestOf)).toBe(null);
      expect(await page.evaluate(spillsOf)).toEqual([]);
      for (const name of [LONG, ARABIC, EMOJI]) {
        const box = await page.getByRole("link", { name }).boundingBox();
        expect(box?.width).toBeGreaterThan(60);
      }
      if (PICTURES !== undefined) {
        await page.screenshot({ path: `${PICTURES}/files-${scheme}-${width}.png`, fullPage: true });
      }
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "a refusal says why, and the others arrive",
    async () => {
      await using opened = await server.open("dark", "/test/settings/files");
      const { page } = opened;
      await page.getByText("3 of 1,000 files").waitFor();
      await page.getByLabel("Upload files").setInputFiles([given("setup.exe"), given("ok.pdf")]);
      await page.getByRole("alert").getByText("email providers refuse .exe files").waitFor();
      await rowsOf(page, "Files").getByRole("link", { name: "ok.pdf" }).waitFor();
      await expectClean(opened, /status of 422/);
      await page.getByRole("button", { name: "Remove setup.exe" }).click();
      await page.getByRole("alert").waitFor({ state: "detached" });
    },
    TEST_MS_MAX,
  );

  test(
    "a viewer downloads, and is offered no more",
    async () => {
      const invitation = { email: "vi@example.com", role: "viewer" };
      const { body } = await server.api("live", "POST", "/team/invitations", invitation);
      await using opened = await openPage(server.url, SCHEMES[0]);
      const { page } = opened;
      await page.goto(new URL(body.url, server.url).href);
      await page.getByLabel("Your name").fill("Vi");
      await page.getByLabel("Password", { exact: true }).fill(PERSON.password);
      await page.getByRole("button", { name: "Join team" }).click();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.goto(`${server.url}/test/settings/files`);
      await settled(page);
      await page.getByRole("link", { name: "ok.pdf" }).waitFor();
      expect(await page.locator("#content :is(button, input)").count()).toBe(0);
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );
});
