/** What a link leads to, which image is shown, and what a chip stands for. */

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Node } from "prosemirror-model";
import { type EditorState, NodeSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { alternativesOf, endOfCode } from "#domain/sending/spintax.ts";
import { api } from "../../../../lib/api.ts";
import { Button } from "../../../../parts/button.tsx";
import { Dialog } from "../../../../parts/dialog.tsx";
import { FileButton } from "../../../../parts/form/file-button.tsx";
import { Field, FormFault, type Submission, useSubmission } from "../../../../parts/form/form.tsx";
import { Input } from "../../../../parts/form/input.tsx";
import { type ImageAttributes, isImageSource, isLinkTarget } from "./document.ts";
import { kindOf, schema } from "./schema.ts";

const { nodes, marks } = schema;

/** What is edited, as it was said. It stands at the selection, which colleagues' saves move with the text. */
export type Asked =
  | { kind: "link"; href: string }
  | { kind: "image"; image: ImageAttributes }
  | { kind: "chip"; node: Node };

/** What there is to edit at the selection; a new link or image where `what` asks for one. */
export function askedOf(state: EditorState, what?: "link" | "image"): Asked {
  const { selection } = state;
  const node = selection instanceof NodeSelection ? selection.node : undefined;
  if (what === "link") {
    return { kind: "link", href: linkAt(state).href };
  }
  if (node !== undefined && node.type !== nodes.image && what !== "image") {
    return { kind: "chip", node };
  }
  const image = node?.type === nodes.image ? node.attrs : {};
  const none = { src: "", alt: "", width: null, height: null };
  return { kind: "image", image: { ...none, ...image } };
}

/** The whole link that the cursor stands in, else what is selected. */
function linkAt({ selection: { $from, from, to }, doc }: EditorState) {
  const at = $from.parent.childAfter($from.parentOffset);
  const link = marks.link.isInSet(at.node?.marks ?? []);
  if (link === undefined || !doc.rangeHasMark(from, Math.max(to, from + 1), marks.link)) {
    return { from, to, href: "" };
  }
  let [begin, end] = [at.offset, at.offset + (at.node?.nodeSize ?? 0)];
  const start = $from.start();
  $from.parent.forEach((node, offset) => {
    if (offset === end && link.isInSet(node.marks)) {
      end += node.nodeSize;
    }
  });
  for (let index = at.index - 1; index >= 0; index -= 1) {
    const node = $from.parent.child(index);
    if (!link.isInSet(node.marks)) {
      break;
    }
    begin -= node.nodeSize;
  }
  return { from: start + begin, to: start + end, href: String(link.attrs["href"]) };
}

interface AskingProps<What> {
  what: What;
  view: EditorView;
  names: readonly string[];
  onClose: () => void;
}
type Of<Kind> = Extract<Asked, { kind: Kind }>;

export function Asking({ what, ...props }: AskingProps<Asked>) {
  switch (what.kind) {
    case "link":
      return <LinkDialog what={what} {...props} />;
    case "image":
      return <ImageDialog what={what} {...props} />;
    case "chip":
      return <ChipDialog what={what} {...props} />;
    default:
      return what satisfies never;
  }
}

/** A form of its own in the step's: Enter takes what is typed, and nothing is sent. */
function Fields(props: {
  title: string;
  /** What is wrong; undefined where it has been taken. */
  onTake: () => string | undefined;
  /** Takes it away. */
  onRemove?: { name: string; run: () => void } | undefined;
  onClose: () => void;
  children: (of: Submission) => ComponentChildren;
}) {
  const { title, onTake, onRemove, onClose } = props;
  const fault = useSignal<string | undefined>(undefined);
  const submission = useSubmission();
  const take = () => {
    fault.value = onTake();
    if (fault.value === undefined) {
      onClose();
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <fieldset
        class="bare stack"
        onKeyDown={(event) => {
          if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
            event.preventDefault();
            take();
          }
        }}
      >
        {props.children({ ...submission, faultOf: () => fault.value })}
      </fieldset>
      <div class="actions">
        {onRemove !== undefined && (
          <Button
            look="plain danger"
            onClick={() => {
              onRemove.run();
              onClose();
            }}
          >
            {onRemove.name}
          </Button>
        )}
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" onClick={take}>
          Apply
        </Button>
      </div>
    </Dialog>
  );
}

/** An address as people type it. */
function asHref(typed: string): string {
  const text = typed.trim();
  if (isLinkTarget(text) || text === "") {
    return text;
  }
  return /^[^\s@/:]+@[^\s@/]+$/.test(text)
    ? `mailto:${text}`
    : /^[\w-]+(?:\.[\w-]+)+(?:[/?#]\S*)?$/.test(text)
      ? ["https://", text].join("")
      : text;
}

function LinkDialog({ what, view, onClose }: AskingProps<Of<"link">>) {
  const typed = useSignal(what.href);
  const set = (href: string | null) => {
    const { from, to } = linkAt(view.state);
    const { tr } = view.state;
    if (href !== null && from === to) {
      tr.insert(from, schema.text(href, [marks.link.create({ href })]));
    } else {
      tr.removeMark(from, to, marks.link);
      if (href !== null) {
        tr.addMark(from, to, marks.link.create({ href }));
      }
    }
    view.dispatch(tr);
  };
  return (
    <Fields
      title="Link"
      onClose={onClose}
      onTake={() => {
        const href = asHref(typed.value);
        if (!isLinkTarget(href)) {
          return "Enter a web address, an email address or a merge field, such as https://example.com";
        }
        set(href);
        return undefined;
      }}
      onRemove={what.href === "" ? undefined : { name: "Remove link", run: () => set(null) }}
    >
      {(of) => (
        <Input
          label="Address"
          name="href"
          of={of}
          hint="{{unsubscribe_url}} leads to your unsubscribe page"
          placeholder="https://example.com"
          value={typed.value}
          onText={(text) => (typed.value = text)}
        />
      )}
    </Fields>
  );
}

function ImageDialog({ what, view, onClose }: AskingProps<Of<"image">>) {
  const src = useSignal(what.image.src);
  const alt = useSignal(what.image.alt);
  const upload = useSubmission();
  const send = async (file: File) => {
    const contentType = "application/octet-stream";
    const { id } = await api().uploadFile({ name: file.name, body: file, contentType });
    src.value = `cid:${id}`;
  };
  return (
    <Fields
      title="Image"
      onClose={onClose}
      onTake={() => {
        if (!isImageSource(src.value.trim())) {
          return "Enter the image’s web address, such as https://example.com/chart.png";
        }
        const image = { ...what.image, src: src.value.trim(), alt: alt.value };
        view.dispatch(view.state.tr.replaceSelectionWith(nodes.image.create(image)));
        return undefined;
      }}
    >
      {(of) => (
        <>
          <Input
            label="Image address"
            name="src"
            of={of}
            hint="A web address. An uploaded image goes out in the email itself"
            value={src.value}
            onText={(text) => (src.value = text)}
          />
          <div class="actions">
            <FileButton
              label={upload.isBusy ? "Uploading…" : "Upload image"}
              isBusy={upload.isBusy}
              onFile={(file) => upload.submit(() => send(file))}
            />
          </div>
          <FormFault of={upload} fields={[]} />
          <Input
            label="Alternative text"
            name="alt"
            of={{ ...of, faultOf: () => undefined }}
            hint="What the image shows, for people who don’t see it"
            value={alt.value}
            onText={(text) => (alt.value = text)}
          />
        </>
      )}
    </Fields>
  );
}

/** `{{ name | default: "there" }}`, and nothing that is more than that. */
const SIMPLE = /^\{\{-?\s*([\w.]+)\s*(?:\|\s*default:\s*(?:"([^"]*)"|'([^']*)')\s*)?-?\}\}$/;

function ChipDialog(props: AskingProps<Of<"chip">>) {
  const { what, view, onClose } = props;
  const code = String(what.node.attrs["code"]);
  const typed = useSignal(code);
  const kind = kindOf(code);
  const [, name, double, single] = SIMPLE.exec(code) ?? [];
  const put = () => {
    const { type, attrs, marks: on } = what.node;
    const chip = type.create({ ...attrs, code: typed.value }, null, on);
    view.dispatch(view.state.tr.replaceSelectionWith(chip, false));
    return undefined;
  };
  return (
    <Fields
      title={{ field: "Merge field", choice: "Spintax", tag: "Liquid tag" }[kind]}
      onClose={onClose}
      onTake={() => (kindOf(typed.value) === kind && isWhole(typed.value) ? put() : FAULTS[kind])}
      onRemove={{
        name: "Remove",
        run: () => view.dispatch(view.state.tr.deleteSelection()),
      }}
    >
      {(of) =>
        kind === "choice" ? (
          <Alternatives of={of} code={typed} />
        ) : name !== undefined ? (
          <FieldChip
            of={of}
            code={typed}
            given={{ name, fallback: double ?? single ?? "" }}
            {...props}
          />
        ) : (
          <Input
            label="Code"
            name="code"
            of={of}
            value={typed.value}
            onText={(text) => (typed.value = text)}
          />
        )
      }
    </Fields>
  );
}

const FAULTS = {
  field: "Enter one merge field, such as {{first_name}}",
  choice: "Enter at least two alternatives, with every { closed by a }",
  tag: "Enter one tag, such as {% if company %}",
} as const;

const isWhole = (code: string) => endOfCode(code, 0) === code.length;

/** A name, and what is written for those who have no value for it. */
function FieldChip(props: {
  of: Submission;
  code: Signal<string>;
  given: { name: string; fallback: string };
  names: readonly string[];
}) {
  const { of, code, given, names } = props;
  const name = useSignal(given.name);
  const fallback = useSignal(given.fallback);
  const write = () => {
    const mark = fallback.value.includes('"') ? "'" : '"';
    const rest = fallback.value === "" ? "" : ` | default: ${mark}${fallback.value}${mark}`;
    code.value = `{{${name.value.trim()}${rest}}}`;
  };
  return (
    <>
      <Input
        label="Name"
        name="field"
        of={of}
        list="rich-field-names"
        value={name.value}
        onText={(text) => {
          name.value = text;
          write();
        }}
      />
      <datalist id="rich-field-names">
        {names.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <Input
        label="Fallback"
        name="fallback"
        of={{ ...of, faultOf: () => undefined }}
        hint="Written for leads without a value. Leave empty to put them on hold"
        value={fallback.value}
        onText={(text) => {
          fallback.value = text;
          write();
        }}
      />
    </>
  );
}

function Alternatives({ of, code }: { of: Submission; code: Signal<string> }) {
  const lines = useSignal(alternativesOf(code.peek()).join("\n"));
  return (
    <Field
      label="Alternatives"
      name="alternatives"
      of={of}
      hint="One on each line. Each lead gets one of them, always the same"
    >
      {(attributes) => (
        <textarea
          {...attributes}
          rows={6}
          dir="auto"
          value={lines.value}
          onInput={({ currentTarget: { value } }) => {
            lines.value = value;
            code.value = `{${value.split("\n").join("|")}}`;
          }}
        />
      )}
    </Field>
  );
}
