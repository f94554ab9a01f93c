/** The programs that are measured, compiled once a run: ours with and without bytecode, and a bare one. */

import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "..");

/** As `build.sh` compiles, but for the bytecode and the commit's name. */
const FLAGS = [
  "--compile",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
  "--minify-syntax",
  "--minify-whitespace",
  "--format=esm",
  "--splitting",
  "--compile-jit-policy=64",
  '--define=__dirname="/"',
  '--define=__filename="/outrider"',
] as const;

export interface Executables {
  /** What is shipped. */
  product: string;
  withoutBytecode: string;
  /** `programs/hello.ts`, with the same flags as the product. */
  bare: string;
}

export async function compileAll(directory: string): Promise<Executables> {
  const product = join(directory, "outrider");
  const withoutBytecode = join(directory, "outrider-plain");
  const bare = join(directory, "hello");
  const embedded = join(directory, "embedded");
  await bun(".ci/embedded.ts", embedded);
  const ours = ["src/main.ts", "--asset", embedded];
  await compile(ours, product, ["--bytecode", "--bytecode-depth=1"]);
  await compile(ours, withoutBytecode, []);
  await compile(["bench/programs/hello.ts"], bare, ["--bytecode"]);
  return { product, withoutBytecode, bare };
}

function compile(words: readonly string[], outfile: string, more: readonly string[]) {
  return bun("build", ...FLAGS, ...more, ...words, "--outfile", outfile);
}

async function bun(...words: string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, ...words], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const errors = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) {
    throw new Error(`bun ${words.join(" ")}:\n${errors}`);
  }
}
