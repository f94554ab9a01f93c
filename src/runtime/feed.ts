/**
 * Word that there may be something new to tell, for whoever waits for events. It carries nothing: who is
 * called reads the store, where only what is committed can be seen.
 */

export interface Feed {
  /** Calls `listener` after each piece of news, and when the feed ends, until what it returns is called. */
  subscribe(listener: () => void): () => void;
  /** Inside a transaction: listeners are called when the turn has ended, and the transaction with it. */
  notify(): void;
  /** Tells every listener for the last time. */
  close(): void;
  readonly isClosed: boolean;
  /** How many wait. */
  readonly listeners: number;
}

export function createFeed(): Feed {
  const listeners = new Set<() => void>();
  let isNews = false;
  let isClosed = false;
  const tell = () => {
    isNews = false;
    for (const listener of [...listeners]) {
      listener();
    }
  };
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    notify: () => {
      if (listeners.size > 0 && !isNews) {
        isNews = true;
        queueMicrotask(tell);
      }
    },
    close: () => {
      isClosed = true;
      tell();
    },
    get isClosed() {
      return isClosed;
    },
    get listeners() {
      return listeners.size;
    },
  };
}
