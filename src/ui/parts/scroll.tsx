/** What may be wider than its place is scrolled there, by keys too. */

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { useWidth } from "../charts/size.ts";

export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const isWider = width > 0 && (box.current?.scrollWidth ?? 0) > width + 1;
  return (
    <div
      class="scroll-x"
      ref={box}
      {...(isWider ? { tabIndex: 0, role: "region", "aria-label": label } : {})}
    >
      {children}
    </div>
  );
}
