/**
 * Each role on the pages for developers, of the activity log and of settings: what it may not read says
 * so in words, what it may not do is not drawn, and nothing is asked that is refused.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeBrowser, openPage, SCHEMES, skipsBrowser } from "../support/browser.ts";
import { type Console, PERSON, startConsole } from "../support/console.ts";
import { show } from "../support/screens.ts";

const TEST_MS_MAX = 180_000;

const PLACES = [
  "developers/keys",
  "developers/webhooks",
  "developers/events",
  "developers/requests",
  "developers/reference",
  "activity",
  "settings/team",
  "settings/members",
  "settings/you",
  "settings/sending",
  "settings/replies",
  "settings/files",
  "settings/billing",
  "settings/backups",
  "settings/system",
] as const;

/** Pages that a role does not open. */
const CLOSED: Readonly<Record<string, readonly string[]>> = {
  member: ["developers/keys", "settings/billing", "settings/backups", "settings/system"],
  viewer: [
    "developers/keys",
    "developers/requests",
    "activity",
    "settings/billing",
    "settings/backups",
    "settings/system",
  ],
};

/** What a member may change here. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  member: [
    "developers/webhooks: Add webhook",
    "settings/team: Save",
    "settings/team: Save",
    "settings/sending: Save",
  ],
  viewer: [],
};

/** Buttons that change something; of oneself everybody may. */
const CHANGES =
  /^(create|add|invite|save|remove|withdraw|replace|revoke|delete|change to|use the|back up|bring)/i;

describe.skipIf(skipsBrowser())("roles on the pages of developers and settings", () => {
  let server: Console;
  beforeAll(async () => {
    server = await startConsole();
    const hook = { url: "https://example.com/hooks", events: ["reply.*"] };
    await server.api("live", "POST", "/webhooks", hook);
    await server.api("live", "POST", "/keys", { name: "CRM" });
  }, TEST_MS_MAX);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await closeBrowser();
  }, TEST_MS_MAX);

  test.each(Object.keys(CLOSED))(
    "%s",
    async (role) => {
      const invitation = { email: `${role}@example.com`, role };
      const { body } = await server.api("live", "POST", "/team/invitations", invitation);
      await using opened = await openPage(server.url, SCHEMES[role === "viewer" ? 1 : 0]);
      const { page, faults, violations } = opened;
      await page.goto(new URL(body.url, server.url).href);
      await page.getByLabel("Your name").fill(role);
      await page.getByLabel("Password", { exact: true }).fill(PERSON.password);
      expect(await violations()).toEqual([]);
      await page.getByRole("button", { name: "Join team" }).click();
      await page.getByRole("heading", { name: "Overview" }).waitFor();

      const closed: string[] = [];
      const changes: string[] = [];
      for (const place of PLACES) {
        await show(page, `${server.url}/live/${place}`);
        expect([place, await violations()]).toEqual([place, []]);
        if (await page.getByText("You don’t have access to this page").isVisible()) {
          closed.push(place);
        }
        const buttons = await page.locator("main .button").allTextContents();
        changes.push(
          ...buttons.filter((name) => CHANGES.test(name)).map((name) => `${place}: ${name}`),
        );
      }
      expect(closed).toEqual([...(CLOSED[role] ?? [])]);
      expect(changes).toEqual([...(OPEN[role] ?? [])]);
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );
});
