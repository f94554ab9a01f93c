/**
 * What a template that only prints names asks of its scope, found once by looking at its parts. Most
 * templates are of this kind, and of them it can be said without a rendering that one will succeed.
 */

import { type Filter, Output, type Template, TokenKind, TypeGuards } from "liquidjs";
import { SpinTag, TrustedHtml } from "./template-engine.ts";

/** A name that is printed somewhere, in whatever alternative. */
interface Print {
  path: readonly string[];
  /** There is a fallback: it need not have a value. */
  isOptional: boolean;
}

/** What has to be there, and how long the result can be. */
export interface Needs {
  /** Once for each place. */
  prints: readonly Print[];
  /** Characters of text in all alternatives, fallbacks included. */
  chars: number;
  /** Some of its text is printed whatever is picked, and more than blanks. */
  hasText: boolean;
}

/** Parts of a template beyond which nothing is said of it: rendering has bounds of its own. */
const PARTS_MAX = 1000;
/** A character that is escaped grows at most so much: `&quot;`. */
const ESCAPED_CHARS_MAX = 6;

/** Null where the template does more than print names and pick alternatives. */
export function needsOf(templates: readonly Template[]): Needs | null {
  const prints: Print[] = [];
  let chars = 0;
  let parts = 0;
  const look = (list: readonly Template[]): boolean =>
    list.every((part) => {
      parts += 1;
      if (part instanceof SpinTag) {
        return part.alternatives.every(look);
      }
      if (part instanceof Output) {
        const path = pathOf(part);
        const filters = filtersOf(part);
        const fallback = fallbackOf(filters);
        prints.push({ path: path ?? [], isOptional: fallback !== null });
        chars += (fallback?.length ?? 0) * ESCAPED_CHARS_MAX;
        return path !== null && (fallback !== null || filters.length === 0);
      }
      chars += textOf(part)?.length ?? 0;
      return textOf(part) !== null;
    });
  if (!look(templates) || parts > PARTS_MAX) {
    return null;
  }
  const hasText = templates.some((part) => /[^\p{Cc}\s]/u.test(textOf(part) ?? ""));
  return { prints, chars, hasText };
}

/** The name that is printed, or null where it is more than a name. */
function pathOf({ value: { initial } }: Output): string[] | null {
  const [token, ...others] = initial.postfix;
  if (others.length > 0 || !TypeGuards.isPropertyAccessToken(token)) {
    return null;
  }
  const { variable, props } = token;
  const path = props.map((prop) => (TypeGuards.isWordToken(prop) ? prop.content : null));
  return variable === undefined && path.every((name) => name !== null) ? path : null;
}

/** Those that the template names: the engine adds one that prints. */
function filtersOf({ value: { filters } }: Output): Filter[] {
  return filters.slice(0, -1);
}

/** What is printed for a hole, where that is all that is done to the value. */
function fallbackOf(filters: readonly Filter[]): string | null {
  const [filter, ...others] = filters;
  const [given, ...more] = filter?.args ?? [];
  const isFallback = filter?.name === "default" && others.length === 0 && more.length === 0;
  return isFallback && TypeGuards.isQuotedToken(given) ? given.content : null;
}

function textOf({ token }: Template): string | null {
  return token.kind === TokenKind.HTML ? token.input.slice(token.begin, token.end) : null;
}

/** True when all of it is there and the result, escaped or not, has at most `charsMax` characters. */
export function areMet(needs: Needs, scope: object, charsMax: number): boolean {
  let { chars } = needs;
  for (const { path, isOptional } of needs.prints) {
    const value = path.reduce(ownValue, scope as unknown) ?? (isOptional ? "" : null);
    const text = value instanceof TrustedHtml ? value.valueOf() : value;
    if (typeof text !== "string" && typeof text !== "number" && typeof text !== "boolean") {
      return false;
    }
    chars += String(text).length * ESCAPED_CHARS_MAX;
  }
  return chars <= charsMax;
}

function ownValue(holder: unknown, name: string): unknown {
  const isRecord = typeof holder === "object" && holder !== null && Object.hasOwn(holder, name);
  return isRecord ? (holder as Readonly<Record<string, unknown>>)[name] : undefined;
}
