/**
 * Placement, accounts, the simulator and the sandbox beside live, in a real browser: a run fills its
 * matrix, a mailbox fails and recovers, two people change one, answers and faults are played. Figures on
 * screen are the API's.
 */

import { describe, expect, test } from "bun:test";
import { skipsBrowser, toast } from "../support/browser.ts";
import { show } from "../support/screens.ts";
import { expectClean, press, rowsOf, SENDERS, startSandbox, word } from "./console-sandbox.ts";

const TEST_MS_MAX = 240_000;
const SEEDS = ["ours@gmail.com", "ours@outlook.com", "ours@yahoo.com"] as const;
const PROVIDERS = ["Google", "Microsoft", "Yahoo"];

const TRIES_MAX = 60;

/** What `ask` answers first. */
async function firstOf<Value>(
  triesMax: number,
  ask: () => Promise<Value | undefined>,
): Promise<Value> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const answer = await ask();
    if (answer !== undefined) {
      return answer;
    }
  }
  throw new Error(`nothing in ${triesMax} tries`);
}

describe.skipIf(skipsBrowser())("The console about mailboxes and the sandbox", () => {
  const { server, sandbox } = startSandbox();
  const { call, advance, makeCampaign } = sandbox;

  test(
    "journey 9: a placement run fills its matrix, its providers add up, two runs are compared",
    async () => {
      for (const email of SEEDS) {
        await call("POST", "/placement/seeds", { email });
      }
      await using opened = await server.open("light", "/test/placement");
      const { page } = opened;
      const begin = async () => {
        await page.goto(`${server.url}/test/placement`);
        await page.getByRole("button", { name: "Start run" }).first().click();
        await page.getByRole("dialog").getByRole("button", { name: "Start run" }).click();
        await page.waitForURL(/\/placement\/runs\/[0-9a-f-]{36}$/);
        return page.url().split("/").at(-1) ?? "";
      };
      const waiting = page.getByRole("button", { name: /: Waiting/ });
      const first = await begin();
      await waiting.nth(SENDERS.length * SEEDS.length - 1).waitFor();
      expect(await waiting.count()).toBe(SENDERS.length * SEEDS.length);

      // One email is told where to end; the others end where the simulated providers put them.
      await page.getByRole("button", { name: `${SENDERS[0]} to ${SEEDS[0]}` }).click();
      await page.getByRole("group", { name: "Place it in" }).getByText("Spam").click();
      await word(page, "It shows up there");
      await advance("10m");
      await page.getByRole("button", { name: `${SENDERS[0]} to ${SEEDS[0]}: Spam` }).waitFor();
      await advance("2d");
      await waiting.first().waitFor({ state: "detached" });
      await page.locator(".title-line .pill", { hasText: "Completed" }).waitFor();

      const run = await call("GET", `/placement/runs/${first}`);
      expect(run.status).toBe("completed");
      const found = (name: string) =>
        page.locator("table.matrix").getByRole("button", { name: new RegExp(`: ${name}`) });
      expect(await found("Inbox").count()).toBe(run.inbox_count);
      expect(await found("Spam").count()).toBe(run.spam_count);
      await page.locator(".chart", { hasText: "Placement by provider" }).getByText("Table").click();
      const byProvider = page
        .locator(".chart", { hasText: "Placement by provider" })
        .locator("tbody tr");
      await byProvider.nth(PROVIDERS.length - 1).waitFor();
      const sums = (await byProvider.allInnerTexts()).map((row) =>
        row.split("\t").map((cell) => cell.trim()),
      );
      expect(sums.map(([name]) => name)).toEqual(PROVIDERS);
      const sum = (column: number) => sums.reduce((all, row) => all + Number(row[column]), 0);
      const { inbox_count, promotions_count, spam_count, not_delivered_count } = run;
      expect([1, 2, 3, 4].map(sum)).toEqual([
        inbox_count,
        promotions_count,
        spam_count,
        not_delivered_count,
      ]);
      await expectClean(opened);

      const second = await begin();
      await advance("2d");
      const later = await call("GET", `/placement/runs/${second}`);
      await page.goto(`${server.url}/test/placement`);
      await page.getByRole("link", { name: "Previous run" }).click();
      const rows = rowsOf(page, "Placement by provider in both runs");
      await rows.first().waitFor();
      const percent = (share: number) => `${Math.round(share * 100)}%`;
      const [all = ""] = await rows.allInnerTexts();
      expect(all.split("\t").slice(1, 3)).toEqual([
        percent(run.inbox_rate),
        percent(later.inbox_rate),
      ]);
      await word(page, `${SENDERS[0]} → ${SEEDS[0]}: Spam before`);
      await expectClean(opened);

      // The same by provider on the mailbox's page, as wide as a phone.
      const { data: accounts } = await call("GET", "/accounts");
      const { id } = accounts.find(({ email }: { email: string }) => email === SENDERS[0]);
      const placed = await call("GET", `/accounts/${id}/placement`);
      expect(placed.providers).toHaveLength(PROVIDERS.length);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`${server.url}/test/accounts/${id}`);
      const lines = rowsOf(page, "Test emails in the inbox");
      await lines.nth(PROVIDERS.length - 1).waitFor();
      const said = await lines.allInnerTexts();
      placed.providers.forEach((one: { rate: number; message: string }, nth: number) => {
        expect(said[nth]).toContain(PROVIDERS[nth]);
        expect(said[nth]).toContain(percent(one.rate));
        expect(said[nth]).toContain(one.message);
      });
      await page.getByText(placed.message).waitFor();
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "journey 10: a server that says 421 is seen in health and heartbeat, stops the mailbox, and is resumed",
    async () => {
      const begin = async (name: string) => {
        const { id } = await makeCampaign(name, 60);
        await call("POST", `/campaigns/${id}/start`);
      };
      const accounts = (await call("GET", "/accounts")).data;
      const account: string = accounts[0].id;
      await using opened = await server.open("light", "/test/simulator");
      const { page } = opened;
      const share = page.getByRole("spinbutton", { name: "421: try again later" });
      const set = async (hundredths: string) => {
        await share.fill(hundredths);
        await share.blur();
        await page.locator("form", { has: share }).getByRole("button", { name: "Apply" }).click();
        await word(page, "Settings saved");
      };
      await set("30");
      expect((await call("GET", "/sandbox/settings")).faults.smtp421).toBe(0.3);
      await begin("Autumn");
      await advance("1h");
      await page.goto(`${server.url}/test/accounts/${account}`);
      const { data } = await call("GET", "/accounts/activity?hours=48");
      const { hours } = data.find((one: { account_id: string }) => one.account_id === account);
      const held = hours.findIndex(({ deferred }: { deferred: number }) => deferred > 0);
      expect(held).toBeGreaterThan(0);
      await page.locator(".beats i").first().waitFor();
      const beat = page.locator(".beats i").nth(held);
      // Five in a row on the way have stopped it for a minute: that is worse, and shown in its place.
      expect(await beat.getAttribute("data-kind")).toMatch(/^(held|fault)$/);
      await beat.hover();
      await word(page, `${hours[held].deferred} deferred`);

      // Five in a row, and it is not tried any more.
      await page.goto(`${server.url}/test/simulator`);
      await set("100");
      await begin("Winter");
      // It is tried again by itself after a minute, so the clock is moved by less.
      const stopped = await firstOf(TRIES_MAX, async () => {
        await advance("20s");
        const now = await call("GET", `/accounts/${account}`);
        return now.status === "error" ? now : undefined;
      });
      expect(stopped).toMatchObject({ status: "error", status_reason: "smtp_errors" });
      expect(stopped.health_score).toBeLessThan(100);
      await page.goto(`${server.url}/test/accounts/${account}`);
      await page.getByText("The mail server failed too often").first().waitFor();
      await word(page, "Service is shutting down");
      await page.getByRole("img", { name: `Health: ${stopped.health_score} of 100` }).waitFor();
      await expectClean(opened);

      await page.goto(`${server.url}/test/simulator`);
      await press(page, "Clear all faults");
      await word(page, "Settings saved");
      await page.goto(`${server.url}/test/accounts/${account}`);
      await press(page, "Resume");
      await page.locator(".title-line .pill", { hasText: "Active" }).waitFor();
      await advance("1d");
      const well = await call("GET", `/accounts/${account}`);
      expect(well).toMatchObject({ status: "active", consecutive_smtp_errors: 0 });
      await page.getByRole("img", { name: `Health: ${well.health_score} of 100` }).waitFor();
      expect(opened.faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "a mailbox is added by hand, moves to another server with a new password, and no secret is shown",
    async () => {
      const live = async (path: string) => (await server.api("live", "GET", path)).body;
      await using opened = await server.open("light", "/live/accounts/new");
      const { page } = opened;
      await page.getByLabel("Email").fill("ada@acme.example");
      await page.getByLabel("Password").fill("first secret");
      await expectClean(opened);
      await press(page, "Add mailbox");
      await page.waitForURL(/\/accounts\/[0-9a-f-]{36}$/);
      const path = `/accounts/${page.url().split("/").at(-1)}`;
      expect((await live(path)).smtp).toMatchObject({ host: "smtp.acme.example", port: 587 });

      const side = page.getByRole("group", { name: "Sending (SMTP)" });
      await side.getByLabel("Server").fill("mail.acme.example");
      await side.getByText("The server changed, so enter the password again").waitFor();
      const login = page.locator("form", { has: side });
      await login.getByRole("button", { name: "Save" }).click();
      expect((await live(path)).smtp.host).toBe("smtp.acme.example");
      await side.getByLabel("New password").fill("second secret");
      await login.getByRole("button", { name: "Save" }).click();
      await toast(page, "Saved");
      const after = await live(path);
      expect(after.smtp.host).toBe("mail.acme.example");
      expect(after.has_smtp_password).toBe(true);
      await login.getByText("Discard changes").waitFor({ state: "detached" });
      const shown = await page
        .locator("input")
        .evaluateAll((inputs) =>
          inputs.map((input) => (input as unknown as { value: string }).value),
        );
      expect(shown.filter((value) => value.includes("secret"))).toEqual([]);
      expect(JSON.stringify(after)).not.toContain("secret");
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "16: two people who change one account: other fields go through, the same field is asked about",
    async () => {
      const [account] = (await call("GET", "/accounts")).data;
      const path = `/accounts/${account.id}`;
      await using opened = await server.open("light", `/test${path}`);
      const { page } = opened;
      await page.getByLabel("Sender name").fill("Ann of Sales");
      await call("PATCH", path, { signature: "Theirs" });
      await press(page, "Save");
      await toast(page, "Saved");
      expect(await call("GET", path)).toMatchObject({
        display_name: "Ann of Sales",
        signature: "Theirs",
      });

      await page.getByLabel("Hourly email limit").fill("77");
      await call("PATCH", path, { hourly_limit: 66 });
      await press(page, "Save");
      await word(page, "Ann Example changed it on");
      expect(await page.locator(".version pre").allTextContents()).toEqual(["66", "77"]);
      await expectClean(opened, /412/);
      await press(page, "Overwrite with mine");
      await page.getByText("Discard changes").waitFor({ state: "detached" });
      expect((await call("GET", path)).hourly_limit).toBe(77);
    },
    TEST_MS_MAX,
  );

  test(
    "an answer, a bounce and a refused login are played in the simulator",
    async () => {
      const { id } = await makeCampaign("Played", 2);
      await call("POST", `/campaigns/${id}/start`);
      await advance("1h");
      const { data } = await call("GET", "/sandbox/messages?limit=2");
      const [mail, second] = data;
      await using opened = await server.open("light", `/test/simulator?to=${mail.recipient}`);
      const { page } = opened;
      await page.getByRole("button", { name: mail.subject }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Message").fill("Yes, on Tuesday, please");
      await expectClean(opened);
      await dialog.getByRole("button", { name: "Simulate response" }).click();
      await word(page, `Delivered to ${mail.sender}`);
      await advance("5m");
      const { data: threads } = await call("GET", "/inbox/threads?limit=100");
      expect(
        threads.find((one: { from_address: string }) => one.from_address === mail.recipient),
      ).toMatchObject({ snippet: expect.stringContaining("Yes, on Tuesday") });

      await page.getByLabel("Filter by recipient").fill(second.recipient);
      await page.keyboard.press("Enter");
      await rowsOf(page, "Captured emails").filter({ hasText: mail.recipient }).waitFor({
        state: "detached",
      });
      await page.getByRole("button", { name: second.subject }).first().click();
      await dialog.getByLabel("Response to simulate").selectOption("bounce");
      await dialog.getByRole("button", { name: "Simulate response" }).click();
      await dialog.waitFor({ state: "detached" });
      await advance("5m");
      const { data: leads } = await call("GET", `/campaigns/${id}/leads`);
      expect(leads.find((one: { email: string }) => one.email === second.recipient)).toMatchObject({
        status: "bounced",
      });

      await page.getByLabel(SENDERS[1], { exact: true }).check();
      await word(page, "Its login is now rejected");
      const { faults } = await call("GET", "/sandbox/settings");
      expect(faults.auth_failures).toHaveLength(1);
      await page.getByLabel(SENDERS[1], { exact: true }).uncheck();
      await word(page, "Its login works again");
      expect(opened.faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "journey 24: live and the sandbox never mix, and the sandbox always says so",
    async () => {
      const other = { email: "eve@live.example", provider: "smtp" };
      expect((await server.api("live", "POST", "/accounts", other)).status).toBe(201);
      await using opened = await server.open("light", "/live/accounts");
      const { page } = opened;
      const line = () =>
        page.evaluate(() => {
          const shell = document.querySelector(".shell");
          const { content, height } = getComputedStyle(shell ?? document.body, "::before");
          return content !== "none" && height === "2px";
        });
      const pages = ["accounts", "experiments", "placement", "campaigns", "leads", "inbox"];
      for (const place of pages) {
        await show(page, `${server.url}/live/${place}`);
        // The way there is all that speaks of the sandbox.
        const ways = page.locator(".env-switch").getByRole("link", { name: "Sandbox" });
        await ways.waitFor();
        expect({ place, line: await line() }).toEqual({ place, line: false });
        const said = page.getByText("Sandbox", { exact: true }).filter({ visible: true });
        expect(await said.count()).toBe(1);
        await ways.click();
        await page.waitForURL(/\/test\//);
        await page.locator(".sandbox-word").waitFor();
        await page.waitForFunction(() => document.title.includes("Sandbox"));
        expect({ place, line: await line() }).toEqual({ place, line: true });
      }
      // The same page in both: what is in one is not in the other.
      await page.goto(`${server.url}/live/accounts`);
      await page.getByRole("link", { name: "eve@live.example" }).waitFor();
      expect(await page.getByText(SENDERS[0]).count()).toBe(0);
      expect(JSON.stringify((await call("GET", "/accounts")).data)).not.toContain("live.example");
      await expectClean(opened);
      await page.goto(`${server.url}/live/simulator`);
      await word(page, "Only the sandbox has a simulator");
      await page.getByRole("link", { name: "Go to sandbox" }).click();
      await word(page, "Sandbox clock");
      // A page of one thing does not open under the other's address.
      const [account] = (await call("GET", "/accounts")).data;
      await page.goto(`${server.url}/live/accounts/${account.id}`);
      await page.getByRole("alert").waitFor();
      await expectClean(opened, /404/);
    },
    TEST_MS_MAX,
  );
});
