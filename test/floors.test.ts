/**
 * The gates hold: a violation of each rule of the architecture, planted in a temporary tree, is reported
 * by Biome under the repository's own configuration, and what the rules allow is not. What no tool can
 * say is checked here over the tree itself.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";

const TOP = resolve(import.meta.dir, "..");

const IMPORTS = "noRestrictedImports";
const GLOBALS = "noRestrictedGlobals";
const line = (from: string) => `import { thing } from "${from}";\nexport const used = thing;\n`;
const exported = (expression: string) => `export const value = ${expression};\n`;
const lines = (count: number) =>
  Array.from({ length: count }, (_, n) => `export const v${n} = ${n};\n`).join("");
const longFunction = (count: number) =>
  `export function long(): number[] {\n  const all: number[] = [];\n${"  all.push(1);\n".repeat(count)}  return all;\n}\n`;

/** Path, what it holds, and the rule that must report it. */
const PLANTED: [path: string, code: string, rule: string][] = [
  ["src/domain/up.ts", line("#store/team/keys.ts"), IMPORTS],
  ["src/domain/inbound/out.ts", line("../../runtime/clock.ts"), IMPORTS],
  ["src/domain/environment.ts", line("#environment.ts"), IMPORTS],
  ["src/domain/node.ts", line("node:fs"), IMPORTS],
  ["src/domain/package.ts", line("elysia"), IMPORTS],
  ["src/domain/date.ts", exported("new Date(0)"), GLOBALS],
  ["src/domain/bun.ts", exported("Bun.version"), GLOBALS],
  ["src/domain/fetch.ts", exported('fetch("http://localhost")'), GLOBALS],
  ["src/domain/timer.ts", exported("setTimeout(() => undefined, 1)"), GLOBALS],
  ["src/domain/crypto.ts", exported("crypto.randomUUID()"), GLOBALS],
  ["src/domain/process.ts", exported("process.pid"), GLOBALS],
  ["src/platform/up.ts", line("#store/team/keys.ts"), IMPORTS],
  ["src/platform/package.ts", line("drizzle-orm"), IMPORTS],
  ["src/platform/names.ts", line("node:dns/promises"), IMPORTS],
  ["src/mail/names.ts", line("node:dns"), IMPORTS],
  ["src/usecases/fetch.ts", exported('fetch("http://localhost")'), GLOBALS],
  ["src/store/up.ts", line("#mail/smtp/smtp.ts"), IMPORTS],
  ["src/store/environment.ts", line("#environment.ts"), IMPORTS],
  ["src/store/package.ts", line("elysia"), IMPORTS],
  ["src/mail/twin.ts", line("#sandbox/people.ts"), IMPORTS],
  ["src/mail/up.ts", line("#usecases/team/keys.ts"), IMPORTS],
  ["src/mail/sqlite.ts", line("bun:sqlite"), IMPORTS],
  ["src/sandbox/twin.ts", line("#mail/smtp/smtp.ts"), IMPORTS],
  ["src/sandbox/network.ts", line("node:net"), IMPORTS],
  ["src/billing/neighbour.ts", line("#mail/smtp/smtp.ts"), IMPORTS],
  ["src/usecases/up.ts", line("#engine/run.ts"), IMPORTS],
  ["src/usecases/sql.ts", line("drizzle-orm"), IMPORTS],
  ["src/engine/neighbour.ts", line("#api/schema.ts"), IMPORTS],
  ["src/engine/web.ts", line("#web/public.ts"), IMPORTS],
  ["src/engine/sql.ts", line("bun:sqlite"), IMPORTS],
  ["src/api/neighbour.ts", line("#engine/run.ts"), IMPORTS],
  ["src/api/web.ts", line("#web/public.ts"), IMPORTS],
  ["src/api/up.ts", line("#app.ts"), IMPORTS],
  ["src/api/config.ts", line("#config/config.ts"), IMPORTS],
  ["src/api/sql.ts", line("drizzle-orm"), IMPORTS],
  ["src/web/neighbour.ts", line("#api/schema.ts"), IMPORTS],
  ["src/web/engine.ts", line("#engine/run.ts"), IMPORTS],
  ["src/ui/store.ts", line("#store/team/keys.ts"), IMPORTS],
  ["src/ui/schema.ts", line("#api/schema.ts"), IMPORTS],
  ["src/ui/elysia.ts", line("elysia"), IMPORTS],
  ["src/cli/sql.ts", line("bun:sqlite"), IMPORTS],
  ["src/cli/mail.ts", line("imapflow"), IMPORTS],
  ["src/app.ts", line("nodemailer"), IMPORTS],
  ["src/usecases/date.ts", exported("Date.now()"), GLOBALS],
  ["src/engine/send.ts", exported("setTimeout(() => undefined, 1)"), GLOBALS],
  ["src/api/interval.ts", exported("setInterval(() => undefined, 1)"), GLOBALS],
  ["src/platform/clock.ts", exported("setTimeout(() => undefined, 1)"), GLOBALS],
  ["src/engine/run.ts", exported("Date.now()"), GLOBALS],
  ["src/usecases/default.ts", "export default 1;\n", "noDefaultExport"],
  ["src/usecases/any.ts", exported("JSON.parse('1') as any"), "noExplicitAny"],
  ["src/usecases/bang.ts", exported("[1][0]!"), "noNonNullAssertion"],
  ["src/usecases/console.ts", 'console.log("x");\n', "noConsole"],
  ["src/usecases/enum.ts", "export enum Kind {\n  A = 1,\n}\n", "noEnum"],
  ["src/usecases/barrel.ts", 'export * from "./any.ts";\n', "noReExportAll"],
  ["src/usecases/Camel.ts", exported("1"), "useFilenamingConvention"],
  ["src/usecases/bare.ts", line("./any"), "useImportExtensions"],
  ["src/usecases/unknown.ts", line("left-pad"), "noUndeclaredDependencies"],
  [
    "src/usecases/cycle-a.ts",
    'import { b } from "./cycle-b.ts";\nexport const a = b;\n',
    "noImportCycles",
  ],
  [
    "src/usecases/cycle-b.ts",
    'import { a } from "#usecases/cycle-a.ts";\nexport const b = a;\n',
    "noImportCycles",
  ],
  ["src/usecases/long-file.ts", lines(401), "noExcessiveLinesPerFile"],
  ["src/usecases/long-function.ts", longFunction(70), "noExcessiveLinesPerFunction"],
  [
    "src/usecases/floating.ts",
    "async function save(): Promise<void> {\n  await Promise.resolve();\n}\nexport function f(): void {\n  save();\n}\n",
    "noFloatingPromises",
  ],
  [
    "test/focused.test.ts",
    'import { test } from "bun:test";\ntest.only("x", () => {});\n',
    "noFocusedTests",
  ],
];

