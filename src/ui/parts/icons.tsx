/** Icons, drawn on a grid of 24 with strokes. They say nothing by themselves: a word stands beside. */

import drawings from "../icons.svg" with { type: "file" };

/** What is drawn there. */
export type IconName =
  | "overview"
  | "campaigns"
  | "tasks"
  | "leads"
  | "inbox"
  | "experiments"
  | "placement"
  | "accounts"
  | "suppressions"
  | "developers"
  | "activity"
  | "settings"
  | "simulator"
  | "check"
  | "warning"
  | "search"
  | "refresh"
  | "more"
  | "close"
  | "plus"
  | "right";

const FILE = new URL(drawings, import.meta.url).href;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" aria-hidden="true">
      <use href={`${FILE}#${name}`} />
    </svg>
  );
}
