/** What stands round a record under edit: whether it is saved, what others changed, and what leaving would lose. */

import type { ComponentChildren } from "preact";
import { answer, question } from "../../lib/unsaved.ts";
import { Button } from "../button.tsx";
import { Dialog } from "../dialog.tsx";
import { Notice } from "../page.tsx";
import type { Draft } from "./draft.ts";
import { Form, FormFault, Submit } from "./form.tsx";

/** Names and values of the fields that both changed, as a reader knows them. */
type Told<Fields> = (fields: Fields, name: keyof Fields & string) => readonly [string, string];

/** A form over a stored record: its fields, its refusals, its conflict, and whether all is saved. */
export function DraftForm<Fields extends object>(props: {
  of: Draft<Fields>;
  told: Told<Fields>;
  /** What the button does: "Save step". */
  action: string;
  look?: string;
  /** What is said while something is not saved and only the button saves it. */
  note?: string | undefined;
  isReadOnly?: boolean;
  /** Fields that show their refusals themselves; all of the record's where it is left out. */
  fields?: readonly string[];
  /** Closes the form without saving. */
  onClose?: () => void;
  children: ComponentChildren;
}) {
  const { of, told, action, look = "stack", note, isReadOnly, children } = props;
  return (
    <Form look={look} noValidate={of.isAuto} onSend={() => void of.save()}>
      {of.conflict !== undefined && <BothChanged of={of} told={told} />}
      <fieldset class="bare stack" disabled={isReadOnly}>
        {children}
      </fieldset>
      <FormFault of={of.form} fields={props.fields ?? Object.keys(of.fields)} />
      {!isReadOnly && (
        <div class="actions">
          <Submit of={of.form} isOff={of.isSaved || of.conflict !== undefined}>
            {of.form.isBusy ? "Saving…" : action}
          </Submit>
          {props.onClose && <Button onClick={props.onClose}>Cancel</Button>}
          {!of.isSaved && !of.isAuto && <Button onClick={of.undo}>Discard changes</Button>}
          <span class="small quiet saved-word" role="status">
            {of.isSaved ? "All changes saved" : (note ?? "Unsaved changes")}
          </span>
        </div>
      )}
    </Form>
  );
}

function BothChanged<Fields extends object>({
  of,
  told,
}: {
  of: Draft<Fields>;
  told: Told<Fields>;
}) {
  const { theirs, names = [], who } = of.conflict ?? {};
  if (theirs === undefined) {
    return null;
  }
  const sides = [
    ["Their version (saved)", theirs.fields],
    ["Your version (not saved)", of.fields],
  ] as const;
  return (
    <Notice tone="warn">
      <div class="stack">
        <p>
          <b>{who}</b> while you were editing. Your version isn’t saved yet. Compare the two and
          choose one.
        </p>
        <div class="versions">
          {sides.map(([title, fields]) => (
            <section key={title} class="version" aria-label={title}>
              <h3>{title}</h3>
              {names.map((name) => {
                const [label, value] = told(fields, name);
                return (
                  <div key={name}>
                    <p class="small quiet">{label}</p>
                    <pre dir="auto">{value || "Empty"}</pre>
                  </div>
                );
              })}
            </section>
          ))}
        </div>
        <div class="actions">
          <Button onClick={() => of.choose("theirs")}>Use theirs</Button>
          <Button look="primary" onClick={() => of.choose("mine")}>
            Overwrite with mine
          </Button>
        </div>
      </div>
    </Notice>
  );
}

/** Over the page that somebody is leaving with unsaved words. */
export function AskToLeave() {
  return question.value === undefined ? null : (
    <Dialog title="Leave without saving?" onClose={() => void answer("stay")}>
      <p>This page has unsaved changes.</p>
      <div class="actions">
        <Button onClick={() => void answer("stay")}>Keep editing</Button>
        <Button look="danger" onClick={() => void answer("drop")}>
          Leave without saving
        </Button>
        {question.value.canSave && (
          <Button look="primary" onClick={() => void answer("save")}>
            Save and leave
          </Button>
        )}
      </div>
    </Dialog>
  );
}
