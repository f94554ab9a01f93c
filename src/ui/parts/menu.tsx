/** The actions of a row or a page behind "⋯". */

import type { ComponentChildren } from "preact";

/** Closed by Escape, and when the focus goes elsewhere. */
export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <details
      class="menu"
      onKeyDown={({ key, currentTarget }) => {
        if (key === "Escape" && currentTarget.querySelector("dialog") === null) {
          currentTarget.open = false;
          currentTarget.querySelector("summary")?.focus();
        }
      }}
      onFocusOut={({ relatedTarget, currentTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget as Node)) {
          currentTarget.open = false;
        }
      }}
    >
      <summary class="button plain compact" aria-label={label}>
        ⋯
      </summary>
      <div class="menu-list">{children}</div>
    </details>
  );
}
