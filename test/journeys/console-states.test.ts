/**
 * Every page in every state that it can be in: while its data come, when they do not, when the reader's
 * role does not open it, when the server is gone, and when there is nothing yet. Each says what it is in
 * its own words, can be read by everybody in both themes, and gets out of it where it can.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { closeBrowser, type OpenPage, openPage, skipsBrowser } from "../support/browser.ts";
import { type Console, PERSON, startConsole } from "../support/console.ts";
import {
  addressesOf,
  playedConsole,
  SCREENS,
  type Screen,
  settled,
  show,
} from "../support/screens.ts";

const TEST_MS_MAX = 240_000;
const REQUEST = "req_planted";
const PLANTED = {
  failing: { status: 500, type: "internal_error", message: "It broke in the middle." },
  forbidden: { status: 403, type: "permission_error", message: "An admin may do this." },
} as const;
type State = "loading" | keyof typeof PLANTED | "away" | "stale" | "well";

/** What pages ask for their data, and not for who is signed in. */
const DATA = /\/api\/v1\/|\/console\/(sessions|ways)$/;
const STREAM = /\/events\/stream(\?|$)/;

/** Pages that ask for nothing before something is typed: their state is that of what they send. */
const FORMS: Partial<Record<Screen, { typed: Record<string, string>; button: string }>> = {
  "campaigns/new": { typed: { Name: "Spring" }, button: "Save draft and continue" },
  "accounts/new": { typed: { Email: "ann@sender.example" }, button: "Add mailbox" },
};

/** An id that nothing has. */
const NOTHING = "00000000-0000-7000-8000-000000000000";

/** What a page says before there is anything to show; the others are the same from the beginning. */
const EMPTY: Partial<Record<Screen, string>> = {
  campaigns: "No campaigns yet",
  suppressions: "No suppressions yet",
  tasks: "No tasks to do",
  inbox: "No replies yet",
  import: "No campaigns yet",
  leads: "No leads yet",
  "leads/duplicates": "No duplicates found",
  experiments: "No experiments yet",
  "experiments/new": "No campaign to experiment with",
  placement: "No runs yet",
  "placement/seeds": "No seed mailboxes yet",
  "placement/schedules": "No schedules yet",
  accounts: "No mailboxes yet",
  "accounts/providers": "No emails in the last 30 days",
  simulator: "No emails yet",
  developers: "No active API keys",
  "developers/keys": "No active API keys",
  "developers/webhooks": "No webhooks yet",
  "developers/events": "No events yet",
  "developers/requests": "No requests yet",
  activity: "No activity yet",
  "settings/backups": "No backups yet",
  "settings/replies": "No canned replies yet",
  "settings/files": "No files yet",
  "settings/deleted": "Nothing to restore",
};

/** Pages that a viewer does not open. */
const CLOSED: Screen[] = [
  "campaigns/new",
  "campaigns/:id/import",
  "campaigns/:id/new/:step",
  "developers/keys",
  "developers/requests",
  "activity",
  "settings/billing",
  "settings/backups",
  "settings/system",
];
/** Buttons that change something, and those of them that are a viewer's own. */
const CHANGES =
  /^(create|add|invite|save|remove|withdraw|replace|revoke|delete|change|use the|back up|bring|new|make|start|pause|resume|stop|import|suppress|send|mark|done|skip|erase|archive|keep|write|jump|set|turn|run|refund)\b/i;
const OWN = ["leads: Save view", "settings/you: Change password"];

/** The browser itself tells of each answer that was planted. */
const NOTED =
  /^console: Failed to load resource: (the server responded with a status of|net::ERR_FAILED)/;

/** Axe's whole list once; in the other theme, what a theme can change. */
async function expectReadable(opened: OpenPage, state: string): Promise<void> {
  const { page } = opened;
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const found = await opened.violations();
  await page.emulateMedia({ colorScheme: "dark" });
  found.push(...(await opened.violations("color-contrast")));
  const faults = opened.faults.filter((fault) => !NOTED.test(fault));
  opened.faults.length = 0;
  expect({ state, found, faults }).toEqual({ state, found: [], faults: [] });
}

const alertsOf = (page: Page) => page.locator("#content [role=alert]");

