/**
 * Keys, webhooks, empty pages and many tabs in a real browser: what the pages for developers promise,
 * by the pages themselves.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { closeBrowser, SCHEMES, skipsBrowser } from "../support/browser.ts";
import { type Console, moveToEvening, startConsole } from "../support/console.ts";
import { show } from "../support/screens.ts";
import { type Receiver, startReceiver } from "../support/webhooks.ts";

const TEST_MS_MAX = 240_000;
const TABS = 10;
/** How long a page may take after a pair of keys, and how often they are pressed. */
const PAIR_MS_MAX = 5000;
const PAIRS_MAX = 10;

/** Every page that one can go to without knowing an id. */
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
  "settings/deleted",
  "settings/billing",
] as const;

describe.skipIf(skipsBrowser())("The console for those who build", () => {
  let server: Console;
  let receiver: Receiver;
  let failing = true;
  /** What the second webhook's address does, try after try; it takes what comes after these. */
  const trials = [
    () => new Response("no", { status: 500 }),
    () => new Response(null, { status: 302, headers: { Location: `${receiver.url}/elsewhere` } }),
    () => new Promise<Response>(() => undefined),
  ];
  const directory = mkdtempSync(join(tmpdir(), "outrider-recipe-"));

  beforeAll(async () => {
    receiver = startReceiver(({ path }) =>
      path === "/tries"
        ? (trials.shift()?.() ?? new Response(null, { status: 204 }))
        : new Response("no", { status: failing ? 500 : 204 }),
    );
    server = await startConsole({ env: { OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8" } });
  }, TEST_MS_MAX);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await receiver?.stop();
    await closeBrowser();
    rmSync(directory, { recursive: true, force: true });
  }, TEST_MS_MAX);

  /** The check of a delivery that the page shows, run as it stands there. */
  const recipeOf = async (page: Page) => {
    const code = await page.locator(".code-text", { hasText: "createHmac" }).textContent();
    const script = join(directory, "verify.ts");
    writeFileSync(script, code ?? "");
    const { verify } = await import(script);
    return (secret: string, headers: HeadersInit | undefined, body: string | undefined) =>
      verify(secret, new Headers(headers), body);
  };

  test(
    "14: an API key is shown once, copied without a clipboard, works in its environment, ends at once",
    async () => {
      await using opened = await server.open("light", "/test/developers/keys");
      const { page, faults } = opened;
      await page.addInitScript(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined })",
      );
      await page.reload();
      await page.getByRole("button", { name: "Create key" }).first().click();
      await page.getByLabel("Name").fill("Our CRM");
      await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
      const key = await page.getByLabel("API key", { exact: true }).inputValue();
      expect(key).toMatch(/^outrider_test_/);
      await page.getByRole("button", { name: "Copy", exact: true }).click();
      await page.getByText("Copied").first().waitFor();
      await page.getByRole("button", { name: "I’ve copied it" }).click();

      await page.getByRole("button", { name: "Create key" }).first().click();
      await page.getByLabel("Name").focus();
      await page.keyboard.press("Control+V");
      await page.waitForFunction(
        (pasted) => (document.activeElement as HTMLInputElement | null)?.value === pasted,
        key,
      );
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(await page.content()).not.toContain(key);

      const asKey = (method: string, path: string, body?: object) =>
        fetch(`${server.url}/api/v1${path}`, {
          method,
          headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
      expect((await asKey("POST", "/campaigns", { name: "By a key" })).status).toBe(201);
      expect((await server.api("live", "GET", "/campaigns")).body.total).toBe(0);
      expect((await server.api("test", "GET", "/campaigns")).body.total).toBe(1);

      await page.getByRole("button", { name: "Revoke Our CRM" }).click();
      await page.getByRole("button", { name: "Revoke key" }).click();
      await page.getByText("Our CRM revoked").waitFor();
      expect((await asKey("GET", "/campaigns")).status).toBe(401);
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "what a key asks stands in the request log, to be asked again",
    async () => {
      const { key } = (await server.api("test", "POST", "/keys", { name: "Logged" })).body;
      const asked = await fetch(`${server.url}/api/v1/leads?limit=7`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      await using opened = await server.open("dark", "/test/developers/requests");
      const row = opened.page.getByRole("row", { name: "/leads?limit=7" });
      await row.waitFor();
      expect(await row.textContent()).toContain(asked.headers.get("x-request-id") ?? "none");
      expect(await opened.page.content()).not.toContain(key);
      expect(opened.faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "13: a webhook: its secret once, a delivery that fails and what it answered, sent again by hand",
    async () => {
      await using opened = await server.open("light", "/test/developers/webhooks");
      const { page, faults } = opened;
      await page.getByRole("button", { name: "Add webhook" }).first().click();
      await page.getByLabel("URL").fill(receiver.url);
      await page.getByRole("dialog").getByRole("button", { name: "Add webhook" }).click();
      const secret = await page.getByLabel("Signing secret", { exact: true }).inputValue();
      expect(secret).toMatch(/^whsec_/);
      await page.getByRole("button", { name: "I’ve copied it" }).click();
      await page.getByRole("heading", { name: "Deliveries", exact: true }).waitFor();
      expect(await page.content()).not.toContain(secret);

      failing = true;
      await page.getByRole("button", { name: "Send test" }).click();
      await page.getByText("Test failed: HTTP 500").waitFor();
      await page.locator(".log summary").first().click();
      await page.getByRole("row", { name: "HTTP 500" }).waitFor();
      failing = false;
      await page.locator(".log").getByRole("button", { name: "Send again" }).click();
      await page.locator(".log").getByText("Delivered").waitFor();

      const verify = await recipeOf(page);
      const [last] = receiver.received.slice(-1);
      expect(verify(secret, last?.headers, last?.body).type).toBe("webhook.test");
      expect(() => verify(secret, last?.headers, `${last?.body} `)).toThrow();
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "13: what is refused, led elsewhere or left without an answer is tried again, signed each time",
    async () => {
      await using opened = await server.open("dark", "/test/developers/webhooks");
      const { page, faults } = opened;
      const hook = { url: `${receiver.url}/tries`, events: ["suppression.created"] };
      const { id, secret } = (await server.api("test", "POST", "/webhooks", hook)).body;
      await server.api("test", "POST", "/suppressions", { email: "out@client.example" });
      await page.goto(`${server.url}/test/developers/webhooks/${id}`);
      const log = page.locator(".log");
      await log.locator("summary").click();
      const tries = log.getByRole("table", { name: "Attempts" }).locator("tbody tr");
      const came = (nth: number, words: string) =>
        tries.nth(nth).getByText(words, { exact: true }).waitFor();
      await came(0, "HTTP 500");
      await log.getByText("Pending", { exact: true }).waitFor();
      await log.getByText("Next attempt").waitFor();
      await came(1, "HTTP 302");
      // The third is due in five minutes: a person does not wait so long.
      await log.getByRole("button", { name: "Send again" }).click();
      await came(2, "Timed out");
      await came(3, "HTTP 204");
      await log.getByText("Delivered", { exact: true }).waitFor();
      await log.getByText("HTTP 204, 4 attempts").waitFor();
      expect(await opened.violations()).toEqual([]);

      const sent = receiver.received.filter(({ path }) => path === "/tries");
      const verify = await recipeOf(page);
      expect(sent.map(({ headers, body }) => verify(secret, headers, body).type)).toEqual(
        Array(4).fill("suppression.created"),
      );
      expect(new Set(sent.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
      expect(receiver.received.some(({ path }) => path === "/elsewhere")).toBe(false);
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "each page is drawn without a fault and without a violation in both themes",
    async () => {
      for (const scheme of SCHEMES) {
        await using opened = await server.open(scheme, "/test/");
        for (const place of PLACES) {
          await show(opened.page, `${server.url}/test/${place}`);
          expect([place, scheme, await opened.violations()]).toEqual([place, scheme, []]);
          expect(await widthBeyond(opened.page)).toBeLessThanOrEqual(0);
        }
        expect(opened.faults).toEqual([]);
      }
    },
    TEST_MS_MAX,
  );

  test(
    "21: ten tabs are all live, over one stream",
    async () => {
      const call = async (path: string, body?: object) =>
        (await server.api("test", "POST", path, body)).body;
      await moveToEvening(server);
      await call("/accounts", { email: "ann@sender.example", provider: "smtp" });
      const { id } = await call("/campaigns", { name: "Seen in every tab" });
      await call(`/campaigns/${id}/steps`, { type: "email", subject: "Hello", body: "Hi" });
      await call(`/campaigns/${id}/leads`, { leads: [{ email: "di@third.example" }] });
      await using opened = await server.open("light", "/test/campaigns");
      const context = opened.page.context();
      const pages = [opened.page];
      await opened.page.locator(".shell[data-connection=open]").waitFor();
      const streams: string[] = [];
      context.on("request", (request) => {
        if (/\/events\/stream(\?|$)/.test(request.url())) {
          streams.push(request.url());
        }
      });
      for (let tab = 1; tab < TABS; tab += 1) {
        const page = await context.newPage();
        await page.goto(`${server.url}/test/campaigns`);
        pages.push(page);
      }
      for (const page of pages) {
        await page.locator(".shell[data-connection=open]").waitFor();
        await page.getByRole("row", { name: /Seen in every tab.*Draft/ }).waitFor();
      }
      await call(`/campaigns/${id}/start`);
      for (const page of pages) {
        await page.getByRole("row", { name: /Seen in every tab.*Active/ }).waitFor();
      }
      expect(streams).toEqual([]);
      expect(opened.faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "21: what happens between a page's data and its news is seen too",
    async () => {
      await using opened = await server.open("light", "/test/");
      const { page, faults } = opened;
      const held = Promise.withResolvers<void>();
      await page.route(/\/events\/stream(\?|$)/, async (route) => {
        await held.promise;
        await route.continue();
      });
      await show(page, `${server.url}/test/suppressions`);
      await server.api("test", "POST", "/suppressions", { email: "soon@fourth.example" });
      held.resolve();
      await page.getByRole("row", { name: "soon@fourth.example" }).waitFor();
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "19: by the keyboard alone: the palette finds a page, a key goes to one, Escape closes the top layer",
    async () => {
      await using opened = await server.open("light", "/test/");
      const { page } = opened;
      await page.locator(".shell").waitFor();
      await page.keyboard.press("Control+k");
      await page.keyboard.type("activ");
      await page.getByRole("option", { name: "Activity" }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Activity", level: 1 }).waitFor();
      // The second key of a pair has to come soon, which a busy machine may not allow at first.
      const keys = page.getByRole("heading", { name: "API keys", level: 1 });
      for (let tries = 0; tries < PAIRS_MAX && !(await keys.isVisible()); tries += 1) {
        await page.keyboard.press("g");
        await page.keyboard.press("d");
        await keys.waitFor({ timeout: PAIR_MS_MAX }).catch(() => undefined);
      }
      await keys.waitFor();
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(opened.faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "23: the reference needs no network, and an operation can be tried",
    async () => {
      await using opened = await server.open(
        "light",
        "/test/developers/reference?operation=listCampaigns",
      );
      const { page, faults } = opened;
      await page.getByRole("button", { name: "Send request", exact: true }).click();
      await page.getByText("HTTP 200").waitFor();
      await page.evaluate("document.fonts.ready");
      expect(await page.evaluate("document.fonts.check('13px Inter')")).toBe(true);
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );
});

async function widthBeyond(page: Page): Promise<number> {
  return Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"));
}
