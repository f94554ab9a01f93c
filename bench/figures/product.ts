/** The compiled executable as a server, with a key. */

import { resultOf, type Server, startServer } from "../children.ts";

export interface Product extends AsyncDisposable {
  server: Server;
  key: string;
  post(path: string, body: unknown): Promise<{ id: string }>;
  get<Answer>(path: string): Promise<Answer>;
}

/** `envName`: the environment whose key it is. */
export async function startProduct(
  executable: string,
  data: string,
  envName: "live" | "test" = "live",
): Promise<Product> {
  const env = { OUTRIDER_RATE_LIMIT: "0", OUTRIDER_LOG_LEVEL: "error" };
  const server = await startServer(
    [executable, "serve", "--data", data, "--port", "0", "--json"],
    env,
  );
  const made = ["keys", "create", "--data", data, "--name", "bench", "--env", envName, "--json"];
  const { key } = await resultOf<{ key: string }>([executable, ...made]);
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${server.ready.url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) {
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    }
    return await response.json();
  };
  return {
    server,
    key,
    post: (path, body) => ask("POST", path, body) as Promise<{ id: string }>,
    get: <Answer>(path: string) => ask("GET", path) as Promise<Answer>,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
