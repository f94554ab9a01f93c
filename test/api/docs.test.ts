/** The reference page: complete from this host alone, under a policy that lets nothing else in. */

import { expect, test } from "bun:test";
import { gunzipSync } from "bun";
import { DOCS_PATHS, docsRoutes } from "#web/docs/docs.ts";

const app = docsRoutes();

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return app.handle(new Request(`http://localhost${path}`, { headers }));
}

test("the page names only files of this host, and each of them is served", async () => {
  const response = await get("/docs");
  const page = await response.text();
  const names = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name ?? "");
  const files = names.filter((name) => name.startsWith("/docs/"));

  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(names.every((name) => name.startsWith("/") || name === "data:,")).toBe(true);
  expect(files).toHaveLength(3);
  for (const file of files) {
    expect((await get(file)).status).toBe(200);
  }
});

test("the policy allows our own scripts and connections, and no inline script", async () => {
  const policy = (await get("/docs")).headers.get("content-security-policy") ?? "";
  const page = await (await get("/docs")).text();

  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("connect-src 'self';");
  expect(policy).not.toContain("http");
  expect(page).not.toMatch(/<script(?![^>]*src=)|\son\w+=|<style/);
});

test("the starter turns off everything of Scalar's that asks another host", async () => {
  const text = await (await get("/docs/start.js")).text();

  expect(text).toContain("withDefaultFonts: false");
  expect(text).toContain("telemetry: false");
  expect(text).toContain("agent: { disabled: true }");
  expect(text).not.toMatch(/https?:\/\//);
});

test("a file is compressed for those who can read it, and not sent twice", async () => {
  const plain = await get("/docs/scalar.js");
  const packed = await get("/docs/scalar.js", { "Accept-Encoding": "br;q=1.0, gzip" });
  const refused = await get("/docs/scalar.js", { "Accept-Encoding": "gzip;q=0" });
  const etag = plain.headers.get("etag") ?? "";
  const again = await get("/docs/scalar.js", { "If-None-Match": etag });
  const bytes = new Uint8Array(await plain.arrayBuffer());
  const packedBytes = new Uint8Array(await packed.arrayBuffer());

  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(packed.headers.get("vary")).toBe("Accept-Encoding");
  expect(packedBytes.length).toBeLessThan(bytes.length / 2);
  expect(Buffer.compare(gunzipSync(packedBytes), bytes)).toBe(0);
  expect(refused.headers.get("content-encoding")).toBeNull();
  expect(again.status).toBe(304);
  expect(await again.text()).toBe("");
});

test("every path of the page is on the list of what needs no key", () => {
  const paths = app.routes.map(({ path }) => path);
  const isListed = (path: string) =>
    DOCS_PATHS.some((entry) =>
      entry.endsWith("*") ? path.startsWith(entry.slice(0, -1)) : path === entry,
    );

  expect(paths.filter((path) => !isListed(path))).toEqual([]);
});
