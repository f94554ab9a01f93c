/**
 * What a rich text is made of, as ProseMirror writes it down (`schema.ts` has its rules). No more than every
 * email client shows.
 */

export type MarkName = "link" | "strong" | "em" | "underline";

export interface Mark {
  type: MarkName;
  attrs?: { href: string };
}

export type Inline = { marks?: Mark[] } & (
  | { type: "text"; text: string }
  /** A print or tag of Liquid, or a choice of spintax. */
  | { type: "chip"; attrs: { code: string } }
  | { type: "image"; attrs: ImageAttributes }
  | { type: "hard_break" }
);

export interface ImageAttributes {
  src: string;
  alt: string;
  /** Pixels; null: its own. */
  width: string | null;
  height: string | null;
}

/**
 * The element of a paragraph; null: what is usual where it stands, which is none in an item of a list and `p`
 * everywhere else. `loose` has none where one is usual.
 */
export type ParagraphTag = "p" | "div" | "loose" | null;

export interface Paragraph {
  type: "paragraph";
  attrs: { tag: ParagraphTag };
  content?: Inline[];
}

export interface ListItem {
  type: "list_item";
  content: Block[];
}

export type Block =
  | Paragraph
  /** Tags of Liquid between paragraphs. */
  | { type: "tags"; attrs: { code: string } }
  | { type: "blockquote"; content: Block[] }
  | { type: "bullet_list" | "ordered_list"; content: ListItem[] };

export interface RichDocument {
  type: "doc";
  content: Block[];
}

/** Where a link may lead, and where an image may come from. A merge field may stand for the whole address. */
export const isLinkTarget = (href: string) =>
  /^(?:https?:\/\/\S|mailto:\S|tel:\S|\{\{)/i.test(href);
export const isImageSource = (src: string) => /^(?:https?:\/\/\S|cid:\S|\{\{)/i.test(src);
