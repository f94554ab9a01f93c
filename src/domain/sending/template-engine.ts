/**
 * Liquid, cut to what a message needs: no files, no clock, no chance, and an end to every loop.
 *
 * A variable that does not exist becomes a {@link Missing}, which passes through filters and
 * assignments and is recorded where it would be printed. So all holes of a template are known after
 * one rendering, and a fallback anywhere in the chain, or an `{% if %}` around it, fills one.
 */

import {
  AssignTag,
  BreakTag,
  CaptureTag,
  CaseTag,
  CommentTag,
  Context,
  ContinueTag,
  Drop,
  type Emitter,
  ForTag,
  filters,
  IfTag,
  Liquid,
  type Parser,
  RawTag,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  UnlessTag,
} from "liquidjs";
import { hashInt } from "#domain/random.ts";
import { toIso, type UnixMs } from "#domain/time.ts";
import { escapeHtml } from "./escape-html.ts";
import { SPIN_TAGS } from "./spintax.ts";

/** Of a template, and of what it renders to. */
export const TEMPLATE_CHARS_MAX = 100_000;
/** Tags, variables and stretches of text rendered for one message; every round of a loop counts. */
const RENDER_STEPS_MAX = 50_000;
/** What filters and ranges may build for one message, as Liquid counts: about a character each. */
const RENDER_MEMORY_MAX = 2_000_000;
/** Marked spintax is longer than its source. */
const PARSE_CHARS_MAX = 2 * TEMPLATE_CHARS_MAX;

/** Filters that are functions of their input alone and whose work Liquid bounds. */
const FILTERS = (
  "abs append at_least at_most capitalize ceil compact concat date default divided_by downcase " +
  "escape escape_once first floor join last lstrip minus modulo newline_to_br plus prepend raw " +
  "remove remove_first replace replace_first reverse round rstrip size slice slugify sort split " +
  "squish strip strip_html strip_newlines times truncate truncatewords uniq upcase url_encode"
).split(" ");

/** A variable that the scope does not hold. Falsy in conditions. */
class Missing extends Drop {
  readonly #path: string;

  constructor(path: string) {
    super();
    this.#path = path;
  }

  static pathOf(missing: Missing): string {
    return missing.#path;
  }

  override valueOf(): null {
    return null;
  }
}

/** HTML that is ours or the team's own and is printed as it is. Filters see its text. */
export class TrustedHtml extends Drop {
  readonly #html: string;

  constructor(html: string) {
    super();
    this.#html = html;
  }

  override valueOf(): string {
    return this.#html;
  }
}

export interface RenderSettings {
  seed: string;
  /** What `"now" | date` reads; without it, `now` counts as a missing variable. */
  at: UnixMs | null;
}

/** One rendering: its scope, its budget and the holes that it found. */
export class RenderContext extends Context {
  readonly settings: RenderSettings;
  readonly missing = new Set<string>();

  constructor(engine: Liquid, scope: object, settings: RenderSettings) {
    super(scope, engine.options, { sync: true }, { liquid: engine });
    this.settings = settings;
    let steps = 0;
    // Liquid asks at every step whether time is up; counting steps gives every machine one answer.
    this.renderLimit.check = () => {
      steps += 1;
      if (steps > RENDER_STEPS_MAX) {
        throw new Error(`the template takes more than ${RENDER_STEPS_MAX} steps`);
      }
    };
  }

  override *_get(paths: (string | number | Drop)[]): IterableIterator<unknown> {
    const value: unknown = yield* super._get(paths);
    return value === undefined || value === null ? new Missing(paths.map(String).join(".")) : value;
  }
}

/** Collects what is printed, up to {@link TEMPLATE_CHARS_MAX} characters. */
export class BoundedEmitter implements Emitter {
  buffer = "";

  write(piece: unknown): void {
    this.buffer += textOf(piece);
    if (this.buffer.length > TEMPLATE_CHARS_MAX) {
      throw new Error(`the result is longer than ${TEMPLATE_CHARS_MAX} characters`);
    }
  }
}

/** `html` escapes what variables print; `none` prints it as it is. */
export function createEngine(format: "html" | "none"): Liquid {
  const finish = format === "html" ? escapeHtml : (text: string) => text;
  const engine = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    timezoneOffset: 0,
    locale: "en-US",
    parseLimit: PARSE_CHARS_MAX,
    memoryLimit: RENDER_MEMORY_MAX,
    templates: {},
    outputEscape: function (this: unknown, value: unknown) {
      return print(contextOf(this), value, finish);
    },
  });
  keepTags(engine);
  keepFilters(engine);
  return engine;
}

