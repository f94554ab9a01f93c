/** Files that are part of the program, served with an ETag and compressed once for all requests. */

import { constants, gzip } from "node:zlib";
import { sha256 } from "#platform/secrets/crypto.ts";

export interface Asset {
  /** The answer to a request for this file: 200, or 304 where the client has it. */
  serve(request: Request): Promise<Response>;
}

/** A client asks again whether a file has changed after this long. */
const CACHE_SECONDS = 3600;

/** A file whose name carries its hash never changes. */
const CACHE = {
  revalidated: `public, max-age=${CACHE_SECONDS}`,
  immutable: "public, max-age=31536000, immutable",
};

/**
 * `content` is the file itself, or where it is embedded. It is read for the first request. `given` is it by
 * gzip, in base64, where that has been made already.
 */
export function createAsset(
  content: string | { path: string },
  type: string,
  cache: keyof typeof CACHE = "revalidated",
  given?: string,
): Asset {
  let loaded: Promise<Loaded> | undefined;
  return {
    serve: async (request) => {
      loaded ??= load(content, given);
      const { plain, packed, etag } = await loaded;
      const headers = {
        ETag: etag,
        Vary: "Accept-Encoding",
        "Cache-Control": CACHE[cache],
        "X-Content-Type-Options": "nosniff",
      };
      if (request.headers.get("if-none-match")?.includes(etag)) {
        return new Response(null, { status: 304, headers });
      }
      if (/\bgzip\b(?!;\s*q=0(\.0*)?(,|$))/.test(request.headers.get("accept-encoding") ?? "")) {
        const coded = { ...headers, "Content-Type": type, "Content-Encoding": "gzip" };
        return new Response(packed, { headers: coded });
      }
      return new Response(plain, { headers: { ...headers, "Content-Type": type } });
    },
  };
}

interface Loaded {
  plain: Blob;
  packed: Blob;
  etag: string;
}

async function load(content: string | { path: string }, given?: string): Promise<Loaded> {
  const plain = typeof content === "string" ? new Blob([content]) : Bun.file(content.path);
  const bytes = new Uint8Array(await plain.arrayBuffer());
  const hash = Buffer.from(sha256(bytes)).toString("base64url").slice(0, 22);
  const packed = given === undefined ? await compress(bytes) : Uint8Array.fromBase64(given);
  return { plain, packed: new Blob([packed]), etag: `"${hash}"` };
}

function compress(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    gzip(bytes, { level: constants.Z_BEST_COMPRESSION }, (error, packed) => {
      if (error === null) {
        resolve(new Uint8Array(packed));
      } else {
        reject(error);
      }
    });
  });
}
