/** Template code that has been typed or pasted becomes a chip as soon as it is complete. */

import { Fragment, type Node } from "prosemirror-model";
import { type EditorState, Plugin, type Transaction } from "prosemirror-state";
import { endOfCode } from "#domain/sending/spintax.ts";
import { schema } from "./schema.ts";

interface Found {
  from: number;
  to: number;
  code: string;
}

/** Code in a paragraph, whatever marks its letters have. A chip may become part of a choice. */
function codesIn(paragraph: Node): Found[] {
  let text = "";
  /** Where in the paragraph each character of the text stands; of a chip all where it begins. */
  const places: number[] = [];
  paragraph.forEach((node, offset) => {
    const isChip = node.type === schema.nodes.chip;
    // A tag ends every code: nothing else may be part of one.
    const part = node.isText ? (node.text ?? "") : isChip ? String(node.attrs["code"]) : "<";
    for (let at = 0; at < part.length; at += 1) {
      places.push(offset + (node.isText ? at : 0));
    }
    text += part;
  });
  places.push(paragraph.content.size);
  const found: Found[] = [];
  for (let at = text.indexOf("{"); at !== -1; at = text.indexOf("{", at)) {
    const end = endOfCode(text, at);
    const [from = 0, to = 0] = [places[at], places[end]];
    const isChip = paragraph.nodeAt(from)?.type === schema.nodes.chip && to - from === 1;
    const code = text.slice(at, end);
    if (end > at && !isChip && !/<(?=[a-z/!]|$)/i.test(code)) {
      found.push({ from, to, code });
    }
    at = Math.max(end, at + 1);
  }
  return found;
}

/** Undefined where there is nothing to do. */
export function withChips(state: EditorState): Transaction | undefined {
  const change = state.tr;
  state.doc.descendants((node, at) => {
    if (!node.isTextblock) {
      return true;
    }
    for (const { from, to, code } of node.textContent.includes("{") ? codesIn(node) : []) {
      const [start, end] = [from, to].map((place) => change.mapping.map(at + 1 + place));
      const marks = node.nodeAt(from)?.marks ?? [];
      const chip = schema.nodes.chip.create({ code }, null, marks);
      change.replaceWith(start ?? 0, end ?? 0, Fragment.from(chip));
    }
    return false;
  });
  return change.docChanged ? change : undefined;
}

/** Not while a word is composed: the browser's input method holds on to the text. */
export function chipsAsTyped(isComposing: () => boolean): Plugin {
  return new Plugin({
    appendTransaction: (changes, _old, state) =>
      changes.some(({ docChanged }) => docChanged) && !isComposing() ? withChips(state) : undefined,
  });
}
