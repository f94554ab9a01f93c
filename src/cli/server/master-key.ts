/** `outrider master-key rotate`: a new master key, and every stored secret sealed under it. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { command } from "#cli/command.ts";
import { CommandError, EXIT } from "#cli/exit.ts";
import { jsonLine, styled } from "#cli/term.ts";
import type { Config } from "#config/config.ts";
import { ENVS } from "#domain/team/api-key.ts";
import type { Resealed } from "#usecases/team/secrets.ts";
import { knownKey } from "./backups.ts";
import { withEnvironments } from "./environments.ts";
import { configOf, DATA_OPTIONS } from "./settings.ts";

interface Rotated extends Resealed {
  /** False: an earlier rotation was finished, or the configuration gives the keys. */
  isNew: boolean;
  keys: number;
}

/** Seals what older keys of these have sealed under the newest, or sees to it that somebody does. */
type Reseal = (config: Config, masterKey: Uint8Array) => Promise<Resealed>;

const PAUSE_MS = 250;
/** Without any secret being sealed anew meanwhile. */
const PAUSES_MAX = 80;

export const masterKeyRotateCommand = command({
  about: "Re-encrypt every stored secret with a new master key",
  details:
    "Works with or without a running server. If it's interrupted, run it again: both keys stay valid until then. " +
    "Older keys stay in master.key after the new one, for links in emails already sent and for older backups.",
  options: { ...DATA_OPTIONS },
  run: async (call) => {
    const { config } = configOf(call);
    const { dataDir } = config;
    if (!existsSync(join(dataDir, "live.db"))) {
      throw new CommandError(EXIT.failed, `no Outrider data in ${dataDir}; check --data`);
    }
    const { isNew, keys, resealed, unreadable } = await rotateAlone(config);
    if (call.json) {
      call.terminal.out(jsonLine({ new_key: isNew, keys, resealed, unreadable }));
      return EXIT.done;
    }
    const key = isNew ? `New master key written to ${keyPath(dataDir)}. ` : "";
    call.terminal.out(`${key}Secrets re-encrypted with the newest key: ${resealed}\n`);
    if (unreadable > 0) {
      const words = `${unreadable} secrets can't be decrypted with any key here and were left unchanged; run outrider doctor\n`;
      call.terminal.err(styled(words, "amber", call.terminal.errColours));
    }
    return EXIT.done;
  },
});

const keyPath = (dataDir: string) => join(dataDir, "master.key");

/** Two at once would each put a key there, and the one that is overwritten has sealed something. */
async function rotateAlone(config: Config): Promise<Rotated> {
  const { DirectoryLocked, lockDirectory, takeLock } = await import("#store/sqlite/lock.ts");
  const rotation = takeLock(`${keyPath(config.dataDir)}.lock`);
  if (rotation === null) {
    throw new CommandError(
      EXIT.tryLater,
      "another master key rotation is running; try again when it's done",
    );
  }
  try {
    const directory = lockDirectory(config.dataDir, process.pid);
    try {
      return await rotate(config, resealEnvironments);
    } finally {
      directory.release();
    }
  } catch (error) {
    if (error instanceof DirectoryLocked) {
      return await rotate(config, resealedByServer);
    }
    throw error;
  } finally {
    rotation.release();
  }
}

/** Finishes what was begun before, or makes a key and seals everything under it. */
async function rotate(config: Config, reseal: Reseal): Promise<Rotated> {
  const { keysIn, MASTER_KEYS_MAX } = await import("#platform/secrets/crypto.ts");
  const { renewMasterKey } = await import("#platform/data-directory.ts");
  const held = knownKey(config, config.dataDir);
  if (held === null) {
    throw new CommandError(
      EXIT.failed,
      `${keyPath(config.dataDir)} doesn't exist; if the server gets its key from a setting, set it for this command too`,
    );
  }
  const keys = keysIn(held).length;
  if (config.masterKey !== null && keys === 1) {
    throw new CommandError(
      EXIT.usage,
      "the master key is set in the configuration: add a new key before it, separated by a space or on its " +
        "own line (head -c 32 /dev/urandom | base64). A server started with both re-encrypts everything with " +
        "the first, and so does this command when no server runs",
    );
  }
  const before = await reseal(config, held);
  if (config.masterKey !== null || before.resealed > 0) {
    return { ...before, isNew: false, keys };
  }
  if (keys >= MASTER_KEYS_MAX) {
    throw new CommandError(
      EXIT.failed,
      `${keyPath(config.dataDir)} already holds ${keys} keys, the most it can. Remove its last lines; links signed with them stop working`,
    );
  }
  const after = await reseal(config, renewMasterKey(config.dataDir));
  return { ...after, isNew: true, keys: keys + 1 };
}

async function resealEnvironments(config: Config, masterKey: Uint8Array): Promise<Resealed> {
  const { resealAll } = await import("#usecases/team/secrets.ts");
  const keys = await vaultsOf(masterKey);
  return await withEnvironments({ ...config, masterKey }, async (environments) => {
    const total = { resealed: 0, unreadable: 0 };
    for (const envName of ENVS) {
      const { resealed, unreadable } = await resealAll(environments[envName], keys);
      total.resealed += resealed;
      total.unreadable += unreadable;
    }
    return total;
  });
}

/** Looks on while the server does it. */
async function resealedByServer(config: Config, masterKey: Uint8Array): Promise<Resealed> {
  const { countOlder } = await import("#usecases/team/secrets.ts");
  const keys = await vaultsOf(masterKey);
  return await withEnvironments({ ...config, masterKey }, async (environments) => {
    const count = () => {
      const [live, test] = [
        countOlder(environments.live, keys),
        countOlder(environments.test, keys),
      ];
      return {
        older: live.resealed + test.resealed,
        unreadable: live.unreadable + test.unreadable,
      };
    };
    const first = count();
    let seen = first;
    for (let pauses = 0; seen.older > 0; pauses += 1) {
      if (pauses >= PAUSES_MAX) {
        throw new CommandError(
          EXIT.tryLater,
          `the server didn't load the keys in ${keyPath(config.dataDir)}: check its log and restart it. ` +
            "Nothing is lost: it re-encrypts secrets with the first key when it starts",
        );
      }
      await Bun.sleep(PAUSE_MS);
      const next = count();
      pauses = next.older < seen.older ? 0 : pauses;
      seen = next;
    }
    return { resealed: first.older, unreadable: seen.unreadable };
  });
}

async function vaultsOf(masterKey: Uint8Array) {
  const { createVault, MASTER_KEY_BYTES } = await import("#platform/secrets/crypto.ts");
  const newest = createVault(masterKey.subarray(0, MASTER_KEY_BYTES));
  return { all: createVault(masterKey), newest };
}
