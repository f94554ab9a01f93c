/** A button that does something where it stands. One that sends a form is the form's (`form.tsx`). */

import type { ComponentProps } from "preact";

/** `look`: "primary", "plain compact", … (style/parts.css). */
export function Button({
  look,
  ...attributes
}: Omit<ComponentProps<"button">, "type" | "class"> & { look?: string }) {
  return <button type="button" class={look ? `button ${look}` : "button"} {...attributes} />;
}
