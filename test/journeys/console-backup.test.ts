/** Journey 15: a backup in the console brings back what was; a damaged file is refused. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeBrowser, skipsBrowser, toast } from "../support/browser.ts";
import { type Console, startConsole } from "../support/console.ts";
import { until } from "./support.ts";

const TEST_MS_MAX = 240_000;
const WORK_MS_MAX = 100_000;

describe.skipIf(skipsBrowser())("backups in the console (journey 15)", () => {
  let server: Console;
  beforeAll(async () => {
    server = await startConsole({
      env: { OUTRIDER_BACKUP_EVERY: "36h", OUTRIDER_BACKUP_KEEP: "3" },
    });
    // The first by schedule is made as soon as the server runs; while it is, no other can be begun.
    await until(WORK_MS_MAX, "the first backup by schedule", async () => {
      const { body } = await server.api("live", "GET", "/backups/task");
      return body.task?.status === "done" ? true : undefined;
    });
  }, TEST_MS_MAX);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await closeBrowser();
  }, TEST_MS_MAX);

  const rename = (name: string) => server.api("live", "PATCH", "/team", { name });
  const teamName = async (): Promise<string> =>
    (await server.api("live", "GET", "/team")).body.name;

  test(
    "what changed after a backup is as before once that is restored, and the present is kept too",
    async () => {
      await using opened = await server.open("light", "/live/settings/backups");
      const { page, faults, violations } = opened;
      await page.getByText("Every 36 hours").waitFor();
      await page.getByText("The latest 3 automatic backups").waitFor();
      await rename("Before the backup");
      await page.getByRole("button", { name: "Back up now" }).first().click();
      const byHand = page.getByRole("row", { name: /Manual.*Verified/ });
      await byHand.waitFor();
      expect(await violations()).toEqual([]);

      await rename("After the backup");
      await byHand.getByRole("button", { name: "Restore…" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Outrider backs up the current data first").waitFor();
      expect(await violations()).toEqual([]);
      await dialog.getByRole("button", { name: "Restore backup" }).click();
      await page.getByRole("row", { name: /Before a restore/ }).waitFor();
      await until(WORK_MS_MAX, "what was before the backup", async () => {
        const name = await teamName().catch(() => undefined);
        return name === "Before the backup" ? true : undefined;
      });
      await page.reload();
      await page.getByRole("row", { name: /Before a restore/ }).waitFor();
      // While the server starts anew nobody answers.
      expect(faults.filter((fault) => !/Failed to load resource|ERR_/.test(fault))).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "a damaged one is refused, and nothing has changed",
    async () => {
      await using opened = await server.open("dark", "/live/settings/backups");
      const { page, faults, violations } = opened;
      const [first] = (await server.api("live", "GET", "/backups")).body.data;
      const answer = await fetch(`${server.url}/live/api/v1/backups/${first.id}/download`, {
        headers: { Cookie: server.cookie, Origin: server.url },
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      bytes.fill(7, bytes.length >> 1);
      const file = page.locator("input[type=file]:enabled");
      const before = await teamName();
      // Whatever was made here has been checked; what was brought here has not.
      const damaged = page.getByRole("row", { name: /Not verified/ });
      await page.getByRole("row", { name: /Scheduled.*Verified/ }).waitFor();
      expect(await damaged.count()).toBe(0);
      await file.setInputFiles({ name: "no-backup.tar", mimeType: "", buffer: Buffer.from("no") });
      await toast(page, "backup");
      await file.setInputFiles({ name: "damaged.tar.zst", mimeType: "", buffer: bytes });
      await toast(page, "damaged.tar.zst uploaded");
      await damaged.getByRole("button", { name: "Restore…" }).click();
      await page.getByRole("button", { name: "Restore backup" }).click();
      await page.getByText("failed. Nothing was changed.").waitFor();
      expect(await violations()).toEqual([]);
      expect(await teamName()).toBe(before);
      expect(faults.filter((fault) => !/status of 4/.test(fault))).toEqual([]);
    },
    TEST_MS_MAX,
  );
});
