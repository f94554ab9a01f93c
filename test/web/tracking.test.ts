/**
 * Tracked emails end to end in the test environment: what goes out, what a visit does, who is counted, and that
 * a link leads nowhere but where it was written to.
 */

import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PRIMARY_METRICS } from "#domain/experiments/experiment.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#domain/time.ts";
import { parseMail } from "#mail/parse.ts";
import { readEvents } from "#store/events/events.ts";
import { messagesOf } from "#store/sending/messages.ts";
import { clickToken, openToken } from "#usecases/campaigns/tracked-mail.ts";
import { createTestApp, type TestApp, type TestAppOptions } from "../support/app.ts";
import { addLeads, makeCampaign } from "../support/campaigns.ts";
import { quiet, ROUND_THE_CLOCK } from "../support/inbox.ts";

const BASE = "https://mail.example.com";
const PERSON = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.2.0";
const BODY = [
  '<p>Hi, see <a href="https://acme.example/pricing?a=1&amp;b=2">prices</a> and ',
  '<a href="https://acme.example/{{email}}">your page</a>, or <a href="mailto:x@acme.example">write</a>.',
  '<a href="{{unsubscribe_url}}">no more</a></p>',
].join("");
const TARGETS = ["https://acme.example/pricing?a=1&b=2", "https://acme.example/anna@example.com"];

const open: TestApp[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()));
});

interface Options extends TestAppOptions {
  tracking?: object;
  body?: string;
  host?: string;
}

/** An email of a tracked campaign has gone out an hour ago. */
async function sent(options: Options = {}) {
  const { tracking = { opens: true, clicks: true }, body = BODY, host, ...given } = options;
  const app = await createTestApp({ publicUrl: BASE, ...given });
  open.push(app);
  await quiet(app);
  if (host !== undefined) {
    await app.call("PATCH", "/team", { tracking_host: host });
  }
  await app.call("POST", "/accounts", { email: "box@acme.test", provider: "smtp" });
  const { id } = await makeCampaign(app, [{ type: "email", subject: "Hi", body }]);
  await app.call("PATCH", `/campaigns/${id}`, { tracking, send_window: ROUND_THE_CLOCK });
  const [lead] = await addLeads(app, id, "anna@example.com");
  await app.call("POST", `/campaigns/${id}/start`);
  await app.advance(2 * HOUR_MS);
  const [message] = messagesOf(app.environments.test.db, lead.id);
  if (message === undefined || message.sentAt === null) {
    throw new Error("no message has gone out");
  }
  const { data } = (await app.call("GET", "/sandbox/messages")).body;
  const raw = (await app.call("GET", `/sandbox/messages/${data[0].id}/raw`)).text;
  const mail = await parseMail(Buffer.from(raw));
  const visit = (url: string, init: RequestInit & { agent?: string | null } = {}) => {
    const { agent = PERSON, ...rest } = init;
    const headers = agent === null ? {} : { "User-Agent": agent };
    // As it comes from a proxy that ends TLS.
    return app.fetch(new Request(url.replace("https:", "http:"), { headers, ...rest }));
  };
  const wire = mail.html ?? "";
  const links = [...wire.matchAll(/href="([^"]+\/t\/c\/[^"]+)"/g)].map(([, url]) => url ?? "");
  const picture = /<img src="([^"]+)"/.exec(wire)?.[1] ?? "";
  const shown = async () => (await app.call("GET", `/messages/${message.id}`)).body.tracking;
  const told = (type: string) =>
    readEvents(app.environments.test.db, app.team.id, { after: 0, limit: 1000 })
      .filter((event) => event.type === type)
      .map(({ data: facts }) => facts);
  return { app, id, lead, message, mail, wire, links, picture, visit, shown, told };
}