describe.skipIf(skipsBrowser())("states of every page", () => {
  let server: Console;
  let opened: OpenPage;
  let state: State = "well";

  beforeAll(async () => {
    server = await playedConsole();
    opened = await server.open();
    await opened.page.route(DATA, async (route) => {
      const isStream = STREAM.test(route.request().url());
      if (state === "away" || (state === "stale" && isStream)) {
        return await route.abort();
      }
      if (state === "failing" || state === "forbidden") {
        const { status, ...said } = PLANTED[state];
        return isStream
          ? await route.continue()
          : await route.fulfill({
              status,
              headers: { "X-Request-Id": REQUEST },
              json: { ...said, field: null },
            });
      }
      return state === "loading" && !isStream ? undefined : await route.continue();
    });
  }, TEST_MS_MAX);
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await closeBrowser();
  }, TEST_MS_MAX);

  /** Opens the page in `next`, and sends its form where it is nothing but one. */
  async function enter(next: State, screen: Screen, address: string): Promise<void> {
    const { page } = opened;
    state = next;
    await page.goto(server.url + address);
    await page.locator("#content h1").waitFor();
    const form = FORMS[screen];
    if (form !== undefined && next !== "stale") {
      for (const [label, text] of Object.entries(form.typed)) {
        await page.getByLabel(label, { exact: true }).fill(text);
      }
      await page.getByRole("button", { name: form.button }).click();
    }
  }

  test.each(SCREENS.map((screen) => [`/${screen}`, screen] as const))(
    "%s",
    async (_, screen) => {
      const { page } = opened;
      const isForm = FORMS[screen] !== undefined;
      const [address = ""] = await addressesOf(server, screen);

      await enter("loading", screen, address);
      if (isForm) {
        await page.locator("#content [aria-disabled=true], #content :disabled").first().waitFor();
      } else {
        await page.locator("#content [aria-busy]", { hasText: "Loading" }).first().waitFor();
      }
      expect(await alertsOf(page).count()).toBe(0);
      await expectReadable(opened, "loading");

      await enter("failing", screen, address);
      await alertsOf(page).first().getByText(PLANTED.failing.message).waitFor();
      if (!isForm) {
        await alertsOf(page).first().getByText("Couldn’t load this").waitFor();
        await alertsOf(page).first().getByText(`Request ${REQUEST}`).waitFor();
      }
      await expectReadable(opened, "failing");

      await enter("forbidden", screen, address);
      await alertsOf(page).first().getByText(PLANTED.forbidden.message).waitFor();
      if (!isForm) {
        await alertsOf(page).first().getByText("You don’t have access to this page").waitFor();
        expect(await alertsOf(page).getByRole("button").count()).toBe(0);
      }
      await expectReadable(opened, "forbidden");

      await enter("away", screen, address);
      await alertsOf(page).first().getByText("The server is not responding.").waitFor();
      await page.locator(".offline", { hasText: "Reconnecting…" }).waitFor();
      await expectReadable(opened, "away");

      // The news have ended, the data are still there: they stay, and are grey.
      await enter("stale", screen, address);
      await page.locator(".offline", { hasText: "may be out of date" }).waitFor();
      await show(page, server.url + address);
      await page.locator(".offline").waitFor();
      expect(await alertsOf(page).allTextContents()).toEqual([]);
      await expectReadable(opened, "stale");
    },
    TEST_MS_MAX,
  );

  test.each(SCREENS.filter((screen) => screen.includes(":id")).map((screen) => [screen] as const))(
    "/%s of nothing: it is said, and leads on",
    async (screen) => {
      const { page } = opened;
      state = "well";
      const address = screen.replace(":id", NOTHING).replace(":step", "leads");
      await page.goto(`${server.url}/test/${address}`);
      const alert = alertsOf(page).first();
      await alert.getByRole("heading", { name: "Not found" }).waitFor();
      expect(await alert.locator("p").first().textContent()).toMatch(/^no .+/i);
      await expectReadable(opened, "nothing");
      await alert.getByRole("link", { name: "Back to the list" }).click();
      await page.waitForURL(`${server.url}/test/${screen.split("/")[0]}**`);
      await page.waitForFunction(() => document.querySelector("#content [role=alert]") === null);
    },
    TEST_MS_MAX,
  );

  test.each(["campaigns", "developers/keys", "settings/you"] as const)(
    "/%s comes by itself when the server is back",
    async (screen) => {
      const { page } = opened;
      await enter("away", screen, `/test/${screen}`);
      await alertsOf(page).first().getByText("The server is not responding.").waitFor();
      await page.locator(".offline").waitFor();
      state = "well";
      await page.locator(".offline").waitFor({ state: "detached" });
      await page.locator("#content table").first().waitFor();
      await page.waitForFunction(() => document.querySelector("#content [role=alert]") === null);
      await settled(page);
      await expectReadable(opened, "back");
    },
    TEST_MS_MAX,
  );

  test(
    "for who may only look: nothing is asked that is refused, nothing is drawn that would be",
    async () => {
      const invitation = { email: "vic@example.com", role: "viewer" };
      const { body } = await server.api("live", "POST", "/team/invitations", invitation);
      await using viewer = await openPage(server.url);
      const { page } = viewer;
      await page.goto(new URL(body.url, server.url).href);
      await page.getByLabel("Your name").fill("Vic");
      await page.getByLabel("Password", { exact: true }).fill(PERSON.password);
      await page.getByRole("button", { name: "Join team" }).click();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      const closed: string[] = [];
      const changes: string[] = [];
      for (const screen of SCREENS) {
        const [address = ""] = await addressesOf(server, screen);
        await show(page, server.url + address);
        await expectReadable(viewer, screen);
        if ((await page.getByText("You don’t have access to this page").count()) > 0) {
          closed.push(screen);
        }
        const names = await page.locator("#content .button:visible").allTextContents();
        changes.push(...names.filter((name) => CHANGES.test(name)).map((n) => `${screen}: ${n}`));
      }
      expect(closed).toEqual(CLOSED);
      expect(changes).toEqual(OWN);
    },
    TEST_MS_MAX,
  );
});

describe.skipIf(skipsBrowser())("pages of a team that has nothing yet", () => {
  let server: Console;
  let opened: OpenPage;
  beforeAll(async () => {
    server = await startConsole();
    opened = await server.open();
  }, TEST_MS_MAX);
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await closeBrowser();
  }, TEST_MS_MAX);

  test.each(
    SCREENS.filter((screen) => !screen.includes(":")).map(
      (screen) => [`/${screen}: ${EMPTY[screen] ?? "as ever"}`, screen] as const,
    ),
  )(
    "%s",
    async (_, screen) => {
      const { page } = opened;
      await show(page, `${server.url}/test/${screen}`);
      const states = page.locator("#content .state h2, #content .state h3");
      const words = EMPTY[screen];
      expect(await states.allTextContents()).toEqual(words === undefined ? [] : [words]);
      const about = await page.locator("#content .state p:first-of-type").allTextContents();
      expect(about.filter((text) => !/[.:]$/.test(text))).toEqual([]);
      expect(await alertsOf(page).count()).toBe(0);
      await expectReadable(opened, "empty");
    },
    TEST_MS_MAX,
  );
});
