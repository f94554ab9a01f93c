/** The API's own document, as this server has it. */

import type { ApiDocument } from "#domain/openapi.ts";
import { request } from "../../lib/api.ts";

let loading: Promise<ApiDocument> | undefined;

/** Loaded once; again after a failure. */
export function loadDocument(): Promise<ApiDocument> {
  loading ??= request<ApiDocument>("GET", "/api/v1/openapi.json");
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}
