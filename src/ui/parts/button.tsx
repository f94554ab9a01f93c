/** A button that does something where it stands. One that sends a form is the form's (`form.tsx`). */

import type { ComponentProps } from "preact";

/**
 * `look`: "primary", "plain compact", … (style/parts.css). One that is `disabled` does nothing but can still
 * have the focus, so that whoever pressed it is still there when it works again.
 */
export function Button({
  look,
  disabled,
  onClick,
  ...attributes
}: Omit<ComponentProps<"button">, "type" | "class" | "disabled"> & {
  look?: string;
  disabled?: boolean | undefined;
}) {
  return (
    <button
      type="button"
      class={look ? `button ${look}` : "button"}
      aria-disabled={disabled}
      onClick={disabled ? undefined : onClick}
      {...attributes}
    />
  );
}
