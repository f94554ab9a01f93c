/** What few need, folded: a card that is opened by its title. */

import type { ComponentChildren } from "preact";

/** On paper it's open. */
export function Fold(props: {
  title: string;
  /** Its content is asked for when it's opened first. */
  onOpen?: () => void;
  /** Left out on paper: a form, or what hasn't been asked for. */
  isScreenOnly?: boolean;
  children: ComponentChildren;
}) {
  const { title, onOpen, isScreenOnly = false, children } = props;
  return (
    <details
      class={`card fold${isScreenOnly ? " screen-only" : ""}`}
      {...(onOpen ? { onToggle: onOpen } : {})}
    >
      <summary>{title}</summary>
      <div class="stack">{children}</div>
    </details>
  );
}
