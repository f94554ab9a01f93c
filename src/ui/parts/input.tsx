/** The two commonest fields of a form: a line to type, and a choice of a few. */

import { Field, type Submission, TextField } from "./form.tsx";

interface Labelled {
  label: string;
  /** The field's path in the API. */
  name: string;
  of: Submission;
  hint?: string | undefined;
}

interface InputProps extends Labelled {
  value: string | number;
  onText: (text: string) => void;
  type?: "text" | "email" | "password" | "number" | "date";
  required?: boolean;
  placeholder?: string | undefined;
  min?: number;
  max?: number;
  step?: number | "any";
  maxLength?: number;
  /** Id of a `<datalist>`. */
  list?: string;
}

export function Input({ label, name, of, hint, onText, type = "text", ...rest }: InputProps) {
  return (
    <TextField
      {...{ label, name, of, hint }}
      {...rest}
      // The types of attributes differ by the type of the input, which is known at run time only.
      type={type as "text"}
      autocomplete="off"
      onInput={({ currentTarget }) => onText(currentTarget.value)}
    />
  );
}

export function Select(
  props: Labelled & {
    value: string;
    onPick: (value: string) => void;
    options: readonly (readonly [value: string, word: string])[];
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
          {options.map(([each, word]) => (
            <option key={each} value={each}>
              {word}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
