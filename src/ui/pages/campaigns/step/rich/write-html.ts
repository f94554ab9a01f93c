/** A rich text as HTML for emails: elements without classes and styles, which every client shows alike. */

import type { Block, Inline, ListItem, Mark, RichDocument } from "./document.ts";
import { MARK_ORDER } from "./elements.ts";
import { encode, encodeAttribute } from "./entities.ts";

export function writeHtml({ content }: RichDocument): string {
  const isEmpty = content.every((one) => one.type === "paragraph" && !one.content?.length);
  return isEmpty ? "" : blocks(content, "p").join("\n");
}

/** `usual` is the element of a paragraph that names none. */
function blocks(content: readonly Block[], usual: "p" | "loose"): string[] {
  let isLooseBefore = false;
  return content.map((block, at) => {
    if (block.type !== "paragraph") {
      isLooseBefore = block.type === "tags";
      return otherBlock(block);
    }
    const named = block.attrs.tag ?? usual;
    // Two that have no element would be one.
    const isBeside = isLooseBefore || content[at + 1]?.type === "tags";
    const tag = named === "loose" && isBeside ? "div" : named;
    isLooseBefore = tag === "loose";
    const line = inlines(block.content ?? []);
    return tag === "loose"
      ? line || (usual === "p" ? "<br>" : "")
      : `<${tag}>${line || "<br>"}</${tag}>`;
  });
}

function otherBlock(block: Exclude<Block, { type: "paragraph" }>): string {
  switch (block.type) {
    case "tags":
      return block.attrs.code;
    case "blockquote":
      return `<blockquote>${blocks(block.content, "p").join("")}</blockquote>`;
    case "bullet_list":
      return `<ul>${items(block.content)}</ul>`;
    case "ordered_list":
      return `<ol>${items(block.content)}</ol>`;
    default:
      return block satisfies never;
  }
}

function items(content: readonly ListItem[]): string {
  return content.map((item) => `<li>${blocks(item.content, "loose").join("")}</li>`).join("");
}

const TAGS = { link: "a", strong: "strong", em: "em", underline: "u" } as const;
const NBSP = "\u00a0";
const isSame = (a: Mark, b: Mark | undefined) => JSON.stringify(a) === JSON.stringify(b);

function inlines(content: readonly Inline[]): string {
  let html = "";
  let open: Mark[] = [];
  const closeTo = (count: number) => {
    for (const { type } of open.slice(count).reverse()) {
      html += `</${TAGS[type]}>`;
    }
    open = open.slice(0, count);
  };
  for (const one of withShownSpaces(content)) {
    const marks = MARK_ORDER.flatMap((name) => one.marks?.find(({ type }) => type === name) ?? []);
    const differs = marks.findIndex((mark, at) => !isSame(mark, open[at]));
    closeTo(differs === -1 ? marks.length : differs);
    for (const mark of marks.slice(open.length)) {
      const href = mark.attrs === undefined ? "" : ` href="${encodeAttribute(mark.attrs.href)}"`;
      html += `<${TAGS[mark.type]}${href}>`;
      open.push(mark);
    }
    html += inline(one);
  }
  closeTo(0);
  // The last line break of a paragraph shows nothing.
  return content.at(-1)?.type === "hard_break" ? `${html}<br>` : html;
}

function inline(one: Inline): string {
  switch (one.type) {
    case "text":
      return encode(one.text);
    case "chip":
      return encode(one.attrs.code);
    case "hard_break":
      return "<br>";
    case "image": {
      const { src, alt, width, height } = one.attrs;
      const size = Object.entries({ width, height }).flatMap(([name, value]) =>
        value === null ? [] : ` ${name}="${encodeAttribute(value)}"`,
      );
      return `<img src="${encodeAttribute(src)}" alt="${encodeAttribute(alt)}"${size.join("")}>`;
    }
    default:
      return one satisfies never;
  }
}

/** A client shows one space of several and none that begins a line, unless they don't break; none ends a line. */
function withShownSpaces(content: readonly Inline[]): Inline[] {
  let isBlank = true;
  const shown = content.map((one): Inline => {
    if (one.type !== "text") {
      isBlank = one.type === "hard_break";
      return one;
    }
    const text = one.text.replace(/[\s\S]/g, (character) => {
      const isSpace = /[ \t\n\r\f]/.test(character);
      const made = !isSpace ? character : isBlank ? NBSP : " ";
      isBlank = made === " ";
      return made;
    });
    return { ...one, text };
  });
  return shown.flatMap((one, at): Inline[] => {
    const next = shown[at + 1]?.type;
    const isLast = next === undefined || next === "hard_break";
    const text = one.type === "text" && isLast ? one.text.replace(/ $/, "") : undefined;
    return one.type !== "text" || text === undefined
      ? [one]
      : text === ""
        ? []
        : [{ ...one, text }];
  });
}
