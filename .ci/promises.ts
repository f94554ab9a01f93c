/**
 * Runs the tests that try to break each promise and prints the table: promise, tests, cases tried,
 * failures. Ends with 1 where one fails, or nothing was tried. `./build.sh promises [NAME...]`.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PROMISES } from "../test/support/promises.ts";

const TEST_MS_MAX = 600_000;
const ROOT = resolve(import.meta.dir, "..");

interface Row {
  promise: string;
  tests: readonly string[];
  tried: number;
  skipped: number;
  failures: number;
}

function runTests(
  name: string,
  { promise, tests }: { promise: string; tests: readonly string[] },
): Row {
  const directory = mkdtempSync(join(tmpdir(), "outrider-promises-"));
  try {
    const report = join(directory, "report.xml");
    const log = join(directory, "tried");
    writeFileSync(log, "");
    const reporter = ["--reporter=junit", `--reporter-outfile=${report}`];
    const command = [process.execPath, "test", `--timeout=${TEST_MS_MAX}`, ...reporter, ...tests];
    const { exitCode } = Bun.spawnSync(command, {
      cwd: ROOT,
      env: { ...process.env, OUTRIDER_PROMISES_LOG: log },
      stdout: "ignore",
      stderr: "inherit",
    });
    const head = /<testsuites[^>]*>/.exec(readFileSync(report, "utf8"))?.[0] ?? "";
    const count = (what: string) => Number(new RegExp(` ${what}="(\\d+)"`).exec(head)?.[1] ?? 0);
    const counted = readFileSync(log, "utf8").split("\n").filter(Boolean);
    const own = counted.filter((line) => line.startsWith(`${name} `));
    const cases = own.reduce((sum, line) => sum + Number(line.split(" ")[1]), 0);
    const failures = count("failures") || (exitCode === 0 ? 0 : 1);
    const [tried, skipped] = [count("tests") - count("skipped") + cases, count("skipped")];
    return { promise, tests, tried, skipped, failures };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const wanted = process.argv.slice(2);
const known = Object.entries(PROMISES);
const unknown = wanted.filter((name) => !(name in PROMISES));
if (unknown.length > 0) {
  const names = known.map(([name]) => name).join(", ");
  process.stderr.write(`no such promise: ${unknown.join(", ")}; there are ${names}\n`);
  process.exit(64);
}
process.stdout.write("| promise | tests | cases tried | skipped | failures |\n");
process.stdout.write("|---|---|---:|---:|---:|\n");
let broken = 0;
for (const [name, promised] of known) {
  if (wanted.length === 0 || wanted.includes(name)) {
    const { promise, tests, tried, skipped, failures } = runTests(name, promised);
    broken += failures > 0 || tried === 0 ? 1 : 0;
    const files = tests.map((file) => `\`${file}\``).join(", ");
    process.stdout.write(`| ${promise} | ${files} | ${tried} | ${skipped} | ${failures} |\n`);
  }
}
process.exit(broken === 0 ? 0 : 1);
