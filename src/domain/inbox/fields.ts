/**
 * Fields inside a report part: `name: value` lines in groups that blank lines part.
 *
 * Source: RFC 3464 §2.1 (delivery-status), RFC 5965 §3 (feedback-report).
 */

/** Field names are lower case; a repeated field keeps every value. */
export type FieldGroup = ReadonlyMap<string, readonly string[]>;

const GROUPS_MAX = 200;
const LINES_MAX = 500;
const VALUE_CHARS_MAX = 2000;

/** Groups in order, without empty ones. Lines that are no fields are passed over. */
export function parseFields(text: string): FieldGroup[] {
  return text
    .replace(/\r\n?/g, "\n")
    .split(/\n(?:[ \t]*\n)+/, GROUPS_MAX)
    .map((block) => readGroup(block.split("\n")))
    .filter((group) => group.size > 0);
}

function readGroup(lines: readonly string[]): FieldGroup {
  const group = new Map<string, string[]>();
  let values: string[] | undefined;
  for (const line of lines.slice(0, LINES_MAX)) {
    if (/^[ \t]/.test(line)) {
      values?.push(`${values.pop() ?? ""} ${line.trim()}`.slice(0, VALUE_CHARS_MAX));
      continue;
    }
    const [, name = "", value = ""] = FIELD.exec(line) ?? [];
    values = name === "" ? undefined : (group.get(name.toLowerCase()) ?? []);
    values?.push(value.trim().slice(0, VALUE_CHARS_MAX));
    if (values !== undefined) {
      group.set(name.toLowerCase(), values);
    }
  }
  return group;
}

const FIELD = /^([a-z][a-z0-9-]{0,60})[ \t]{0,20}:(.*)$/i;

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
