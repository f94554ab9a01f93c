/** The frame of the guide and of the reference: pages of text without scripts, each made when it is first asked for. */

import { createAsset } from "#web/asset.ts";
import { type Html, html } from "#web/page.ts";
import style from "./docs.css" with { type: "text" };

export const DOCS_STYLE_PATH = "/docs/docs.css";
export const docsStyle = createAsset(style, "text/css; charset=utf-8");

const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": [
    "default-src 'none'",
    "style-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
};

export interface DocsPage {
  title: string;
  /** Of the links: what they lead to. */
  nav: string;
  /** Paths, and what they are called. */
  links: readonly (readonly [path: string, text: string])[];
  content: Html;
}

/** Pages by their paths. */
export function docsPages(): (path: string, make: () => DocsPage) => Response {
  const made = new Map<string, string>();
  return (path, make) => {
    const page = made.get(path) ?? render(path, make());
    made.set(path, page);
    return new Response(page, { headers: HEADERS });
  };
}

function render(path: string, { title, nav, links, content }: DocsPage): string {
  const listed = [...links, ["/", "Console"] as const].map(([to, text]) =>
    to === path
      ? html`<a href="${to}" aria-current="page">${text}</a>`
      : html`<a href="${to}">${text}</a>`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Outrider</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${DOCS_STYLE_PATH}">
</head>
<body>
<nav aria-label="${nav}">
${joined(listed, "\n")}
</nav>
<main>
${content}</main>
</body>
</html>
`.markup;
}

export function joined(parts: readonly Html[], between = ""): Html {
  return { markup: parts.map(({ markup }) => markup).join(between) };
}

/** Markdown of ours. What is wide scrolls by itself, and can be reached by key. */
export function markdown(text: string): Html {
  const markup = Bun.markdown
    .html(text, { headings: { ids: true } })
    .replaceAll("<th></th>", "<td></td>")
    .replaceAll("<table>", '<div class="wide" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll("<pre>", '<pre tabindex="0">');
  return { markup };
}
