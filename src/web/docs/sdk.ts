/**
 * What is handed out at `/sdk/` to those who build on this server: clients of its very version, and
 * collections of its requests. An executable has them inside; from source they are made when they are first
 * asked for.
 */

import { Elysia } from "elysia";
import { embeddedFile } from "#platform/embedded.ts";
import { createAsset } from "#web/asset.ts";

const PREFIX = "/sdk";
const GZIP = "application/gzip";
const CACHE_SECONDS = 3600;

interface Offer {
  type: string;
  about: string;
}

export const SDK_FILES = {
  "typescript.tgz": {
    type: GZIP,
    about: "TypeScript client for npm: Node, Bun, Deno, and browsers",
  },
  "python.tar.gz": { type: GZIP, about: "Python client for pip, from Python 3.11" },
  "go.tar.gz": { type: GZIP, about: "Go client, a module, from Go 1.24" },
  "postman.json": { type: "application/json", about: "Postman collection, format 2.1" },
  "bruno.tar.gz": { type: GZIP, about: "Bruno collection, a folder" },
} as const satisfies Record<string, Offer>;

export type SdkFile = keyof typeof SDK_FILES;

/** For the server's list of what needs no key. */
export const SDK_PATHS: readonly string[] = [PREFIX, `${PREFIX}/*`];

/** What the build makes them with, which an executable neither has nor needs. */
interface Maker {
  /** The file by gzip. */
  makeSdk(name: SdkFile): Promise<Uint8Array<ArrayBuffer>>;
}

const MAKER = new URL("../../../.ci/sdk.ts", import.meta.url);

/** Its name among the files of an executable. */
export function embeddedName(name: SdkFile): string {
  return `sdk-${name}`;
}

async function read(name: SdkFile): Promise<Uint8Array<ArrayBuffer>> {
  const file = embeddedFile(embeddedName(name));
  if (file !== undefined) {
    return await file.bytes();
  }
  const { makeSdk } = (await import(MAKER.href)) as Maker;
  return await makeSdk(name);
}

/** Mounted where the reference is. `version` is the server's. */
export function sdkRoutes(version: string) {
  const index = JSON.stringify({
    version,
    files: Object.entries(SDK_FILES).map(([name, { about }]) => {
      return { url: `${PREFIX}/${name}`, about };
    }),
  });
  const postman = createAsset(() => read("postman.json"), SDK_FILES["postman.json"].type);
  const showIndex = () => new Response(index, { headers: { "Content-Type": "application/json" } });

  return new Elysia({ name: "sdk", normalize: false })
    .get(PREFIX, showIndex)
    .get(`${PREFIX}/`, showIndex)
    .get(`${PREFIX}/postman.json`, ({ request }) => postman.serve(request))
    .get(`${PREFIX}/:file`, async ({ params: { file }, status }) => {
      return isOffered(file) ? new Response(await read(file), { headers: HEADERS }) : status(404);
    });
}

function isOffered(file: string): file is SdkFile {
  return Object.hasOwn(SDK_FILES, file);
}

/** An archive is a file by gzip itself, and so has no encoding. */
const HEADERS = {
  "Content-Type": GZIP,
  "Cache-Control": `public, max-age=${CACHE_SECONDS}`,
  "X-Content-Type-Options": "nosniff",
};
