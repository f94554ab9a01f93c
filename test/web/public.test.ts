/** Pages without a key: health, and the link by which a recipient opts out. */

import { afterEach, describe, expect, test } from "bun:test";
import { HOUR_MS, plus } from "#domain/time.ts";
import { readEvents } from "#store/events/events.ts";
import { messageById, messagesOf, updateMessage } from "#store/sending/messages.ts";
import { closeDatabase } from "#store/sqlite/database.ts";
import {
  readUnsubscribeToken,
  unsubscribeLinks,
  unsubscribeToken,
} from "#usecases/leads/unsubscribe.ts";
import { publicRoutes } from "#web/public.ts";
import { createTestApp, type TestApp, type TestAppOptions } from "../support/app.ts";

const EMAIL = "anna@example.com";
const ONE_CLICK = "List-Unsubscribe=One-Click";
const URLENCODED = "application/x-www-form-urlencoded";

const open: TestApp[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()));
});

async function start(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await createTestApp(options);
  open.push(app);
  return app;
}

const EVERY_DAY = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** A lead in a running campaign to whom the first message has gone out, and the token in it. */
async function withMessage(options: TestAppOptions = {}) {
  const app = await start(options);
  const { call, environments } = app;
  await call("POST", "/accounts", { email: "box@acme.test", provider: "smtp" });
  const send_window = { timezone: "UTC", days: EVERY_DAY, start_hour: 0, end_hour: 24 };
  const campaign = (await call("POST", "/campaigns", { name: "Spring", send_window })).body;
  const path = `/campaigns/${campaign.id}`;
  await call("POST", `${path}/steps`, { type: "email", subject: "Hi", body: "Hi" });
  await call("POST", `${path}/steps`, { type: "email", body: "Hi again", wait_days: 30 });
  await call("POST", `${path}/leads`, { leads: [{ email: EMAIL }] });
  await call("POST", `${path}/start`);
  await app.advance(2 * HOUR_MS);
  const [enrollment] = (await call("GET", `${path}/leads`)).body.data;
  const [message] = messagesOf(environments.test.db, enrollment.id);
  if (message === undefined) {
    throw new Error("no message has gone out");
  }
  const { id } = message;
  const enrollmentStatus = async () =>
    (await call("GET", `${path}/leads/${enrollment.id}`)).body.status;
  const suppressed = async () =>
    (await call("GET", `/suppressions/check?email=${encodeURIComponent(EMAIL)}`)).body;
  return {
    ...app,
    id,
    token: unsubscribeToken(environments.test, id),
    enrollmentStatus,
    suppressed,
  };
}

function post(path: string, body?: string, type = URLENCODED): Request {
  return new Request(`http://localhost${path}`, {
    method: "POST",
    ...(body === undefined ? {} : { body, headers: { "Content-Type": type } }),
  });
}

function get(path: string): Request {
  return new Request(`http://localhost${path}`);
}

describe("health", () => {
  test("/healthz answers while the program runs; /readyz while both stores answer", async () => {
    const { fetch } = await start();

    expect((await fetch(get("/healthz"))).status).toBe(200);
    expect(await (await fetch(get("/healthz"))).json()).toEqual({ status: "ok" });
    expect((await fetch(get("/readyz"))).status).toBe(200);
    expect(await (await fetch(get("/readyz"))).json()).toEqual({ status: "ready" });
  });

  test("/readyz says 503 from the moment the program shuts down", async () => {
    const { environments } = await start();
    let closing = false;
    const pages = publicRoutes(environments, { closing: () => closing });

    expect((await pages.handle(get("/readyz"))).status).toBe(200);
    closing = true;
    const response = await pages.handle(get("/readyz"));

    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
    expect((await pages.handle(get("/healthz"))).status).toBe(200);
  });

  test.each(["live", "test"] as const)(
    "/readyz says 503 when the %s store is gone",
    async (envName) => {
      const app = await createTestApp();
      const pages = publicRoutes(app.environments, { closing: () => false });

      closeDatabase(app.environments[envName].db);

      expect((await pages.handle(get("/readyz"))).status).toBe(503);
    },
  );
});

