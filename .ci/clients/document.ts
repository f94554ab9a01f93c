/** What the makers of clients read: the operations and the schemas of the document that the API serves. */

import { buildDocument } from "#api/openapi.ts";
import { apiRoutes } from "#api/resources.ts";
import { VERSION } from "#app/version.ts";

export const JSON_TYPE = "application/json";

export interface Schema {
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  $ref?: string;
}

export interface Parameter {
  name?: string;
  in?: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  $ref?: string;
}

export type Content = Record<string, { schema: Schema; example?: unknown }>;

export interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  parameters: readonly Parameter[];
  takes: Content;
  /** Of a body that is JSON and nothing else; what is taken as CSV, too, is a file. */
  body: Schema | undefined;
  mayOmitBody: boolean;
  answers: Content;
  /** It may answer nothing. */
  isSilent: boolean;
  /** What an answer is where it works: JSON, a file, or nothing at all. */
  kind: "json" | "file" | "nothing";
}

export interface Api {
  version: string;
  description: string;
  operations: readonly Operation[];
  schemas: Readonly<Record<string, Schema>>;
  /** Of the tags, in the order in which they are shown. */
  tags: readonly { name: string; description?: string }[];
}

interface ApiDocument {
  info: { version: string; description: string };
  tags: Api["tags"];
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        summary: string;
        tags: string[];
        parameters?: Parameter[];
        requestBody?: { content: Content; required?: boolean };
        responses: Record<string, { content?: Content }>;
      }
    >
  >;
  components: { schemas: Record<string, Schema> };
}

/** `examples` go into the bodies of requests. */
export async function readApi(examples: Parameters<typeof buildDocument>[2] = {}): Promise<Api> {
  const routes = apiRoutes(undefined as never, {} as never);
  const document = (await buildDocument(routes, VERSION, examples)) as unknown as ApiDocument;
  return {
    version: document.info.version,
    description: document.info.description,
    tags: document.tags,
    operations: operationsOf(document),
    schemas: document.components.schemas,
  };
}

function operationsOf({ paths }: ApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => {
      const done = Object.entries(one.responses).filter(([status]) => status.startsWith("2"));
      const answers = Object.assign({}, ...done.map(([, { content = {} }]) => content)) as Content;
      const types = Object.keys(answers);
      const takes = one.requestBody?.content ?? {};
      return {
        id: one.operationId,
        method: method.toUpperCase(),
        path,
        tag: one.tags[0] ?? "",
        summary: one.summary,
        parameters: one.parameters ?? [],
        takes,
        body: "text/csv" in takes ? undefined : takes[JSON_TYPE]?.schema,
        mayOmitBody: one.requestBody?.required === false,
        isSilent: done.some(([, { content }]) => content === undefined),
        answers,
        kind: types.length === 0 ? "nothing" : types.includes(JSON_TYPE) ? "json" : "file",
      };
    }),
  );
}
