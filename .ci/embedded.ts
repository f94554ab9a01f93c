/**
 * What an executable has inside beside the program, each made as small as it gets: the console, third parties'
 * notices, and what is handed out to those who build on the API.
 *
 *   bun .ci/embedded.ts FOLDER
 */

import { join } from "node:path";
import { minify } from "terser";
import { NOTICES } from "../src/cli/about.ts";
import { type Bundle, bundleConsole, CONSOLE } from "../src/web/bundle.ts";
import { embeddedName, SDK_FILES, type SdkFile } from "../src/web/docs/sdk.ts";
import { makeSdk } from "./sdk.ts";

/** As hard as libdeflate tries. */
const PACKING = 12;

/** Properties that only our own scripts read: those of the API have no capitals, and browsers' are left alone. */
const OWN_PROPERTIES = /^(?:is|has|may)[A-Z]/;

/**
 * Each script once more through a compressor that gives the commonest names the shortest words, the same in
 * all of them: five in a hundred less than what the bundler makes of it.
 */
export async function smallConsole(): Promise<Bundle> {
  const { html, files } = await bundleConsole();
  const small: Bundle = { html, files: {} };
  const nameCache = {};
  for (const [name, { type, text }] of Object.entries(files)) {
    const isScript = name.endsWith(".js");
    const compress = { passes: 2, lhs_constants: false, comparisons: false, inline: 1 } as const;
    const mangle = { properties: { regex: OWN_PROPERTIES } };
    const options = { module: true, compress, mangle, nameCache };
    const made = isScript ? await minify(text ?? "", options) : {};
    const shipped = made.code ?? text ?? "";
    small.files[name] = { type, text: shipped, packed: pack(shipped).toBase64() };
  }
  return small;
}

/** Three in a hundred less than what zlib makes of it, for a tenth of a second. */
function pack(text: string) {
  return Bun.gzipSync(text, { library: "libdeflate", level: PACKING });
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    throw new Error("usage: bun .ci/embedded.ts FOLDER");
  }
  const { html, files } = await smallConsole();
  const shipped = Object.entries(files).map(([name, { type, packed }]) => [name, { type, packed }]);
  const bundle = JSON.stringify({ html, files: Object.fromEntries(shipped) });
  await Bun.write(join(folder, CONSOLE), bundle);
  await Bun.write(join(folder, NOTICES.name), pack(await Bun.file(NOTICES.source).text()));
  for (const name of Object.keys(SDK_FILES) as SdkFile[]) {
    await Bun.write(join(folder, embeddedName(name)), await makeSdk(name));
  }
}
