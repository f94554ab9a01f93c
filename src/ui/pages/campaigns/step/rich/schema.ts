/** The rules of a rich text for ProseMirror, and how its parts look while they are written. */

import { type DOMOutputSpec, Schema } from "prosemirror-model";
import { isImageSource, isLinkTarget } from "./document.ts";

const attributeOf = (node: HTMLElement, name: string) => node.getAttribute(name) ?? "";

/** The kind of a chip by its code: what it is called, and which style it has. */
export function kindOf(code: string): "field" | "tag" | "choice" {
  return code.startsWith("{{") ? "field" : code.startsWith("{%") ? "tag" : "choice";
}

const chipDOM = (name: string, code: string): DOMOutputSpec => [
  name,
  { class: `chip ${kindOf(code)}`, "data-code": code },
  code,
];
const codeOf = (node: HTMLElement) => ({ code: attributeOf(node, "data-code") });

export const schema = new Schema({
  nodes: {
    doc: { content: "block+" },
    paragraph: {
      content: "inline*",
      group: "block",
      attrs: { tag: { default: null } },
      parseDOM: [{ tag: "p" }, { tag: "div", getAttrs: () => ({ tag: "div" }) }],
      toDOM: ({ attrs: { tag } }) => [tag === "div" || tag === "loose" ? "div" : "p", 0],
    },
    tags: {
      group: "block",
      atom: true,
      attrs: { code: {} },
      parseDOM: [{ tag: "div[data-code]", getAttrs: codeOf, priority: 60 }],
      toDOM: ({ attrs: { code } }) => chipDOM("div", code),
    },
    blockquote: {
      content: "block+",
      group: "block",
      defining: true,
      parseDOM: [{ tag: "blockquote" }],
      toDOM: () => ["blockquote", 0],
    },
    bullet_list: {
      content: "list_item+",
      group: "block",
      parseDOM: [{ tag: "ul" }],
      toDOM: () => ["ul", 0],
    },
    ordered_list: {
      content: "list_item+",
      group: "block",
      parseDOM: [{ tag: "ol" }],
      toDOM: () => ["ol", 0],
    },
    list_item: {
      content: "paragraph block*",
      defining: true,
      parseDOM: [{ tag: "li" }],
      toDOM: () => ["li", 0],
    },
    text: { group: "inline" },
    hard_break: {
      inline: true,
      group: "inline",
      selectable: false,
      parseDOM: [{ tag: "br" }],
      toDOM: () => ["br"],
      leafText: () => "\n",
    },
    image: {
      inline: true,
      group: "inline",
      draggable: true,
      attrs: { src: {}, alt: { default: "" }, width: { default: null }, height: { default: null } },
      parseDOM: [
        {
          tag: "img[src]",
          getAttrs: (node) =>
            isImageSource(attributeOf(node, "src")) && {
              ...{ src: attributeOf(node, "src"), alt: attributeOf(node, "alt") },
              ...{ width: node.getAttribute("width"), height: node.getAttribute("height") },
            },
        },
      ],
      // For the clipboard: on the surface it is drawn without being loaded (`surface.ts`).
      toDOM: ({ attrs: { src, alt, width, height } }) => ["img", { src, alt, width, height }],
    },
    chip: {
      inline: true,
      group: "inline",
      atom: true,
      draggable: true,
      attrs: { code: {} },
      parseDOM: [{ tag: "span[data-code]", getAttrs: codeOf, priority: 60 }],
      toDOM: ({ attrs: { code } }) => chipDOM("span", code),
      leafText: ({ attrs: { code } }) => code,
    },
  },
  marks: {
    link: {
      attrs: { href: {} },
      inclusive: false,
      parseDOM: [
        {
          tag: "a[href]",
          getAttrs: (node) =>
            isLinkTarget(attributeOf(node, "href")) && { href: attributeOf(node, "href") },
        },
      ],
      toDOM: ({ attrs: { href } }) => ["a", { href, title: href }, 0],
    },
    strong: {
      parseDOM: [{ tag: "strong" }, { tag: "b" }],
      toDOM: () => ["strong", 0],
    },
    em: { parseDOM: [{ tag: "em" }, { tag: "i" }], toDOM: () => ["em", 0] },
    underline: { parseDOM: [{ tag: "u" }], toDOM: () => ["u", 0] },
  },
});
