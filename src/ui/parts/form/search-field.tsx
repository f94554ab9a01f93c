/** Words that a list is searched for, kept in the address as `search`. */

import { useSignalEffect } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import { filter, setFilters } from "../../lib/route.ts";

/** Typing goes into the address after this pause. */
const TYPING_MS = 250;

/** True of text that names a field, as in `company:acme`: the API takes it as a filter. */
export function isFilter(text: string): boolean {
  return /(?:^|\s)-?[A-Za-z_][\w.-]*(?:[:=<>])/.test(text);
}

/** `fields`: names that the list can be filtered by; the last word is completed with them. */
export function SearchField(props: {
  placeholder: string;
  fields?: readonly string[];
  onChange?: () => void;
}) {
  const { placeholder, fields = [], onChange } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  // What somebody types is theirs; what else changes the address is shown.
  useSignalEffect(() => {
    const wanted = filter("search");
    if (input.current !== null && input.current !== document.activeElement) {
      input.current.value = wanted;
    }
  });
  return (
    <label>
      <span class="unseen">Search</span>
      <input
        ref={input}
        class="input"
        type="search"
        maxLength={200}
        placeholder={placeholder}
        defaultValue={filter("search")}
        list={id}
        onInput={({ currentTarget: { value } }) => {
          clearTimeout(typing.current);
          typing.current = setTimeout(() => {
            onChange?.();
            setFilters({ search: value.trim() });
          }, TYPING_MS);
        }}
      />
      <datalist id={id}>
        {completions(filter("search"), fields).map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
    </label>
  );
}

function completions(text: string, fields: readonly string[]): string[] {
  const [, before = "", begun = ""] = /^(.*?)([A-Za-z_]*)$/s.exec(text) ?? [];
  return fields
    .filter((field) => field.startsWith(begun.toLowerCase()) && field !== begun)
    .map((field) => before + (field.endsWith(".") ? field : `${field}:`));
}
