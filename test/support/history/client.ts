/** A client that writes down what it asks and is told, also where it is told nothing. */

import { hash01 } from "#domain/random.ts";
import { caller, type Reply } from "../../journeys/support.ts";
import type { Request } from "./history.ts";
import type { Program, World } from "./program.ts";
import type { Recorder } from "./recorder.ts";

/** Of requests that their client gives up before there is a response. */
const HASTY = 0.02;
const HASTY_MS_MAX = 12;
const PATIENCE_MS = 30_000;
const DOWN_MS = 30;
const TRIES_MAX = 100;
const REPLAYED = "idempotent-replayed";

export interface Asked {
  method: string;
  path: string;
  body?: unknown;
  key?: string | undefined;
  /** The path without its ids, for people. */
  what?: string;
}

export type Said = Partial<Omit<Request, "kind" | "client" | "from" | "to" | "outcome" | "status">>;

export interface Response extends Reply {
  isReplayed: boolean;
}

export class Client {
  readonly world: World;
  readonly program: Program;
  readonly recorder: Recorder;
  readonly nth: number;
  /** The last event that it has read. */
  cursor = 0;
  readonly #seed: number;
  #drawn = 0;

  constructor(
    program: Program,
    recorder: Recorder,
    of: { nth: number; world: World; seed: number },
  ) {
    this.program = program;
    this.recorder = recorder;
    this.nth = of.nth;
    this.world = of.world;
    this.#seed = of.seed;
  }

  random(below = 1): number {
    this.#drawn += 1;
    return below * hash01(this.#seed, this.nth, this.#drawn);
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.random(items.length))];
  }

  /**
   * `say` tells what a response says of records, or, of none, what may have happened. Undefined: no response, or
   * no server. With a key it is asked again, for as long as it takes.
   */
  async ask(
    asked: Asked,
    say: (response: Response | undefined) => Said,
  ): Promise<Response | undefined> {
    for (let tries = 0; ; tries += 1) {
      const response = await this.#askOnce(asked, tries > 0, say);
      if (response !== "unknown" && response !== "down") {
        return response;
      }
      if ((asked.key === undefined && response === "unknown") || tries > TRIES_MAX) {
        return undefined;
      }
      await Bun.sleep(DOWN_MS);
    }
  }

  async #askOnce(
    { method, path, body, key, what = path }: Asked,
    isPatient: boolean,
    say: (response: Response | undefined) => Said,
  ): Promise<Response | "unknown" | "down"> {
    const server = await this.program.server();
    const isHasty = !isPatient && this.random() < HASTY;
    const signal = AbortSignal.timeout(isHasty ? 1 + this.random(HASTY_MS_MAX) : PATIENCE_MS);
    const call = caller(
      { fetch: (to, init) => server.fetch(to, { ...init, signal }) },
      this.program.keys[this.world],
    );
    const from = this.recorder.now();
    const base = { kind: "request" as const, client: this.nth, from, acts: [] };
    const named = `${this.world} ${method} ${what}`;
    try {
      const headers = key === undefined ? {} : { "Idempotency-Key": key };
      const reply = await call(method, path, body, { headers });
      const to = this.recorder.now();
      const { status } = reply;
      const response = { ...reply, isReplayed: reply.headers.get(REPLAYED) === "true" };
      const outcome = status < 300 ? "ok" : "refused";
      this.recorder.add({ ...base, what: named, ...say(response), to, outcome, status });
      // Its first try is under way.
      return status === 409 && key !== undefined ? "down" : response;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ConnectionRefused") {
        return "down";
      }
      const none = { to: null, outcome: "unknown" as const, status: null };
      this.recorder.add({ ...base, what: named, ...say(undefined), ...none });
      return "unknown";
    }
  }
}
