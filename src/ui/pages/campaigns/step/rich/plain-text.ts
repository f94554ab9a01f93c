/** A rich text as plain text and back, and what the way there loses. */

import { endOfCode } from "#domain/sending/spintax.ts";
import { linkedParts } from "#domain/sending/text-to-html.ts";
import type { Block, Inline, RichDocument } from "./document.ts";

/** Paragraphs at blank lines, as an email in plain text is shown; web addresses are links. */
export function fromPlain(text: string): RichDocument {
  const paragraphs = text
    .replaceAll(/\r\n?/g, "\n")
    .trim()
    .split(/\n[ \t]*(?:\n[ \t]*)+/);
  return {
    type: "doc",
    content: paragraphs.map((paragraph): Block => {
      const lines = paragraph.split("\n").map(lineOf);
      const content = lines.flatMap((line, at): Inline[] =>
        at === 0 ? line : [{ type: "hard_break" }, ...line],
      );
      return { type: "paragraph", attrs: { tag: null }, ...(content.length > 0 && { content }) };
    }),
  };
}

/** A line of text with its template's codes as chips. */
export function lineOf(line: string): Inline[] {
  const found: Inline[] = [];
  let from = 0;
  const write = (text: string) => {
    for (const { text: part, href } of linkedParts(text)) {
      const marks = href === null ? {} : { marks: [{ type: "link" as const, attrs: { href } }] };
      found.push(...(part === "" ? [] : [{ type: "text" as const, text: part, ...marks }]));
    }
  };
  for (let at = line.indexOf("{"); at !== -1; at = line.indexOf("{", at)) {
    const end = endOfCode(line, at);
    if (end > at) {
      write(line.slice(from, at));
      found.push({ type: "chip", attrs: { code: line.slice(at, end) } });
      from = end;
    }
    at = Math.max(end, at + 1);
  }
  write(line.slice(from));
  return found;
}

export function toPlain({ content }: RichDocument): string {
  return blocksOf(content).trim();
}

function blocksOf(content: readonly Block[]): string {
  let text = "";
  for (const block of content) {
    const isTight = block.type === "paragraph" && (block.attrs.tag ?? "p") !== "p";
    const gap =
      text === "" || text.endsWith("\n\n") ? "" : isTight || block.type === "tags" ? "\n" : "\n\n";
    text += gap + blockOf(block);
  }
  return text;
}

function blockOf(block: Block): string {
  switch (block.type) {
    case "paragraph":
      return inlinesOf(block.content ?? []);
    case "tags":
      return block.attrs.code;
    case "blockquote":
      return indented(blocksOf(block.content), "> ", "> ");
    case "bullet_list":
    case "ordered_list":
      return block.content
        .map((item, at) => {
          const bullet = block.type === "bullet_list" ? "- " : `${at + 1}. `;
          return indented(blocksOf(item.content), bullet, " ".repeat(bullet.length));
        })
        .join("\n");
    default:
      return block satisfies never;
  }
}

const indented = (text: string, first: string, others: string) =>
  first + text.replaceAll("\n", `\n${others}`);

/** The address of a link stands behind its words, unless they are the address. */
function inlinesOf(content: readonly Inline[]): string {
  const runs: { words: string; href: string | undefined }[] = [];
  for (const one of content) {
    const href = one.marks?.find(({ type }) => type === "link")?.attrs?.href;
    const last = runs.at(-1);
    if (last !== undefined && last.href === href) {
      last.words += wordsOf(one);
    } else {
      runs.push({ words: wordsOf(one), href });
    }
  }
  return runs
    .map(({ words, href = "" }) => {
      const isSaid = href === "" || [words.trim(), `mailto:${words.trim()}`].includes(href);
      return isSaid ? words : `${words} (${href})`;
    })
    .join("");
}

function wordsOf(one: Inline): string {
  switch (one.type) {
    case "text":
      return one.text.replaceAll("\u00a0", " ");
    case "chip":
      return one.attrs.code;
    case "image":
      return one.attrs.alt;
    case "hard_break":
      return "\n";
    default:
      return one satisfies never;
  }
}

const NAMES = {
  ...{ strong: "bold", em: "italics", underline: "underlining" },
  ...{ link: "links behind words", image: "images", blockquote: "quotes" },
  ...{ bullet_list: "lists", ordered_list: "lists" },
} as const;

/** What plain text can't hold of a rich text, as a list of words; a link's address stays behind its words. */
export function lostAsPlain(document: RichDocument): string[] {
  const found = JSON.stringify(document).matchAll(/"type":"(\w+)"/g);
  const names = [...found].map(([, type = ""]) => NAMES[type as keyof typeof NAMES]);
  return [...new Set(names)].filter((name) => name !== undefined);
}