/** Path, what it holds: nothing here may be reported under the rules of floors. */
const ALLOWED: [path: string, code: string][] = [
  ["src/domain/below.ts", line("./problem.ts")],
  ["src/domain/liquid.ts", line("liquidjs")],
  ["src/domain/experiments/stats/special.ts", line("@stdlib/math-base-special-erfc")],
  ["src/domain/inbound/above.ts", line("../problem.ts")],
  ["src/platform/below.ts", line("#domain/problem.ts")],
  ["src/platform/ports/node.ts", line("node:fs/promises")],
  ["src/store/below.ts", line("drizzle-orm/sqlite-core")],
  ["src/mail/below.ts", line("nodemailer/lib/smtp-connection")],
  ["src/usecases/below.ts", line("#environment.ts")],
  ["src/engine/below.ts", line("#usecases/team/keys.ts")],
  ["src/api/below.ts", line("@sinclair/typebox")],
  ["src/web/below.ts", line("elysia")],
  ["src/cli/below.ts", line("#api/schema.ts")],
  ["src/app/environments.ts", line("#mail/smtp/smtp.ts")],
  ["test/time.ts", exported("new Date(0)")],
];

const FILES_A_FOLDER_MAX = 25;

/** The same on every floor; those that a floor lacks are passed over. */
const ROOMS = [
  ...["sqlite", "tables", "events", "campaigns", "leads", "mailboxes", "sending", "billing"],
  ...["experiments", "forecast", "placement", "delivery", "inbox", "team", "operations", "sandbox"],
];

interface Report {
  diagnostics: { category: string; location: { path: string | { file: string } } }[];
}

describe("Biome reports", () => {
  const dir = mkdtempSync(join(tmpdir(), "outrider-floors-"));
  const found = new Map<string, Set<string>>();

  beforeAll(async () => {
    for (const name of [".biome.jsonc", "package.json"]) {
      cpSync(join(TOP, name), join(dir, name));
    }
    for (const [path, code] of [...PLANTED, ...ALLOWED]) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), code);
    }
    const biome = join(TOP, "node_modules/.bin/biome");
    const options = ["lint", "--reporter=json", "--max-diagnostics=none"];
    const child = Bun.spawn([process.execPath, "--bun", biome, ...options], {
      cwd: dir,
      stderr: "ignore",
    });
    const report = JSON.parse(await new Response(child.stdout).text()) as Report;
    for (const { category, location } of report.diagnostics) {
      const path = typeof location.path === "string" ? location.path : location.path.file;
      const rule = category.split("/").at(-1) ?? category;
      found.set(path, (found.get(path) ?? new Set()).add(rule));
    }
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  test.each(PLANTED)("%s", (path, _code, rule) => {
    expect([...(found.get(path) ?? [])]).toContain(rule);
  });

  test.each(ALLOWED)("nothing of floors about %s", (path) => {
    const rules = [...(found.get(path) ?? [])];
    expect(rules.filter((rule) => rule === IMPORTS || rule === GLOBALS)).toEqual([]);
  });
});

