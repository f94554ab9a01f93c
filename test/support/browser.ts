/**
 * A real browser on our own pages: Debian's Chromium, driven by playwright-core. Whatever a page must
 * never do is noted while it is open: errors in the console, broken content policies, requests to other
 * hosts.
 */

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";

/** A slow machine is not a failed test. */
const PAGE_MS_MAX = 110_000;

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

function findBrowser(): string | undefined {
  return PLACES.find((path) => existsSync(path));
}

/** Whether tests in a browser are left out here: never in the full tier, nor in CI. */
export function skipsBrowser(): boolean {
  const tier = process.env["OUTRIDER_TEST_TIER"];
  if (tier === "quick") {
    return true;
  }
  const isFull = tier === "full" || process.env["CI"] === "true";
  return !isFull && findBrowser() === undefined;
}

export const SCHEMES = ["light", "dark"] as const;
export type Scheme = (typeof SCHEMES)[number];

export interface OpenPage extends AsyncDisposable {
  page: Page;
  /** What a page must never do, in words; empty when all is well. */
  faults: string[];
  /** Violations that axe-core finds, in words; of one rule, where one is named. */
  violations(rule?: string): Promise<string[]>;
}

let browser: Promise<Browser> | undefined;

/** A page in a profile of its own. The browser is started once, and ended by {@link closeBrowser}. */
export async function openPage(
  origin: string,
  scheme: Scheme = "light",
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const executablePath = findBrowser();
  if (executablePath === undefined) {
    throw new Error(`no Chromium at ${PLACES.join(", ")}`);
  }
  browser ??= chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  const context = await (await browser).newContext({
    colorScheme: scheme,
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  // For every page that is opened in it, not for the first alone.
  context.setDefaultTimeout(PAGE_MS_MAX);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") {
      faults.push(`console: ${message.text()}`);
    }
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.origin !== origin) {
      faults.push(`request to ${url.origin}`);
    }
  });
  return {
    page,
    faults,
    violations: (rule) => violationsOf(page, rule),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** Waits until what is there says `text` and nothing else. */
export function says(what: Locator, text: string): Promise<void> {
  return what.filter({ hasText: new RegExp(`^\\s*${RegExp.escape(text)}\\s*$`) }).waitFor();
}

/** Waits for what has just been said in passing. */
export function toast(page: Page, text: string): Promise<void> {
  return page.locator(".toast").filter({ hasText: text }).first().waitFor();
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Run in a page: colours on the way from one to another are nobody's. */
async function atRest(): Promise<void> {
  const moving = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    // What follows a scroll position moves when that does.
    .filter(({ timeline }) => timeline === document.timeline);
  await Promise.allSettled(moving.map(({ finished }) => finished));
}

interface Violation {
  id: string;
  help: string;
  nodes: { html: string }[];
}

async function violationsOf(page: Page, rule?: string): Promise<string[]> {
  await page.evaluate(readFileSync(axe, "utf8"));
  await page.evaluate(atRest);
  // An email's frame is a stranger's document, and lets nobody ask it.
  const options = { iframes: false, ...(rule === undefined ? {} : { runOnly: [rule] }) };
  const found = (await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then((result) => result.violations)`,
  )) as Violation[];
  return found.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html ?? ""}`);
}
