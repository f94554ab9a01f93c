/**
 * The API's reference: `/docs` lists every operation of the document of `/api/v1/openapi.json`, and each of its
 * tags has a page. The console's own reference can try them out as well.
 */

import { type AnyElysia, Elysia } from "elysia";
import { type ApiDocument, operationsOf } from "#domain/openapi.ts";
import { type Html, html } from "#web/page.ts";
import { operationSection } from "./operation.ts";
import { DOCS_STYLE_PATH, docsPages, docsStyle, joined, markdown } from "./page.ts";
import { type Records, recordSections } from "./record.ts";

const INDEX = "/docs";
const PREFIX = "/docs/reference";

/** For the server's list of what needs no key, where the reference is on. */
export const DOCS_PATHS: readonly string[] = [INDEX, `${INDEX}/*`];

/** Mounted unless the configuration says `docs: false`. `read` reads the document, once it is asked for. */
export function referenceRoutes(read: () => Promise<ApiDocument>): AnyElysia {
  const page = docsPages();
  return new Elysia({ name: "reference", normalize: false })
    .get(DOCS_STYLE_PATH, ({ request }) => docsStyle.serve(request))
    .get(INDEX, async () => {
      const of = await read();
      const { title } = of.info;
      return page(INDEX, () => ({ title, ...navigation(of), content: indexOf(of) }));
    })
    .get(`${PREFIX}/:tag`, async ({ params: { tag: asked }, status }) => {
      const of = await read();
      const tag = of.tags.find(({ name }) => name === asked);
      if (tag === undefined) {
        return status(404);
      }
      const title = titleOf(tag.name);
      return page(pathOf(tag.name), () => ({
        title,
        ...navigation(of),
        content: tagPage(of, tag),
      }));
    });
}

const pathOf = (tag: string) => `${PREFIX}/${tag}`;
const titleOf = (tag: string) => tag.charAt(0).toUpperCase() + tag.slice(1);

function navigation({ tags }: ApiDocument) {
  const links = tags.map(({ name }) => [pathOf(name), titleOf(name)] as const);
  const others = [
    [INDEX, "Reference"],
    ["/docs/guide", "Guide"],
  ] as const;
  return { nav: "Reference", links: [...others, ...links] };
}

function indexOf(of: ApiDocument): Html {
  const { title, description } = of.info;
  const lists = of.tags.map((tag) => {
    const { name, description: about = "" } = tag;
    return html`<h2><a href="${pathOf(name)}">${titleOf(name)}</a></h2>
<p>${about}.</p>
${listOf(of, name)}`;
  });
  return html`<h1>${title}</h1>
<p>The same as a file for programs: <a href="/api/v1/openapi.json">openapi.json</a>. Ready-made
<a href="/sdk/">clients</a>.</p>
${markdown(description)}
<h2>Operations</h2>
${joined(lists)}`;
}

function listOf(of: ApiDocument, tag: string): Html {
  const operations = ofTag(of, tag).map(
    ({ method, path, operation: { operationId, summary = "" } }) =>
      html`<li><a href="${pathOf(tag)}#${operationId}">${summary}</a> <code>${method} ${path}</code></li>
`,
  );
  return html`<ul class="operations">
${joined(operations)}</ul>
`;
}

function ofTag(of: ApiDocument, tag: string) {
  return operationsOf(of).filter(({ operation }) => operation.tags?.includes(tag));
}

function tagPage(of: ApiDocument, { name, description = "" }: ApiDocument["tags"][number]): Html {
  const records: Records = new Set();
  const sections = ofTag(of, name).map((placed) => operationSection(of, placed, records));
  return html`<h1>${titleOf(name)}</h1>
<p>${description}.</p>
${listOf(of, name)}
${joined(sections)}${recordSections(of, records)}`;
}