describe("GET /u/{token}", () => {
  test("200: shows whom it is about and a button, and changes nothing", async () => {
    const { fetch, token, enrollmentStatus, suppressed } = await withMessage();

    const response = await fetch(get(`/u/${token}`));
    const page = await response.text();

    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page).toContain(EMAIL);
    expect(page).toContain('<form method="post">');
    expect(await enrollmentStatus()).toBe("active");
    expect(await suppressed()).toMatchObject({ suppressed: false });
  });

  test("speaks the reader's language, before and after", async () => {
    const { fetch, token } = await withMessage();
    const headers = { "Accept-Language": "de-AT,de;q=0.9,en;q=0.5" };
    const asked = await fetch(new Request(`http://localhost/u/${token}`, { headers }));
    expect(asked.headers.get("vary")).toBe("Accept-Language");
    const page = await asked.text();
    expect(page).toContain('<html lang="de">');
    expect(page).toContain(`Keine weiteren Nachrichten an <strong>${EMAIL}</strong>?`);
    expect(page).toContain('<button type="submit">Abmelden</button>');

    const done = await fetch(
      new Request(`http://localhost/u/${token}`, { method: "POST", headers }),
    );
    expect(await done.text()).toContain("<h1>Sie sind abgemeldet</h1>");
  });

  test("HEAD, as link scanners send it, changes nothing either", async () => {
    const { fetch, token, suppressed } = await withMessage();

    const { status } = await fetch(new Request(`http://localhost/u/${token}`, { method: "HEAD" }));

    expect(status).toBe(200);
    expect(await suppressed()).toMatchObject({ suppressed: false });
  });

  test("every page is closed to scripts, frames, caches and referrers", async () => {
    const { fetch, token } = await withMessage();

    for (const path of [`/u/${token}`, "/u/unknown"]) {
      const { headers } = await fetch(get(path));
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; " +
          "frame-ancestors 'none'",
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("set-cookie")).toBeNull();
    }
  });

  test("a page names no file but its style sheet, which is served", async () => {
    const { fetch, token } = await withMessage();

    const page = await (await fetch(get(`/u/${token}`))).text();
    const files = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, file]) => file);
    const style = await fetch(get("/assets/page.css"));

    expect(files).toEqual(["/assets/page.css"]);
    expect(page).not.toMatch(/<script|<style|style=|onclick/);
    expect(style.status).toBe(200);
    expect(style.headers.get("content-type")).toBe("text/css; charset=utf-8");
  });

  test("an address is text, whatever is in it", async () => {
    const { environments, id, token, fetch } = await withMessage();
    const row = messageById(environments.test.db, id);
    await environments.test.commit(() => {
      if (row !== undefined) {
        updateMessage(environments.test.db, { ...row, recipient: '"<b>&"@example.com' });
      }
    });

    const page = await (await fetch(get(`/u/${token}`))).text();

    expect(page).toContain("&quot;&lt;b&gt;&amp;&quot;@example.com");
    expect(page).not.toContain("<b>");
  });
});

