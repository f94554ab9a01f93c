/** What the files of this folder hand each other. */

export const JSON_TYPE = "application/json";
export const ROWS_TYPE = "application/x-ndjson";

export type Values = Readonly<Record<string, unknown>>;

export interface Request {
  /** Below `/api/v1`, with its query. */
  path: string;
  init: { method: string; headers?: Record<string, string>; body?: string };
}

/** Sends a request to the API as the assistant's key. Refusals are responses; never throws. */
export type Ask = (request: Request) => Promise<Response>;

export interface ToolResult {
  /** As `outputSchema` says; left out of a refusal. */
  structured?: Record<string, unknown>;
  /** The same as text, or the refusal; then what else is to say. */
  texts: readonly string[];
  isError: boolean;
}
