/**
 * Guarantees of the documentation's pages: they show no code that no test runs; every link leads somewhere;
 * tables that are made from code are those of today's code; the console serves the same pages.
 */

import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { createWorkers } from "#engine/workers.ts";
import { markdown } from "#web/docs/page.ts";
import { ALERTS, anchorOf } from "#web/monitoring/alerts.ts";
import { dashboard } from "#web/monitoring/dashboard.ts";
import { CONFIGURATION_FILE, configurationPage } from "../../.ci/configuration.ts";
import { DASHBOARD_FILE } from "../../.ci/installation.ts";
import { createTestApp } from "../support/app.ts";
import { blocks, DECISIONS, fences, PAGES, ROOT, read } from "./pages.ts";

/** Whoever clones the repository gets all of them. */
const PICTURE_BYTES_MAX = 120_000;

/** Everything that the pages show, and what runs it. A new block needs a test, and a line here. */
const SHOWN: Readonly<Record<string, Readonly<Record<string, [count: number, by: string]>>>> = {
  "README.md": {
    sh: [2, "the newcomer's steps of .ci/run"],
    "sh first": [1, "of the README are a live campaign"],
  },
  "CONTRIBUTING.md": {
    sh: [1, "of contributors are there"],
    ts: [10, "nothing: lines of the style"],
  },
  "docs/quick-start.md": {
    "sh server": [1, "the newcomer's steps of .ci/run"],
    sh: [5, "of the quick start, and word for word in .ci/run"],
  },
  "docs/api.md": {
    ...{ sh: [6, "of the API guide"], json: [1, "of the API guide let an assistant in"] },
    yaml: [1, "test/cli/apply.test.ts"],
    "json batch": [1, "test/api/batch.test.ts"],
    "json http": [1, "of the API guide let an assistant in over HTTP"],
    "sh go": [1, "test/clients/generated.test.ts"],
    "sh python": [1, "test/clients/generated.test.ts"],
    "sh java": [1, "test/clients/generated.test.ts"],
    "sh rust": [1, "test/clients/generated.test.ts"],
  },
  "docs/architecture.md": { "": [7, "nothing: drawings"] },
  "docs/clients.md": {
    ...{ sh: [1, "test/clients/handed-out.test.ts"], "sh install": [1, "the same"] },
  },
  "docs/experiments.md": { http: [2, "of experiments and webhooks"] },
  "docs/operations.md": {
    sh: [3, "of operations; the last by test/journeys/litestream.test.ts"],
    "sh install": [1, "test/contract/operations.test.ts"],
    yaml: [1, "test/journeys/litestream.test.ts"],
    toml: [3, "of certificates, a model, and single sign-on are settings that there are"],
    caddy: [1, "test/docs/proxies.test.ts"],
    nginx: [1, "test/docs/proxies.test.ts"],
    "sh move": [1, "of operations move a team"],
  },
  "docs/security.md": {
    python: [1, "test/domain/events/audit-chain.test.ts"],
    sh: [1, "test/journeys/audit-chain.test.ts"],
  },
  "docs/webhooks.md": {
    http: [2, "of experiments and webhooks"],
    text: [2, "nothing: what a delivery and a check look like"],
    ...{ ts: [1, "in ts"], python: [1, "in python"], go: [1, "in go"], bash: [1, "in bash"] },
    sh: [1, "of webhooks bring events to a receiver"],
  },
  "docs/versions.md": { http: [1, "test/api/api-version.test.ts"] },
  "docs/threat-model.md": { "": [1, "nothing: a drawing"] },
  "docs/upgrading.md": {
    sh: [3, "test/journeys/update.test.ts and test/platform/minisign.test.ts, in their words"],
  },
  "docs/concepts.md": { json: [1, "test/usecases/leads/rules.test.ts"] },
  "clients/typescript/README.md": {
    ...{ ts: [1, "test/clients/typescript.test.ts"], sh: [1, "test/clients/handed-out.test.ts"] },
  },
  "clients/python/README.md": {
    ...{ python: [1, "test/clients/handed-out.test.ts"], sh: [1, "the same"] },
  },
  "clients/go/README.md": {
    ...{ go: [1, "test/clients/handed-out.test.ts"], sh: [1, "the same"] },
  },
};

