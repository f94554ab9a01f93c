/**
 * Templates of subjects and bodies: Liquid with spintax.
 *
 * `{{ first_name | default: "there" }}`, `{% if company %}…{% endif %}`, `{Hi|Hello}`. A template is a
 * function of its source, the scope and the seed: it reads no file and no clock, draws no lots, and
 * ends within a number of steps that no template can change.
 */

import { type Liquid, type Template, toValueSync } from "liquidjs";
import { messageOf } from "#domain/thrown.ts";
import type { UnixMs } from "#domain/time.ts";
import { markSpintax, SPIN_TAGS } from "./spintax.ts";
import {
  BoundedEmitter,
  createEngine,
  RenderContext,
  TEMPLATE_CHARS_MAX,
  type TrustedHtml,
} from "./template-engine.ts";
import { areMet, type Needs, needsOf } from "./template-needs.ts";

export type TemplateValue = string | number | boolean | null | undefined | TrustedHtml;

/** Null and undefined count as absent. One level of nesting: `sender.email`. */
export type TemplateScope = Readonly<
  Record<string, TemplateValue | Readonly<Record<string, TemplateValue>>>
>;

export interface RenderOptions {
  /** Decides the spintax, together with each choice's ordinal: of the lead and the step, say. */
  seed: string;
  /** `html` escapes what variables print; `none` prints it as it is. */
  escape: "html" | "none";
  /** What `"now" | date` reads, in UTC; without it, `now` counts as a missing variable. */
  at?: UnixMs;
}

export type Rendered =
  | { ok: true; text: string }
  /** Printed variables that the scope does not hold and that have no fallback; each once. */
  | { ok: false; missing: string[] }
  /** It does not parse, or went over a bound. */
  | { ok: false; error: string };

/** Names of one template that are reported. */
const MISSING_MAX = 50;
const ERROR_CHARS_MAX = 300;

/** Null when `source` parses, whatever is picked from its spintax; else what is wrong with it. */
export function checkTemplate(source: string): null | { message: string } {
  const compiled = compile("none", source);
  return "error" in compiled ? { message: compiled.error } : null;
}

/** Never throws. The text holds at most {@link TEMPLATE_CHARS_MAX} characters. */
export function renderTemplate(
  source: string,
  scope: TemplateScope,
  options: RenderOptions,
): Rendered {
  const compiled = compile(options.escape, source);
  if ("error" in compiled) {
    return { ok: false, error: compiled.error };
  }
  const engine = ENGINES[options.escape];
  const settings = { seed: options.seed, at: options.at ?? null };
  const context = new RenderContext(engine, withoutPrototype(scope), settings);
  const emitter = new BoundedEmitter();
  try {
    toValueSync(engine.renderer.renderTemplates(compiled.templates, context, emitter));
  } catch (error) {
    return { ok: false, error: wordsOf(error) };
  }
  if (context.missing.size > 0) {
    return { ok: false, missing: [...context.missing].slice(0, MISSING_MAX) };
  }
  return { ok: true, text: emitter.buffer };
}

/**
 * True only where rendering would give a text that is not blank and has at most `charsMax` characters.
 * False where only a rendering tells.
 */
export function isSurelyPrinted(
  source: string,
  scope: TemplateScope,
  options: { escape: "html" | "none"; charsMax: number },
): boolean {
  const compiled = compile(options.escape, source);
  if ("error" in compiled) {
    return false;
  }
  compiled.needs ??= { found: needsOf(compiled.templates) };
  const needs = compiled.needs.found;
  return (
    needs?.hasText === true && areMet(needs, scope, Math.min(options.charsMax, TEMPLATE_CHARS_MAX))
  );
}

const ENGINES = { html: createEngine("html"), none: createEngine("none") };

type Compiled =
  /** `needs` are looked for when they are asked for first. */
  { templates: Template[]; needs?: { found: Needs | null } } | { error: string };

/** Compiled templates kept, the least recently used dropped first. */
const CACHE_TEMPLATES_MAX = 500;
const CACHE_CHARS_MAX = 2_000_000;

const caches = { html: new Map<string, Compiled>(), none: new Map<string, Compiled>() };
const cachedChars = { html: 0, none: 0 };

function compile(format: "html" | "none", source: string): Compiled {
  const cache = caches[format];
  const known = cache.get(source);
  if (known !== undefined) {
    cache.delete(source);
    cache.set(source, known);
    return known;
  }
  const compiled = parse(ENGINES[format], source);
  cache.set(source, compiled);
  cachedChars[format] += source.length;
  for (const oldest of cache.keys()) {
    if (cache.size <= CACHE_TEMPLATES_MAX && cachedChars[format] <= CACHE_CHARS_MAX) {
      break;
    }
    cache.delete(oldest);
    cachedChars[format] -= oldest.length;
  }
  return compiled;
}

function parse(engine: Liquid, source: string): Compiled {
  if (source.length > TEMPLATE_CHARS_MAX) {
    return { error: `a template must be at most ${TEMPLATE_CHARS_MAX} characters` };
  }
  try {
    return { templates: engine.parse(markSpintax(source)) };
  } catch (error) {
    return { error: wordsOf(error) };
  }
}

/** Liquid's own words; for our own tags, which nobody wrote, what they stand for. */
function wordsOf(error: unknown): string {
  const message = messageOf(error);
  const isOurs = Object.values(SPIN_TAGS).some((name) => message.includes(`"${name}"`));
  const words = isOurs
    ? "a tag must be closed inside the same { | } alternative where it was opened"
    : message;
  return words.replace(/, file:.*?(?=, line|$)/, "").slice(0, ERROR_CHARS_MAX);
}

/** So that no name finds anything but what the caller put there. */
function withoutPrototype(scope: TemplateScope): object {
  return Object.assign(Object.create(null), scope);
}
