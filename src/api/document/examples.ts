/**
 * What the document shows of each operation: a body that it takes, and what it responds with. They are
 * recorded from the product in its sandbox by `.ci/examples.ts`, and read when the document is asked for.
 */

import file from "./examples.ndjson" with { type: "file" };
import { isObject, type JsonObject } from "./json.ts";

export interface Example {
  /** By media type. */
  body?: Record<string, unknown>;
  /** By status, then by media type; null without a body. */
  responses: Record<string, Record<string, unknown> | null>;
}

/** By operation. */
export type Examples = Record<string, Example>;

export async function readExamples(): Promise<Examples> {
  const lines = (await Bun.file(file).text()).split("\n").filter((line) => line !== "");
  const recorded = lines.map((line) => JSON.parse(line) as Example & { id: string });
  return Object.fromEntries(recorded.map(({ id, ...example }) => [id, example]));
}

/** The operation with its example beside each schema. */
export function withExample(operation: JsonObject, example: Example | undefined): JsonObject {
  const { requestBody, responses } = operation;
  if (example === undefined || !isObject(responses)) {
    return operation;
  }
  const shown = Object.entries(responses).map(([status, response]) => [
    status,
    beside(response, example.responses[status]),
  ]);
  return {
    ...operation,
    ...(requestBody === undefined ? {} : { requestBody: beside(requestBody, example.body) }),
    responses: Object.fromEntries(shown),
  };
}

function beside(place: unknown, byType: Record<string, unknown> | null | undefined): unknown {
  if (!(isObject(place) && isObject(place["content"]) && isObject(byType))) {
    return place;
  }
  const content = Object.entries(place["content"]).map(([type, media]) => [
    type,
    isObject(media) && type in byType ? { ...media, example: byType[type] } : media,
  ]);
  return { ...place, content: Object.fromEntries(content) };
}
