/** A choice of a few words, in a form or in the address. */

import type { ComponentChildren } from "preact";
import { filter, setFilters } from "../../lib/route.ts";

export type Options = readonly (readonly [value: string, word: string])[];

export function optionsOf(options: Options): ComponentChildren {
  return options.map(([value, word]) => (
    <option key={value} value={value}>
      {word}
    </option>
  ));
}

interface Labelled {
  label: string;
  /** The label is only read out: what is chosen says enough. */
  isBare?: boolean;
  /** Classes of the label. */
  look?: string;
  options: Options;
}

export function Pick(props: Labelled & { value: string; onPick: (value: string) => void }) {
  const { label, isBare, look = "", value, options, onPick } = props;
  return (
    <label class={look}>
      <span class={isBare ? "unseen" : "label"}>{label}</span>
      <select
        class="input"
        value={value}
        onChange={({ currentTarget }) => onPick(currentTarget.value)}
      >
        {optionsOf(options)}
      </select>
    </label>
  );
}

/** A choice that the address keeps as `name`; to change it leads back to the first rows. */
export function FilterPick(
  props: Labelled & {
    name: string;
    /** What stands there while nothing is chosen. */
    any: string;
    onChange?: () => void;
  },
) {
  const { name, any, options, onChange, ...rest } = props;
  return (
    <Pick
      {...rest}
      value={filter(name)}
      options={[["", any], ...options]}
      onPick={(value) => {
        onChange?.();
        setFilters({ [name]: value, after: "", delivery: "" });
      }}
    />
  );
}
