/** `/mcp` on the API's own document. */

import type { AnyElysia } from "elysia";
import { type McpInput, mcpRoutes } from "#api/assistant/routes.ts";
import type { JsonObject } from "#api/document/json.ts";
import { readApi } from "#api/document/read.ts";
import { VERSION } from "./version.ts";

export function assistantRoutes(
  document: () => Promise<JsonObject>,
  input: Omit<McpInput, "api" | "version">,
): AnyElysia {
  return mcpRoutes({ ...input, api: async () => readApi(await document()), version: VERSION });
}
