/**
 * What an operation is called on the command line. Words follow from its path, so they stay:
 * `campaigns list`, `campaigns steps update CAMPAIGN STEP`, `experiments results EXPERIMENT`.
 */

import type { ApiOperation } from "#api/document/read.ts";

/** Where the path alone would read badly. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  importCampaignLeads: "campaigns leads add",
};

/** Done better by commands of their own: `leads import`, `leads export`, `audit export`, `tail`. */
export const ELSEWHERE: ReadonlySet<string> = new Set([
  "importCampaignFile",
  "exportLeads",
  "exportAudit",
  "streamImport",
  "streamEvents",
]);

/** `operations` are all there are: whether a path is a collection is seen by its other methods. */
export function commandName(operation: ApiOperation, operations: readonly ApiOperation[]): string {
  const exception = EXCEPTIONS[operation.id];
  if (exception !== undefined) {
    return exception;
  }
  const segments = segmentsOf(operation.path);
  const names = segments.filter((segment) => !isParameter(segment));
  const verb = verbOf(operation, operations, isParameter(segments.at(-1) ?? ""));
  return [...names, ...(verb === null ? [] : [verb])].join(" ");
}

/** The last word of a command's name; null where the path says it all. */
function verbOf(
  { id, method, path, isList }: ApiOperation,
  operations: readonly ApiOperation[],
  isItem: boolean,
): string | null {
  const spoken = /^[a-z]+/.exec(id)?.[0] ?? id;
  if (method === "GET") {
    return isItem ? "get" : isList ? "list" : null;
  }
  if (method !== "POST") {
    return method === "PATCH" ? "update" : method === "PUT" ? "set" : spoken;
  }
  const read = operations.find((one) => one.path === path && one.method === "GET");
  if (read === undefined) {
    return null;
  }
  return read.isList ? "create" : spoken;
}

/** `CAMPAIGN` and `STEP` for `/campaigns/{id}/steps/{stepId}`, in order. */
export function placeholders(path: string): string[] {
  const segments = segmentsOf(path);
  return segments.flatMap((segment, index) =>
    isParameter(segment) ? [singular(segments[index - 1] ?? "id").toUpperCase()] : [],
  );
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}

function singular(name: string): string {
  return name.endsWith("ies") ? `${name.slice(0, -3)}y` : name.replace(/s$/, "");
}
