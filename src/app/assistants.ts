/** `/mcp` on the API's own document, which is built for the first assistant that asks. */

import type { AnyElysia } from "elysia";
import { type McpInput, mcpRoutes } from "#api/assistant/routes.ts";
import { readApi } from "#api/document/read.ts";
import { buildDocument } from "#api/openapi.ts";
import { VERSION } from "./version.ts";

/** `routes` are the API's. */
export function assistantRoutes(
  routes: () => AnyElysia,
  input: Omit<McpInput, "api" | "version">,
): AnyElysia {
  const api = async () => readApi(await buildDocument(routes(), VERSION));
  return mcpRoutes({ ...input, api, version: VERSION });
}
