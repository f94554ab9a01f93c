/**
 * The generated halves of the clients: types of every record, and each operation, from the document that
 * the API serves.
 *
 *   bun .ci/client.ts           writes them into clients/
 */

import { join } from "node:path";
import { readApi } from "./clients/document.ts";
import { goSource } from "./clients/go.ts";
import { pythonSources } from "./clients/python.ts";
import { typescriptSource } from "./clients/typescript.ts";

const CLIENTS = join(import.meta.dir, "../clients");

/** What is written, by file. */
export async function clientSources(): Promise<Record<string, string>> {
  const api = await readApi();
  const python = pythonSources(api);
  return {
    [join(CLIENTS, "typescript/src/api.ts")]: typescriptSource(api),
    [join(CLIENTS, "python/outrider/types.py")]: python.types,
    [join(CLIENTS, "python/outrider/operations.py")]: python.operations,
    [join(CLIENTS, "go/api.go")]: goSource(api),
  };
}

if (import.meta.main) {
  for (const [file, source] of Object.entries(await clientSources())) {
    await Bun.write(file, source);
  }
}
