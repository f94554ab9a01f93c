/**
 * Word that a team may have something new to tell, for whoever waits for its events. It carries nothing:
 * who is called reads the store, where only what is committed can be seen. Nobody is called for another
 * team's news, so that what a commit costs does not grow with everybody who listens.
 */

export interface Feed {
  /** Calls `listener` after each news of the team, and when the feed ends, until what it returns is called. */
  subscribe(teamId: string, listener: () => void): () => void;
  /** Inside a transaction: listeners are called when the turn has ended, and the transaction with it. */
  notify(teamId: string): void;
  /** Calls every listener, news or none. */
  beat(): void;
  /** Tells every listener for the last time. */
  close(): void;
  readonly isClosed: boolean;
  /** How many wait. */
  readonly listeners: number;
}

export function createFeed(): Feed {
  const listeners = new Map<string, Set<() => void>>();
  let news = new Set<string>();
  let isClosed = false;
  const tell = (teams: Iterable<string>) => {
    for (const team of teams) {
      for (const listener of [...(listeners.get(team) ?? [])]) {
        listener();
      }
    }
  };
  const notifyAll = () => {
    const teams = news;
    news = new Set();
    tell(teams);
  };
  const beat = () => tell([...listeners.keys()]);
  return {
    subscribe: (teamId, listener) => {
      const own = listeners.get(teamId) ?? new Set();
      listeners.set(teamId, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(teamId) === own) {
          listeners.delete(teamId);
        }
      };
    },
    notify: (teamId) => {
      if (listeners.has(teamId)) {
        if (news.size === 0) {
          process.nextTick(notifyAll);
        }
        news.add(teamId);
      }
    },
    beat,
    close: () => {
      isClosed = true;
      beat();
    },
    get isClosed() {
      return isClosed;
    },
    get listeners() {
      return [...listeners.values()].reduce((sum, own) => sum + own.size, 0);
    },
  };
}