describe("the mail", () => {
  test("has tracked links and a picture in its HTML alone; ways to opt out stay as they are", async () => {
    const { wire, mail, links, picture, message } = await sent();
    expect(links).toHaveLength(2);
    expect(links.every((url) => url.startsWith(`${BASE}/t/c/t`))).toBe(true);
    expect(picture).toStartWith(`${BASE}/t/o/t`);
    expect(wire).not.toContain("acme.example/pricing");
    expect(wire).toContain('href="mailto:x@acme.example"');
    expect(wire).toContain(`href="${BASE}/u/t`);
    expect(mail.text).toContain(TARGETS[0] ?? "");
    expect(mail.text).not.toContain("/t/");
    expect(message.html).toContain("acme.example/pricing");
    expect(message.html).not.toContain("/t/");
  });

  test("is the same bytes when it is made again", async () => {
    const { app, message, wire } = await sent();
    const raw = (await app.call("GET", `/messages/${message.id}/raw`)).text;
    expect((await parseMail(Buffer.from(raw))).html ?? "").toBe(wire);
  });

  test("is not tracked unless the campaign wants it, each kind by itself", async () => {
    const none = await sent({ tracking: {} });
    expect([none.links, none.picture, await none.shown()]).toEqual([[], "", null]);
    const opens = await sent({ tracking: { opens: true } });
    expect([opens.links.length, opens.picture !== ""]).toEqual([0, true]);
    const clicks = await sent({ tracking: { clicks: true } });
    expect([clicks.links.length, clicks.picture]).toEqual([2, ""]);
  });

  test("is not tracked where there is no public address, and is where the team has its own", async () => {
    const bare = await sent({ publicUrl: null });
    expect([bare.links, bare.picture]).toEqual([[], ""]);
    const own = await sent({ publicUrl: null, host: "Links.Acme.Example" });
    expect(own.links[0]).toStartWith("https://links.acme.example/t/c/");
  });
});

describe("the team's own host", () => {
  const give = (app: TestApp, tracking_host: string | null) =>
    app.call("PATCH", "/team", { tracking_host });

  test("is kept in its one form, and taken away again", async () => {
    const { app } = await sent({ tracking: {} });
    expect((await give(app, " Links.Bücher.Example")).body.tracking_host).toBe(
      "links.xn--bcher-kva.example",
    );
    expect((await give(app, null)).body.tracking_host).toBeNull();
  });

  test.each([
    "https://links.acme.example",
    "links.acme.example:8443",
    "links.acme.example/t",
    "user@links.acme.example",
    "localhost",
    "127.0.0.1",
    "0x7f.1",
    "[::1]",
    "-",
  ])("422: %s", async (host) => {
    const { app } = await sent({ tracking: {} });
    const { status, body } = await give(app, host);
    expect([status, body.field]).toEqual([422, "tracking_host"]);
  });

  test("is missed before a start, where a campaign is to be tracked and there is no address", async () => {
    const app = await createTestApp();
    open.push(app);
    const { id } = await makeCampaign(app);
    const codes = async () =>
      (await app.call("GET", `/campaigns/${id}/launch-check`)).body.warnings.map(
        ({ code }: { code: string }) => code,
      );
    expect(await codes()).not.toContain("not_tracked");
    await app.call("PATCH", `/campaigns/${id}`, { tracking: { opens: true } });
    expect(await codes()).toContain("not_tracked");
    await give(app, "links.acme.example");
    expect(await codes()).not.toContain("not_tracked");
  });
});

