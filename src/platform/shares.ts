/**
 * Slots that teams share: what hangs of one team's leaves slots for the others. A team may take another slot
 * while it has fewer than three times those that are free; so one alone has three quarters at most, a second
 * three quarters of the rest, and whoever has none finds one. A host has a fixed share.
 *
 * Source: Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches" (1998).
 */

const TEAM_FACTOR = 3;

/** Who asks for a slot. */
export interface Owner {
  teamId: string;
  /** Name of the server, where there is one that several share. */
  host?: string;
}

/** Hosts and teams whose share is used up. */
export interface Full {
  hosts: string[];
  teams: string[];
}

export interface Shares {
  /** Slots that are free. */
  room(): number;
  /** Takes a slot, until what it returns is called; undefined where the share of the host or team is used up. */
  take(owner: Owner): (() => void) | undefined;
  full(): Full;
}

/** Slots of all, to one host, and of one team; a team may have as many as is left to it where nothing is said. */
export interface SharesMax {
  all: number;
  host?: number;
  team?: number;
}

export function createShares(max: SharesMax): Shares {
  const { all, host: hostMax = all, team: teamMax = all } = max;
  const hosts = new Map<string, number>();
  const teams = new Map<string, number>();
  let taken = 0;
  const add = (counts: Map<string, number>, name: string | undefined, by: number) => {
    if (name === undefined) {
      return;
    }
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
  const isHostFull = (count: number) => count >= hostMax;
  const isTeamFull = (count: number) => count >= Math.min(teamMax, TEAM_FACTOR * (all - taken));
  const named = (counts: Map<string, number>, isFull: (count: number) => boolean) =>
    [...counts].filter(([, count]) => isFull(count)).map(([name]) => name);
  return {
    room: () => all - taken,
    take: (owner) => {
      const ofHost = owner.host === undefined ? 0 : (hosts.get(owner.host) ?? 0);
      if (isHostFull(ofHost) || isTeamFull(teams.get(owner.teamId) ?? 0)) {
        return undefined;
      }
      addAll(owner, 1);
      return () => addAll(owner, -1);
    },
    full: () => ({ hosts: named(hosts, isHostFull), teams: named(teams, isTeamFull) }),
  };
}
