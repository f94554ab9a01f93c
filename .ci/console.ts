/**
 * The console as an executable has it inside: bundled, and made as small as it gets.
 *
 *   bun .ci/console.ts dist/outrider.console
 */

import { minify } from "terser";
import { type Bundle, bundleConsole } from "../src/web/bundle.ts";

/**
 * Each script once more through a compressor that gives the commonest names the shortest words: four in
 * a hundred less than what the bundler makes of it.
 */
export async function smallConsole(): Promise<Bundle> {
  const { html, files } = await bundleConsole();
  const small: Bundle = { html, files: {} };
  for (const [name, { type, text }] of Object.entries(files)) {
    const isScript = name.endsWith(".js");
    const made = isScript ? await minify(text, { module: true, compress: { passes: 2 } }) : {};
    small.files[name] = { type, text: made.code ?? text };
  }
  return small;
}

if (import.meta.main) {
  const [path] = process.argv.slice(2);
  if (path === undefined) {
    throw new Error("usage: bun .ci/console.ts FILE");
  }
  await Bun.write(path, JSON.stringify(await smallConsole()));
}
