/**
 * Guarantees of completed values: what a schema allows and the ids of records by their names, in each shell;
 * silence where a server can't be asked. What each shell does with words is in `shells.test.ts`.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { startTestServer, type TestServer } from "../support/running-app.ts";
import { run } from "./support.ts";

const MAIN = resolve(import.meta.dir, "../../src/main.ts");
let server: TestServer;
let env: Record<string, string>;
const ids = { spring: "", account: "" };

beforeAll(async () => {
  server = await startTestServer();
  env = { OUTRIDER_URL: server.url, OUTRIDER_KEY: await server.keyOf("test") };
  ids.spring = await id("campaigns", "create", "--name", "Spring: it's on");
  await id("campaigns", "create", "--name", "Fall");
  ids.account = await id("accounts", "create", "--email", "ann@a.example", "--provider", "sandbox");
  mkdirSync(join(server.dir, "bin"));
  const shim = join(server.dir, "bin/outrider");
  writeFileSync(shim, `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`);
  chmodSync(shim, 0o755);
});
afterAll(() => server.stop());

async function id(...args: string[]): Promise<string> {
  return (await run([...args, "--only", "id"], { env })).out.trim();
}

async function values(...words: string[]): Promise<string[]> {
  const { exit, out, err } = await run(["completions", "values", "--", ...words], { env });
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  return out.split("\n").flatMap((line) => line.split("\t")[0] || []);
}

describe("Values after", () => {
  test("an option are those that it takes", async () => {
    expect(await values("campaigns", "update", "X", "--status", "p")).toEqual(["paused"]);
    expect(await values("campaigns", "create", "--stop-on-reply", "")).toEqual(["true", "false"]);
    expect(await values("campaigns", "create", "--send-window.days", "monday,t")).toEqual([
      ...["monday,tuesday", "monday,thursday"],
    ]);
    expect(await values("campaigns", "create", "--name", "")).toEqual([]);
  });

  test("an option for an id, or in an id's place, are records by id or name", async () => {
    expect(await values("campaigns", "get", "spr")).toEqual([ids.spring]);
    expect(await values("campaigns", "get", ids.spring.slice(0, 36))).toEqual([ids.spring]);
    expect(await values("campaigns", "get", "")).toHaveLength(2);
    expect(await values("campaigns", "steps", "create", "--type", "email", "spr")).toEqual([
      ids.spring,
    ]);
    expect(await values("campaigns", "create", "--account-ids", "ann")).toEqual([ids.account]);
    expect(await values("exports", "messages", "--campaign-id", "fal")).toHaveLength(1);
  });

  test("anything else are none", async () => {
    expect(await values("campaigns", "get", ids.spring, "")).toEqual([]);
    expect(await values("campaigns", "get", "--")).toEqual([]);
    expect(await values("nothing", "")).toEqual([]);
    expect(await values()).toEqual([]);
  });

  test("a command where no server can be asked are none, without a word", async () => {
    const words = ["completions", "values", "--", "campaigns", "get", ""];
    for (const away of [{}, { ...env, OUTRIDER_URL: "http://127.0.0.1:1" }]) {
      expect(await run(words, { env: away })).toEqual({ exit: 0, out: "", err: "" });
    }
  });
});

describe("In a shell:", () => {
  const from = async (shell: string, script: (file: string) => string, ...args: string[]) => {
    const file = join(server.dir, `completion.${shell}`);
    writeFileSync(file, (await run(["completions", shell])).out);
    const child = Bun.spawn([shell, ...args, "-c", script(file)], {
      cwd: server.dir,
      env: { ...env, PATH: `${join(server.dir, "bin")}:${process.env["PATH"]}`, HOME: server.dir },
      ...{ stdout: "pipe", stderr: "pipe" },
    });
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect(err).toBe("");
    return out.split("\n").flatMap((line) => line.split("\t")[0] || []);
  };
  const lacking = (program: string) => Bun.which(program) === null;

  test("bash", async () => {
    const bash = (words: string, last: number) => (file: string) =>
      `source ${file}; COMP_WORDS=(${words}); COMP_CWORD=${last}; _outrider; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(await from("bash", bash("outrider campaigns get spr", 3), "--norc")).toEqual([
      ids.spring,
    ]);
    const option = bash("outrider campaigns update X --status a", 5);
    expect(await from("bash", option, "--norc")).toEqual(["active", "archived"]);
    expect(await from("bash", bash("outrider campaigns sta", 2), "--norc")).toEqual([
      ...["start", "stats"],
    ]);
  }, 60_000);

  test.skipIf(lacking("fish"))(
    "fish",
    async () => {
      const fish = (line: string) => (file: string) => `source ${file}; complete -C '${line}'`;
      const start = ids.spring.slice(0, 36);
      expect(await from("fish", fish(`outrider campaigns get ${start}`), "--no-config")).toContain(
        ids.spring,
      );
    },
    60_000,
  );

  test.skipIf(lacking("zsh"))(
    "zsh",
    async () => {
      const zsh = (file: string) =>
        [
          "compdef() {}; _files() {}",
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's
          '_describe() { [[ $1 == value ]] && print -l -- "${(@)${(@P)2}%%:*}" }',
          `source ${file}; words=(outrider campaigns get spr); CURRENT=4; _outrider`,
        ].join("\n");
      expect(await from("zsh", zsh, "-f")).toEqual([ids.spring]);
    },
    60_000,
  );
});

test("PowerShell's words are quoted for it", async () => {
  const { exit, out } = await run(["completions", "powershell"]);
  expect(exit).toBe(0);
  const table = out.split("\n").filter((line) => line.startsWith("  '"));
  expect(table.length).toBeGreaterThan(100);
  for (const line of table) {
    expect(line).toMatch(/^ {2}'[^']*' = @\(@\('[^']*', '[^']*'\)(, @\('[^']*', '[^']*'\))*\)$/);
  }
});
