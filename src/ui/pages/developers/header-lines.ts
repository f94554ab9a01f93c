/** Headers of a webhook as lines of text, and back. */

export function linesOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

/** Headers by name, as a PATCH takes them: null for one of `before` that has no line any more. */
export function headersIn(
  text: string,
  before: Readonly<Record<string, string>>,
): Record<string, string | null> {
  const given = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): [string, string] => {
      const at = line.includes(":") ? line.indexOf(":") : line.length;
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    });
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  const gone = Object.keys(before).filter((name) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(gone.map((name) => [name, null])), ...Object.fromEntries(given) };
}
