/** Sandboxes in memory, to play in: the environments and the workers of the program, with nobody outside. */

import type { PlanLimits } from "#domain/sending/plan.ts";
import { plus } from "#domain/time.ts";
import { createEngine } from "#engine/run.ts";
import { createWorkers } from "#engine/workers.ts";
import type { Environment, Stage } from "#environment.ts";
import { seededDice } from "#platform/dice.ts";
import { silentLog } from "#platform/log.ts";
import type { Dns } from "#platform/ports/dns.ts";
import type { MailPort } from "#platform/ports/mail.ts";
import { createVault, MASTER_KEY_BYTES } from "#platform/secrets/crypto.ts";
import type { OpenEnvironments, Parts } from "./environments.ts";

export interface StageSetup {
  publicUrl: string | null;
  plans: PlanLimits;
  licenceKeys: readonly string[];
}

/** `build` is `buildEnvironments`, which makes what it is given from this. */
export function staging(
  build: (parts: Parts) => OpenEnvironments,
  setup: StageSetup,
): Environment["stage"] {
  return (at, seed): Stage => {
    const environments = build({
      ...setup,
      paths: { live: ":memory:", test: ":memory:" },
      vault: createVault(crypto.getRandomValues(new Uint8Array(MASTER_KEY_BYTES))),
      wall: { now: () => at },
      dice: seededDice(seed),
      log: silentLog,
      sandboxSeed: seed,
      mail: () => NO_MAIL,
      dns: NO_DNS,
    });
    const { test, clock, holdCommits } = environments;
    const engine = createEngine(test, createWorkers(test));
    return {
      env: test,
      advance: (ms) => engine.advance(clock, plus(clock.now(), ms), holdCommits),
      close: async () => {
        await engine.stop();
        await environments.close();
      },
    };
  };
}

/** Of the live environment beside, which nobody uses. */
const NO_MAIL = { close: () => Promise.resolve() } as MailPort;
const NO_DNS = {} as Dns;
