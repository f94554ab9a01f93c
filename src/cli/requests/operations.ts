/** The operations of the API that this program serves, without a server. */

import { type Api, readApi } from "#api/document/read.ts";
import { VERSION } from "#app/version.ts";

let loaded: Promise<Api> | undefined;

/** Every operation in the document's order; built once. */
export function loadApi(): Promise<Api> {
  loaded ??= build();
  return loaded;
}

async function build(): Promise<Api> {
  const { buildDocument } = await import("#api/openapi.ts");
  const { apiRoutes } = await import("#api/resources.ts");
  // Routes are described here and never called, so nobody looks at their environments.
  const routes = apiRoutes(undefined as never, {} as never);
  return readApi(await buildDocument(routes, VERSION));
}
