/**
 * The console's files: one page, its script and its style. An executable has them inside, made small when
 * it was built (`.ci/embedded.ts`); from source they are bundled when they are first asked for.
 */

import { fileURLToPath } from "node:url";
import { embeddedFile } from "#platform/embedded.ts";

export interface Bundle {
  html: string;
  /** By name. A name carries a hash of what is in the file. */
  files: Record<string, BundledFile>;
}

export interface BundledFile {
  type: string;
  /** Left out of an executable. */
  text?: string;
  /** The text by gzip, in base64: made at more expense than a server would go to, where it was built. */
  packed?: string;
}

export const CONSOLE = "console.json";

export async function findBundle(): Promise<Bundle> {
  const embedded = embeddedFile(CONSOLE);
  return embedded === undefined ? await bundleConsole() : ((await embedded.json()) as Bundle);
}

/** Makes elements by `h`, whose calls are two in a hundred of the script shorter than the usual ones. */
const BY_H = `/** @jsxRuntime classic @jsx h @jsxFrag Fragment */ import { h, Fragment } from "preact";
`;

const UI = fileURLToPath(new URL("../ui/", import.meta.url));

/** The client without the places of operations that the console never calls: a tenth of them. */
async function calledOnly(client: string): Promise<string> {
  const called = new Set<string>();
  for await (const path of new Bun.Glob("**/*.{ts,tsx}").scan({ cwd: UI, absolute: true })) {
    for (const [name] of (await Bun.file(path).text()).matchAll(/\w+/g)) {
      called.add(name);
    }
  }
  return client.replace(/^ {2}(\w+): "[A-Z]+ .*",$/gm, (line, id) => (called.has(id) ? line : ""));
}

/** From the sources beside this file. */
export async function bundleConsole(): Promise<Bundle> {
  const built = await Bun.build({
    entrypoints: [`${UI}index.html`],
    splitting: true,
    define: { "process.env.NODE_ENV": '"production"' },
    minify: true,
    plugins: [
      {
        name: "elements by h",
        setup: (build) => {
          build.onLoad({ filter: /\/ui\/.*\.tsx$/ }, async ({ path }) => ({
            contents: BY_H + (await Bun.file(path).text()),
            loader: "tsx",
          }));
        },
      },
      {
        name: "called operations",
        setup: (build) => {
          build.onLoad({ filter: /\/clients\/typescript\/src\/api\.ts$/ }, async ({ path }) => ({
            contents: await calledOnly(await Bun.file(path).text()),
            loader: "ts",
          }));
        },
      },
    ],
  });
  const bundle: Bundle = { html: "", files: {} };
  for (const output of built.outputs) {
    const text = await output.text();
    if (output.path.endsWith(".html")) {
      // Its addresses are written as if it stood beside its files.
      bundle.html = text.replace(/(src|href)="\.?\/([^"/]+)"/g, '$1="/ui/$2"');
    } else {
      const name = output.path.slice(output.path.lastIndexOf("/") + 1);
      bundle.files[name] = { type: output.type, text };
    }
  }
  return bundle;
}
