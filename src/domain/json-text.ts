/**
 * JSON text, read so that nothing of it is lost or guessed: an object names a field once, and every text
 * is Unicode. `JSON.parse` alone takes the last of two fields with one name, and keeps half of a
 * surrogate pair, which no database stores.
 *
 * Source: RFC 8259; the two rules are those of RFC 7493 (I-JSON), §2.1 and §2.3.
 */

import { Problem } from "./problem.ts";

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Only an escape can name half of a pair: text that was UTF-8 has none. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * The value of `text`, which may nest `depthMax` brackets. Throws `invalid_request` for what is no JSON,
 * nests deeper, or breaks one of the two rules; then with the field's dotted path.
 */
export function parseJson(text: string, depthMax: number): unknown {
  const names = countNames(text, depthMax);
  if (names === null) {
    throw new Problem("invalid_request", `a body may nest ${depthMax} levels at most`);
  }
  const value = parsed(text);
  if (membersOf(value) !== names) {
    const message = "is in the body twice; send it once";
    throw new Problem("invalid_request", message, repeatedField(text));
  }
  if (SURROGATE_ESCAPE.test(text)) {
    const path = brokenText(value, []);
    if (path !== null) {
      const message = "must be Unicode text: it holds half of a surrogate pair";
      throw new Problem("invalid_request", message, path.length === 0 ? null : path.join("."));
    }
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const cause = error instanceof Error ? error.message.slice(0, 200) : "";
    throw new Problem("invalid_request", `the body is not valid JSON: ${cause}`);
  }
}

/** How many fields JSON text names; null where it opens more than `depthMax` brackets within each other. */
function countNames(text: string, depthMax: number): number | null {
  let open = 0;
  let names = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      at = endOfString(text, at);
    } else if (char === COLON) {
      names += 1;
    } else if (char === OPEN_LIST || char === OPEN_RECORD) {
      open += 1;
      if (open > depthMax) {
        return null;
      }
    } else if (char === CLOSE_LIST || char === CLOSE_RECORD) {
      open -= 1;
    }
  }
  return names;
}

/** Where the quote stands that ends the string which begins at `from`; the text's end where none does. */
function endOfString(text: string, from: number): number {
  let at = text.indexOf('"', from + 1);
  while (at !== -1 && isEscaped(text, at)) {
    at = text.indexOf('"', at + 1);
  }
  return at === -1 ? text.length : at;
}

/** An odd number of backslashes stands before it. */
function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text.charCodeAt(from - 1) === BACKSLASH) {
    from -= 1;
  }
  return (at - from) % 2 === 1;
}

/** Fields of all objects in `value`. */
function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null) {
    return 0;
  }
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value) {
      members += membersOf(item);
    }
    return members;
  }
  for (const name in value) {
    members += 1 + membersOf((value as Record<string, unknown>)[name]);
  }
  return members;
}

/** An object or a list that is open, and where in it the reader stands. */
interface Frame {
  names: Set<string> | null;
  at: string;
  isName: boolean;
}

/** The path of the first field in valid JSON that its object has already. */
function repeatedField(text: string): string {
  const frames: Frame[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') {
      const end = endOfString(text, at);
      if (isRepeated(frames.at(-1), text.slice(at, end + 1))) {
        break;
      }
      at = end;
    } else {
      step(frames, char);
    }
  }
  return frames.map((frame) => frame.at).join(".");
}

/** Opens and closes frames, and goes on to the next field or item. */
function step(frames: Frame[], char: string): void {
  if (char === "{") {
    frames.push({ names: new Set(), at: "", isName: true });
  } else if (char === "[") {
    frames.push({ names: null, at: "0", isName: false });
  } else if (char === "}" || char === "]") {
    frames.pop();
  } else if (char === ",") {
    const frame = frames.at(-1);
    if (frame?.names === null) {
      frame.at = String(Number(frame.at) + 1);
    } else if (frame !== undefined) {
      frame.isName = true;
    }
  }
}

/** Of a string where a name stands: takes it, and says whether the object has it already. */
function isRepeated(frame: Frame | undefined, string: string): boolean {
  if (frame === undefined || !frame.isName || frame.names === null) {
    return false;
  }
  frame.at = JSON.parse(string) as string;
  frame.isName = false;
  const { size } = frame.names;
  return frame.names.add(frame.at).size === size;
}

/** The path of the first text, or field name, that is no Unicode; of a name, that of its object. */
function brokenText(value: unknown, path: readonly string[]): readonly string[] | null {
  if (typeof value === "string") {
    return value.isWellFormed() ? null : path;
  }
  if (typeof value !== "object" || value === null) {
    return null;
  }
  for (const [name, item] of Object.entries(value)) {
    const found = name.isWellFormed() ? brokenText(item, [...path, name]) : path;
    if (found !== null) {
      return found;
    }
  }
  return null;
}
