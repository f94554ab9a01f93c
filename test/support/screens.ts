/**
 * Every page of the console over a month that the demo has played.
 *
 *   bun test/support/screens.ts [FOLDER]
 *
 * takes pictures of all of them in both themes, as wide as a desk, a tablet and a phone, into FOLDER
 * (dist/screens). Needs Chromium.
 */

import { resolve } from "node:path";
import type { Page } from "playwright-core";
import { closeBrowser, SCHEMES } from "./browser.ts";
import { type Console, startConsole } from "./console.ts";

/** Addresses as `src/ui/pages.tsx` and its parts have them; `test/ui/screens.test.ts` compares. */
export const SCREENS = [
  "",
  "campaigns",
  "campaigns/new",
  "campaigns/:id",
  "campaigns/:id/sequence",
  "campaigns/:id/leads",
  "campaigns/:id/schedule",
  "campaigns/:id/rules",
  "campaigns/:id/check",
  "campaigns/:id/import",
  "campaigns/:id/new/:step",
  "suppressions",
  "tasks",
  "inbox",
  "inbox/:id",
  "import",
  "leads",
  "leads/:id",
  "leads/duplicates",
  "leads/erased/:id",
  "experiments",
  "experiments/new",
  "experiments/:id",
  "placement",
  "placement/seeds",
  "placement/schedules",
  "placement/runs/:id",
  "accounts",
  "accounts/providers",
  "accounts/new",
  "accounts/:id",
  "domains/:id",
  "simulator",
  "developers",
  "developers/keys",
  "developers/webhooks",
  "developers/webhooks/:id",
  "developers/events",
  "developers/requests",
  "developers/reference",
  "activity",
  "settings",
  "settings/team",
  "settings/members",
  "settings/you",
  "settings/sending",
  "settings/replies",
  "settings/files",
  "settings/billing",
  "settings/backups",
  "settings/deleted",
  "settings/system",
] as const;

export type Screen = (typeof SCREENS)[number];

/** Where the API lists what the `:id` of a page names; the oldest of the latest is shown. */
const LISTS: Readonly<Record<string, string>> = {
  campaigns: "/campaigns",
  inbox: "/inbox/threads",
  leads: "/leads",
  "leads/erased": "/erasures",
  experiments: "/experiments",
  "placement/runs": "/placement/runs",
  accounts: "/accounts",
  domains: "/domains",
  "developers/webhooks": "/webhooks",
};

/** Steps of a campaign that is being set up. */
const STEPS = ["leads", "sequence", "schedule", "check"] as const;

const PLAYED = "Press Ctrl-C to stop.";
const PLAY_LEADS = "150";
const LOOK_EVERY_MS = 200;
/** A slow machine plays its month in some minutes. */
const LOOKS_MAX = 1000;

/** The demo when its month is over, with what nobody has made in it beside. */
export async function playedConsole(): Promise<Console> {
  const server = await startConsole({ demo: ["--leads", PLAY_LEADS, "--speed", "0"] });
  try {
    for (let look = 0; !server.log().includes(PLAYED); look += 1) {
      if (look === LOOKS_MAX) {
        throw new Error(`the month does not end:\n${server.log()}`);
      }
      await Bun.sleep(LOOK_EVERY_MS);
    }
    await furnish(server);
    return server;
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

async function furnish(server: Console): Promise<void> {
  const make = async (path: string, body: object) => {
    const answer = await server.api("test", "POST", path, body);
    if (answer.status >= 400) {
      throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
    }
  };
  await make("/webhooks", { url: "https://hooks.example.com/outrider", events: ["email.*"] });
  await make("/keys", { name: "Reporting", scopes: ["read"] });
  await make("/suppressions", { email: "@competitor.example", reason: "manual" });
  await make("/team/invitations", { email: "grace@example.com", role: "member" });
  await make("/campaigns", { name: "Cold stores of Antwerp" });
  const leads = [{ email: "gone@competitor.example" }];
  const { body } = await server.api("test", "POST", "/leads", { leads });
  await server.api("test", "DELETE", `/leads/${body.data[0].id}`);
}

/** The addresses at which `screen` is seen. */
export async function addressesOf(server: Console, screen: Screen): Promise<string[]> {
  const [before = ""] = screen.split("/:id");
  if (before === screen) {
    return [`/test/${screen}`];
  }
  const isSetUp = screen.endsWith(":step");
  const status = isSetUp ? "&status=draft" : "";
  const list = await server.api("test", "GET", `${LISTS[before]}?limit=100${status}`);
  const rows = Array.isArray(list.body) ? list.body : list.body?.data;
  const id = rows?.at(-1)?.id ?? rows?.at(-1)?.domain;
  if (typeof id !== "string") {
    throw new Error(`nothing to show at ${screen}: ${list.text}`);
  }
  const address = `/test/${screen.replace(":id", id)}`;
  return isSetUp ? STEPS.map((step) => address.replace(":step", step)) : [address];
}

/** Waits until all of the page on show has come. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector("#content h1") !== null &&
      document.querySelector("#content [aria-busy], #content .skeleton") === null,
  );
}

/** Goes there and waits until all of it has come. */
export async function show(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await settled(page);
  // An email stands in a document of its own.
  for (const frame of page.frames()) {
    await frame.waitForURL((address) => address.href !== "about:blank");
  }
}

/** Makes the window as large as `size`; resolves when charts have been drawn anew at their new width. */
export async function resize(
  page: Page,
  size: Readonly<{ width: number; height: number }>,
): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(async (frames) => {
    for (let frame = 0; frame < frames; frame += 1) {
      await new Promise((drawn) => requestAnimationFrame(drawn));
    }
  }, FRAMES);
}

/** One in which widths are measured, one in which what they change is drawn, one to know that it was. */
const FRAMES = 3;

/** Run in a page: the first element that makes it scroll sideways, in words; null where it does not. */
export function widestOf(): string | null {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) {
    return null;
  }
  const over = [...document.querySelectorAll("body *")].find(
    (element) => element.getBoundingClientRect().right > clientWidth + 1,
  );
  return `${scrollWidth} px: ${over?.outerHTML.slice(0, 200) ?? "unknown"}`;
}

