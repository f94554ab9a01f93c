/** A rich text to write in: its toolbar, its surface, and what edits a link, an image or a chip. */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { isHtml } from "#domain/sending/text-to-html.ts";
import type { Mode } from "../body-format.tsx";
import type { Surface } from "../surface.ts";
import { type Asked, Asking, askedOf } from "./dialogs.tsx";
import { fromPlain, lostAsPlain, toPlain } from "./plain-text.ts";
import { readHtml } from "./read-html.ts";
import {
  cleaned,
  createSurface,
  focusBetween,
  insertText,
  nodeOf,
  takeOver,
  textBefore,
} from "./surface.ts";
import { Toolbar } from "./toolbar.tsx";
import { writeHtml } from "./write-html.ts";

/** A body in another format, and what of it that one can't hold. */
interface Converted {
  body: string;
  lost: readonly string[];
}

export function converted(body: string, from: Mode, to: Mode): Converted {
  if (from === "plain") {
    // Tags that were put into plain text are meant as HTML by whoever then asks for HTML.
    const isMeant = to === "source" && isHtml(body);
    return { body: isMeant ? body : writeHtml(fromPlain(body)), lost: [] };
  }
  const { document, lost } = readHtml(body);
  if (to === "plain") {
    return { body: toPlain(document), lost: [...lost, ...lostAsPlain(document)] };
  }
  // As long as nothing is lost, the HTML stays as it was written.
  return to === "source" || lost.length === 0
    ? { body, lost: [] }
    : { body: writeHtml(document), lost };
}

interface RichTextProps {
  label: string;
  attributes: { id: string; "aria-invalid": boolean; "aria-describedby": string | undefined };
  html: string;
  isReadOnly: boolean;
  names: readonly string[];
  /** Filled in once there is a surface. */
  surface: Signal<Surface | null>;
  onHtml: (html: string) => void;
  /** The text can't be shown as a rich text, now that somebody else has written it. */
  onUnreadable: (lost: readonly string[]) => void;
  onLook: () => void;
  onKey: (event: KeyboardEvent) => void;
  onBlur: () => void;
}

export function RichText(props: RichTextProps) {
  const asked = useSignal<Asked | undefined>(undefined);
  const { place, view, state } = useSurface(props, (what) => (asked.value = what));
  return (
    <div class="rich-text">
      {!props.isReadOnly && state !== undefined && view !== undefined && (
        <Toolbar state={state} view={view} onAsk={(what) => (asked.value = what)} />
      )}
      <div ref={place} />
      {asked.value !== undefined && view !== undefined && (
        <Asking
          what={asked.value}
          view={view}
          names={props.names}
          onClose={() => {
            asked.value = undefined;
            // Where it was, once the dialog is gone.
            queueMicrotask(() => view.focus());
          }}
        />
      )}
    </div>
  );
}

const shared = {
  ...{ class: "input rich-input", role: "textbox", "aria-multiline": "true" },
  ...{ dir: "auto", spellcheck: "true" },
};

/** ProseMirror in `place`, with the text that is given from outside. */
function useSurface(props: RichTextProps, onAsk: (what: Asked) => void) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  /** What the page has been given and has not given back yet, in its order; the last is what the surface has. */
  const written = useRef([props.html]);
  const state = useSignal<EditorState | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;

  useLayoutEffect(() => {
    if (place.current === null) {
      return;
    }
    const { label, attributes, html, isReadOnly, surface, onUnreadable } = latest.current;
    const { document, lost } = readHtml(html);
    if (lost.length > 0) {
      onUnreadable(lost);
      return;
    }
    const ask = (what?: "link") => {
      if (view.current !== undefined) {
        onAsk(askedOf(view.current.state, what));
      }
    };
    const made = createSurface(
      place.current,
      {
        doc: nodeOf(document),
        isEditable: !isReadOnly,
        attributes: { ...shared, id: attributes.id, "aria-label": label },
      },
      {
        onHtml: (text) => {
          written.current.push(text);
          latest.current.onHtml(text);
        },
        onState: (next) => {
          state.value = next;
          latest.current.onLook();
        },
        onKey: (event) => {
          latest.current.onKey(event);
          return event.defaultPrevented;
        },
        onLink: () => ask("link"),
        onOpen: () => ask(),
        onBlur: () => latest.current.onBlur(),
      },
    );
    view.current = made;
    state.value = made.state;
    const { selected } = surface.peek() ?? {};
    if (selected !== undefined) {
      focusBetween(made, ...selected.map((end) => nodeOf(readHtml(html.slice(0, end)).document)));
    }
    surface.value = {
      before: () => textBefore(made.state),
      insert: (words, back = 0) => {
        const document = isHtml(words) ? readHtml(cleaned(words)).document : fromPlain(words);
        insertText(made, document, back);
      },
    };
    return () => {
      surface.value = null;
      made.destroy();
    };
  }, []);

  useEffect(() => {
    const own = written.current.indexOf(props.html);
    if (own !== -1 || view.current === undefined) {
      written.current.splice(0, own);
      return;
    }
    const { document, lost } = readHtml(props.html);
    written.current = [props.html];
    if (lost.length > 0) {
      props.onUnreadable(lost);
    } else {
      takeOver(view.current, nodeOf(document));
    }
  }, [props.html]);

  useEffect(() => {
    const { "aria-invalid": isInvalid, "aria-describedby": notes } = props.attributes;
    view.current?.dom.setAttribute("aria-invalid", String(isInvalid));
    view.current?.dom.setAttribute("aria-describedby", notes ?? "");
  });

  return { place, view: view.current, state: state.value };
}
