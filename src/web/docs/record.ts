/** The fields of a body or a record, as a table; records that fields lead to have sections of their own. */

import { type ApiDocument, resolve, type Schema } from "#domain/openapi.ts";
import { type Html, html } from "#web/page.ts";
import { joined } from "./page.ts";

/** Names of the records that a page has to show. */
export type Records = Set<string>;

/** A sentence or a few, in which code stands between backquotes. */
export function sentences(text: string): Html {
  const parts = text
    .split("`")
    .map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return joined(parts);
}

export function recordSections(of: ApiDocument, records: Records): Html {
  const sections: Html[] = [];
  // It grows while it is gone through, by what its records lead to.
  for (const name of records) {
    const schema = resolve(of, { $ref: refOf(name) } as Schema);
    sections.push(html`<section id="${name}">
<h2>${name}</h2>
${schema.description === undefined ? "" : html`<p>${sentences(schema.description)}</p>`}
${fieldTable(of, schema, records)}
</section>
`);
  }
  return joined(sections);
}

const REF = "#/components/schemas/";
const refOf = (name: string) => REF + name;

/** What a body is made of: its fields, or its kind where it has none. Who sends it sees what is required. */
export function fieldTable(
  of: ApiDocument,
  schema: Schema,
  records: Records,
  isSent = false,
): Html {
  const all = rowsOf(of, schema, records, "");
  const rows = isSent ? all : all.map((row) => ({ ...row, isRequired: false }));
  return rows.length === 0
    ? html`<p>${kindOf(of, schema, records)}</p>`
    : table(["Field", "Type", "Description"], rows);
}

export interface Row {
  name: string;
  kind: Html;
  isRequired: boolean;
  about: string;
}

export function table(headings: readonly string[], rows: readonly Row[]): Html {
  const lines = rows.map(
    ({ name, kind, isRequired, about }) => html`<tr>
<td><code>${name}</code>${isRequired ? html` <span class="required">required</span>` : ""}</td>
<td>${kind}</td><td>${sentences(about)}</td>
</tr>
`,
  );
  return html`<div class="wide" tabindex="0"><table>
<tr>${joined(headings.map((heading) => html`<th scope="col">${heading}</th>`))}</tr>
${joined(lines)}</table></div>`;
}

/** Objects that have no name are shown in place, by dotted names: `send_window.days`, `rules[].on`. */
function rowsOf(of: ApiDocument, schema: Schema, records: Records, prefix: string): Row[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([key, property]) => {
    const name = prefix + key;
    const about = property.description ?? "";
    const row = {
      name,
      kind: kindOf(of, property, records),
      about,
      isRequired: required.includes(key),
    };
    const inner = [property, ...(property.anyOf ?? [])].find((one) => one.properties !== undefined);
    const items = property.items?.properties && property.items;
    return [
      row,
      ...(inner === undefined ? [] : rowsOf(of, inner, records, `${name}.`)),
      ...(items === undefined ? [] : rowsOf(of, items, records, `${name}[].`)),
    ];
  });
}

/** The kind of a value in a few words. A record that it names is noted in `records`. */
export function kindOf(of: ApiDocument, schema: Schema, records: Records): Html {
  if (schema.$ref !== undefined) {
    const named = resolve(of, schema);
    if (named.properties === undefined && named.oneOf === undefined) {
      return kindOf(of, named, records);
    }
    const name = schema.$ref.slice(REF.length);
    records.add(name);
    return html`<a href="#${name}">${name}</a>`;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const kinds = new Map(
      choices.map((choice) => kindOf(of, choice, records)).map((kind) => [kind.markup, kind]),
    );
    return joined([...kinds.values()], " or ");
  }
  const values = schema.enum ?? ("const" in schema ? [schema.const] : undefined);
  if (values !== undefined) {
    return joined(
      values.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ", ",
    );
  }
  if (schema.items !== undefined) {
    return html`list of ${kindOf(of, schema.items, records)}${bounds(schema.minItems, schema.maxItems)}`;
  }
  const type = [schema.type ?? "any value"].flat().join(" or ");
  const { format, minimum, maximum, minLength, maxLength } = schema;
  const fallback =
    schema.default === undefined
      ? ""
      : html`, <code>${JSON.stringify(schema.default)}</code> if left out`;
  return html`${type}${format === undefined || format === "int64" ? "" : ` (${format})`}${bounds(
    minimum,
    maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum,
  )}${bounds(minLength, maxLength, " characters")}${fallback}`;
}

function bounds(least: number | undefined, most: number | undefined, unit = ""): string {
  if (most === undefined) {
    return least === undefined || least === 0 ? "" : `, at least ${least}${unit}`;
  }
  return least === undefined ? `, at most ${most}${unit}` : `, ${least} to ${most}${unit}`;
}
