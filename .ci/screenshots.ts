/**
 * Pictures of the console over a month that the demo has played, for the README.
 *
 *   bun .ci/screenshots.ts         writes docs/images/console.png
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { closeBrowser } from "../test/support/browser.ts";
import { startConsole } from "../test/support/console.ts";

const FOLDER = join(import.meta.dir, "../docs/images");
const PLAYED = /Ctrl-C/;
const LOOK_EVERY_MS = 500;
const WIDTH = 1280;
const HEIGHT = 800;

mkdirSync(FOLDER, { recursive: true });
await using console = await startConsole({ demo: ["--speed", "0"] });
while (!PLAYED.test(console.log())) {
  await Bun.sleep(LOOK_EVERY_MS);
}
await using opened = await console.open("light", "/test/");
const { page } = opened;
await page.setViewportSize({ width: WIDTH, height: HEIGHT });
await page.getByRole("heading", { name: "Overview" }).waitFor();
await page.waitForLoadState("networkidle");
await page.screenshot({ path: join(FOLDER, "console.png"), animations: "disabled" });
await closeBrowser();
