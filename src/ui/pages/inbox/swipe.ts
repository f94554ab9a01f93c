/** A swipe over a conversation in the list, by a finger: to the right it is interested, to the left it is not. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { can } from "../../lib/session.ts";
import { change } from "./changes.ts";
import type { Thread } from "./data.ts";

/** Shorter ways are taken back. */
const FAR_PX = 90;
/** Whoever goes up or down scrolls. */
const SLANT_PX = 40;

/** Handlers of a row, and how far it has been pulled, in pixels. */
export function useSwipe(row: Thread) {
  const pulledPx = useSignal(0);
  const from = useRef<{ x: number; y: number } | undefined>(undefined);
  const end = () => {
    const pulled = pulledPx.peek();
    from.current = undefined;
    pulledPx.value = 0;
    if (Math.abs(pulled) >= FAR_PX) {
      const interest = pulled > 0 ? "interested" : "not_interested";
      const done = pulled > 0 ? "Marked interested" : "Marked not interested";
      void change(row, { interest, read: true }, done);
      return true;
    }
    return false;
  };
  if (!can("inbox:write")) {
    return { pulledPx, handlers: {} };
  }
  return {
    pulledPx,
    handlers: {
      onTouchStart: ({ touches: [touch] }: TouchEvent) => {
        from.current = touch && { x: touch.clientX, y: touch.clientY };
      },
      onTouchMove: ({ touches: [touch] }: TouchEvent) => {
        const { x, y } = from.current ?? {};
        if (touch !== undefined && x !== undefined && y !== undefined) {
          const isLevel = Math.abs(touch.clientY - y) < SLANT_PX;
          pulledPx.value = isLevel ? touch.clientX - x : 0;
        }
      },
      onTouchEnd: (event: TouchEvent) => {
        // What was swiped is not opened.
        if (end()) {
          event.preventDefault();
        }
      },
      onTouchCancel: () => {
        from.current = undefined;
        pulledPx.value = 0;
      },
    },
  };
}
