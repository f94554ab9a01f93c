/** Who gets a copy of a reply or of what is forwarded: fields that come when they are asked for. */

import type { ComponentChildren } from "preact";
import { Button } from "../../parts/button.tsx";
import type { Submission } from "../../parts/form/form.tsx";
import { Input } from "../../parts/form/input.tsx";

/** Addresses as they are typed, separated by commas, semicolons or blanks. */
export interface Copies {
  cc: string;
  bcc: string;
}

/** All that is typed, to tell whether there is anything. */
export function typedIn(copies: Copies | null): string {
  return copies === null ? "" : copies.cc + copies.bcc;
}

/** As the API takes them. */
export function addressesOf(copies: Copies | null) {
  const list = (text: string) => text.split(/[\s,;]+/).filter((part) => part !== "");
  const [cc, bcc] = [list(copies?.cc ?? ""), list(copies?.bcc ?? "")];
  return { ...(cc.length > 0 && { cc }), ...(bcc.length > 0 && { bcc }) };
}

export function CopyFields(props: {
  copies: Copies | null;
  of: Submission;
  onChange: (copies: Copies) => void;
  /** Beside the button that shows the fields. */
  children?: ComponentChildren;
}) {
  const { copies, of, onChange, children } = props;
  if (copies === null) {
    return (
      <div class="actions">
        <Button look="plain compact" onClick={() => onChange({ cc: "", bcc: "" })}>
          Add Cc or Bcc
        </Button>
        {children}
      </div>
    );
  }
  const field = (name: keyof Copies, label: string, hint: string) => (
    <Input
      label={label}
      name={name}
      of={of}
      hint={hint}
      value={copies[name]}
      readOnly={of.isBusy}
      onText={(text) => onChange({ ...copies, [name]: text })}
    />
  );
  return (
    <>
      {field("cc", "Cc", "Separate addresses with commas")}
      {field("bcc", "Bcc", "Nobody else sees who is here")}
    </>
  );
}