test("every block of code is run by a test", () => {
  const pages = [...Object.keys(SHOWN), ...PAGES.map((name) => `docs/${name}`)];
  const found = [...new Set(pages)].map((path) => {
    const infos = fences(path).map(({ info }) => info);
    const counts = Object.fromEntries(
      infos.map((info) => [info, infos.filter((one) => one === info).length]),
    );
    return [path, counts] as const;
  });
  const expected = Object.entries(SHOWN).map(([path, shown]) => [
    path,
    Object.fromEntries(Object.entries(shown).map(([info, [count]]) => [info, count])),
  ]);
  expect(Object.fromEntries(found.filter(([, counts]) => Object.keys(counts).length > 0))).toEqual(
    Object.fromEntries(expected),
  );
});

test("every command of the README to a newcomer is a step of CI", () => {
  const steps = read(".ci/run");
  const commands = blocks("README.md", "sh")
    .flatMap((code) => code.trim().split("\n"))
    .map((line) => line.replace(/ +#.*$/, ""));
  expect(commands.length).toBe(4);
  const isStep = (command: string) => [" ", "\n"].some((end) => steps.includes(command + end));
  expect(commands.filter((command) => !isStep(command))).toEqual([]);
});

test("the commands of contributors are there", () => {
  const page = read("CONTRIBUTING.md");
  const { scripts } = JSON.parse(read("package.json"));
  const named = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, name = ""]) => name);
  const builds = named(/\.\/build\.sh ([a-z]+)/g);
  expect(builds.filter((name) => !read("build.sh").includes(`\n  ${name})\n`))).toEqual([]);
  expect(named(/bun run ([a-z]+)/g).filter((name) => !(name in scripts))).toEqual([]);
  const paths = named(/bun (?:test )?((?:\.ci|test)\/[\w./-]+)/g);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  expect([builds.length, paths.length].map((count) => count > 2)).toEqual([true, true]);
});

