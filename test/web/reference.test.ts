/** The API's reference: everything of the document is in it, without a script, and every link leads somewhere. */

import { expect, test } from "bun:test";
import { gunzipSync } from "bun";
import { readExamples } from "#api/document/examples.ts";
import { buildDocument } from "#api/openapi.ts";
import { apiRoutes } from "#api/resources.ts";
import { type ApiDocument, operationsOf, resolve } from "#domain/openapi.ts";
import { DOCS_PATHS, referenceRoutes } from "#web/docs/reference.ts";

const routes = apiRoutes(undefined as never, undefined as never);
const of = JSON.parse(
  JSON.stringify(await buildDocument(routes, "0.0.0", await readExamples())),
) as ApiDocument;
const app = referenceRoutes(async () => of);

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return app.handle(new Request(`http://localhost${path}`, { headers }));
}

const PATHS = ["/docs", ...of.tags.map(({ name }) => `/docs/reference/${name}`)];
const pages = new Map<string, string>();
for (const path of PATHS) {
  const response = await get(path);
  expect(response.status).toBe(200);
  pages.set(path, await response.text());
}
const textOf = (path: string) => pages.get(path) ?? "";

test("every operation is listed, and shown with each of its parameters and fields", () => {
  const missing: string[] = [];
  const operations = operationsOf(of);
  for (const { path, operation } of operations) {
    const { operationId, tags = [], parameters = [], requestBody } = operation;
    const page = textOf(`/docs/reference/${tags[0]}`);
    const [, after = ""] = page.split(`<section id="${operationId}">`);
    const [section = ""] = after.split("<section ");
    const body = requestBody?.content?.["application/json"]?.schema ?? {};
    const names = [
      ...parameters.map((parameter) => resolve(of, parameter).name),
      ...Object.keys(resolve(of, body).properties ?? {}),
    ];
    const shown = [`<code>/api/v1${path}</code>`, ...names.map((name) => `<code>${name}</code>`)];
    missing.push(
      ...shown.filter((text) => !section.includes(text)).map((text) => `${operationId} ${text}`),
    );
    if (!textOf("/docs").includes(`href="/docs/reference/${tags[0]}#${operationId}"`)) {
      missing.push(operationId);
    }
  }
  expect(operations.length).toBeGreaterThan(200);
  expect(missing).toEqual([]);
});

test("every link within the reference leads to a page and to a place on it", () => {
  const dead: string[] = [];
  let links = 0;
  for (const [path, page] of pages) {
    for (const [, href = ""] of page.matchAll(/href="((?:\/docs)?[^":]*)"/g)) {
      const [to = "", place] = href.split("#");
      if (!/^$|^\/docs(\/reference\/.*)?$/.test(to)) {
        continue;
      }
      links += 1;
      const target = to === "" ? page : pages.get(to);
      if (target === undefined || (place !== undefined && !target.includes(`id="${place}"`))) {
        dead.push(`${path}: ${href}`);
      }
    }
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
  }
  expect(links).toBeGreaterThan(1_000);
  expect(dead).toEqual([]);
});

test("a record that a field leads to is shown, with what its fields lead to", () => {
  const page = textOf("/docs/reference/campaigns");
  const wanted = [
    '<section id="Campaign">',
    "<code>send_window.skip_holidays</code>",
    "<code>rules[].campaign_id</code>",
    "<code>&quot;follow_ups&quot;</code>, <code>&quot;new_leads&quot;</code>",
  ];
  expect(wanted.filter((text) => !page.includes(text))).toEqual([]);
});

test("what the document says is text, and no markup", async () => {
  const hostile = structuredClone(of);
  const [tag] = hostile.tags;
  const operation = operationsOf(hostile).find(
    ({ operation: { tags } }) => tags?.[0] === tag?.name,
  );
  Object.assign(operation?.operation ?? {}, {
    summary: "<script>1</script>",
    description: "`<img src=x>` <b onclick=x>",
  });
  const routes = referenceRoutes(async () => hostile);
  const response = await routes.handle(new Request(`http://localhost/docs/reference/${tag?.name}`));
  const page = await response.text();
  expect(page.includes("&lt;script&gt;1&lt;/script&gt;")).toBe(true);
  expect(page.match(/<script|<img|<b onclick/)).toBeNull();
});

test("the policy lets in our own style sheet alone, and there is nothing else to let in", async () => {
  const response = await get("/docs");
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(policy).toContain("default-src 'none'; style-src 'self';");
  expect(policy).not.toMatch(/http|unsafe|script/);
  const code = [...pages.values()].flatMap(
    (page) => page.match(/<script|<style|<[^>]*\s(style|on\w+)=/g) ?? [],
  );
  expect(code).toEqual([]);
});

test("the style sheet is compressed for those who can read it, and not sent twice", async () => {
  const [, path = ""] = /<link rel="stylesheet" href="([^"]+)">/.exec(textOf("/docs")) ?? [];
  const plain = await get(path);
  const packed = await get(path, { "Accept-Encoding": "br;q=1.0, gzip" });
  const refused = await get(path, { "Accept-Encoding": "gzip;q=0" });
  const again = await get(path, { "If-None-Match": plain.headers.get("etag") ?? "" });
  const bytes = new Uint8Array(await plain.arrayBuffer());
  const packedBytes = new Uint8Array(await packed.arrayBuffer());

  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(packed.headers.get("vary")).toBe("Accept-Encoding");
  expect(Buffer.compare(gunzipSync(packedBytes), bytes)).toBe(0);
  expect(refused.headers.get("content-encoding")).toBeNull();
  expect(again.status).toBe(304);
  expect(await again.text()).toBe("");
});

test.each(["nothing", "__proto__", "%3Cb%3E"])("no page for the tag %s", async (tag) => {
  expect((await get(`/docs/reference/${tag}`)).status).toBe(404);
});

test("every path is on the list of what needs no key", () => {
  const paths = app.routes.map(({ path }) => path);
  const isListed = (path: string) =>
    DOCS_PATHS.some((entry) =>
      entry.endsWith("*") ? path.startsWith(entry.slice(0, -1)) : path === entry,
    );
  expect(paths.filter((path) => !isListed(path))).toEqual([]);
});