describe("a visit", () => {
  test("to the picture gives a point, kept by no cache, and counts after a moment", async () => {
    const { app, picture, visit, shown, told, message, lead } = await sent();
    const response = await visit(picture);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/gif");
    expect(response.headers.get("cache-control")).toContain("no-store");
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(Buffer.from(bytes.slice(0, 10)).toString("latin1")).toBe("GIF89a\x01\0\x01\0");
    expect(bytes.at(-1)).toBe(0x3b);
    expect((await shown()).opens).toBe(0);
    await app.advance(10 * SECOND_MS);
    expect(await shown()).toMatchObject({ opens: 1, clicks: 0, machine_opens: 0 });
    expect(told("email.opened")).toEqual([
      expect.objectContaining({ email_id: message.id, lead_id: lead.lead_id, by_machine: false }),
    ]);
  });

  test("to a link leads where it was written to, and counts after a moment", async () => {
    const { app, links, visit, shown, told } = await sent();
    for (const [index, url] of links.entries()) {
      const response = await visit(url);
      expect(response.status).toBe(302);
      expect(response.headers.get("location")).toBe(TARGETS[index] ?? "");
      expect(response.headers.get("cache-control")).toContain("no-store");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
      await app.advance(MINUTE_MS);
    }
    expect(await shown()).toMatchObject({ opens: 0, clicks: 2, machine_clicks: 0 });
    expect(told("email.clicked").map(({ url, by_machine }) => [url, by_machine])).toEqual([
      [TARGETS[0], false],
      [TARGETS[1], false],
    ]);
  });

  test("again within a minute counts once, later once more", async () => {
    const { app, picture, links, visit, shown } = await sent();
    for (let count = 0; count < 3; count += 1) {
      await visit(picture);
      await visit(links[0] ?? "");
      await app.advance(10 * SECOND_MS);
    }
    expect(await shown()).toMatchObject({ opens: 1, clicks: 1 });
    await app.advance(MINUTE_MS);
    await visit(picture);
    await app.advance(10 * SECOND_MS);
    expect((await shown()).opens).toBe(2);
  });

  test("changes nothing of the lead, the campaign's numbers or an opt-out", async () => {
    const { app, id, picture, links, visit } = await sent();
    const before = (await app.call("GET", `/campaigns/${id}/stats`)).body;
    await visit(picture);
    await visit(links[0] ?? "");
    await app.advance(10 * SECOND_MS);
    expect((await app.call("GET", `/campaigns/${id}/stats`)).body).toEqual(before);
  });
});

describe("machines are marked and not counted", () => {
  test.each([
    ["no name", { agent: null }],
    ["Apple's proxy", { agent: "Mozilla/5.0" }],
    ["Gmail's proxy", { agent: "Mozilla/5.0 (via ggpht.com GoogleImageProxy)" }],
    ["Barracuda", { agent: "Mozilla/5.0 (compatible; Barracuda/1.0)" }],
    ["a prefetch", { headers: { "User-Agent": PERSON, "Sec-Purpose": "prefetch" } }],
  ])("%s", async (_name, init) => {
    const { app, picture, links, visit, shown, told } = await sent();
    expect((await visit(picture, init)).status).toBe(200);
    expect((await visit(links[0] ?? "", init)).status).toBe(302);
    await app.advance(10 * SECOND_MS);
    await visit(picture, init);
    await app.advance(10 * SECOND_MS);
    expect(await shown()).toMatchObject({
      ...{ opens: 0, clicks: 0, machine_opens: 2, machine_clicks: 1, first_opened_at: null },
    });
    expect(told("email.opened").map(({ by_machine }) => by_machine)).toEqual([true]);
    expect(told("email.clicked").map(({ by_machine }) => by_machine)).toEqual([true]);
  });

  test("all links at once, under a person's name, in either order", async () => {
    const { app, picture, links, visit, shown } = await sent();
    await Promise.all([...links, picture].map((url) => visit(url)));
    await app.advance(10 * SECOND_MS);
    expect(await shown()).toMatchObject({
      ...{ opens: 0, clicks: 0, machine_opens: 1, machine_clicks: 2 },
    });
    await visit(links[1] ?? "");
    await app.advance(10 * SECOND_MS);
    expect((await shown()).clicks).toBe(1);
  });

  test("a look at the headers alone is not even noted", async () => {
    const { app, picture, links, visit, shown } = await sent();
    expect((await visit(picture, { method: "HEAD" })).status).toBe(200);
    expect((await visit(links[0] ?? "", { method: "HEAD" })).status).toBe(302);
    await app.advance(10 * SECOND_MS);
    expect(await shown()).toMatchObject({ opens: 0, clicks: 0, machine_opens: 0 });
  });

  test("a flood is answered, and kept and told only up to a bound", async () => {
    const { app, picture, visit, shown, told } = await sent();
    for (let count = 0; count < 200; count += 1) {
      expect((await visit(picture, { agent: "curl/8.5.0" })).status).toBe(200);
    }
    await app.advance(10 * SECOND_MS);
    expect((await shown()).machine_opens).toBe(50);
    expect(told("email.opened")).toHaveLength(1);
  });
});

