/** Calls as they are made from a shell. */

/** How a command names this installation and a key, to be pasted after both were set. */
export function curl(method: string, path: string, body?: unknown): string {
  const lines = [
    `curl${method === "GET" ? "" : ` -X ${method}`} "$OUTRIDER_URL/api/v1${path}"`,
    `-H "Authorization: Bearer $OUTRIDER_KEY"`,
  ];
  if (body !== undefined) {
    lines.push(`-H "Content-Type: application/json"`, `-d '${quoted(JSON.stringify(body))}'`);
  }
  return lines.join(" \\\n  ");
}

/** For the inside of single quotes in a shell. */
function quoted(text: string): string {
  return text.replaceAll("'", `'\\''`);
}
