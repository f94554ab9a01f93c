/** Fields of a response by dotted path (`send_window.days`), known before anything is asked. */

import type { Api, ApiOperation, Schema } from "#api/document/read.ts";
import { usageError } from "#cli/exit.ts";
import { nearestWord } from "#domain/nearest-word.ts";

/** Throws a usage error for a path that no record of the operation's response has. */
export function checkColumns(
  paths: readonly string[],
  operation: ApiOperation,
  schemas: Api["schemas"],
): void {
  const answer = resolved(operation.answer ?? {}, schemas);
  for (const path of paths) {
    check(path, operation.isList ? recordOf(answer, schemas) : answer, schemas);
  }
}

/** `campaigns list` responds with a page; a few lists with the records alone. */
function recordOf(answer: Schema, schemas: Api["schemas"]): Schema {
  const list = answer.items === undefined ? answer.properties?.["data"] : answer;
  return resolved(resolved(list ?? {}, schemas).items ?? {}, schemas);
}

function check(path: string, record: Schema, schemas: Api["schemas"]): void {
  let schema = record;
  let above = "";
  for (const name of path.split(".")) {
    const options = [schema, ...(schema.anyOf ?? schema.oneOf ?? [])];
    const objects = options.map((one) => resolved(one, schemas));
    const isOpen = objects.some(
      ({ properties, additionalProperties: more }) =>
        properties === undefined && more !== undefined,
    );
    const fields = Object.assign({}, ...objects.map(({ properties }) => properties ?? {}));
    if (isOpen) {
      return;
    }
    const found: Schema | undefined = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (found === undefined) {
      throw unknown(path, above, name, Object.keys(fields));
    }
    schema = resolved(found, schemas);
    above += `${name}.`;
  }
}

function unknown(path: string, above: string, name: string, known: readonly string[]): Error {
  const nearest = nearestWord(name, known);
  const hint =
    nearest === undefined
      ? `; there are ${known.map((one) => above + one).join(", ")}`
      : `; did you mean "${above}${nearest}"?`;
  return usageError(`the response has no field "${path}"${known.length === 0 ? "" : hint}`);
}

function resolved(schema: Schema, schemas: Api["schemas"]): Schema {
  return schema.$ref === undefined ? schema : (schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
}
