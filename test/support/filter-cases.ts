/** Filters of a list by each of its fields, with what holds for a record read off its JSON. */

// biome-ignore lint/suspicious/noExplicitAny: records of any list
export type Item = any;
type Value = string | number | boolean | null | undefined;
export type Read = (item: Item) => Value | Value[];

/** Of a list: where it is, and how each of its fields is read off a record. */
export interface List {
  path: () => string;
  text?: Record<string, Read>;
  /** One of a few words, or yes and no. */
  choice?: Record<string, Read>;
  number?: Record<string, Read>;
  date?: Record<string, Read>;
}

const valuesOf = (read: Read, item: Item): Value[] => [read(item)].flat();
const lower = (value: Value) => String(value).toLowerCase();
const has = (value: Value) => value !== null && value !== undefined;
const quoted = (value: Value) => `"${String(value).replaceAll(/["\\]/g, "\\$&")}"`;

interface Case {
  filter: string;
  fits: (item: Item) => boolean;
}

/** Filters by one field with values that its records have, each the other way round too. */
export function casesOf(list: List, items: readonly Item[]): Case[] {
  const cases: Case[] = [];
  const add = (filter: string, read: Read, isSo: (value: Value) => boolean) => {
    const fits = (item: Item) => valuesOf(read, item).some((value) => has(value) && isSo(value));
    cases.push({ filter, fits }, { filter: `-${filter}`, fits: (item) => !fits(item) });
  };
  const some = (read: Read) => {
    const all = items.flatMap((item) => valuesOf(read, item)).filter(has);
    return [...new Set(all)].slice(0, 4);
  };
  for (const [name, read] of Object.entries(list.text ?? {})) {
    for (const value of [...some(read), "nobody has this"]) {
      const part = String(value).slice(1, 6).toUpperCase();
      add(`${name}=${quoted(lower(value))}`, read, (one) => lower(one) === lower(value));
      if (part !== "") {
        add(`${name}:${quoted(part)}`, read, (one) => lower(one).includes(part.toLowerCase()));
      }
    }
  }
  for (const [name, read] of Object.entries(list.choice ?? {})) {
    for (const value of some(read)) {
      add(`${name}:${value}`, read, (one) => one === value);
    }
  }
  for (const [name, read] of Object.entries(list.number ?? {})) {
    for (const value of some(read).map(Number)) {
      add(`${name}:${value}`, read, (one) => one === value);
      add(`${name}>${value}`, read, (one) => Number(one) > value);
      add(`${name}<=${value}`, read, (one) => Number(one) <= value);
    }
  }
  for (const [name, read] of Object.entries(list.date ?? {})) {
    for (const value of some(read).map(String)) {
      const day = value.slice(0, 10);
      add(`${name}:${day}`, read, (one) => String(one).startsWith(day));
      add(`${name}>=${day}`, read, (one) => String(one).slice(0, 10) >= day);
      add(`${name}<${value}`, read, (one) => String(one) < value);
    }
  }
  return cases;
}

/** Names of fields, those with parts as `variables.`. */
export function fieldsOf({ text, choice, number, date }: List): string[] {
  const names = Object.keys({ ...text, ...choice, ...number, ...date });
  return [...new Set(names.map((field) => field.replace(/\..*/, ".")))];
}
