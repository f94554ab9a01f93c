/** What can be done to a rich text, as buttons. Arrow keys go from one to the next. */

import { useSignal } from "@preact/signals";
import { lift, toggleMark, wrapIn } from "prosemirror-commands";
import { redo, redoDepth, undo, undoDepth } from "prosemirror-history";
import type { MarkType, NodeType } from "prosemirror-model";
import { liftListItem, wrapInList } from "prosemirror-schema-list";
import type { Command, EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { type Asked, askedOf } from "./dialogs.tsx";
import { schema } from "./schema.ts";

const { nodes, marks } = schema;

interface Tool {
  name: string;
  /** What is written on it. */
  face: string;
  keys?: string;
  look?: string;
  /** Undefined where it is neither on nor off. */
  isOn?: (state: EditorState) => boolean;
  isOff?: (state: EditorState) => boolean;
  run: Command | ((state: EditorState) => Asked);
}

function hasMark(type: MarkType): (state: EditorState) => boolean {
  return ({ selection: { from, to, empty, $from }, storedMarks, doc }) =>
    empty
      ? type.isInSet(storedMarks ?? $from.marks()) !== undefined
      : doc.rangeHasMark(from, to, type);
}

/** The innermost list or quote round the cursor. */
function isWithin(type: NodeType): (state: EditorState) => boolean {
  return ({ selection: { $from } }) => {
    for (let depth = $from.depth; depth > 0; depth -= 1) {
      const found = $from.node(depth).type;
      if (
        found === nodes.bullet_list ||
        found === nodes.ordered_list ||
        found === nodes.blockquote
      ) {
        return found === type;
      }
    }
    return false;
  };
}

const list =
  (type: NodeType): Command =>
  (state, dispatch, view) => {
    const other = type === nodes.bullet_list ? nodes.ordered_list : nodes.bullet_list;
    if (isWithin(type)(state)) {
      return liftListItem(nodes.list_item)(state, dispatch, view);
    }
    return isWithin(other)(state)
      ? turnInto(type)(state, dispatch)
      : wrapInList(type)(state, dispatch, view);
  };

/** The list round the cursor becomes one of the other kind. */
const turnInto =
  (type: NodeType): Command =>
  ({ selection: { $from }, tr }, dispatch) => {
    const depth = Array.from({ length: $from.depth }, (_, at) => $from.depth - at).find(
      (at) => $from.node(at).type.spec.content === "list_item+",
    );
    if (depth !== undefined) {
      dispatch?.(tr.setNodeMarkup($from.before(depth), type));
    }
    return depth !== undefined;
  };

const quote: Command = (state, dispatch) =>
  isWithin(nodes.blockquote)(state)
    ? lift(state, dispatch)
    : wrapIn(nodes.blockquote)(state, dispatch);

const mark = (type: MarkType) => ({ isOn: hasMark(type), run: toggleMark(type) });
const mod = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl+";

const TOOLS: readonly Tool[] = [
  { name: "Bold", face: "B", keys: `${mod}B`, look: "bold", ...mark(marks.strong) },
  { name: "Italic", face: "I", keys: `${mod}I`, look: "italic", ...mark(marks.em) },
  { name: "Underline", face: "U", keys: `${mod}U`, look: "underlined", ...mark(marks.underline) },
  {
    ...{ name: "Link", face: "Link", keys: `${mod}K`, isOn: hasMark(marks.link) },
    run: (state: EditorState) => askedOf(state, "link"),
  },
  {
    ...{ name: "Bulleted list", face: "Bulleted", isOn: isWithin(nodes.bullet_list) },
    run: list(nodes.bullet_list),
  },
  {
    ...{ name: "Numbered list", face: "Numbered", isOn: isWithin(nodes.ordered_list) },
    run: list(nodes.ordered_list),
  },
  { ...{ name: "Quote", face: "Quote", isOn: isWithin(nodes.blockquote) }, run: quote },
  { name: "Image", face: "Image", run: (state: EditorState) => askedOf(state, "image") },
  {
    ...{ name: "Undo", face: "Undo", keys: `${mod}Z`, run: undo },
    isOff: (state: EditorState) => undoDepth(state) === 0,
  },
  {
    ...{ name: "Redo", face: "Redo", keys: `${mod}Shift+Z`, run: redo },
    isOff: (state: EditorState) => redoDepth(state) === 0,
  },
];

export function Toolbar(props: {
  state: EditorState;
  view: EditorView;
  onAsk: (what: Asked) => void;
}) {
  const { state, view, onAsk } = props;
  const at = useSignal(0);
  const onKey = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const end = { Home: 0, End: TOOLS.length - 1 }[event.key];
    if (step === undefined && end === undefined) {
      return;
    }
    at.value = end ?? (at.value + (step ?? 0) + TOOLS.length) % TOOLS.length;
    event.preventDefault();
    event.currentTarget.querySelectorAll("button")[at.value]?.focus();
  };
  return (
    <div class="rich-tools" role="toolbar" aria-label="Formatting" onKeyDown={onKey}>
      {TOOLS.map((tool, nth) => (
        <button
          key={tool.name}
          type="button"
          class={`button compact plain ${tool.look ?? ""}`}
          title={tool.keys === undefined ? tool.name : `${tool.name} (${tool.keys})`}
          aria-label={tool.name}
          aria-pressed={tool.isOn?.(state)}
          aria-disabled={tool.isOff?.(state)}
          tabIndex={nth === at.value ? 0 : -1}
          // The surface keeps its selection.
          onMouseDown={(event) => event.preventDefault()}
          onFocus={() => (at.value = nth)}
          onClick={() => {
            const done = tool.run(view.state, view.dispatch, view);
            if (typeof done === "object") {
              onAsk(done);
            } else {
              view.focus();
            }
          }}
        >
          {tool.face}
        </button>
      ))}
    </div>
  );
}
