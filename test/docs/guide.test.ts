/**
 * Guarantees of the documentation: what it shows works. Commands are run as they stand, against a server
 * of their own; webhooks are verified by each of the four programs; every link leads somewhere; tables
 * that are made from code are those of today's code; the console serves the same pages.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { Webhook } from "standardwebhooks";
import { CONFIGURATION_FILE, configurationPage } from "../../.ci/configuration.ts";
import { startImapSink } from "../mail/imap-sink.ts";
import { startSmtpSink } from "../mail/smtp-sink.ts";
import { createTestApp } from "../support/app.ts";
import { type Started, startProgram } from "../support/console.ts";

const ROOT = resolve(import.meta.dir, "../..");
const EXECUTABLE = process.env["OUTRIDER_EXECUTABLE"];
const DOCS = join(ROOT, "docs");
const PAGES = readdirSync(DOCS).filter((name) => name.endsWith(".md"));
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** Code of a language, in order; what follows the language's name tells blocks apart. */
function blocks(path: string, language: string): string[] {
  const fences = read(path).matchAll(/^( *)```([^\n]*)\n([\s\S]*?)^ *```$/gm);
  return [...fences]
    .filter(([, , info]) => info === language)
    .map(([, indent = "", , code = ""]) => code.replaceAll(new RegExp(`^${indent}`, "gm"), ""));
}

