/**
 * Pictures of the console over a month that the demo has played, for the README and the guides.
 *
 *   bun .ci/screenshots.ts         writes all of them to docs/images
 */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { closeBrowser } from "../test/support/browser.ts";
import { type Console, startConsole } from "../test/support/console.ts";
import { resize, show } from "../test/support/screens.ts";

const FOLDER = join(import.meta.dir, "../docs/images");
const PLAYED = /Ctrl-C/;
const LOOK_EVERY_MS = 500;
const DESK = { width: 1280, height: 800 };
/** For a list that stands further down. */
const TALL = { width: 1280, height: 1080 };
const PHONE = { width: 390, height: 844 };

interface Picture {
  name: string;
  /** `:id` is that of the first thing in `list`, of those whose name or address is `of`. */
  page: string;
  list?: string;
  of?: string;
  size?: typeof DESK;
}

const CAMPAIGN = { list: "/campaigns?limit=100", of: "Logistics in Europe" };
const PICTURES: readonly Picture[] = [
  { name: "console", page: "" },
  { name: "inbox", page: "inbox/:id", list: "/inbox/threads?interest=meeting&limit=1" },
  { name: "experiment", page: "experiments/:id", list: "/experiments?limit=1" },
  { name: "campaigns", page: "campaigns" },
  { name: "campaign", page: "campaigns/:id", ...CAMPAIGN },
  { name: "sequence", page: "campaigns/:id/sequence", ...CAMPAIGN },
  { name: "schedule", page: "campaigns/:id/schedule", ...CAMPAIGN },
  { name: "checklist", page: "campaigns/:id/check", ...CAMPAIGN, size: TALL },
  { name: "leads", page: "leads?sort=email" },
  { name: "lead", page: "leads/:id", list: "/leads?filter=interest:meeting&sort=email&limit=1" },
  { name: "duplicates", page: "leads/duplicates" },
  { name: "suppressions", page: "suppressions" },
  { name: "mailboxes", page: "accounts" },
  {
    ...{ name: "mailbox", page: "accounts/:id" },
    ...{ list: "/accounts?limit=100", of: "gus@northwind-offers.example" },
  },
  { name: "placement", page: "placement" },
  { name: "simulator", page: "simulator" },
  { name: "files", page: "settings/files" },
  { name: "backups", page: "settings/backups" },
  { name: "system", page: "settings/system" },
  { name: "phone", page: "inbox", size: PHONE },
];

/** Uploaded beforehand: their names and sizes in bytes. */
const FILES: readonly (readonly [name: string, length: number])[] = [
  ["Case study.pdf", 1_840_000],
  ["Pricing.xlsx", 48_000],
  ["Floor plan.png", 620_000],
];

async function addressOf(server: Console, { page, list, of }: Picture): Promise<string> {
  if (list === undefined) {
    return `${server.url}/test/${page}`;
  }
  const { body, text } = await server.api("test", "GET", list);
  const rows: readonly { id: string; name?: string; email?: string }[] = body?.data ?? body;
  const found = rows.find(({ name, email }) => of === undefined || of === name || of === email);
  if (found === undefined) {
    throw new Error(`nothing to show at ${page}: ${text}`);
  }
  return `${server.url}/test/${page.replace(":id", found.id)}`;
}

/** The same picture at half the size, to the eye as sharp: the browser itself writes WebP. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const base64 = await page.evaluate(async (source) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.fromBase64(source)]));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.9 });
    return new Uint8Array(await blob.arrayBuffer()).toBase64();
  }, png.toString("base64"));
  return Buffer.from(base64, "base64");
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
await using server = await startConsole({ demo: ["--speed", "0"] });
while (!PLAYED.test(server.log())) {
  await Bun.sleep(LOOK_EVERY_MS);
}
await server.api("test", "POST", "/backups", {});
await using opened = await server.open("light", "/test/");
const { page } = opened;
await page.evaluate(async (files) => {
  for (const [name, length] of files) {
    const headers = { "Content-Type": "application/octet-stream" };
    const body = new Uint8Array(length);
    await fetch(`/test/api/v1/files?name=${name}`, { method: "POST", headers, body });
  }
}, FILES);
for (const picture of PICTURES) {
  await resize(page, picture.size ?? DESK);
  await show(page, await addressOf(server, picture));
  await page.waitForLoadState("networkidle");
  const png = await page.screenshot({ animations: "disabled" });
  writeFileSync(join(FOLDER, `${picture.name}.webp`), await toWebp(page, png));
}
await closeBrowser();