/**
 * Run in a page: texts that reach out of the box that they stand in, and those that are drawn over each
 * other, in words. What hovers on purpose is left out, and what ends in an ellipsis or can be scrolled
 * because it is wide by nature.
 */
export function spillsOf(): string[] {
  const SLACK = 2;
  const WIDE = "pre, .scroll-x, .long-table, .tabs";
  const boxes: { text: string; element: Element; box: ReturnType<typeof seenOf> }[] = [];
  const spilt = new Set<string>();
  const isShownWhole = (element: Element) => {
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const { position, textOverflow, clipPath } = getComputedStyle(at);
      const hovers = position === "fixed" || position === "sticky";
      if (hovers || textOverflow === "ellipsis" || clipPath !== "none" || at.matches(WIDE)) {
        return false;
      }
    }
    return element.checkVisibility();
  };
  const spillOf = ({ left, right }: DOMRect, element: Element) => {
    // Labels of a chart may stand in the padding round it.
    if (element instanceof SVGElement) {
      return undefined;
    }
    // Where spaces are kept, the last one of a line hangs over its end.
    const { whiteSpace, fontSize } = getComputedStyle(element);
    const slack = whiteSpace === "pre-wrap" ? Number.parseFloat(fontSize) : SLACK;
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const outer = at.getBoundingClientRect();
      const isBox = getComputedStyle(at).display !== "inline" && outer.width > 0;
      if (isBox && (right > outer.right + slack || left < outer.left - SLACK)) {
        return at;
      }
    }
    return undefined;
  };
  /** What of a box is not scrolled away. */
  const seenOf = ({ left, right, top, bottom }: DOMRect, element: Element) => {
    const seen = { left, right, top, bottom };
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      if (getComputedStyle(at).overflowY !== "visible" && at !== document.body) {
        const outer = at.getBoundingClientRect();
        seen.top = Math.max(seen.top, outer.top);
        seen.bottom = Math.min(seen.bottom, outer.bottom);
      }
    }
    return seen;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent?.trim() ?? "";
    if (element === null || text === "" || !isShownWhole(element)) {
      continue;
    }
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      const over = spillOf(box, element);
      if (over !== undefined) {
        spilt.add(`${text.slice(0, 60)} reaches out of ${over.tagName} ${over.className}`);
      }
      boxes.push({ text, element, box: seenOf(box, element) });
    }
  }
  for (const [nth, { text, element, box }] of boxes.entries()) {
    for (const other of boxes.slice(nth + 1)) {
      const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      if (element !== other.element && across > SLACK && down > 2 * SLACK) {
        spilt.add(`${text.slice(0, 60)} lies over ${other.text.slice(0, 60)}`);
      }
    }
  }
  return [...spilt];
}

/**
 * Run in a page: what its place is too small for, in words: pills cut off in a table's cell, cells of which
 * hardly anything can be read, and a browser's own field for a file.
 */
export function crampedOf(): string[] {
  const READ_PX_MIN = 70;
  const rightOf = (element: Element) => element.getBoundingClientRect().right;
  const isCut = (pill: Element) =>
    pill.checkVisibility() && rightOf(pill) > rightOf(pill.closest("td") ?? pill) + 1;
  const isNarrow = ({ scrollWidth, clientWidth }: Element) =>
    clientWidth > 0 && clientWidth < READ_PX_MIN && scrollWidth > clientWidth + 1;
  const pick = (selector: string, isFound: (element: Element) => boolean, why: string) =>
    [...document.querySelectorAll(selector)]
      .filter(isFound)
      .map((element) => `${element.textContent || element.outerHTML} ${why}`);
  return [
    ...pick("td .pill", isCut, "is cut off"),
    ...pick(".long-table :is(th, td)", isNarrow, "has hardly any room"),
    ...pick("input[type=file]:not(.unseen)", (field) => field.checkVisibility(), "is not ours"),
  ];
}

const WIDTHS = {
  desk: { width: 1440, height: 900 },
  tablet: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
} as const;

async function takePictures(folder: string): Promise<void> {
  await using server = await playedConsole();
  await using opened = await server.open();
  const { page } = opened;
  let taken = 0;
  for (const screen of SCREENS) {
    for (const address of await addressesOf(server, screen)) {
      const step = screen.endsWith(":step") ? (address.split("/").at(-1) ?? "") : "";
      const name = screen.replace(":id", "one").replace(":step", step).replaceAll("/", "-");
      for (const [width, size] of Object.entries(WIDTHS)) {
        await page.setViewportSize(size);
        await show(page, server.url + address);
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          const path = `${folder}/${colorScheme}-${width}/${name || "overview"}.png`;
          await page.screenshot({ path, fullPage: true });
          taken += 1;
        }
      }
    }
  }
  console.log(`${taken} pictures in ${folder}`);
}

if (import.meta.main) {
  await takePictures(resolve(process.argv[2] ?? "dist/screens"));
  await closeBrowser();
}