describe("The tree", () => {
  const files = (pattern: string) => [...new Bun.Glob(pattern).scanSync(TOP)].sort();
  const text = (path: string) => readFileSync(join(TOP, path), "utf8");
  const sources = files("src/**/*.{ts,tsx}");

  test("no file is called by what every file could be called by", () => {
    const empty = /(^|\/)(utils?|helpers?|common|misc|managers?|index)(\.|\/)/;
    expect([...sources, ...files("test/**/*.ts")].filter((path) => empty.test(path))).toEqual([]);
  });

  test("a relative import stays on its floor; across floors, imports name the floor", () => {
    const strays = sources.flatMap((path) =>
      [...text(path).matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]*)"/g)]
        .map(([, target = ""]) => relative(TOP, resolve(TOP, dirname(path), target)))
        .filter(
          (target) =>
            !/^(migrations|node_modules)\/|^(docs|bench\/classify)\/[\w-]+\.(md|ndjson)$|^(package\.json|CHANGELOG\.md)$|^src\/ui\/index\.html$/.test(
              target,
            ),
        )
        .filter((target) => floorOf(target) !== floorOf(path))
        .map((target) => `${path} -> ${target}`),
    );
    expect(strays).toEqual([]);
  });

  test("rooms stand in an order: an import goes to an earlier room, or stays", () => {
    const rank = (path: string) => ROOMS.indexOf(roomOf(path));
    const upward = sources.flatMap((path) =>
      [...text(path).matchAll(/from "([#.][^"]*)"/g)]
        .map(([, target = ""]) =>
          target.startsWith("#")
            ? `src/${target.slice(1)}`
            : relative(TOP, resolve(TOP, dirname(path), target)),
        )
        .filter((target) => floorOf(target) === floorOf(path) && rank(target) > rank(path))
        .filter(() => rank(path) !== -1)
        .map((target) => `${path.slice(4)} -> ${target.slice(4)}`),
    );
    expect(upward).toEqual([]);
  });

  test("the engine writes nothing by itself: what it imports of the store only reads", () => {
    const writing =
      /^(insert|update|remove|delete|drop|prune|bring|schedule|pull|write|mark|clean)[A-Z]/;
    const found = files("src/engine/*.ts").flatMap((path) =>
      [...text(path).matchAll(/import \{([^}]*)\} from "#store/g)]
        .flatMap(([, names = ""]) => names.split(/[\s,]+/))
        .filter((name) => writing.test(name))
        .map((name) => `${path}: ${name}`),
    );
    expect(found).toEqual([]);
  });

  test("at the root stand the program and its composition, and nothing else", () => {
    expect(files("src/*")).toEqual(["src/app.ts", "src/main.ts"]);
  });

  test("no folder of the product, or of the tests of its floors, holds more than 25 files", () => {
    const tests = files("test/{api,domain,engine,mail,store,usecases,web}/**/*.ts");
    const counts = Map.groupBy([...sources, ...tests], (path) => dirname(path));
    const crowded = [...counts].filter(([, paths]) => paths.length > FILES_A_FOLDER_MAX);
    expect(crowded.map(([folder]) => folder)).toEqual([]);
  });

  test.each([
    [
      "the time",
      /\bTemporal\.Now\b|\bperformance\.now\b/,
      ["src/platform/clock.ts", "src/ui/lib/clock.ts"],
    ],
    [
      "waiting",
      /\bBun\.sleep/,
      [
        ...[
          "src/cli/demo/demo-play.ts",
          "src/cli/requests/follow.ts",
          "src/cli/requests/leads-import.ts",
        ],
        ...["src/cli/server/master-key.ts", "src/cli/server/rollout.ts"],
        ...["src/cli/server/status.ts", "src/main.ts"],
      ],
    ],
    ["chance", /\bMath\.random\b/, []],
    [
      "the environment",
      /\bprocess\.env\b/,
      ["src/main.ts", "src/cli/process.ts", "src/platform/self.ts", "src/web/bundle.ts"],
    ],
  ])("%s comes from outside: it is named in its own file only", (_what, pattern, allowed) => {
    const named = sources.filter((path) => pattern.test(withoutComments(text(path))));
    expect(named.filter((path) => !allowed.includes(path))).toEqual([]);
  });

  test("every source opens by saying what it is, unless it is a list of schemas or declarations", () => {
    const silent = sources
      .filter((path) => !path.endsWith("schema.ts") && !path.endsWith(".d.ts"))
      .filter((path) => !/^(\/\/[^\n]*\n)*\/\*\*/.test(text(path)));
    expect(silent).toEqual([]);
  });

  test("the lock file installs from any registry: it holds no address", () => {
    expect(text("bun.lock")).not.toContain("://");
  });

  test("every version is exact", () => {
    const { dependencies, devDependencies } = JSON.parse(text("package.json")) as Record<
      string,
      Record<string, string>
    >;
    const versions = Object.values({ ...dependencies, ...devDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });
});

/** The part of a path that names its room; "" of files that all rooms share. */
function roomOf(path: string): string {
  const [, , room = "", ...rest] = path.split("/");
  return rest.length === 0 ? "" : room;
}

/** `store` of `src/store/tables/keys.ts`; "" of files that stand above all floors. */
function floorOf(path: string): string {
  const [, floor = "", ...rest] = path.split("/");
  return rest.length === 0 ? "" : floor;
}

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}
