/** The two commonest fields of a form: a line to type, and a choice of a few. */

import type { ComponentProps } from "preact";
import { Field, type Submission, TextField } from "./form.tsx";
import { type Options, optionsOf } from "./pick.tsx";

interface Labelled {
  label: string;
  /** The field's path in the API. */
  name: string;
  of: Submission;
  hint?: string | undefined;
}

/** A {@link TextField} that tells of its text, and that browsers do not fill. */
export function Input({
  onText,
  ...rest
}: ComponentProps<typeof TextField> & {
  onText: (text: string) => void;
  /** Id of a `<datalist>`. */
  list?: string;
}) {
  return (
    <TextField
      autocomplete="off"
      {...rest}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
    />
  );
}

export function Select(
  props: Labelled & {
    value: string;
    onPick: (value: string) => void;
    options: Options;
  },
) {
  const { label, name, of, hint, value, onPick, options } = props;
  return (
    <Field {...{ label, name, of, hint }}>
      {(attributes) => (
        <select
          {...attributes}
          value={value}
          onChange={({ currentTarget }) => onPick(currentTarget.value)}
        >
          {optionsOf(options)}
        </select>
      )}
    </Field>
  );
}
