/** A hand that has nothing but a keyboard: what has the focus, and how one gets there. */

import type { Locator, Page } from "playwright-core";

/** What stands between two things that one goes to. */
const TABS_MAX = 90;
/** How long a page may take after a pair of keys, and how often they are pressed. */
const PAIR_MS_MAX = 5000;
const PAIRS_MAX = 10;

/** What has the focus, by the name that a reader hears; empty where the focus is lost. */
export async function focused(page: Page): Promise<string> {
  return (await focusOf(page)).name;
}

function focusOf(page: Page): Promise<{ name: string; isSeen: boolean }> {
  return page.evaluate(() => {
    const at = document.activeElement;
    if (at === null || at === document.body) {
      return { name: "", isSeen: false };
    }
    const label = "labels" in at ? (at as HTMLInputElement).labels?.[0] : undefined;
    const spoken = label?.querySelector(".label, .unseen") ?? label ?? at;
    const name = at.getAttribute("aria-label") ?? spoken.textContent ?? "";
    // What has the focus is framed, or what stands for it.
    const isFramed = (element: Element | null) =>
      element !== null && getComputedStyle(element).outlineStyle !== "none";
    const isSeen = isFramed(at) || isFramed(at.parentElement) || isFramed(at.closest(".chart"));
    return { name: name.trim(), isSeen };
  });
}

/** Presses Tab until what is called `name` has the focus, and is seen to have it. */
export async function tabTo(
  page: Page,
  name: string | RegExp,
  key = "Tab",
  tabsMax = TABS_MAX,
): Promise<void> {
  const passed: string[] = [];
  for (let tabs = 0; tabs <= tabsMax; tabs += 1) {
    const at = await focusOf(page);
    if (typeof name === "string" ? at.name === name : name.test(at.name)) {
      if (!at.isSeen) {
        throw new Error(`nobody sees that ${name} has the focus`);
      }
      return;
    }
    passed.push(at.name.slice(0, 40));
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not reach ${name} at ${page.url()}, but ${passed.join(" | ")}`);
}

/** Goes to what is called `name` and presses it. */
export async function pressAt(page: Page, name: string | RegExp, key = "Tab"): Promise<void> {
  await tabTo(page, name, key);
  await page.keyboard.press("Enter");
}

/** Goes to the field `name` and types into it, in place of what it holds. */
export async function typeAt(
  page: Page,
  name: string | RegExp,
  text: string,
  tabsMax = TABS_MAX,
): Promise<void> {
  await tabTo(page, name, "Tab", tabsMax);
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
}

/** Goes to the list `name` and takes `option` from it. */
export async function pickAt(page: Page, name: string | RegExp, option: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: option, exact: true }).filter({ visible: true }).waitFor();
  await page.keyboard.type(option);
  await page.keyboard.press("Enter");
}

/** A pair of keys. The second has to come soon, which a busy machine may not allow at first. */
export async function pressPair(page: Page, pair: string, to: Locator): Promise<void> {
  const [first = "", second = ""] = pair;
  for (let tries = 0; tries < PAIRS_MAX && !(await to.isVisible()); tries += 1) {
    await page.keyboard.press(first);
    await page.keyboard.press(second);
    await to.waitFor({ timeout: PAIR_MS_MAX }).catch(() => undefined);
  }
  await to.waitFor();
}
