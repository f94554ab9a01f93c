/**
 * The guide at `/docs/guide`: the pages of `docs/` that users read, as they came with this program. Each is also
 * there as text (`/docs/guide/api.md`), for programs that read; `/llms.txt` lists those.
 *
 * Source: the llms.txt proposal: a title, a quoted summary, and sections of links.
 */

import { type AnyElysia, Elysia } from "elysia";
import changelog from "../../../CHANGELOG.md" with { type: "text" };
import alerts from "../../../docs/alerts.md" with { type: "text" };
import api from "../../../docs/api.md" with { type: "text" };
import architecture from "../../../docs/architecture.md" with { type: "text" };
import clients from "../../../docs/clients.md" with { type: "text" };
import compare from "../../../docs/compare.md" with { type: "text" };
import concepts from "../../../docs/concepts.md" with { type: "text" };
import configuration from "../../../docs/configuration.md" with { type: "text" };
import deliverability from "../../../docs/deliverability.md" with { type: "text" };
import errors from "../../../docs/errors.md" with { type: "text" };
import experiments from "../../../docs/experiments.md" with { type: "text" };
import handbook from "../../../docs/handbook.md" with { type: "text" };
import operations from "../../../docs/operations.md" with { type: "text" };
import quickStart from "../../../docs/quick-start.md" with { type: "text" };
import security from "../../../docs/security.md" with { type: "text" };
import securityAsvs from "../../../docs/security-asvs.md" with { type: "text" };
import threatModel from "../../../docs/threat-model.md" with { type: "text" };
import upgrading from "../../../docs/upgrading.md" with { type: "text" };
import versions from "../../../docs/versions.md" with { type: "text" };
import webhooks from "../../../docs/webhooks.md" with { type: "text" };
import { type DocsPage, docsPages, markdown } from "./page.ts";

const PREFIX = "/docs/guide";

/** Each type of error has a section, whose anchor is the type with hyphens. */
export const ERRORS_PATH = `${PREFIX}/errors`;

/** A picture and its caption. They stay in the repository: who reads this has the console itself at hand. */
const PICTURE = /^!\[.*\n\*.*\*\n\n/gm;

/** In the order in which a newcomer reads them. */
const FILES: Readonly<Record<string, string>> = {
  "quick-start": quickStart,
  concepts,
  deliverability,
  experiments,
  api,
  clients,
  errors,
  webhooks,
  configuration,
  handbook,
  operations,
  alerts,
  upgrading,
  versions,
  changelog,
  security,
  "threat-model": threatModel,
  "security-asvs": securityAsvs,
  architecture,
  compare,
};

const PAGES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(FILES).map(([name, text]) => [name, text.replaceAll(PICTURE, "")]),
);

export const LLMS_PATH = "/llms.txt";

/** Mounted where the reference is. */
export function guideRoutes(): AnyElysia {
  const page = docsPages();
  return new Elysia({ name: "guide", normalize: false })
    .get(PREFIX, ({ redirect }) => redirect(`${PREFIX}/quick-start`))
    .get(LLMS_PATH, () => textResponse(INDEX, "text/plain"))
    .get(`${PREFIX}/:name`, ({ params: { name: asked } }) => {
      const name = asked.replace(/\.md$/, "");
      const text = Object.hasOwn(PAGES, name) ? PAGES[name] : undefined;
      if (text === undefined) {
        return textResponse("not found\n", "text/plain", 404);
      }
      return name === asked
        ? page(`${PREFIX}/${name}`, () => pageOf(text))
        : textResponse(text, "text/markdown");
    });
}

const LINKS = [
  ...Object.entries(PAGES).map(([name, text]) => [`${PREFIX}/${name}`, titleOf(text)] as const),
  ["/docs", "Reference"] as const,
];

function textResponse(text: string, type: string, status = 200): Response {
  return new Response(text, {
    status,
    headers: { "Content-Type": `${type}; charset=utf-8`, "X-Content-Type-Options": "nosniff" },
  });
}

const INDEX = `# Outrider

> Email outreach as one server: campaigns, mailboxes, replies, experiments, and a sandbox that simulates the rest
> of the internet, all by an HTTP API with JSON.

Requests carry \`Authorization: Bearer KEY\`. Keys that begin with \`outrider_test_\` work in the sandbox, which
never sends real email.

## API

- [OpenAPI 3.1 document](/api/v1/openapi.json): every operation with its fields, errors, and examples
- [Clients and collections](/sdk/): files for TypeScript, Python, Go, Postman, and Bruno

## Guide

${Object.entries(PAGES)
  .map(([name, text]) => `- [${titleOf(text)}](${PREFIX}/${name}.md)`)
  .join("\n")}
`;

function pageOf(text: string): DocsPage {
  const { markup } = markdown(text);
  const linked = markup.replace(
    /href="(?:\.\.\/|docs\/)?([\w-]+)\.md(#[\w-]+)?"/g,
    (whole, file: string, anchor = "") => {
      const page = file.toLowerCase();
      return Object.hasOwn(PAGES, page) ? `href="${PREFIX}/${page}${anchor}"` : whole;
    },
  );
  return { title: titleOf(text), nav: "Guide", links: LINKS, content: { markup: linked } };
}

function titleOf(text: string): string {
  return /^# (.*)$/m.exec(text)?.[1] ?? "";
}
