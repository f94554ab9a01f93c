/** Records of `tag=value` pairs between semicolons, as DKIM and DMARC have them. Source: RFC 6376 §3.2. */

const TAGS_MAX = 100;

/** The tags in order, names in lower case; null where the text is no such list or names a tag twice. */
export function parseTags(text: string): Map<string, string> | null {
  const parts = text.split(";").map((part) => part.trim());
  const given = parts.filter((part) => part !== "");
  const tags = new Map<string, string>();
  for (const part of given.slice(0, TAGS_MAX)) {
    const equals = part.indexOf("=");
    const name = part.slice(0, Math.max(0, equals)).trim().toLowerCase();
    if (!/^[a-z][a-z0-9_]*$/.test(name) || tags.has(name)) {
      return null;
    }
    tags.set(name, part.slice(equals + 1).trim());
  }
  return given.length > TAGS_MAX ? null : tags;
}