describe("Pages", () => {
  test("link to files and headings that there are", () => {
    const readmes = ["README.md", "test/README.md", "clients/typescript/README.md"];
    const files = [...readmes, "CONTRIBUTING.md"];
    const broken = [...files, ...PAGES.map((name) => `docs/${name}`)].flatMap((path) => {
      const links = [...read(path).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)];
      return links.map(([, link = ""]) => `${path}: ${link}`).filter((told) => !leads(path, told));
    });
    expect(broken).toEqual([]);
  });

  test("show every picture that there is, each small, described, and but the README's with a line below", () => {
    const shown = ["README.md", ...PAGES.map((name) => `docs/${name}`)].flatMap((path) =>
      [...read(path).matchAll(/!\[(.*)\]\((?:docs\/)?(images\/.+?)\)(\n\*.+\*\n\n)?/g)].map(
        ([, alt = "", file = "", caption]) => ({ path, alt, file, caption }),
      ),
    );
    const there = readdirSync(join(ROOT, "docs/images")).map((name) => `images/${name}`);
    expect([...new Set(shown.map(({ file }) => file))].toSorted()).toEqual(there.toSorted());
    expect(
      there.filter((name) => statSync(join(ROOT, "docs", name)).size > PICTURE_BYTES_MAX),
    ).toEqual([]);
    const isBare = ({ path, alt, caption }: (typeof shown)[number]) =>
      alt.length < 15 || (path !== "README.md" && caption === undefined);
    expect(shown.filter(isBare)).toEqual([]);
  });

  test("of decisions are listed, with every decision under its own heading", () => {
    const listed = [...read("docs/adr/README.md").matchAll(/^- \[(.+)\]\((.+\.md)#.+\)$/gm)];
    const decided = DECISIONS.filter((name) => name !== "README.md").flatMap((name) =>
      [...read(`docs/adr/${name}`).matchAll(/^## (.+)$/gm)].map(([, title]) => `${name}: ${title}`),
    );
    expect(listed.map(([, title, name]) => `${name}: ${title}`).toSorted()).toEqual(
      decided.toSorted(),
    );
    expect(new Set(decided).size).toBe(decided.length);
  });

  test("of contributors and of decisions name files that there are", () => {
    const pages = ["CONTRIBUTING.md", ...DECISIONS.map((name) => `docs/adr/${name}`)];
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/`([\w./-]+\/[\w.-]+\.(?:tsx?|md|json|sql))`/g)].map(
        ([, path = ""]) => ({ page, path }),
      ),
    );
    const isThere = (path: string) =>
      [ROOT, join(ROOT, "src"), join(ROOT, "docs")].some((base) => existsSync(join(base, path)));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(({ path }) => !isThere(path))).toEqual([]);
  });

  test("of all settings is made from them", () => {
    // When this fails: bun .ci/configuration.ts
    expect(readFileSync(CONFIGURATION_FILE, "utf8") === configurationPage()).toBe(true);
  });

  test("of alerts have a section for each, in their order, to which it links", () => {
    const titles = [...read("docs/alerts.md").matchAll(/^## (\w+)$/gm)].map(([, title]) => title);
    expect(titles).toEqual(ALERTS.map(({ name }) => name));
    const { markup } = markdown(read("docs/alerts.md"));
    const anchors = ALERTS.map(({ name }) => `id="${anchorOf(name)}"`);
    expect(anchors.filter((anchor) => !markup.includes(anchor))).toEqual([]);
  });

  test("have the dashboard of the metrics that there are", () => {
    // When this fails: bun .ci/installation.ts
    expect(readFileSync(DASHBOARD_FILE, "utf8") === dashboard()).toBe(true);
  });

  test("of the architecture name every worker, in the order in which they are stepped", async () => {
    const app = await createTestApp();
    const backups = { everyMs: 1, scheduled: () => [], make: () => Promise.resolve(null) };
    const { vault } = app.environments.live;
    const keys = { vault, hasOlder: () => false, newest: () => vault };
    const workers = createWorkers(app.environments.live, { backups, keys }).map(({ name }) => name);
    await app.close();
    const [, table = ""] =
      /\n\| worker \| \|\n\|---\|---\|\n([\s\S]*?)\n\n/.exec(read("docs/architecture.md")) ?? [];
    expect([...table.matchAll(/^\| (\w+) /gm)].map(([, name]) => name)).toEqual(workers);
  });

  test("are served, each with its links, under a policy that runs nothing", async () => {
    const app = await createTestApp({ docs: true });
    const get = async (path: string) => await app.fetch(new Request(`http://localhost${path}`));
    const first = await get("/docs/guide");
    expect(first.headers.get("location")).toBe("/docs/guide/quick-start");
    const start = await get("/docs/guide/quick-start");
    expect(start.headers.get("content-security-policy")).toContain("default-src 'none'");
    const text = await start.text();
    const links = [...text.matchAll(/href="(\/docs\/guide\/[^"#]+)/g)].map(([, link = ""]) => link);
    expect(new Set(links).size).toBeGreaterThan(10);
    for (const link of new Set(links)) {
      const page = await get(link);
      expect([link, page.status]).toEqual([link, 200]);
      const html = await page.text();
      if (!link.endsWith(".css")) {
        expect(html).toContain('aria-current="page"');
        expect(html).not.toMatch(/<script|javascript:|<th><\/th>|<img/);
        expect(html.match(/href="(?!https?:|\/|data:|#)[^"]*"/g)).toBeNull();
      }
    }
    expect((await get("/docs/guide/nothing")).status).toBe(404);
    expect((await get("/docs/guide/constructor")).status).toBe(404);
  });
});

/** Whether `path: link` of a page leads to a file, and to a heading of it where it names one. */
function leads(path: string, told: string): boolean {
  const [target = "", anchor] = told.slice(path.length + 2).split("#");
  const file = target === "" ? join(ROOT, path) : resolve(ROOT, dirname(path), target);
  if (!existsSync(file) || relative(ROOT, file).startsWith("..")) {
    return false;
  }
  if (anchor === undefined) {
    return true;
  }
  const html = Bun.markdown.html(readFileSync(file, "utf8"), { headings: { ids: true } });
  return html.includes(`id="${anchor}"`);
}
