/**
 * The generated half of the Python client: a `TypedDict` for each record, and a method for each operation.
 * The other half, which sends, is written by hand (`clients/python/outrider/client.py`).
 */

import { type Api, JSON_TYPE, type Operation, type Parameter } from "./document.ts";
import { type Model, type Models, readModels, type Type, type Union } from "./models.ts";
import { inputsOf, itemOf } from "./operations.ts";

const KEYWORDS = ["from", "class", "global", "in", "is", "def", "import", "pass", "return", "with"];
const LINE_MAX = 100;

const MADE = `"""Made by .ci/client.ts from the API's own document. Not to be changed by hand."""\n`;
const LATER = "from __future__ import annotations\n";

/** Both files. Types take time to make, so a program loads only those that it names itself. */
export function pythonSources(api: Api): { types: string; operations: string } {
  const models = readModels(api);
  const types = [
    MADE,
    LATER,
    "from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, Union\n",
    ...models.enums.map(({ name, values }) => literal(name, values)),
    ...models.models.map((model) => (isPlain(model) ? plainModel(model) : oddModel(model))),
    ...models.unions.map(unionType),
  ].join("\n");
  const body = operationsClass(api.operations, models);
  const named = [...models.enums, ...models.models, ...models.unions].map(({ name }) => name);
  const words = new Set(body.match(/\w+/g));
  const used = named.filter((name) => words.has(name)).sort();
  const operations = [
    MADE,
    LATER,
    "from collections.abc import Iterator, Mapping",
    "from http.client import HTTPResponse",
    "from typing import IO, TYPE_CHECKING, Any, Literal, TypeAlias, Union, cast\n",
    "if TYPE_CHECKING:",
    `    from .types import (\n${used.map((name) => `        ${name},\n`).join("")}    )\n`,
    `__version__ = ${quoted(api.version)}\n`,
    "Upload: TypeAlias = Union[str, bytes, IO[bytes]]",
    '"""A file. One that is open and cannot seek is sent once, whatever comes of it."""',
    body,
  ].join("\n");
  return { types, operations };
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function literal(name: string, values: readonly string[]): string {
  return `${name}: TypeAlias = Literal[\n${values.map((value) => `    ${quoted(value)},\n`).join("")}]\n`;
}

function unionType({ name, about, members }: Union): string {
  const models = members.map(({ model }) => `    ${quoted(model)},\n`).join("");
  return `${name}: TypeAlias = Union[\n${models}]\n${docOf(about, "")}`;
}

function typeOf(type: Type): string {
  switch (type.kind) {
    case "string":
    case "time":
      return "str";
    case "integer":
      return "int";
    case "number":
      return "float";
    case "boolean":
      return "bool";
    case "any":
      return "Any";
    case "null":
      return "None";
    case "const":
      return `Literal[${quoted(type.value)}]`;
    case "named":
      return type.name;
    case "list":
      return `list[${typeOf(type.of)}]`;
    case "map":
      return `dict[str, ${typeOf(type.of)}]`;
    case "union":
      return type.of.map(typeOf).join(" | ");
    case "nullable":
      return `${typeOf(type.of)} | None`;
  }
}

/** True where each field may be written as a variable. */
function isPlain({ fields }: Model): boolean {
  return fields.every(({ name }) => /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.includes(name));
}

function plainModel({ name, about, fields }: Model): string {
  const lines = fields.map(({ name: field, about: means, type, required }) => {
    const value = required ? typeOf(type) : `NotRequired[${typeOf(type)}]`;
    return `    ${field}: ${value}\n${docOf(means, "    ")}`;
  });
  const empty = about === "" && fields.length === 0 ? "    pass\n" : "";
  return `\nclass ${name}(TypedDict):\n${docOf(about, "    ")}${lines.join("")}${empty}`;
}

/** With a field that is a keyword of the language. Its types are read at once, so they stand as texts. */
function oddModel({ name, about, fields }: Model): string {
  const lines = fields.map(({ name: field, about: means, type, required }) => {
    const value = required ? typeOf(type) : `NotRequired[${typeOf(type)}]`;
    return `${comment(means)}        ${quoted(field)}: ${quoted(value.replaceAll('"', "'"))},\n`;
  });
  const fields_ = `    {\n${lines.join("")}    },\n`;
  return `\n${name} = TypedDict(\n    ${quoted(name)},\n${fields_})\n${docOf(about, "")}`;
}

function comment(about: string): string {
  return about === "" ? "" : `        # ${about.replaceAll("\n", " ")}\n`;
}

function docOf(about: string, indent: string): string {
  if (about === "") {
    return "";
  }
  const text = about.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", " ");
  return `${indent}"""${text}"""\n`;
}

function operationsClass(operations: readonly Operation[], models: Models): string {
  return `

class Operations:
    """A method for each operation of the API."""

    def _call(
        self,
        method: str,
        path: str,
        *,
        parts: tuple[str, ...] = (),
        query: Mapping[str, object] | None = None,
        body: object = None,
        upload: tuple[Upload, str] | None = None,
        idempotency_key: str | None = None,
        if_match: str | None = None,
        file: bool = False,
    ) -> Any:
        raise NotImplementedError

    def _pages(self, path: str, parts: tuple[str, ...], query: Mapping[str, object]) -> Iterator[Any]:
        raise NotImplementedError
${operations.flatMap((one) => [methodOf(one, models), iteratorOf(one, models)]).join("")}`;
}

/** `listCampaignLeads` is `list_campaign_leads`. */
function snake(id: string): string {
  return id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function variable(name: string): string {
  return KEYWORDS.includes(name) ? `${name}_` : snake(name);
}

function resultOf(operation: Operation, models: Models): string {
  const schema = operation.answers[JSON_TYPE]?.schema;
  if (schema === undefined) {
    return operation.kind === "file" ? "HTTPResponse" : "None";
  }
  return `${typeOf(models.typeOf(schema))}${operation.isSilent ? " | None" : ""}`;
}

interface Written {
  /** As they are declared, and as they are handed on. */
  declared: string[];
  given: string[];
}

function queryOf(query: readonly Parameter[], models: Models): Written {
  return {
    declared: query.map(({ name = "", required, schema = {} }) => {
      const type = typeOf(models.typeOf(schema));
      return required === true
        ? `${variable(name)}: ${type}`
        : `${variable(name)}: ${type} | None = None`;
    }),
    given: query.map(({ name = "" }) => `${quoted(name)}: ${variable(name)}`),
  };
}

function pathOf(parts: readonly string[]): Written {
  const names = parts.map(variable);
  const tuple = names.length === 0 ? [] : [`parts=${tupleOf(names)}`];
  return { declared: names.map((name) => `${name}: str`), given: tuple };
}

function tupleOf(names: readonly string[]): string {
  return `(${names.join(", ")}${names.length === 1 ? "," : ""})`;
}

function bodyOf(operation: Operation, models: Models): Written & { named: string[] } {
  const { takes, body: schema, mayOmitBody, method } = operation;
  const [first] = Object.keys(takes);
  if (schema !== undefined) {
    const type = typeOf(models.typeOf(schema));
    const declared = [mayOmitBody ? `body: ${type} | None = None` : `body: ${type}`];
    return { declared, named: [], given: ["body=body"] };
  }
  if (first === undefined) {
    return { declared: [], named: [], given: method === "PATCH" ? ["body={}"] : [] };
  }
  return {
    declared: ["body: Upload"],
    named: [`content_type: str = ${quoted(first)}`],
    given: ["upload=(body, content_type)"],
  };
}

function methodOf(operation: Operation, models: Models): string {
  const { id, method, path, summary, kind } = operation;
  const { parts, query } = inputsOf(operation);
  const [place, asked, body] = [pathOf(parts), queryOf(query, models), bodyOf(operation, models)];
  const required = asked.declared.filter((one) => !one.endsWith("= None"));
  const others = asked.declared.filter((one) => one.endsWith("= None"));
  const [option] = { POST: ["idempotency_key"], PATCH: ["if_match"] }[method] ?? [];
  const options = option === undefined ? [] : [`${option}: str | None = None`];
  const named = [...required, ...body.named, ...others, ...options];
  const declared = ["self", ...place.declared, ...body.declared];
  const star = named.length === 0 ? [] : ["*", ...named];
  const result = resultOf(operation, models);
  const given = [
    ...[quoted(method), quoted(path), ...place.given],
    ...(asked.given.length === 0 ? [] : [`query={${asked.given.join(", ")}}`]),
    ...body.given,
    ...(option === undefined ? [] : [`${option}=${option}`]),
    ...(kind === "file" ? ["file=True"] : []),
  ];
  const cast = result === "None" ? "" : `return cast(${quoted(result)}, `;
  const call = wrapped(`${cast}self._call(`, given, cast === "" ? ")" : "))", 8);
  return `
    ${wrapped(`def ${snake(id)}(`, [...declared, ...star], `) -> ${result}:`, 4)}
${docOf(`${summary}. \`${method} ${path}\``, "        ")}        ${call}
`;
}

function iteratorOf(operation: Operation, models: Models): string {
  const item = itemOf(operation, models);
  if (item === undefined) {
    return "";
  }
  const { parts, query } = inputsOf(operation);
  const kept = query.filter(({ name }) => name !== "offset" && name !== "after");
  const [place, asked] = [pathOf(parts), queryOf(kept, models)];
  const declared = ["self", ...place.declared, "*", ...asked.declared];
  const names = tupleOf(parts.map(variable));
  const given = [quoted(operation.path), names, `{${asked.given.join(", ")}}`];
  const name = snake(operation.id).replace(/^list_/, "iter_");
  return `
    ${wrapped(`def ${name}(`, declared, `) -> Iterator[${typeOf(item)}]:`, 4)}
${docOf(`${operation.summary}, page after page.`, "        ")}        ${wrapped("return self._pages(", given, ")", 8)}
`;
}

/** On one line where it fits, or else one part a line. */
function wrapped(before: string, parts: readonly string[], after: string, indent: number): string {
  const line = `${before}${parts.join(", ")}${after}`;
  const inner = " ".repeat(indent + 4);
  return line.length + indent <= LINE_MAX
    ? line
    : `${before}\n${parts.map((one) => `${inner}${one},\n`).join("")}${" ".repeat(indent)}${after}`;
}
