/**
 * Pages for people who have no account here: plain HTML that works without scripts, under a policy that
 * lets nothing in but our own style sheet.
 */

import { createAsset } from "./asset.ts";
import style from "./page.css" with { type: "text" };

/** HTML that is safe to send: made by {@link html} only. */
export interface Html {
  readonly markup: string;
}

/** A template whose values are escaped, unless they are {@link Html} themselves. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html)[]): Html {
  const filled = parts.map((part, index) => {
    const value = values[index] ?? "";
    return part + (typeof value === "string" ? Bun.escapeHTML(value) : value.markup);
  });
  return { markup: filled.join("") };
}

export const STYLE_PATH = "/assets/page.css";
export const pageStyle = createAsset(style, "text/css; charset=utf-8");

/** No script, no frame, no address but our own; forms go back to us. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "X-Robots-Tag": "noindex, nofollow",
  "Cache-Control": "no-store",
};

/** For who follows a link that leads nowhere. */
export function lostPage(): Response {
  const way = html`<p>The link may be incomplete, or the page has moved.</p>
<p><a href="/live/">Go to overview</a></p>`;
  return pageResponse(404, "Page not found", way);
}

/** A whole page with `title` as its heading, in a language that is English where it is left out. */
export function pageResponse(
  status: number,
  title: string,
  content: Html,
  language = "en",
): Response {
  const { markup } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
  return new Response(markup, { status, headers: PAGE_HEADERS });
}
