/**
 * The console as an executable has it inside: bundled, and made as small as it gets.
 *
 *   bun .ci/console.ts dist/outrider.console
 */

import { minify } from "terser";
import { type Bundle, type BundledFile, bundleConsole } from "../src/web/bundle.ts";

/** As hard as libdeflate tries. */
const PACKING = 12;

/**
 * Each script once more through a compressor that gives the commonest names the shortest words: four in
 * a hundred less than what the bundler makes of it.
 */
export async function smallConsole(): Promise<Bundle> {
  const { html, files } = await bundleConsole();
  const small: Bundle = { html, files: {} };
  for (const [name, { type, text }] of Object.entries(files)) {
    const isScript = name.endsWith(".js");
    const compress = { passes: 2, lhs_constants: false };
    const made = isScript ? await minify(text, { module: true, compress }) : {};
    small.files[name] = packed({ type, text: made.code ?? text });
  }
  return small;
}

/** Three in a hundred less than what zlib makes of it, for a tenth of a second. */
function packed({ type, text }: BundledFile): BundledFile {
  const bytes = Bun.gzipSync(text, { library: "libdeflate", level: PACKING });
  return { type, text, packed: bytes.toBase64() };
}

if (import.meta.main) {
  const [path] = process.argv.slice(2);
  if (path === undefined) {
    throw new Error("usage: bun .ci/console.ts FILE");
  }
  await Bun.write(path, JSON.stringify(await smallConsole()));
}
