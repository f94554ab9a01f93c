/**
 * Files are attached by a button, dropped and pasted; a lost connection takes neither the text nor the file, and one
 * that is removed can be put back.
 */

import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { skipsBrowser, toast } from "../support/browser.ts";
import { PIXEL } from "../support/files.ts";
import { expectClean, press, startSandbox, TEST_MS_MAX } from "./console-sandbox.ts";

const pdf = (name: string) => ({ name, mimeType: "application/pdf", buffer: Buffer.from("%PDF") });

describe.skipIf(skipsBrowser())("Attachments", () => {
  const { server, sandbox } = startSandbox();
  let campaign: { id: string; step: string };
  let thread: string;
  beforeAll(async () => {
    const { call, advance } = sandbox;
    await call("PATCH", "/sandbox/settings", { rates: { reply: 0, interested: 0 } });
    campaign = await sandbox.makeCampaign("Files", 1);
    await call("POST", `/campaigns/${campaign.id}/start`);
    await advance("2h");
    const { data } = await call("GET", `/campaigns/${campaign.id}/leads`);
    thread = data[0].id;
    await call("POST", "/sandbox/inject", { kind: "reply", enrollment_id: thread });
    await advance("1h");
  }, TEST_MS_MAX);

  const sent = async () => (await sandbox.call("GET", `/inbox/threads/${thread}`)).messages.at(-1);

  /** A file is let go over the text, or pasted into it. */
  const give = (page: Page, kind: "drop" | "paste", name: string) =>
    page.getByLabel("Reply as").evaluate(
      (field, given) => {
        const data = new DataTransfer();
        data.items.add(new File(["hello"], given.name));
        const init = { bubbles: true, cancelable: true };
        field.dispatchEvent(
          given.kind === "paste"
            ? new ClipboardEvent("paste", { ...init, clipboardData: data })
            : new DragEvent("drop", { ...init, dataTransfer: data }),
        );
      },
      { kind, name },
    );

  test(
    "go with a reply: chosen, dropped, pasted, removed and put back, and kept when the line is cut",
    async () => {
      await using opened = await server.open("light", `/test/inbox/${thread}`);
      const { page } = opened;
      const box = page.getByLabel("Reply as");
      await box.fill("Here is our offer.");
      const list = page.getByRole("list", { name: "Attachments" });
      await page.getByLabel("Attach files").setInputFiles([pdf("offer.pdf"), pdf("prices.pdf")]);
      await give(page, "drop", "Überblick 🚀.txt");
      await give(page, "paste", "pasted.txt");
      for (const name of ["offer.pdf", "prices.pdf", "Überblick 🚀.txt", "pasted.txt"]) {
        await list.getByText(name).waitFor();
        await page.getByRole("button", { name: `Remove ${name}`, exact: true }).waitFor();
      }
      await list.getByRole("progressbar").first().waitFor({ state: "detached" });

      await press(page, "Remove prices.pdf");
      await toast(page, "prices.pdf removed");
      await list.getByText("prices.pdf").waitFor({ state: "detached" });
      await press(page, "Undo");
      await list.getByText("prices.pdf").waitFor();
      await press(page, "Remove pasted.txt");
      await expectClean(opened);

      // A type that providers refuse is said at once, and nothing of the reply is lost.
      await page.getByLabel("Attach files").setInputFiles([pdf("setup.exe")]);
      await list.getByText("email providers refuse .exe files").waitFor();
      await page.getByRole("button", { name: "Remove setup.exe" }).click();

      await page.route("**/api/v1/files?*", (route) => route.abort());
      await page.getByLabel("Attach files").setInputFiles([pdf("late.pdf")]);
      const again = page.getByRole("button", { name: "Try again" });
      await again.waitFor();
      expect(await box.inputValue()).toBe("Here is our offer.");
      await page.unroute("**/api/v1/files?*");
      await again.click();
      await again.waitFor({ state: "detached" });
      await list.getByRole("progressbar").first().waitFor({ state: "detached" });

      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await box.press("Control+Enter");
      await toast(page, "Your reply is on its way");
      await list.waitFor({ state: "detached" });
      const names = (await sent()).attachments.map(({ name }: { name: string }) => name);
      expect(names.toSorted()).toEqual(
        ["Überblick 🚀.txt", "late.pdf", "offer.pdf", "prices.pdf"].toSorted(),
      );
    },
    TEST_MS_MAX,
  );

  test(
    "go with a forwarded email",
    async () => {
      await using opened = await server.open("dark", `/test/inbox/${thread}`);
      const { page } = opened;
      await page.getByRole("region", { name: "Conversation" }).waitFor();
      await page.keyboard.press("f");
      await page.getByLabel("Forward to").fill("eve@acme.example");
      await page
        .getByLabel("Attach files")
        .last()
        .setInputFiles([pdf("notes.pdf")]);
      await page.getByRole("button", { name: "Remove notes.pdf" }).waitFor();
      await page.getByRole("progressbar").first().waitFor({ state: "detached" });
      await expectClean(opened);
      await page.getByRole("button", { name: "Forward", exact: true }).last().click();
      await toast(page, "Forwarded");
      expect((await sent()).attachments).toMatchObject([{ name: "notes.pdf" }]);
    },
    TEST_MS_MAX,
  );

  test(
    "go with a step, which keeps them",
    async () => {
      const draft = await sandbox.makeCampaign("Draft", 1);
      const path = `/campaigns/${draft.id}/steps/${draft.step}`;
      const kept = async () => (await sandbox.call("GET", path)).attachment_ids.length;
      await using opened = await server.open("light", `/test/campaigns/${draft.id}/sequence`);
      const { page } = opened;
      const saved = () => page.waitForResponse((one) => one.request().method() === "PATCH");
      const added = saved();
      await page.getByLabel("Attach files").setInputFiles([pdf("offer.pdf")]);
      await added;
      expect(await kept()).toBe(1);
      await page.reload();
      await page.getByText("offer.pdf").first().waitFor();
      await expectClean(opened);
      const removed = saved();
      await press(page, "Remove offer.pdf");
      await toast(page, "offer.pdf removed");
      await removed;
      expect(await kept()).toBe(0);
    },
    TEST_MS_MAX,
  );

  test(
    "an image is uploaded into the text, and the preview shows it",
    async () => {
      const draft = await sandbox.makeCampaign("Picture", 1);
      const path = `/campaigns/${draft.id}/steps/${draft.step}`;
      await sandbox.call("PATCH", path, { body: "<p>Look here</p>", format: "html" });
      await using opened = await server.open("light", `/test/campaigns/${draft.id}/sequence`);
      const { page } = opened;
      await press(page, "Image");
      const dialog = page.getByRole("dialog", { name: "Image" });
      const png = { name: "logo.png", mimeType: "image/png", buffer: Buffer.from(PIXEL) };
      await dialog.getByLabel("Upload image").setInputFiles(png);
      await page.waitForFunction(() =>
        [...document.querySelectorAll("input")].some(({ value }) => value.startsWith("cid:")),
      );
      await expectClean(opened);
      const saved = page.waitForResponse((one) => one.request().method() === "PATCH");
      await dialog.getByRole("button", { name: "Apply" }).click();
      await saved;
      expect((await sandbox.call("GET", path)).body).toContain('src="cid:');
      const shown = page.frameLocator("iframe[title='Email preview']").locator("img");
      await shown.waitFor();
      expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );
});
