/** Prints the document, for tools that read it from a file. */

import { readExamples } from "#api/document/examples.ts";
import { buildDocument } from "#api/openapi.ts";
import { apiRoutes } from "#api/resources.ts";

/** Routes are only described here, never called, so their environments are never looked at. */
const routes = apiRoutes(undefined as never, {} as never);
console.log(JSON.stringify(await buildDocument(routes, "0.0.0", await readExamples())));