describe("Commands", () => {
  const dir = mkdtempSync(join(tmpdir(), "outrider-guide-"));
  const data = join(dir, "outrider-data");
  let server: Started;

  beforeAll(async () => {
    mkdirSync(join(dir, "bin"));
    const program = EXECUTABLE ?? `${process.execPath} ${join(ROOT, "src/main.ts")}`;
    writeFileSync(join(dir, "bin/outrider"), `#!/bin/sh\nexec ${program} "$@"\n`);
    chmodSync(join(dir, "bin/outrider"), 0o755);
    mkdirSync(join(dir, "dist"));
    writeFileSync(join(dir, "dist/outrider"), `#!/bin/sh\nexec ${program} "$@"\n`);
    chmodSync(join(dir, "dist/outrider"), 0o755);
    server = await startProgram({
      data,
      env: { OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8", OUTRIDER_RATE_LIMIT: "0" },
    });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  /** One script of all `code`, from the directory in which the reader stands. */
  async function shell(code: readonly string[], env: Record<string, string> = {}) {
    const script = code.join("\n").replaceAll("http://127.0.0.1:8480", server.url);
    const child = Bun.spawn(["bash", "-euo", "pipefail", "-c", script], {
      cwd: dir,
      env: {
        ...{ PATH: `${join(dir, "bin")}:${process.env["PATH"]}`, HOME: dir },
        ...{ OUTRIDER_URL: server.url, ...env },
      },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err, exit] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    expect({ exit, err: exit === 0 ? "" : err }).toEqual({ exit: 0, err: "" });
    return out;
  }

  const keyOf = async (name: string) =>
    (await shell([`outrider keys create --data ./outrider-data --name ${name} --env test`])).trim();

  test("of the quick start lead to answers", async () => {
    const [serve = ""] = blocks("docs/quick-start.md", "sh server");
    expect(serve).toBe("outrider serve --data ./outrider-data\n");
    const out = await shell(blocks("docs/quick-start.md", "sh"));
    expect(out).toContain("is ready");
    expect(out).toMatch(/^status +active$/m);
    expect(out).toMatch(/^sent +[3-6]$/m);
    expect(readFileSync(join(dir, "result.csv"), "utf8")).toContain("ada@customer.example");
  });

  /** A newcomer's machine may have neither; there is nothing of ours to see there. */
  const lacksCurl = Bun.which("curl") === null || Bun.which("grep") === null;

  test.skipIf(lacksCurl)("of the README are a live campaign, whose mail arrives", async () => {
    const smtp = await startSmtpSink();
    const imap = await startImapSink();
    try {
      const here = (port: number) => `"host": "127.0.0.1", "port": ${port}, "security": "none"`;
      const [shown = "", more] = blocks("README.md", "sh first");
      expect(more).toBeUndefined();
      expect(shown.trim().split("\n").length).toBeLessThanOrEqual(10);
      const code = shown
        .replace('"host": "smtp.example.com"', here(smtp.port))
        .replace('"host": "imap.example.com"', here(imap.port))
        // Whenever this is run, the window is open.
        .replace('{"timezone": "Europe/Berlin"}', JSON.stringify(ROUND_THE_CLOCK));
      const out = await shell([code]);
      expect(out).toContain('"smtp":{"ok":true');
      expect(out).toContain('"status":"active"');
      while (!smtp.bodies.some((body) => body.includes("Hello Ada"))) {
        await Bun.sleep(50);
      }
    } finally {
      await smtp.stop();
      await imap.stop();
    }
  });

  test.skipIf(lacksCurl)("of the API guide answer what it says", async () => {
    const out = await shell(blocks("docs/api.md", "sh"), { OUTRIDER_KEY: await keyOf("guide") });
    const shown = /^# (\{"type":"validation_error".*\})$/m.exec(read("docs/api.md"))?.[1] ?? "none";
    expect(out).toContain(shown);
    // The second of two requests under one key is the first one's answer.
    const made = [...out.matchAll(/^\{"id":"([^"]+)".*"name":"Spring"/gm)];
    expect(made).toHaveLength(2);
    expect(made[0]?.[1]).toBe(made[1]?.[1] ?? "none");
  });

  test("of operations back up and restore", async () => {
    const [backup = ""] = blocks("docs/operations.md", "sh");
    await shell([backup]);
    expect(existsSync(join(dir, "new-directory/live.db"))).toBe(true);
    const out = await shell(["outrider teams list --data ./new-directory"]);
    expect(out.trim().split("\n")).toHaveLength(2);
  });

  test("of operations move a team", async () => {
    const out = await shell(blocks("docs/operations.md", "sh move"));
    expect(out).toContain("its campaigns are paused");
    expect(existsSync(join(dir, "other/live.db"))).toBe(true);
  });

  test("of the pages are commands and options that there are", async () => {
    const { commands } = JSON.parse(await shell(["outrider help --json"])) as {
      commands: { name: string }[];
    };
    const names = commands.map(({ name }) => name);
    const pages = [
      "README.md",
      ...PAGES.map((name) => `docs/${name}`),
      "clients/typescript/README.md",
    ];
    const told = pages.flatMap((path) =>
      [...read(path).matchAll(/(?:`|^ *|\$\()(?:dist\/)?outrider ([a-z][a-z -]*)/gm)].map(
        ([, words = ""]) => ({
          path,
          words: words
            .trim()
            .split(/ +/)
            .filter((word) => !word.startsWith("-")),
        }),
      ),
    );
    expect(told.length).toBeGreaterThan(30);
    const unknown = told.filter(
      ({ words }) =>
        words[0] !== "help" &&
        ![1, 2, 3, 4].some((length) => names.includes(words.slice(0, length).join(" "))),
    );
    expect(unknown).toEqual([]);
  });
});

/** All week, so that nothing waits for a Monday. */
const ROUND_THE_CLOCK = {
  days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
  start_hour: 0,
  end_hour: 24,
};

describe("A webhook is verified as the guide shows", () => {
  const dir = mkdtempSync(join(tmpdir(), "outrider-verify-"));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const secret = `whsec_${btoa("a secret of some length, say")}`;
  const body = JSON.stringify({ type: "email.sent", data: { subject: "Grüße" } });
  const code = (language: string) => blocks("docs/webhooks.md", language)[0] ?? "";
  const file = (name: string, text: string) => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };

  /** Whether the program says yes to a body, signed `ageSeconds` ago. */
  const verdicts: Record<string, (given: string, headers: Record<string, string>) => string[]> = {
    ts: (given, headers) => [
      process.execPath,
      file(
        "verify.ts",
        `${code("ts")}\nverify(${JSON.stringify(secret)}, new Headers(${JSON.stringify(headers)}), ${JSON.stringify(given)});`,
      ),
    ],
    python: (given, headers) => [
      "python3",
      file(
        "verify.py",
        `${code("python")}\nverify(${JSON.stringify(secret)}, ${JSON.stringify(headers)}, ${JSON.stringify(given)}.encode())`,
      ),
    ],
    go: (given, headers) => {
      const sets = Object.entries(headers).map(
        ([name, value]) => `h.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`,
      );
      const main = `func main() {\n h := http.Header{}\n${sets.join("\n")}\n if Verify(${JSON.stringify(secret)}, h, []byte(${JSON.stringify(given)})) != nil { panic("no") }\n}`;
      return [
        "go",
        "run",
        file("main.go", `${code("go").replace("package webhook", "package main")}\n${main}`),
      ];
    },
    bash: (given, headers) => [
      "bash",
      file(
        "verify.sh",
        `${code("bash")}\nverify '${secret}' '${headers["webhook-id"]}' ${headers["webhook-timestamp"]} '${headers["webhook-signature"]}' '${file("body", given)}'`,
      ),
    ],
  };
  const programs: Record<string, string> = {
    ts: "bun",
    python: "python3",
    go: "go",
    bash: "openssl",
  };

  function answer(language: string, given: string, change: Record<string, string>, ageSeconds = 0) {
    const at = new Date(Date.now() - ageSeconds * 1_000);
    const headers = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": `v1,AAAA ${new Webhook(secret).sign("msg_1", at, body)}`,
      ...change,
    };
    const command = verdicts[language]?.(given, headers) ?? [];
    return Bun.spawnSync(command, { cwd: dir, env: process.env }).exitCode === 0;
  }

  for (const [language, program] of Object.entries(programs)) {
    test.skipIf(program !== "bun" && Bun.which(program) === null)(`in ${language}`, () => {
      expect(code(language)).not.toBe("");
      expect(answer(language, body, {})).toBe(true);
      expect(answer(language, `${body} `, {})).toBe(false);
      expect(answer(language, body, { "webhook-id": "msg_2" })).toBe(false);
      expect(answer(language, body, {}, 400)).toBe(false);
    });
  }
});

describe("Pages", () => {
  test("link to files and headings that there are", () => {
    const files = ["README.md", "test/README.md", "clients/typescript/README.md"];
    const broken = [...files, ...PAGES.map((name) => `docs/${name}`)].flatMap((path) => {
      const links = [...read(path).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)];
      return links.map(([, link = ""]) => `${path}: ${link}`).filter((told) => !leads(path, told));
    });
    expect(broken).toEqual([]);
  });

  test("of all settings is made from them", () => {
    // When this fails: bun .ci/configuration.ts
    expect(readFileSync(CONFIGURATION_FILE, "utf8") === configurationPage()).toBe(true);
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
        expect(html).not.toMatch(/<script|javascript:|<th><\/th>/);
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
