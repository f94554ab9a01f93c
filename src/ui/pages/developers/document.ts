/** The API's own document, as this server has it. */

import { ask } from "../../lib/api.ts";
import { type Answer, request } from "../../lib/client.ts";
import type { ApiDocument } from "./openapi.ts";

let loading: Promise<ApiDocument> | undefined;

/** Loaded once; again after a failure. */
export function loadDocument(): Promise<ApiDocument> {
  loading ??= ask(request("GET", "/api/v1/openapi.json") as Promise<Answer<ApiDocument>>);
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}
