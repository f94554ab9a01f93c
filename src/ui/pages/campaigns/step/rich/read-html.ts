/**
 * HTML as a rich text, and what of it a rich text can't hold. Whatever it is given (an email written by hand,
 * what was copied from a word processor, something hostile) becomes a document of `document.ts`'s few parts.
 */

import {
  type Block,
  type Inline,
  isImageSource,
  isLinkTarget,
  type ListItem,
  type Mark,
  type ParagraphTag,
  type RichDocument,
} from "./document.ts";
import {
  isInlineKnown,
  LISTS,
  lostWithAttributes,
  lostWithBlock,
  MARK_ORDER,
  marksOf,
  VOID,
} from "./elements.ts";
import { decode } from "./entities.ts";
import { InlineLine } from "./inline-line.ts";
import { type Token, tokensOf } from "./tokens.ts";

export interface ReadHtml {
  document: RichDocument;
  /** What follows "It has": "tables". Empty where the document holds all of it. */
  lost: readonly string[];
}

export function readHtml(html: string): ReadHtml {
  const reader = new Reader();
  for (const token of tokensOf(html)) {
    reader.take(token);
  }
  return reader.end();
}

type Opening = Extract<Token, { type: "open" }>;

interface Element {
  name: string;
  kind: "inline" | "paragraph" | "container";
  marks: Mark[];
  /** Of a container: what it holds so far. */
  content: (Block | ListItem)[];
  /** Of an item of a list that Word writes as a paragraph: what it has for a bullet. */
  bullet: string | undefined;
  /** Nothing in it is part of the text: it is such a bullet. */
  isBullet: boolean;
  /** Something is in it. */
  isFilled: boolean;
}

function element(name: string, kind: Element["kind"], more: Partial<Element> = {}): Element {
  return {
    name,
    kind,
    marks: [],
    content: [],
    bullet: undefined,
    isBullet: false,
    isFilled: false,
    ...more,
  };
}

/** Lists in lists, quotes in quotes: what is deeper stands beside. */
const DEPTH_MAX = 20;
/** Elements in elements: of what is deeper the text is read and no more. */
const NESTING_MAX = 100;
const BETWEEN = "text between the items of a list";
const OVERLAP = "tags that overlap";

const isTag = (one: Inline) =>
  one.type === "chip" && one.attrs.code.startsWith("{%") && one.marks === undefined;
const isBlank = (one: Inline) => one.type === "text" && /^[ \t\n\r\f]*$/.test(one.text);
const codeOf = (one: Inline) => (one.type === "chip" ? one.attrs.code : "\n");

class Reader {
  readonly #lost = new Set<string>();
  readonly #root = element("", "container");
  readonly #open: Element[] = [this.#root];
  #line = new InlineLine();
  /** Of the paragraph that the line becomes. */
  #tag: ParagraphTag = null;

  take(token: Token): void {
    switch (token.type) {
      case "silent":
        this.#lost.add(token.what);
        break;
      case "open":
        this.#enter(token);
        break;
      case "close":
        this.#leave(token.name);
        break;
      case "code":
        this.#put({ type: "chip", attrs: { code: this.#decoded(token.code) } });
        break;
      case "text":
        this.#write(this.#decoded(token.text));
        break;
      default:
        token satisfies never;
    }
  }

  end(): ReadHtml {
    this.#closeTo(1);
    const { content } = this.#root;
    const empty: Block = { type: "paragraph", attrs: { tag: null } };
    const blocks = (content.length === 0 ? [empty] : content) as Block[];
    return { document: { type: "doc", content: blocks }, lost: [...this.#lost] };
  }

  #decoded(html: string): string {
    return decode(html, (what) => this.#lost.add(what));
  }

  #write(text: string): void {
    const isShown = /[^ \t\n\r\f]/.test(text);
    const item = this.#paragraph();
    if (item?.bullet !== undefined && this.#open.some(({ isBullet }) => isBullet)) {
      item.bullet += text;
      return;
    }
    if (this.#line.isEmpty && isShown) {
      this.#begin();
    }
    if (!this.#line.isEmpty || isShown) {
      this.#line.write(text, this.#marks());
    }
  }

  #put(inline: Inline): void {
    if (this.#line.isEmpty) {
      this.#begin();
    }
    this.#line.put(inline, this.#marks());
  }