describe("no open redirect", () => {
  test("404 for tokens that we did not sign, with another place, kind, environment or message", async () => {
    const { app, links, picture, visit, message } = await sent();
    const link = links[0] ?? "";
    const token = link.slice(link.lastIndexOf("/") + 1);
    const other = app.environments.test.ids.next(app.environments.test.clock.now());
    const wrong = [
      link.replace("/t0.", "/t1."),
      link.replace("/t0.", "/t00."),
      link.replace("/t0.", "/t7."),
      link.replace("/t0.", "/l0."),
      link.replace("/t0.", "/t"),
      `${link}x`,
      link.slice(0, -1),
      `${BASE}/t/c/https://evil.example`,
      `${BASE}/t/c/${encodeURIComponent("https://evil.example")}`,
      `${BASE}/t/c/${token}?url=https://evil.example`,
      `${BASE}/t/o/${token}`,
      picture.replace("/t/o/", "/t/c/"),
      `${BASE}/t/c/${clickToken(app.environments.test, other, 0)}`,
      `${BASE}/t/c/${clickToken(app.environments.test, message.id, 3)}`,
      `${BASE}/t/c/${clickToken(app.environments.live, message.id, 0)}`,
    ];
    const locations: unknown[] = [];
    for (const url of wrong) {
      const response = await visit(url);
      locations.push([response.status, response.headers.get("location")]);
    }
    const known = locations.splice(9, 1);
    expect(known).toEqual([[302, TARGETS[0]]]);
    expect(new Set(locations.map((one) => JSON.stringify(one)))).toEqual(new Set(["[404,null]"]));
  });

  test("404 under another host; the team's own and the installation's serve it", async () => {
    const { links, picture, visit } = await sent({ host: "links.acme.example" });
    const [link = ""] = links;
    expect(link).toStartWith("https://links.acme.example/t/c/");
    const under = async (url: string, host: string) =>
      (await visit(url.replace("links.acme.example", host))).status;
    expect(await under(link, "links.acme.example")).toBe(302);
    expect(await under(link, "mail.example.com")).toBe(302);
    expect(await under(link, "links.other.example")).toBe(404);
    expect(await under(picture, "links.other.example")).toBe(404);
  });

  test("405 for anything but a look", async () => {
    const { links, visit } = await sent();
    const response = await visit(links[0] ?? "", { method: "POST" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });
});

describe("people who want to be left alone", () => {
  test("who are suppressed get where they want and are not counted", async () => {
    const { app, links, visit, shown, told } = await sent();
    await app.call("POST", "/suppressions", { email: "anna@example.com" });
    expect((await visit(links[0] ?? "")).status).toBe(302);
    await app.advance(10 * SECOND_MS);
    expect((await shown()).clicks).toBe(0);
    expect(told("email.clicked")).toEqual([]);
  });

  test("who are erased leave nothing: no links, no visits, no address in events", async () => {
    const { app, lead, links, picture, visit, told } = await sent();
    await visit(links[1] ?? "");
    await app.advance(10 * SECOND_MS);
    expect(told("email.clicked")).toHaveLength(1);
    await visit(links[0] ?? "");
    await app.call("DELETE", `/leads/${lead.lead_id}`);
    expect(told("email.clicked")[0]).toMatchObject({ url: null, to: null });
    expect((await visit(links[0] ?? "")).status).toBe(404);
    expect((await visit(picture)).status).toBe(200);
    await app.advance(DAY_MS);
    expect(told("email.clicked")).toHaveLength(1);
    const { raw } = app.environments.test.db;
    for (const table of ["trackings", "touches"]) {
      expect(raw.query(`select count(*) as n from ${table}`).get()).toEqual({ n: 0 });
    }
  });
});

test("tokens of pictures and links are not each other's", async () => {
  const { app, message } = await sent();
  const env = app.environments.test;
  const tokens = [openToken(env, message.id), clickToken(env, message.id, 0)];
  expect(new Set(tokens.map((token) => token.slice(-43))).size).toBe(2);
});

test("no experiment knows of opens or clicks", () => {
  expect(PRIMARY_METRICS.filter((metric) => /open|click/.test(metric))).toEqual([]);
  const src = join(import.meta.dir, "../../src");
  const files = [...new Bun.Glob("**/*expe*.ts").scanSync(src)];
  expect(files.length).toBeGreaterThan(10);
  const told = files.filter((file) =>
    /tracking|trackings/.test(readFileSync(join(src, file), "utf8")),
  );
  expect(told).toEqual([]);
});
