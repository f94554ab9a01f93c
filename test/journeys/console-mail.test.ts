/** Hostile emails in a real browser: shown as they look, none of them calls anybody. */

import { afterAll, expect, test } from "bun:test";
import { closeBrowser, skipsBrowser } from "../support/browser.ts";
import { startConsole } from "../support/console.ts";
import { payloads } from "../support/mail-payloads.ts";
import { expectClean, sandboxOf } from "./console-sandbox.ts";

const TEST_MS_MAX = 180_000;

afterAll(closeBrowser);

test.skipIf(skipsBrowser())(
  "no payload opens a connection, by an address or by a name",
  async () => {
    let connections = 0;
    using tracker = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        open: (socket) => {
          connections += 1;
          socket.end();
        },
        data: () => undefined,
      },
    });
    await using server = await startConsole();
    const emails = ["127.0.0.1", "tracker.localhost"].flatMap((host) =>
      payloads(`http://${host}:${tracker.port}/a`),
    );
    await using open = await server.open("light", "/test/inbox");
    const { page, faults } = open;
    faults.length = 0;
    const shown = await page.evaluate(async (given) => {
      let loaded = 0;
      const show = async (html: string) => {
        const name = `f${crypto.randomUUID()}`;
        const frame = document.createElement("iframe");
        frame.name = name;
        frame.setAttribute("sandbox", "");
        const form = document.createElement("form");
        form.method = "post";
        form.action = "/test/mail";
        form.target = name;
        const field = document.createElement("input");
        field.name = "html";
        field.value = html;
        form.append(field);
        document.body.append(frame, form);
        form.submit();
        await new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
        loaded += 1;
      };
      for (let at = 0; at < given.length; at += 8) {
        await Promise.all(given.slice(at, at + 8).map(show));
      }
      return loaded;
    }, emails);
    expect(shown).toBe(emails.length);
    expect(faults).toEqual([]);
    // The listener is there: the browser's own machine reaches it by both names.
    expect(connections).toBe(0);
    await fetch(`http://127.0.0.1:${tracker.port}/`).catch(() => undefined);
    expect(connections).toBe(1);
  },
  TEST_MS_MAX,
);

test.skipIf(skipsBrowser())(
  "a conversation shows an email as it was formatted, as high as it is, and its text one click away",
  async () => {
    await using server = await startConsole();
    const { addSenders, advance, call, makeCampaign } = sandboxOf(server);
    await addSenders();
    const { id, step } = await makeCampaign("Formatted", 1);
    const quoted = '<blockquote type="cite"><p>What was said before</p></blockquote>';
    const high = '<div style="height:900px">Far</div><p style="color:#c00">The end</p>';
    const hostile = "<script>document.title='no'</script><img src=x onerror=alert(1)>";
    const body = `<h2>Headed</h2>${high}${quoted}${hostile}`;
    await call("PATCH", `/campaigns/${id}/steps/${step}`, { body, format: "html" });
    await call("POST", `/campaigns/${id}/start`);
    await advance("1h");
    const lead = (await call("GET", `/campaigns/${id}/leads`)).data[0];
    await call("POST", "/sandbox/inject", { kind: "reply", enrollment_id: lead.id });
    await advance("1h");
    const { data } = await call("GET", "/inbox/threads");
    await using opened = await server.open("dark", `/test/inbox/${data[0].id}`);
    const { page, faults } = opened;
    const sent = page.locator(".one-mail", { hasText: "Step 1" });
    const mail = sent.frameLocator("iframe");
    await mail.getByRole("heading", { name: "Headed" }).waitFor();
    // No scrolling in the frame: it is as high as what it holds.
    await page.waitForFunction(() => {
      const frame = document.querySelector<HTMLIFrameElement>(".mail-frame:not([hidden])");
      return (frame?.clientHeight ?? 0) >= (frame?.contentDocument?.body.scrollHeight ?? 1);
    });
    expect(await mail.getByText("What was said before").isVisible()).toBe(false);
    await mail.getByText("Quoted text").click();
    await mail.getByText("What was said before").waitFor();
    // Of an opt-out link nobody reads the token.
    expect(await mail.locator("body").innerHTML()).not.toMatch(/[lt][\w-]{43}/);
    await sent.getByRole("button", { name: "Show plain text" }).click();
    await sent.locator(".mail-text", { hasText: "The end" }).waitFor();
    // What has no format of its own is read as text, in the console's colors.
    const reply = page.locator(".one-mail[data-direction=in]");
    await reply.locator(".mail-text").waitFor();
    await expectClean({ ...opened, faults });
  },
  TEST_MS_MAX,
);
