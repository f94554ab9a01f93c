/**
 * What the server hands out to those who build on it: its clients as packages, and collections of requests.
 * An executable has them inside (`.ci/embedded.ts`).
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readExamples } from "#api/document/examples.ts";
import { VERSION } from "#app/version.ts";
import { writeTar } from "#platform/tar.ts";
import type { SdkFile } from "../src/web/docs/sdk.ts";
import { brunoCollection, postmanCollection } from "./clients/collections.ts";
import { readApi } from "./clients/document.ts";

const ROOT = join(import.meta.dir, "..");
const CLIENTS = join(ROOT, "clients");
const TSC = join(ROOT, "node_modules/.bin/tsc");
const UTF8 = new TextEncoder();

type Files = Record<string, string>;

const MAKERS: Readonly<Record<SdkFile, () => Promise<Uint8Array>>> = {
  "typescript.tgz": async () => await tarOf("package", await typescriptFiles()),
  "python.tar.gz": async () => {
    const files = await filesIn("python", ["pyproject.toml", "outrider/*.py", "outrider/py.typed"]);
    return await tarOf(`outrider-client-${VERSION}`, files);
  },
  "go.tar.gz": async () => await tarOf("outrider", await filesIn("go", ["go.mod", "*.go"])),
  "bruno.tar.gz": async () => await tarOf("outrider-bruno", brunoCollection(await shownApi())),
  "postman.json": async () => UTF8.encode(JSON.stringify(postmanCollection(await shownApi()))),
};

/** The file as it lies in an executable: by gzip, whatever it is called. */
export async function makeSdk(name: SdkFile): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await MAKERS[name]();
  return Bun.gzipSync(new Uint8Array(bytes), { library: "libdeflate", level: 12 });
}

async function shownApi() {
  return await readApi(await readExamples());
}

async function filesIn(client: string, patterns: readonly string[]): Promise<Files> {
  const cwd = join(CLIENTS, client);
  const names = [...patterns, "README.md", "LICENSE"].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync({ cwd }),
  ]);
  const texts = names.sort().map(async (name) => [name, await Bun.file(join(cwd, name)).text()]);
  return Object.fromEntries(await Promise.all(texts)) as Files;
}

/** As `npm pack` would make it after `npm run build`. */
async function typescriptFiles(): Promise<Files> {
  const out = mkdtempSync(join(tmpdir(), "outrider-sdk-"));
  try {
    const project = join(CLIENTS, "typescript/tsconfig.json");
    const options = ["--project", project, "--outDir", out];
    const tsc = Bun.spawn([process.execPath, "--bun", TSC, ...options], { stdout: "inherit" });
    if ((await tsc.exited) !== 0) {
      throw new Error("the TypeScript client does not compile");
    }
    const made = [...new Bun.Glob("*").scanSync({ cwd: out, absolute: true })].sort();
    const dist = made.map(async (file) => [`dist/${basename(file)}`, await Bun.file(file).text()]);
    return {
      ...(await filesIn("typescript", ["package.json"])),
      ...(Object.fromEntries(await Promise.all(dist)) as Files),
    };
  } finally {
    rmSync(out, { recursive: true });
  }
}

/** The same files make the same archive, whenever it is made. */
async function tarOf(folder: string, files: Files): Promise<Uint8Array> {
  const entries = Object.entries(files).map(([name, text]) => {
    const content = UTF8.encode(text);
    return { name: `${folder}/${name}`, bytes: content.byteLength, content: [content] };
  });
  return Buffer.concat(await Array.fromAsync(writeTar(entries, 0)));
}
