/**
 * Guarantees towards shells and manual readers: what `completions` prints is what each shell completes
 * with, and the manual page is one that groff has no complaint about. Skipped, by name, where a shell
 * is not installed.
 */

import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMANDS } from "#cli/table.ts";
import { run } from "./support.ts";

const dir = mkdtempSync(join(tmpdir(), "outrider-shells-"));
const path = (name: string) => join(dir, name);

beforeAll(async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    writeFileSync(path(shell), (await run(["completions", shell])).out);
  }
  return () => rmSync(dir, { recursive: true, force: true });
});

/** What a shell prints, a word a line, sorted. */
function wordsFrom(command: readonly string[]): string[] {
  const { stdout, stderr, exitCode } = Bun.spawnSync([...command], { cwd: dir });
  expect({ exitCode, err: stderr.toString() }).toEqual({ exitCode: 0, err: "" });
  const lines = stdout.toString().split("\n");
  const words = lines.map((line) => line.split("\t")[0] ?? "");
  return words.filter((word) => word !== "").sort();
}

const lacking = (program: string) => Bun.which(program) === null;

describe("completions", () => {
  const bash = (line: string) => {
    const script = [
      `source ${path("bash")}`,
      `COMP_WORDS=(${line.endsWith(" ") ? `${line}''` : line})`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's
      "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))",
      "_outrider",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's
      'printf "%s\\n" "${COMPREPLY[@]}"',
    ];
    return wordsFrom(["bash", "--norc", "-c", script.join("\n")]);
  };
  const zsh = (before: string) =>
    wordsFrom([
      ...["zsh", "-f", "-c"],
      `compdef() {}; source ${path("zsh")}; _outrider_next "${before}"; print -l -- "$` +
        '{(@)next%%:*}"',
    ]);
  const fish = (line: string) =>
    wordsFrom(["fish", "--no-config", "-c", `source ${path("fish")}; complete -C '${line}'`]);

  test("bash", () => {
    expect(bash("outrider campaigns st")).toEqual(["start", "stats", "steps"]);
    expect(bash("outrider campaigns steps create ID --su")).toEqual(["--subject"]);
    expect(bash("outrider ba")).toEqual(["backup", "backups", "batch"]);
  });

  test.skipIf(lacking("zsh"))("zsh", () => {
    expect(zsh("campaigns")).toEqual(expect.arrayContaining(["start", "stats", "steps"]));
    expect(zsh("campaigns steps create")).toContain("--subject");
    expect(zsh("")).toEqual(expect.arrayContaining(["serve", "backup", "backups"]));
  });

  test.skipIf(lacking("fish"))("fish", () => {
    expect(fish("outrider campaigns st")).toEqual(["start", "stats", "steps"]);
    expect(fish("outrider campaigns steps create ID --su")).toEqual(["--subject"]);
    expect(fish("outrider ba")).toEqual(["backup", "backups", "batch"]);
  });

  test.skipIf(lacking("shellcheck"))("shellcheck finds nothing in the one for bash", () => {
    const { stdout, exitCode } = Bun.spawnSync(["shellcheck", "-s", "bash", path("bash")]);
    expect({ exitCode, said: stdout.toString() }).toEqual({ exitCode: 0, said: "" });
  });

  test("there is none for other shells", async () => {
    const { exit, out, err } = await run(["completions", "tcsh"]);
    expect({ exit, out, err }).toEqual({
      exit: 64,
      out: "",
      err: 'outrider: unknown shell "tcsh"; use bash, zsh, fish, powershell\n',
    });
  });
});

describe("manual", () => {
  test("names every command and every exit code", async () => {
    const { out } = await run(["manual"]);
    for (const name of [...Object.keys(COMMANDS), "campaigns create"]) {
      expect(out).toContain(`.SS outrider ${name.replaceAll("-", "\\-")}`);
    }
    for (const code of [0, 1, 64, 65, 69, 73, 75, 77, 78, 130]) {
      expect(out).toContain(`.B ${code}\n`);
    }
  });

  test.skipIf(lacking("groff"))("groff has no complaint", async () => {
    writeFileSync(path("outrider.1"), (await run(["manual"])).out);
    const { stdout, stderr } = Bun.spawnSync(
      ["groff", "-man", "-ww", "-Tutf8", "-P-c", path("outrider.1")],
      { env: { ...process.env, LC_ALL: "C.UTF-8" } },
    );
    expect(stderr.toString()).toBe("");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: how bold is written
    const plain = stdout.toString().replace(/.\u0008/gu, "");
    expect(plain.includes("outrider campaigns create")).toBe(true);
  });
});
