/** Judges of a page that is drawn twice as large, each of them run in the page itself. */

/**
 * What has the focus: its name, and whether it lies below something or outside what is on show, so that
 * nothing of it can be seen (WCAG 2.4.11).
 */
export function focusOf(): { name: string; isIn: boolean; isHidden: boolean } {
  const POINTS = [0.05, 0.275, 0.5, 0.725, 0.95];
  const at = document.activeElement ?? document.body;
  const label = at instanceof HTMLInputElement ? at.labels?.[0] : undefined;
  const name = at.getAttribute("aria-label") ?? label?.textContent ?? at.textContent ?? "";
  const isSeenIn = (element: Element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return POINTS.some((across) =>
      POINTS.some((down) => {
        const hit = document.elementFromPoint(left + width * across, top + height * down);
        // What it stands on is drawn below it.
        return hit !== null && (hit.contains(element) || element.contains(hit));
      }),
    );
  };
  // A check box may be drawn as its label, and keys that move along a chart as the chart.
  const isDrawnByParent = getComputedStyle(at).clipPath !== "none";
  const drawn = [at, label, isDrawnByParent ? at.parentElement : null];
  const isHidden = !drawn.some((each) => each != null && isSeenIn(each));
  const isIn = at.closest("#content") !== null;
  return { name: `${at.tagName.toLowerCase()} ${name.trim().slice(0, 60)}`, isIn, isHidden };
}

/**
 * Texts of which a part is cut off for good: by a box that neither scrolls nor ends in an ellipsis, or by
 * the edge of the window where what hovers doesn't fit into it.
 */
export function cutOf(): string[] {
  const SLACK = 2;
  const cut = new Set<string>();
  const cutterOf = (box: DOMRect, element: Element) => {
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const style = getComputedStyle(at);
      const { overflowX, overflowY, position, clipPath } = style;
      const scrolls = [overflowX, overflowY].some((way) => way === "auto" || way === "scroll");
      const isShortened = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
      if (isShortened || clipPath !== "none" || scrolls) {
        return undefined;
      }
      const outer = at.getBoundingClientRect();
      const isOut =
        box.right > outer.right + SLACK ||
        box.left < outer.left - SLACK ||
        box.bottom > outer.bottom + SLACK ||
        box.top < outer.top - SLACK;
      if (isOut && (overflowX !== "visible" || overflowY !== "visible")) {
        return at;
      }
      if (position === "fixed") {
        const { clientWidth, clientHeight } = document.documentElement;
        const isAway =
          box.right > clientWidth + SLACK ||
          box.bottom > clientHeight + SLACK ||
          box.left < -SLACK ||
          box.top < -SLACK;
        return isAway ? document.documentElement : undefined;
      }
    }
    const isBefore = box.right < SLACK || box.bottom + scrollY < SLACK;
    return isBefore ? document.documentElement : undefined;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent?.trim() ?? "";
    if (element === null || text === "" || !element.checkVisibility()) {
      continue;
    }
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      const by = cutterOf(box, element);
      if (by !== undefined) {
        cut.add(`${text.slice(0, 60)} is cut off by ${by.tagName} ${by.className}`);
      }
    }
  }
  return [...cut];
}

/** Notes every movement from here on, on all pages that are gone to; {@link motionsOf} has them. */
export function recordMotion(): void {
  const moved: string[] = [];
  Object.assign(window, { moved });
  const note = ({ type, target }: Event) => {
    const { tagName, className } = target as Element;
    moved.push(`${type}: ${tagName} ${className}`);
  };
  for (const type of ["transitionrun", "animationstart"]) {
    addEventListener(type, note, true);
  }
  const animate = Element.prototype.animate;
  Element.prototype.animate = function animated(...args) {
    moved.push(`animate: ${this.tagName} ${this.className}`);
    return animate.apply(this, args);
  };
}

export function motionsOf(): string[] {
  const { moved } = window as unknown as { moved: string[] };
  return [...new Set(moved)];
}
