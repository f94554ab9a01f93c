/** One operation of the reference: what it takes, what it responds with, and a request that works. */

import {
  type ApiDocument,
  type Content,
  type Placed,
  type Response,
  resolve,
} from "#domain/openapi.ts";
import { type Html, html } from "#web/page.ts";
import { joined } from "./page.ts";
import { fieldTable, kindOf, type Records, sentences, table } from "./record.ts";

const JSON_TYPE = "application/json";
const ROOT = "/api/v1";

export function operationSection(of: ApiDocument, placed: Placed, records: Records): Html {
  const { method, path, operation } = placed;
  const { operationId, summary = "", description = "", responses = {} } = operation;
  const scope = operation.security?.[0]?.["apiKey"]?.[0];
  const entries = Object.entries(responses).map(
    ([status, response]) => [status, resolve(of, response)] as const,
  );
  const refusals = entries.filter(([status]) => status >= "400").map(([status]) => status);
  return html`<section id="${operationId}">
<h2>${summary}</h2>
<p class="call"><b>${method}</b> <code>${ROOT}${path}</code></p>
<p>${sentences(description)}</p>
${scope === undefined ? "" : html`<p>Scope: <code>${scope}</code></p>`}
${parametersOf(of, placed, records)}
${bodyOf(of, placed, records)}
${requestOf(placed)}
${joined(entries.filter(([status]) => status < "400").map((entry) => responseOf(of, entry, records)))}
<p>Refusals: ${refusals.join(", ")}; <a href="/docs/guide/errors">what they mean</a>.</p>
</section>
`;
}

function responseOf(
  of: ApiDocument,
  [status, { description = "", content = {} }]: readonly [string, Response],
  records: Records,
): Html {
  const shown = Object.values(content)[0]?.example;
  return html`<h3>Response ${status}</h3>
<p>${sentences(description)}</p>
${contentOf(of, content, records)}
${shown === undefined ? "" : example("Example", textOf(shown))}`;
}

function parametersOf(of: ApiDocument, { operation }: Placed, records: Records): Html | string {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(of, parameter));
  if (parameters.length === 0) {
    return "";
  }
  const rows = parameters.map(
    ({ name, in: place, required = false, description = "", schema = {} }) => ({
      name,
      kind: html`${place}, ${kindOf(of, schema, records)}`,
      isRequired: required,
      about: description,
    }),
  );
  return html`<h3>Parameters</h3>
${table(["Name", "Type", "Description"], rows)}`;
}

function bodyOf(of: ApiDocument, { operation }: Placed, records: Records): Html | string {
  const content = operation.requestBody?.content;
  const schema = Object.values(content ?? {})[0]?.schema;
  return content === undefined || schema === undefined
    ? ""
    : html`<h3>Body</h3>
${typesOf(content)}
${fieldTable(of, resolve(of, schema), records, true)}`;
}

/** A record that has a name is shown below all operations, once. */
function contentOf(of: ApiDocument, content: Content, records: Records): Html {
  const schema = Object.values(content)[0]?.schema;
  if (schema === undefined) {
    return html`${typesOf(content)}`;
  }
  const shown =
    schema.$ref === undefined
      ? fieldTable(of, schema, records)
      : html`<p>${kindOf(of, schema, records)}</p>`;
  return html`${typesOf(content)}
${shown}`;
}

function typesOf(content: Content): Html | string {
  const types = Object.keys(content);
  return types.length === 0 || types.join() === JSON_TYPE ? "" : html`<p>${types.join(", ")}</p>`;
}

/** As a shell sends it, with the example of a body that is JSON or text. */
function requestOf({ method, path, operation }: Placed): Html {
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"$OUTRIDER_URL${ROOT}${path}" -H "Authorization: Bearer $OUTRIDER_KEY"`,
  ];
  if (type !== undefined && media?.example !== undefined) {
    const flag = type === JSON_TYPE ? "-d" : "--data-binary";
    lines.push(`-H "Content-Type: ${type}"`, `${flag} ${quoted(textOf(media.example))}`);
  }
  return example("Request", lines.join(" \\\n  "));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function example(title: string, text: string): Html {
  return html`<details>
<summary>${title}</summary>
<pre tabindex="0"><code>${text}</code></pre>
</details>`;
}