  /** Takes down where the paragraph stands that now gets its first words. */
  #begin(): void {
    if (this.#container().name in LISTS) {
      this.#lost.add(BETWEEN);
      this.#needItem();
    }
    const within = this.#paragraph();
    const isItem = this.#container().name === "li";
    const tag = within === undefined ? "loose" : within.name === "p" ? "p" : "div";
    this.#tag = tag === (isItem ? "loose" : "p") ? null : tag;
  }

  /** In a list stands nothing but its items. */
  #needItem(): void {
    const list = this.#container();
    if (list.name in LISTS) {
      const last = list.content.pop() as ListItem | undefined;
      this.#open.push(element("li", "container", { content: last?.content ?? [] }));
    }
  }

  #endLine(): void {
    const content = this.#line.end();
    this.#line = new InlineLine();
    if (content === null) {
      return;
    }
    const isTags = content.some(isTag) && content.every((one) => isTag(one) || isBlank(one));
    const into = this.#container().content;
    if (isTags && this.#tag === "loose") {
      into.push({ type: "tags", attrs: { code: content.map(codeOf).join("") } });
      return;
    }
    const attrs = { tag: this.#tag };
    const line: Block = { type: "paragraph", attrs, ...(content.length > 0 && { content }) };
    const bullet = this.#paragraph()?.bullet;
    if (bullet === undefined) {
      into.push(line);
      return;
    }
    const type = /^\(?[\da-z]+[.)]/i.test(bullet.trim()) ? "ordered_list" : "bullet_list";
    const item: ListItem = { type: "list_item", content: [{ ...line, attrs: { tag: null } }] };
    const last = into.at(-1);
    if (last?.type === type) {
      last.content.push(item);
    } else {
      into.push({ type, content: [item] });
    }
  }

  #enter(token: Opening): void {
    const { name, attributes } = token;
    const lost = lostWithBlock(name);
    for (const what of lostWithAttributes(name, attributes.keys())) {
      this.#lost.add(what);
    }
    if (name === "br") {
      this.#put({ type: "hard_break" });
    } else if (name === "img") {
      this.#enterImage(attributes);
    } else if (this.#open.length > NESTING_MAX) {
      this.#lost.add("elements that are too deep");
    } else if (name in LISTS || name === "blockquote") {
      this.#enterContainer(name);
    } else if (name === "li") {
      this.#enterItem();
    } else if (lost === undefined) {
      this.#enterInline(name, attributes);
    } else {
      this.#enterParagraph(name, attributes.get("style") ?? "", lost);
    }
  }

  #enterImage(attributes: Opening["attributes"]): void {
    const text = (name: string) => this.#decoded(attributes.get(name) ?? "");
    const size = (name: string) => {
      const value = text(name);
      if (value !== "" && !/^\d{1,4}$/.test(value)) {
        this.#lost.add("sizes of images that are not in pixels");
        return null;
      }
      return value || null;
    };
    const src = text("src").trim();
    if (isImageSource(src)) {
      const attrs = { src, alt: text("alt"), width: size("width"), height: size("height") };
      this.#put({ type: "image", attrs });
    } else {
      this.#lost.add("images without a web address");
    }
  }

  #enterInline(name: string, attributes: Opening["attributes"]): void {
    const style = attributes.get("style") ?? "";
    const marks = marksOf(name, style);
    if (name === "a") {
      const href = this.#decoded(attributes.get("href") ?? "").trim();
      if (isLinkTarget(href)) {
        marks.push({ type: "link", attrs: { href } });
      } else {
        this.#lost.add("links that lead nowhere");
      }
    } else if (!isInlineKnown(name)) {
      this.#lost.add(`<${name}>`);
    }
    if (!VOID.test(name)) {
      const isBullet = /mso-list\s*:\s*ignore/i.test(style);
      this.#open.push(element(name, "inline", { marks, isBullet }));
    }
  }

  #enterParagraph(name: string, style: string, lost: string | null): void {
    this.#endParagraph();
    if (lost !== null) {
      this.#lost.add(lost);
    }
    if (this.#container().name in LISTS) {
      this.#lost.add(BETWEEN);
    }
    if (!VOID.test(name)) {
      const bullet = /mso-list\s*:\s*l\d/i.test(style) ? "" : undefined;
      this.#open.push(element(name, "paragraph", { bullet }));
    }
  }

  #enterContainer(name: string): void {
    this.#endParagraph();
    const list = this.#container();
    if (list.name in LISTS && (list.content.length === 0 || !(name in LISTS))) {
      this.#lost.add(BETWEEN);
    }
    this.#needItem();
    const depth = this.#open.filter(({ kind }) => kind === "container").length;
    if (depth > DEPTH_MAX) {
      this.#lost.add("lists that are too deep");
      this.#open.push(element(name, "paragraph"));
    } else {
      this.#open.push(element(name, "container"));
    }
  }

  #enterItem(): void {
    this.#endParagraph();
    if (this.#container().name === "li") {
      this.#closeTo(this.#open.lastIndexOf(this.#container()));
    }
    if (this.#container().name in LISTS) {
      this.#open.push(element("li", "container"));
    } else {
      this.#lost.add("items outside of a list");
      this.#open.push(element("li", "paragraph"));
    }
  }

  /** A block ends the paragraph before it, whose end tag may be left out. */
  #endParagraph(): void {
    this.#endLine();
    const at = this.#open.lastIndexOf(this.#container());
    const open = this.#open.findLastIndex(({ name }, place) => place > at && name === "p");
    if (open !== -1) {
      this.#open.splice(open, 1);
    }
  }

  #leave(name: string): void {
    const at = this.#open.findLastIndex((one, place) => place > 0 && one.name === name);
    const above = this.#open.slice(at + 1);
    if (at === -1) {
      this.#lost.add(OVERLAP);
      return;
    }
    const isLeftOut = ({ name: other }: Element) => other === "p" || other === "li";
    if (!above.every((one) => this.#open[at]?.kind !== "inline" && isLeftOut(one))) {
      this.#lost.add(OVERLAP);
    }
    if (this.#open[at]?.kind !== "inline") {
      this.#endLine();
      this.#closeTo(at);
    } else if (above.every(({ kind }) => kind !== "container")) {
      for (const one of this.#open.splice(at, 1)) {
        this.#needWords(one);
      }
    }
  }

  #needWords({ name, isFilled }: Element): void {
    if (name === "a" && !isFilled) {
      this.#lost.add("links without words");
    }
  }

  /** Closes what was opened after the first `count`. */
  #closeTo(count: number): void {
    this.#endLine();
    while (this.#open.length > count) {
      const closed = this.#open.pop() as Element;
      const { name, kind, content } = closed;
      this.#needWords(closed);
      const into = this.#container().content;
      if (kind !== "container") {
        // It is gone, and nothing remains of it.
      } else if (name === "li") {
        const [first] = content as Block[];
        const empty: Block = { type: "paragraph", attrs: { tag: null } };
        const blocks = (first?.type === "paragraph" ? content : [empty, ...content]) as Block[];
        into.push({ type: "list_item", content: blocks });
      } else if (content.length > 0) {
        const type = LISTS[name] ?? "blockquote";
        into.push({ type, content } as Block);
      } else {
        this.#lost.add("lists or quotes without text");
      }
    }
  }

  #container(): Element {
    return this.#open.findLast(({ kind }) => kind === "container") ?? this.#root;
  }

  /** The innermost in the container. */
  #paragraph(): Element | undefined {
    const at = this.#open.lastIndexOf(this.#container());
    return this.#open.findLast(({ kind }, place) => place > at && kind === "paragraph");
  }

  #marks(): Mark[] {
    for (const one of this.#open) {
      one.isFilled = true;
    }
    const all = this.#open.flatMap(({ marks }) => marks);
    return MARK_ORDER.flatMap((name) => all.findLast(({ type }) => type === name) ?? []);
  }
}
