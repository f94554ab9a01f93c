/** Paths of requests: which need no key, and which lead nowhere. */

/** Whether a person has followed a link, or typed an address, that is neither a page nor the API's. */
export function isLost(request: Request, path: string, prefix: string): boolean {
  const accepts = request.headers.get("accept") ?? "";
  return request.method === "GET" && !path.startsWith(prefix) && accepts.includes("text/html");
}

/** Whether a path is one of `patterns`, exact or ending in `*`. */
export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.endsWith("*")));
  const prefixes = patterns.filter((p) => p.endsWith("*")).map((p) => p.slice(0, -1));
  return (path) => exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix));
}
