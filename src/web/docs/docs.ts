/**
 * The API's reference, at `/docs`: the document of `/api/v1/openapi.json` shown by Scalar, whose script
 * is part of this program. Nothing is fetched from elsewhere, and the policy would not let it.
 */

import { Elysia } from "elysia";
import { type PackedFile, readPacked } from "#platform/embedded.ts";
import { createAsset } from "#web/asset.ts";
import style from "./docs.css" with { type: "text" };
import start from "./docs-start.js" with { type: "text" };

/** For the server's list of what needs no key, where the reference is on. */
export const DOCS_PATHS: readonly string[] = ["/docs", "/docs/*"];

/** The package has its browser build in no export. */
export const VIEWER: PackedFile = {
  name: "viewer.gz",
  source: new URL(
    "../../../node_modules/@scalar/api-reference/dist/browser/standalone.js",
    import.meta.url,
  ),
};

const JAVASCRIPT = "text/javascript; charset=utf-8";

/** Scalar writes styles into the page; scripts come from files only, and requests stay here. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
};

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Outrider API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<div id="reference"></div>
<noscript><p>This page needs JavaScript. The same as JSON:
<a href="/api/v1/openapi.json">/api/v1/openapi.json</a></p></noscript>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** Mounted unless the configuration says `docs: false`. */
export function docsRoutes() {
  const reference = createAsset(() => readPacked(VIEWER), JAVASCRIPT);
  const starter = createAsset(start, JAVASCRIPT);
  const sheet = createAsset(style, "text/css; charset=utf-8");

  return new Elysia({ name: "docs", normalize: false })
    .get("/docs", () => new Response(PAGE, { headers: PAGE_HEADERS }))
    .get("/docs/scalar.js", ({ request }) => reference.serve(request))
    .get("/docs/start.js", ({ request }) => starter.serve(request))
    .get("/docs/docs.css", ({ request }) => sheet.serve(request));
}
