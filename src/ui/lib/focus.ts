/**
 * The focus stays where it was when what had it goes: a row that is removed, a button that has done its work.
 * Without this it falls to the beginning of the page, and who works by keyboard begins anew.
 */

/** What had the focus last, and everything round it, from the inside. */
let chain: Element[] = [];

export function keepFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    chain = [];
    for (let at = target instanceof Element ? target : null; at; at = at.parentElement) {
      chain.push(at);
    }
  });
  const observer = new MutationObserver(() => {
    if (chain[0]?.isConnected === false && document.activeElement === document.body) {
      const content = document.querySelector("#content");
      const near = chain.find((each) => each.isConnected);
      const next = near !== undefined && content?.contains(near) ? near : content;
      if (next instanceof HTMLElement) {
        next.tabIndex = next.tabIndex < 0 ? -1 : next.tabIndex;
        next.focus({ preventScroll: true });
      }
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
}