function keepTags(engine: Liquid): void {
  const kept = {
    assign: AssignTag,
    break: BreakTag,
    capture: CaptureAsPrinted,
    case: CaseTag,
    comment: CommentTag,
    continue: ContinueTag,
    for: ForTag,
    if: IfTag,
    raw: RawTag,
    unless: UnlessTag,
    [SPIN_TAGS.open]: SpinTag,
  };
  for (const name of Object.keys(engine.tags)) {
    delete engine.tags[name];
  }
  for (const [name, tag] of Object.entries(kept)) {
    engine.registerTag(name, tag);
  }
}

type Handler = (this: unknown, value: unknown, ...rest: unknown[]) => unknown;

function keepFilters(engine: Liquid): void {
  const known: Readonly<Record<string, unknown>> = filters;
  for (const name of Object.keys(engine.filters)) {
    delete engine.filters[name];
  }
  for (const name of FILTERS) {
    const handler = known[name];
    if (typeof handler === "function") {
      engine.registerFilter(name, passingHoles(handler as Handler));
    }
  }
  const fallBack = known["default"] as Handler;
  engine.registerFilter("default", function (this: unknown, value: unknown, ...rest: unknown[]) {
    return value instanceof Missing ? rest[0] : fallBack.call(this, value, ...rest);
  });
  const date = passingHoles(known["date"] as Handler);
  engine.registerFilter("date", function (this: unknown, value: unknown, ...rest: unknown[]) {
    return date.call(this, instantFor(contextOf(this), value), ...rest);
  });
  engine.registerFilter("raw", (value: unknown) => {
    return value instanceof Missing ? value : new TrustedHtml(textOf(value));
  });
}

/** A filter of a hole is that hole, whatever the filter does. */
function passingHoles(handler: Handler): Handler {
  return function (this: unknown, value: unknown, ...rest: unknown[]) {
    const hole = [value, ...rest].find((one) => one instanceof Missing);
    return hole ?? handler.call(this, value, ...rest);
  };
}

function instantFor(context: RenderContext, value: unknown): unknown {
  if (value !== "now" && value !== "today") {
    return value;
  }
  return context.settings.at === null ? new Missing("now") : toIso(context.settings.at);
}

function contextOf(filter: unknown): RenderContext {
  const { context } = filter as { context: unknown };
  if (!(context instanceof RenderContext)) {
    throw new Error("a template was rendered without a context of its own");
  }
  return context;
}

/** What a variable shows. Holes are noted and show nothing. */
function print(context: RenderContext, value: unknown, finish: (text: string) => string): string {
  if (value instanceof Missing) {
    context.missing.add(Missing.pathOf(value));
    return "";
  }
  return value instanceof TrustedHtml ? value.valueOf() : finish(textOf(value));
}

/** Liquid's own rules for text, but a record of fields is refused: nobody wants to send one. */
function textOf(value: unknown): string {
  if (value === null || value === undefined || value instanceof Missing) {
    return "";
  }
  if (value instanceof TrustedHtml) {
    return value.valueOf();
  }
  if (Array.isArray(value)) {
    return value.map(textOf).join("");
  }
  if (typeof value === "object") {
    throw new Error("an object can't be printed; use one of its fields");
  }
  return String(value);
}

/** What a block prints was escaped when it was printed, and is not escaped again. */
class CaptureAsPrinted extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    yield* super.render(context);
    const scope: Record<string, unknown> = context.bottom();
    scope[this.variable] = new TrustedHtml(textOf(scope[this.variable]));
  }
}

/** One of its alternatives, always the same for the same seed and ordinal. */
export class SpinTag extends Tag {
  readonly #ordinal: number;
  readonly #alternatives: Template[][] = [[]];

  get alternatives(): readonly (readonly Template[])[] {
    return this.#alternatives;
  }

  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid);
    this.#ordinal = Number(token.args);
    const stream = parser.parseStream(rest);
    stream
      .on(`tag:${SPIN_TAGS.or}`, () => {
        this.#alternatives.push([]);
      })
      .on(`tag:${SPIN_TAGS.close}`, () => {
        stream.stop();
      })
      .on("template", (template: Template) => {
        this.#alternatives.at(-1)?.push(template);
      })
      .on("end", () => {
        throw new Error(
          "a tag must be closed inside the same { | } alternative where it was opened",
        );
      });
    stream.start();
  }

  *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    if (!(context instanceof RenderContext)) {
      throw new Error("spintax was rendered without a seed");
    }
    const pick = hashInt(this.#alternatives.length, context.settings.seed, this.#ordinal);
    yield this.liquid.renderer.renderTemplates(this.#alternatives[pick] ?? [], context, emitter);
  }
}
