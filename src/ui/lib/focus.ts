/**
 * The focus stays where it was when what had it goes: a row that is removed, a button that has done its work.
 * Without this it falls to the beginning of the page, and who works by keyboard begins anew.
 */

/** What had the focus last, and everything round it, from the inside. */
let chain: Element[] = [];

/** What had the focus before something came over the page that goes now. */
let opener: Element | null = null;

/** Opens what comes over the page; to be called in a layout effect, since the others end when it has gone. */
export function openOver(open: () => void): () => void {
  const opened = document.activeElement;
  open();
  return () => {
    opener = opened;
  };
}

/** What is left round the thing that went, as long as it belongs to the page. */
function beside(): Element | null {
  const content = document.querySelector("#content");
  const near = chain.find((each) => each.isConnected);
  return near !== undefined && content?.contains(near) ? near : content;
}

export function keepFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    chain = [];
    for (let at = target instanceof Element ? target : null; at; at = at.parentElement) {
      chain.push(at);
    }
  });
  const observer = new MutationObserver(() => {
    if (chain[0]?.isConnected === false && document.activeElement === document.body) {
      const next = opener?.isConnected && opener !== document.body ? opener : beside();
      if (next instanceof HTMLElement) {
        next.tabIndex = next.tabIndex < 0 ? -1 : next.tabIndex;
        next.focus({ preventScroll: true });
      }
    }
    opener = null;
  });
  observer.observe(document.body, { childList: true, subtree: true });
}
