/**
 * Fields inside a report part: `name: value` lines in groups that blank lines part.
 *
 * Source: RFC 3464 §2.1 (delivery-status), RFC 5965 §3 (feedback-report).
 */

/** Field names are lower case; a repeated field keeps every value. */
export type FieldGroup = ReadonlyMap<string, readonly string[]>;

const GROUPS_MAX = 200;
const FIELDS_MAX = 2000;
const VALUE_CHARS_MAX = 2000;

/** Groups in order, without empty ones. Lines that are no fields are passed over. */
export function parseFields(text: string): FieldGroup[] {
  const groups: Map<string, string[]>[] = [];
  let group = new Map<string, string[]>();
  let values: string[] | undefined;
  let fields = 0;
  for (const line of text.split(/\r\n?|\n/)) {
    if (line.trim() === "") {
      group = new Map();
      values = undefined;
    } else if (/^[ \t]/.test(line) && values !== undefined) {
      values.push(`${values.pop() ?? ""} ${line.trim()}`.slice(0, VALUE_CHARS_MAX));
    } else {
      const colon = line.indexOf(":");
      const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
      if (!/^[a-z][a-z0-9-]{0,60}$/.test(name) || fields >= FIELDS_MAX) {
        values = undefined;
        continue;
      }
      if (group.size === 0 && groups.length < GROUPS_MAX) {
        groups.push(group);
      }
      fields += 1;
      values = group.get(name) ?? [];
      values.push(
        line
          .slice(colon + 1)
          .trim()
          .slice(0, VALUE_CHARS_MAX),
      );
      group.set(name, values);
    }
  }
  return groups;
}

/** First value of a field; null where there is none. */
export function field(group: FieldGroup, name: string): string | null {
  return group.get(name)?.[0] ?? null;
}

/** `rfc822; Ada@Example.com` as `ada@example.com`; empty where it holds no address. */
export function addressOf(value: string): string {
  const text = value.includes(";") ? value.slice(value.indexOf(";") + 1) : value;
  return findAddresses(text)[0] ?? "";
}

const ADDRESS = /[a-z0-9!#$%&'*+/=?^_{|}~.-]{1,64}@[a-z0-9.-]{1,253}/gi;
const ADDRESSES_MAX = 20;

/** Addresses in `text`, lower case, in order and each once. */
export function findAddresses(text: string): string[] {
  const found = (text.slice(0, VALUE_CHARS_MAX * 5).match(ADDRESS) ?? [])
    .map((address) => address.toLowerCase().replace(/^['.]+|[.-]+$/g, ""))
    .filter((address) => /@[^@]+\.[a-z0-9-]+$/.test(address));
  return [...new Set(found)].slice(0, ADDRESSES_MAX);
}
