/**
 * Slots of a worker, with a share for each host and each team, so that servers which accept and then hang
 * hold up nobody else.
 */

import type { Id } from "#store/sqlite/columns.ts";

/** Who asks for a slot. */
export interface Owner {
  teamId: Id;
  /** Name of the server. */
  host: string;
}

export interface Shares {
  /** Slots that are free. */
  room(): number;
  /** Takes a slot, until what it returns is called; undefined where the share of the host or team is used up. */
  take(owner: Owner): (() => void) | undefined;
  /** Hosts and teams whose share is used up. */
  full(): { hosts: string[]; teams: Id[] };
}

export function createShares(max: { all: number; host: number; team: number }): Shares {
  const hosts = new Map<string, number>();
  const teams = new Map<Id, number>();
  let taken = 0;
  const add = (counts: Map<string, number>, name: string, by: number) => {
    const count = (counts.get(name) ?? 0) + by;
    if (count === 0) {
      counts.delete(name);
    } else {
      counts.set(name, count);
    }
  };
  const addAll = ({ host, teamId }: Owner, by: number) => {
    taken += by;
    add(hosts, host, by);
    add(teams, teamId, by);
  };
  const usedUp = (counts: Map<string, number>, share: number) =>
    [...counts].filter(([, count]) => count >= share).map(([name]) => name);
  return {
    room: () => max.all - taken,
    take: (owner) => {
      const isFull =
        taken >= max.all ||
        (hosts.get(owner.host) ?? 0) >= max.host ||
        (teams.get(owner.teamId) ?? 0) >= max.team;
      if (isFull) {
        return undefined;
      }
      addAll(owner, 1);
      return () => addAll(owner, -1);
    },
    full: () => ({ hosts: usedUp(hosts, max.host), teams: usedUp(teams, max.team) }),
  };
}
