/**
 * Pictures of the console over a month that the demo has played, for the README.
 *
 *   bun .ci/screenshots.ts         writes console.png, inbox.png and experiment.png to docs/images
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { closeBrowser } from "../test/support/browser.ts";
import { startConsole } from "../test/support/console.ts";
import { resize, show } from "../test/support/screens.ts";

const FOLDER = join(import.meta.dir, "../docs/images");
const PLAYED = /Ctrl-C/;
const LOOK_EVERY_MS = 500;
const SIZE = { width: 1280, height: 800 };
/** The page, and the list that has what it shows. */
const PICTURES = [
  { name: "console", page: "", list: null },
  { name: "inbox", page: "inbox/", list: "/inbox/threads?interest=meeting&limit=1" },
  { name: "experiment", page: "experiments/", list: "/experiments?limit=1" },
] as const;

mkdirSync(FOLDER, { recursive: true });
await using console = await startConsole({ demo: ["--speed", "0"] });
while (!PLAYED.test(console.log())) {
  await Bun.sleep(LOOK_EVERY_MS);
}
await using opened = await console.open("light", "/test/");
const { page } = opened;
await resize(page, SIZE);
for (const { name, page: path, list } of PICTURES) {
  const listed = list === null ? null : (await console.api("test", "GET", list)).body;
  const [first] = Array.isArray(listed) ? listed : (listed?.data ?? [{ id: "" }]);
  await show(page, `${console.url}/test/${path}${first.id}`);
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: "disabled" });
}
await closeBrowser();