describe("POST /u/{token}", () => {
  test("the page's form: suppresses, ends the sequence, and says so", async () => {
    const { fetch, token, enrollmentStatus, suppressed } = await withMessage();

    const response = await fetch(post(`/u/${token}`, ""));

    expect(response.status).toBe(200);
    expect(await response.text()).toContain("You are unsubscribed");
    expect(await enrollmentStatus()).toBe("unsubscribed");
    expect(await suppressed()).toMatchObject({ suppressed: true, reason: "unsubscribe" });
  });

  test.each([
    ["urlencoded", ONE_CLICK, URLENCODED],
    [
      "multipart",
      `--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n`,
      "multipart/form-data; boundary=b",
    ],
  ])("one click of a mail program, %s: 200 in plain text, no redirect", async (_, body, type) => {
    const { fetch, token, suppressed } = await withMessage();

    const response = await fetch(post(`/u/${token}`, body, type));

    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toStartWith("text/plain");
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(await suppressed()).toMatchObject({ suppressed: true });
  });

  test.each([
    ["no body", undefined, URLENCODED],
    ["JSON", "{}", "application/json"],
    ["a broken form", "--", "multipart/form-data; boundary=b"],
    ["no known type", "x", "x"],
  ])("%s is honoured too: nobody is kept by a clumsy request", async (_, body, type) => {
    const { fetch, token, suppressed } = await withMessage();

    expect((await fetch(post(`/u/${token}`, body, type))).status).toBe(200);
    expect(await suppressed()).toMatchObject({ suppressed: true });
  });

  test("twice is as once: one answer, one event", async () => {
    const { fetch, token, environments, team } = await withMessage();

    const first = await fetch(post(`/u/${token}`, ONE_CLICK));
    const again = await fetch(post(`/u/${token}`, ONE_CLICK));
    const events = readEvents(environments.test.db, team.id, { after: 0, limit: 100 }).filter(
      ({ type }) => type === "lead.unsubscribed",
    );

    expect([first.status, again.status]).toEqual([200, 200]);
    expect(await again.text()).toBe(await first.text());
    expect(events).toHaveLength(1);
  });

  test("413: a body that is no form of ours is not read", async () => {
    const { fetch, token, suppressed } = await withMessage();

    const response = await fetch(post(`/u/${token}`, "x".repeat(16 * 1024 + 1)));

    expect(response.status).toBe(413);
    expect(await suppressed()).toMatchObject({ suppressed: false });
  });

  test("404: a token that we did not sign, or of the other environment, tells nothing", async () => {
    const { fetch, token, environments, suppressed } = await withMessage();
    const stranger = unsubscribeToken(
      environments.test,
      environments.test.ids.next(environments.test.clock.now()),
    );
    const changed = `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`;
    const pages = new Set<string>();

    for (const wrong of [stranger, changed, `l${token.slice(1)}`, `${token}x`, "x", "%00", "l"]) {
      for (const request of [get(`/u/${wrong}`), post(`/u/${wrong}`, ONE_CLICK)]) {
        const response = await fetch(request);
        expect(response.status).toBe(404);
        pages.add(await response.text());
      }
    }

    expect(pages.size).toBe(1);
    expect(await suppressed()).toMatchObject({ suppressed: false });
  });

  test("405: other methods, with what is allowed", async () => {
    const { fetch, token } = await withMessage();

    const response = await fetch(new Request(`http://localhost/u/${token}`, { method: "DELETE" }));

    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS, POST");
  });
});

describe("the link", () => {
  test("stands on the public address, and is missing where there is none", async () => {
    const { environments, id, token } = await withMessage({ publicUrl: "https://mail.acme.test" });
    const { environments: without } = await start();

    const mailto = `mailto:ann@acme.test?subject=unsubscribe%20${token}`;
    expect(unsubscribeLinks(environments.test, "ann@acme.test", id)).toEqual({
      https: `https://mail.acme.test/u/${token}`,
      mailto,
    });
    expect(unsubscribeLinks(without.test, "ann@acme.test", id)).toEqual({ https: null, mailto });
  });

  test("is found in the subject of an email, whatever is written around it", async () => {
    const { environments, id, token } = await withMessage();

    for (const subject of [token, `unsubscribe ${token}`, `Re: [${token}]`, `x\r\n ${token} y`]) {
      expect(readUnsubscribeToken(environments.test, subject)).toBe(id);
    }
    for (const subject of ["", "unsubscribe", token.slice(1), `x${token}`, `l${token.slice(1)}`]) {
      expect(readUnsubscribeToken(environments.test, subject)).toBeNull();
    }
    expect(readUnsubscribeToken(environments.live, token)).toBeNull();
  });

  test("holds for years", async () => {
    const { fetch, token, wall } = await withMessage();

    wall.set(plus(wall.now(), 5 * 365 * 86_400_000));

    expect((await fetch(get(`/u/${token}`))).status).toBe(200);
  });
});
