/** The compiled executable as a server, with a key. */

import { resultOf, type Server, startServer } from "../children.ts";

export interface Product extends AsyncDisposable {
  server: Server;
  /** Of the live world. */
  key: string;
  post(path: string, body: unknown): Promise<{ id: string }>;
}

export async function startProduct(executable: string, data: string): Promise<Product> {
  const env = { OUTRIDER_RATE_LIMIT: "0", OUTRIDER_LOG_LEVEL: "error" };
  const server = await startServer(
    [executable, "serve", "--data", data, "--port", "0", "--json"],
    env,
  );
  const made = ["keys", "create", "--data", data, "--name", "bench", "--env", "live", "--json"];
  const { key } = await resultOf<{ key: string }>([executable, ...made]);
  return {
    server,
    key,
    post: async (path, body) => {
      const response = await fetch(`${server.ready.url}/api/v1${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!response.ok) {
        throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
      }
      return (await response.json()) as { id: string };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
