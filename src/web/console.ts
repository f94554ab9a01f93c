/**
 * The console: one page for every address under `/live` and `/test`, and the files that were bundled for
 * it. In the executable they were bundled when it was built; from source they are bundled once, when the
 * first request comes.
 */

import { fileURLToPath } from "node:url";
import { Elysia } from "elysia";
import page from "../ui/index.html";
import { type Asset, createAsset } from "./asset.ts";

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

interface Bundle {
  html: string;
  /** By file name, which carries a hash of what is in it. */
  files: ReadonlyMap<string, Asset>;
}

export function consoleRoutes() {
  let bundled: Promise<Bundle> | undefined;
  const bundle = () => {
    bundled ??= page.files === undefined ? buildBundle() : readBundle(page.files);
    return bundled;
  };
  const show = async () => new Response((await bundle()).html, { headers: PAGE_HEADERS });

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
      const file = (await bundle()).files.get(params.file);
      return file === undefined
        ? new Response("not found\n", { status: 404 })
        : file.serve(request);
    });
}

type Embedded = NonNullable<(typeof page)["files"]>;

async function readBundle(embedded: Embedded): Promise<Bundle> {
  const files = new Map<string, Asset>();
  let html = "";
  for (const { path, loader, headers } of embedded) {
    if (loader === "html") {
      html = await Bun.file(path).text();
    } else {
      files.set(nameOf(path), createAsset({ path }, headers["content-type"], "immutable"));
    }
  }
  return { html: fromOwnFolder(html), files };
}

async function buildBundle(): Promise<Bundle> {
  const entry = fileURLToPath(new URL("../ui/index.html", import.meta.url));
  const built = await Bun.build({
    entrypoints: [entry],
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const files = new Map<string, Asset>();
  let html = "";
  for (const output of built.outputs) {
    const text = await output.text();
    if (output.path.endsWith(".html")) {
      html = text;
    } else {
      files.set(nameOf(output.path), createAsset(text, output.type, "immutable"));
    }
  }
  return { html: fromOwnFolder(html), files };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The bundler writes addresses as if the page stood beside its files. */
function fromOwnFolder(html: string): string {
  return html.replace(/(src|href)="\.?\/(?:\$bunfs\/root\/)?([^"/]+)"/g, '$1="/ui/$2"');
}
