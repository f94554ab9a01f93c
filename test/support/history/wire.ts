/** A wire between the program and a server that it talks to, which breaks in the ways that wires do. */

import { connect, type Socket } from "node:net";
import { startLoopback } from "../loopback.ts";

/**
 * `cut`: connections end, and new ones too. `stall`: nothing passes, and nobody is told. `half`: the far end has
 * closed its side and what it says is lost, while what it is told still arrives.
 */
export const BREAKS = ["cut", "stall", "half"] as const;
export type Break = (typeof BREAKS)[number];

export interface Wire {
  port: number;
  set(state: Break | "whole"): void;
  stop(): Promise<void>;
}

interface Pair {
  near: Socket;
  far: Socket;
}

export async function startWire(target: number): Promise<Wire> {
  const pairs = new Set<Pair>();
  let state: Break | "whole" = "whole";
  const { port, stop } = await startLoopback((near) => {
    if (state === "cut") {
      near.destroy();
      return;
    }
    const pair: Pair = { near, far: connect({ port: target, host: "127.0.0.1" }) };
    pairs.add(pair);
    join(
      pair,
      () => state,
      () => pairs.delete(pair),
    );
    apply(pair, state);
  });
  return {
    port,
    set: (next) => {
      state = next;
      for (const pair of pairs) {
        apply(pair, next);
      }
    },
    stop: async () => {
      for (const { far } of pairs) {
        far.destroy();
      }
      await stop();
    },
  };
}

function join({ near, far }: Pair, now: () => Break | "whole", leave: () => void): void {
  near.on("data", (chunk: Buffer) => far.write(chunk));
  far.on("data", (chunk: Buffer) => {
    if (now() !== "half" && near.writable) {
      near.write(chunk);
    }
  });
  // Whoever goes while the wire stalls takes along what is still on it.
  const end = () => {
    near.destroy();
    far.destroy();
    leave();
  };
  for (const socket of [near, far]) {
    socket.on("error", end);
    socket.on("close", end);
  }
  near.on("end", () => far.end());
  far.on("end", () => near.end());
}

function apply({ near, far }: Pair, state: Break | "whole"): void {
  if (state === "cut") {
    near.destroy();
    far.destroy();
  } else if (state === "stall") {
    near.pause();
    far.pause();
  } else {
    near.resume();
    far.resume();
    if (state === "half") {
      near.end();
    }
  }
}
