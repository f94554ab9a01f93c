/** Words that a list is searched for, kept in the address as `search`. */

import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { filter, setFilters } from "../../lib/route.ts";

/** Typing goes into the address after this pause. */
const TYPING_MS = 250;

export function SearchField(props: { placeholder: string; onChange?: () => void }) {
  const { placeholder, onChange } = props;
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
        onInput={({ currentTarget: { value } }) => {
          clearTimeout(typing.current);
          typing.current = setTimeout(() => {
            onChange?.();
            setFilters({ search: value.trim() });
          }, TYPING_MS);
        }}
      />
    </label>
  );
}
