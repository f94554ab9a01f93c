/** `outrider master-key rotate`: a new master key, and every stored secret sealed under it. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "#config.ts";
import { ENVS } from "#domain/api-key.ts";
import type { Resealed } from "#usecases/secrets.ts";
import { command } from "./command.ts";
import { CommandError, EXIT } from "./exit.ts";
import { configOf, DATA_OPTIONS } from "./settings.ts";
import { jsonLine, styled } from "./term.ts";
import { withoutServer, withWorlds } from "./worlds.ts";

interface Rotated extends Resealed {
  /** False: an earlier rotation was finished, or the configuration gives the keys. */
  isNew: boolean;
  keys: number;
}

export const masterKeyRotateCommand = command({
  about: "Seal every stored secret under a new master key",
  details:
    "The server must not run. If it is ended on the way, run it again: both keys are there until then. Older " +
    "keys stay in master.key behind the new one, for links in mails that are out and for older backups.",
  options: { ...DATA_OPTIONS },
  run: async (call) => {
    const { config } = configOf(call);
    const { dataDir } = config;
    if (!existsSync(join(dataDir, "live.db"))) {
      throw new CommandError(EXIT.failed, `there is no installation in ${dataDir}`);
    }
    const { isNew, keys, resealed, unreadable } = await withoutServer(dataDir, () =>
      rotate(config),
    );
    if (call.json) {
      call.terminal.out(jsonLine({ new_key: isNew, keys, resealed, unreadable }));
      return EXIT.done;
    }
    const key = isNew ? `a new master key is in ${keyPath(dataDir)}; ` : "";
    call.terminal.out(`${key}sealed under the newest key: ${resealed}\n`);
    if (unreadable > 0) {
      const words = `${unreadable} that no key here opens stay as they are; see outrider doctor\n`;
      call.terminal.err(styled(words, "amber", call.terminal.errColours));
    }
    return EXIT.done;
  },
});

const keyPath = (dataDir: string) => join(dataDir, "master.key");

/** Finishes what was begun before, or makes a key and seals everything under it. */
async function rotate(config: Config): Promise<Rotated> {
  const { keysIn, MASTER_KEYS_MAX } = await import("#runtime/crypto.ts");
  const { loadMasterKey, renewMasterKey } = await import("#runtime/data-directory.ts");
  const held = config.masterKey ?? loadMasterKey(config.dataDir);
  const keys = keysIn(held).length;
  if (config.masterKey !== null && keys === 1) {
    throw new CommandError(
      EXIT.usage,
      "the configuration gives the master key: put a new one before it, with a space or on a line of its " +
        "own (head -c 32 /dev/urandom | base64), and run this again",
    );
  }
  const before = await resealWorlds(config, held);
  if (config.masterKey !== null || before.resealed > 0) {
    return { ...before, isNew: false, keys };
  }
  if (keys >= MASTER_KEYS_MAX) {
    throw new CommandError(
      EXIT.failed,
      `${keyPath(config.dataDir)} holds ${keys} keys; take out the last lines, and links that they signed end`,
    );
  }
  const after = await resealWorlds(config, renewMasterKey(config.dataDir));
  return { ...after, isNew: true, keys: keys + 1 };
}

async function resealWorlds(config: Config, masterKey: Uint8Array): Promise<Resealed> {
  const { createVault, MASTER_KEY_BYTES } = await import("#runtime/crypto.ts");
  const { resealAll } = await import("#usecases/secrets.ts");
  const newest = createVault(masterKey.subarray(0, MASTER_KEY_BYTES));
  const all = createVault(masterKey);
  return await withWorlds({ ...config, masterKey }, async (worlds) => {
    const total = { resealed: 0, unreadable: 0 };
    for (const env of ENVS) {
      const { resealed, unreadable } = await resealAll(worlds[env], { all, newest });
      total.resealed += resealed;
      total.unreadable += unreadable;
    }
    return total;
  });
}
