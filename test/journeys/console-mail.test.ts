/** Hostile emails in a real browser: shown as they look, none of them calls anybody. */

import { afterAll, expect, test } from "bun:test";
import { closeBrowser, skipsBrowser } from "../support/browser.ts";
import { startConsole } from "../support/console.ts";
import { payloads } from "../support/mail-payloads.ts";

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
