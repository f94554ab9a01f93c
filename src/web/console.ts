/**
 * The console: one page for every address under `/live` and `/test`, and the files that were bundled for
 * it (`bundle.ts`).
 */

import { type AnyElysia, Elysia } from "elysia";
import { type Asset, createAsset } from "./asset.ts";
import { findBundle } from "./bundle.ts";

/** For the server's list of what needs no key: pages hold no data, their calls bring a session. */
export const CONSOLE_PATHS: readonly string[] = [
  "/",
  "/live",
  "/live/*",
  "/test",
  "/test/*",
  "/welcome",
  "/invitation",
  "/enter",
  "/ui/*",
];

/**
 * Scripts, styles and calls are our own; the font is part of the style sheet. Trusted Types turn a text
 * that would become markup into an error.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cache-Control": "no-cache",
};

const TEXT = { "Content-Type": "text/plain; charset=utf-8" };

interface Served {
  html: string;
  files: ReadonlyMap<string, Asset>;
}

async function prepare(): Promise<Served> {
  const { html, files } = await findBundle();
  const assets = Object.entries(files).map(
    ([name, { type, text = "", packed }]) =>
      [
        name,
        createAsset(
          packed === undefined ? text : () => Uint8Array.fromBase64(packed),
          type,
          "immutable",
        ),
      ] as const,
  );
  return { html, files: new Map(assets) };
}

export function consoleRoutes(): AnyElysia {
  let prepared: Promise<Served> | undefined;
  const served = () => {
    prepared ??= prepare();
    return prepared;
  };
  const show = async () => new Response((await served()).html, { headers: PAGE_HEADERS });

  return new Elysia({ name: "console", normalize: false })
    .get("/", () => Response.redirect("/live", 302))
    .get("/live", show)
    .get("/live/", show)
    .get("/live/*", show)
    .get("/test", show)
    .get("/test/", show)
    .get("/test/*", show)
    .get("/welcome", show)
    .get("/invitation", show)
    .get("/enter", show)
    .get("/ui/:file", async ({ params, request }) => {
      const file = (await served()).files.get(params.file);
      return file === undefined
        ? new Response("not found\n", { status: 404, headers: TEXT })
        : file.serve(request);
    });
}
