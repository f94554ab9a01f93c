/** ProseMirror over a rich text: what is typed, pasted and pressed, and the HTML that it becomes. */

import { baseKeymap, chainCommands, exitCode, toggleMark } from "prosemirror-commands";
import { history, redo, undo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import { Fragment, type Node, Slice } from "prosemirror-model";
import { liftListItem, sinkListItem, splitListItem } from "prosemirror-schema-list";
import { type Command, EditorState, NodeSelection, TextSelection } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { chipsAsTyped, withChips } from "./chips.ts";
import type { Block, RichDocument } from "./document.ts";
import { fromPlain } from "./plain-text.ts";
import { readHtml } from "./read-html.ts";
import { schema } from "./schema.ts";
import { writeHtml } from "./write-html.ts";

const { nodes, marks } = schema;

export const nodeOf = (document: RichDocument) => schema.nodeFromJSON(document);
export const htmlOf = (doc: Node) => writeHtml(doc.toJSON() as RichDocument);

/** What a rich text asks of the page that it stands on. */
export interface Page {
  /** What was written, as HTML. */
  onHtml: (html: string) => void;
  /** After each change of text or selection. */
  onState: (state: EditorState) => void;
  /** True where the page has done something with it. */
  onKey: (event: KeyboardEvent) => boolean;
  /** Opens what edits a link, or the chip or image that is selected. */
  onLink: () => void;
  onOpen: () => void;
  onBlur: () => void;
}

const breakLine: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView());
  return true;
};

function keysOf({ onLink, onOpen }: Page) {
  const run = (open: () => void) => () => {
    open();
    return true;
  };
  return keymap({
    "Mod-b": toggleMark(marks.strong),
    "Mod-i": toggleMark(marks.em),
    "Mod-u": toggleMark(marks.underline),
    "Mod-k": run(onLink),
    "Mod-z": undo,
    "Mod-y": redo,
    "Shift-Mod-z": redo,
    "Shift-Enter": chainCommands(exitCode, breakLine),
    Enter: chainCommands((state) => {
      const isOpen = state.selection instanceof NodeSelection;
      if (isOpen) {
        onOpen();
      }
      return isOpen;
    }, splitListItem(nodes.list_item)),
    "Mod-]": sinkListItem(nodes.list_item),
    "Mod-[": liftListItem(nodes.list_item),
  });
}

/** What others have copied, in the parts that a rich text has. */
export function cleaned(html: string): string {
  const plain = (block: Block): Block =>
    block.type === "paragraph" ? { ...block, attrs: { tag: null } } : block;
  const { document } = readHtml(html);
  return writeHtml({ ...document, content: document.content.map(plain) });
}

/** An image as a line about it: the console loads nothing from other hosts. */
function imageView(node: Node) {
  const dom = document.createElement("span");
  dom.className = "chip image";
  dom.textContent = `Image: ${String(node.attrs["alt"] || node.attrs["src"])}`;
  dom.title = String(node.attrs["src"]);
  return { dom };
}

export function createSurface(
  place: HTMLElement,
  given: { doc: Node; attributes: Record<string, string>; isEditable: boolean },
  page: Page,
): EditorView {
  const state = EditorState.create({
    doc: given.doc,
    plugins: [keysOf(page), keymap(baseKeymap), history(), chipsAsTyped(() => view.composing)],
  });
  const view: EditorView = new EditorView(place, {
    state,
    editable: () => given.isEditable,
    attributes: given.attributes,
    nodeViews: { image: imageView },
    transformPastedHTML: cleaned,
    clipboardTextParser: (text) => {
      const { content } = nodeOf(fromPlain(text));
      return new Slice(content, 1, 1);
    },
    clipboardTextSerializer: ({ content }) =>
      content.textBetween(0, content.size, "\n\n", (leaf) => leaf.type.spec.leafText?.(leaf) ?? ""),
    handleKeyDown: (_view, event) => page.onKey(event),
    handleDoubleClickOn: () => false,
    handleClickOn: (_view, _at, node, nodeAt, event, isDirect) => {
      const isChip = isDirect && (node.isAtom || node.type === nodes.image) && !node.isText;
      if (isChip && given.isEditable && event.button === 0) {
        view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, nodeAt)));
        page.onOpen();
      }
      return isChip;
    },
    handleDOMEvents: {
      blur: () => page.onBlur(),
      compositionend: () => {
        // Once the word is in the document.
        setTimeout(() => {
          const change = view.isDestroyed || view.composing ? undefined : withChips(view.state);
          if (change !== undefined) {
            view.dispatch(change);
          }
        });
      },
    },
    dispatchTransaction: (change) => {
      const next = view.state.apply(change);
      const isWritten = !next.doc.eq(view.state.doc) && change.getMeta("fromOutside") !== true;
      view.updateState(next);
      if (isWritten) {
        page.onHtml(htmlOf(next.doc));
      }
      page.onState(next);
    },
  });
  return view;
}

/** Takes over what others wrote: only what differs is replaced, so that the cursor stays where it is. */
export function takeOver(view: EditorView, doc: Node): void {
  const { doc: old, tr } = view.state;
  const start = old.content.findDiffStart(doc.content);
  const ends = old.content.findDiffEnd(doc.content);
  if (start === null || ends === null) {
    return;
  }
  const overlap = Math.max(0, start - Math.min(ends.a, ends.b));
  const slice = doc.slice(start, ends.b + overlap);
  view.dispatch(
    tr
      .replace(start, ends.a + overlap, slice)
      .setMeta("fromOutside", true)
      .setMeta("addToHistory", false),
  );
}

/** Takes the focus, and selects from the end of one beginning of the text to that of another. */
export function focusBetween(view: EditorView, ...beginnings: Node[]): void {
  const { doc, tr } = view.state;
  const [from, to] = beginnings.map(({ content }) =>
    doc.resolve(content.findDiffStart(doc.content) ?? doc.content.size),
  );
  if (from !== undefined && to !== undefined) {
    view.dispatch(tr.setSelection(TextSelection.between(from, to, -1)));
    view.focus();
  }
}

/** What stands before the cursor in its paragraph; null while something is selected. */
export function textBefore({ selection }: EditorState): string | null {
  const { $from, empty } = selection;
  return empty && $from.parent.isTextblock
    ? $from.parent.textBetween(0, $from.parentOffset, undefined, "\ufffc")
    : null;
}

/** In place of the selection, and of `back` characters before it. Lines become paragraphs as in plain text. */
export function insertText(view: EditorView, document: RichDocument, back: number): void {
  const { tr, selection } = view.state;
  const from = selection.from - back;
  const { content } = nodeOf(document);
  const isLine = content.childCount === 1 && content.firstChild?.isTextblock === true;
  const slice = isLine
    ? new Slice(content.firstChild?.content ?? Fragment.empty, 0, 0)
    : new Slice(content, 1, 1);
  tr.replaceRange(from, selection.to, slice);
  tr.setSelection(TextSelection.near(tr.doc.resolve(tr.mapping.map(selection.to)), -1));
  view.dispatch(tr.scrollIntoView());
  view.focus();
}
