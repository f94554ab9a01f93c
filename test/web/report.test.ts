/** The report of an experiment behind its link: who has the link reads it, and nobody else learns anything. */

import { afterEach, describe, expect, test } from "bun:test";
import { replay } from "#domain/experiments/experiment-replay.ts";
import { DAY_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { makeExperiment } from "../support/experiments.ts";

const open: TestApp[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()));
});

async function start(days = 5, fields: object = {}) {
  const app = await createTestApp();
  open.push(app);
  const { call } = app;
  await call("PATCH", "/sandbox/settings", { rates: { reply: 0.2, bounce: 0.02 } });
  const experiment = await makeExperiment(app, { leads: 80, fields });
  await app.advance(days * DAY_MS);
  const at = `/experiments/${experiment.id}`;
  const share = async (body: object = {}) => (await call("POST", `${at}/share`, body)).body;
  const get = async (path: string) => {
    const response = await app.fetch(new Request(new URL(path, "http://outrider.test")));
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { ...app, experiment, at, share, get };
}

describe("The report of an experiment", () => {
  test("is read without an account, and its JSON gives the same numbers again", async () => {
    const { share, get, call, at } = await start();
    const { url, expires_at } = await share();
    expect(expires_at).toMatch(/^2\d{3}-/);
    const page = await get(url);
    expect(page.status).toBe(200);
    const results = (await call("GET", `${at}/results`)).body;
    expect(page.text).toContain(Bun.escapeHTML(results.recommendation));
    const report = JSON.parse((await get(`${url}/report.json`)).text);
    expect(report.key_figure).toEqual(results.key_figure);
    for (const told of [...Object.values(report.key_figure ?? {}), ...report.notes]) {
      expect(page.text).toContain(Bun.escapeHTML(String(told)));
    }
    for (const [nth, variant] of results.variants.entries()) {
      const { name, emails_sent, replies, bounced } = variant;
      expect(report.variants[nth]).toMatchObject({ name, emails_sent, replies, bounced });
    }
    const lines = replay(report);
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter(({ agrees }) => !agrees)).toEqual([]);
  });

  test("of a closed experiment is the one that was decided, and its lines still agree", async () => {
    const { share, get, call, at, advance } = await start(40, { duration_days: 7 });
    const results = (await call("GET", `${at}/results`)).body;
    expect(results.experiment.status).toBe("completed");
    const { url } = await share();
    const report = JSON.parse((await get(`${url}/report.json`)).text);
    expect(report.is_final).toBe(true);
    expect(report.pairs[0].p_value_fixed).toBe(results.significance[0].p_value_fixed);
    expect(report.pairs[0].p_value_stratified).toBe(results.significance[0].p_value_stratified);
    const lines = replay(report);
    expect(lines.map(({ fn }) => fn)).toContain("two_prop_p");
    expect(lines.map(({ fn }) => fn)).toContain("cmh");
    expect(lines.filter(({ agrees }) => !agrees)).toEqual([]);
    await advance(DAY_MS);
    const later = JSON.parse((await get(`${url}/report.json`)).text);
    expect({ ...later, read_at: "" }).toEqual({ ...report, read_at: "" });
  });

  test("holds no lead, no address, and no text that isn't shared", async () => {
    const { share, get, call, at, experiment } = await start();
    const { url } = await share();
    const [page, json] = [await get(url), await get(`${url}/report.json`)];
    for (const { text } of [page, json]) {
      expect(text).not.toMatch(/@/);
      expect(text).not.toContain("Another word");
      expect(text).not.toContain(experiment.campaignId);
    }
    const shown = await share({ includes_texts: true });
    expect((await call("GET", at)).body.share).toEqual(shown);
    expect((await get(shown.url)).text).toContain("Another word");
    expect((await get(`${shown.url}/report.json`)).text).toContain("The second way to say it");
  });

  test("can do nothing in a browser, and isn't kept or found", async () => {
    const { share, get } = await start();
    const { url } = await share();
    const { headers, text } = await get(url);
    expect(headers.get("content-security-policy")).toStartWith(
      "default-src 'none'; style-src 'self'",
    );
    expect(headers.get("x-robots-tag")).toBe("noindex, nofollow");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(text).not.toMatch(/<script|\son\w+=|style=/);
    const json = await get(`${url}/report.json`);
    expect(json.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(json.headers.get("x-robots-tag")).toBe("noindex, nofollow");
  });

  test("404, always the same: a link that was revoked, replaced, has expired, or never was", async () => {
    const { share, get, call, at, wall } = await start();
    const replaced = (await share()).url;
    const revoked = (await share()).url;
    expect((await get(replaced)).status).toBe(404);
    expect((await call("DELETE", `${at}/share`)).status).toBe(204);
    expect((await call("GET", at)).body.share).toBeNull();
    expect((await call("DELETE", `${at}/share`)).status).toBe(404);
    const ended = (await share({ expires_in_days: 1 })).url;
    expect((await get(ended)).status).toBe(200);
    wall.move(DAY_MS);
    expect((await call("GET", at)).body.share).toBeNull();
    const good = (await share()).url as string;
    const turned = good.startsWith("/r/l")
      ? good.replace("/r/l", "/r/t")
      : good.replace("/r/t", "/r/l");
    const bad = [
      ...[replaced, revoked, ended, turned, "/r/x", `/r/${"A".repeat(44)}`, "/r/%00", "/r/t"],
      ...[`${good}A`, good.slice(0, -1), `/r/t${"_".repeat(43)}`, `/r/${"t".repeat(5000)}`],
    ];
    const pages = await Promise.all(bad.map(get));
    expect(pages.map(({ status }) => status)).toEqual(bad.map(() => 404));
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
    const files = await Promise.all(bad.map((path) => get(`${path}/report.json`)));
    expect(files.map(({ status }) => status)).toEqual(bad.map(() => 404));
    expect((await get(good)).status).toBe(200);
  });

  test("429: a network that reads it again and again waits", async () => {
    const { share, get } = await start(1);
    const { url } = await share();
    const seen = [];
    for (let nth = 0; nth < 61; nth += 1) {
      seen.push((await get(url)).status);
    }
    expect(seen.slice(0, 60)).toEqual(seen.slice(0, 60).map(() => 200));
    expect(seen.at(-1)).toBe(429);
  });

  test("names what is wrong with a request, and asks for the right to change", async () => {
    const { call, at } = await start(0);
    for (const [body, field] of [
      [{ expires_in_days: 0 }, "expires_in_days"],
      [{ expires_in_days: 366 }, "expires_in_days"],
      [{ includes_texts: "yes" }, "includes_texts"],
      [{ days: 1 }, "days"],
    ] as const) {
      const { status, body: answer } = await call("POST", `${at}/share`, body);
      expect([status, answer.field]).toEqual([422, field]);
    }
  });
});
