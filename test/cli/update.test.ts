/** Guarantees of `update`: only a release that runs takes the place, and what was there stays. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./support.ts";

let dir: string;
const path = (name: string) => join(dir, name);
const read = (name: string) => readFileSync(path(name), "utf8");

/** A program that answers `version --json` as a release does. */
const release = (version: string) =>
  `#!/bin/sh\n[ "$1 $2" = "version --json" ] && echo '{"version":"${version}","commit":"abc"}'\n`;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "outrider-update-"));
  writeFileSync(path("outrider"), release("1.0.0"), { mode: 0o755 });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const update = (...args: string[]) =>
  run(["update", "--target", path("outrider"), ...args], { workingDir: dir });

test("the new program stands in the place, runs, and the old one is beside it", async () => {
  writeFileSync(path("new"), release("2.0.0"), { mode: 0o644 });
  const hash = new Bun.CryptoHasher("sha256").update(release("2.0.0")).digest("hex");
  const { exit, out, err } = await update("--from", "new", "--sha256", hash, "--json");
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  expect(JSON.parse(out)).toMatchObject({ version: "2.0.0", target: path("outrider") });
  expect(read("outrider")).toBe(release("2.0.0"));
  expect(read("outrider.old")).toBe(release("1.0.0"));
  expect(readdirSync(dir).sort()).toEqual(["new", "outrider", "outrider.old"]);
});

describe("Nothing is replaced, and nothing is left over, by", () => {
  test.each<[about: string, content: string | null, args: string[], exit: number]>([
    ["a file that is not there", null, [], 65],
    ["what does not run", "not a program", [], 65],
    ["what runs and is no Outrider", "#!/bin/sh\necho hello\n", [], 65],
    ["what fails", "#!/bin/sh\nexit 3\n", [], 65],
    ["another file than the hash says", release("2.0.0"), ["--sha256", "0".repeat(64)], 65],
    ["a hash that is none", release("2.0.0"), ["--sha256", "abc"], 64],
  ])("%s", async (_, content, args, code) => {
    if (content !== null) {
      writeFileSync(path("new"), content);
      chmodSync(path("new"), 0o755);
    }
    const { exit, out } = await update("--from", "new", ...args);
    expect({ exit, out }).toEqual({ exit: code, out: "" });
    expect(read("outrider")).toBe(release("1.0.0"));
    expect(existsSync(path("outrider.next"))).toBe(false);
    expect(existsSync(path("outrider.old"))).toBe(false);
  });
});
