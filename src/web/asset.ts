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

type Packed = Uint8Array<ArrayBuffer>;
type Content = string | (() => Packed | Promise<Packed>);

/** `content` is the file itself, or reads it by gzip. It is made ready for the first request. */
export function createAsset(
  content: Content,
  type: string,
  cache: keyof typeof CACHE = "revalidated",
): Asset {
  let loaded: Promise<Loaded> | undefined;
  return {
    serve: async (request) => {
      loaded ??= load(content);
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
      return new Response(plain(), { headers: { ...headers, "Content-Type": type } });
    },
  };
}

interface Loaded {
  /** Made for the first client that takes no gzip, as hardly one does. */
  plain: () => Blob;
  packed: Blob;
  etag: string;
}

async function load(content: Content): Promise<Loaded> {
  const bytes = typeof content === "string" ? await compress(content) : await content();
  let plain: Blob | undefined;
  return {
    plain: () => {
      plain ??= new Blob([Bun.gunzipSync(bytes)]);
      return plain;
    },
    packed: new Blob([bytes]),
    etag: `"${Buffer.from(sha256(bytes)).toString("base64url").slice(0, 22)}"`,
  };
}

function compress(text: string): Promise<Packed> {
  return new Promise((resolve, reject) => {
    gzip(text, { level: constants.Z_BEST_COMPRESSION }, (error, packed) => {
      if (error === null) {
        resolve(new Uint8Array(packed));
      } else {
        reject(error);
      }
    });
  });
}
