/** The master keys that a program runs with; one that is put before them meanwhile is adopted. */

import { loadMasterKey, readMasterKey, UnsafeKeyFile } from "#platform/data-directory.ts";
import { createVault, keysIn, MASTER_KEY_BYTES, type Vault } from "./crypto.ts";

export interface MasterKeys {
  /** Seals with the newest and opens with each; the same one whatever is adopted. */
  readonly vault: Vault;
  /** Whether there are older ones behind the newest. */
  hasOlder(): boolean;
  /**
   * The newest alone, after a look at the file; the same one for as long as it is the newest. Throws
   * where the file cannot be read, holds no keys, or lacks one in use: all stay as they were.
   */
  newest(): Vault;
}

/** `given` is what the configuration has in the place of the file: it stays. Throws {@link UnsafeKeyFile}. */
export function openMasterKeys(directory: string, given: Uint8Array | null): MasterKeys {
  let held = keysIn(given ?? loadMasterKey(directory));
  const vault = createVault(joined(held));
  let newest = createVault(joined(held.slice(0, 1)));
  const adopt = (there: Uint8Array[]) => {
    if (!held.every((key) => there.some((other) => isSame(key, other)))) {
      throw new UnsafeKeyFile(
        "master.key lacks a key that is in use; put it back, behind the first",
      );
    }
    held = there;
    vault.renew(joined(there));
    newest = createVault(joined(there.slice(0, 1)));
  };
  return {
    vault,
    hasOlder: () => held.length > 1,
    newest: () => {
      const there = given === null ? keysIn(readMasterKey(directory)) : held;
      // Older ones that were taken out are needed until the program starts anew.
      if (!isSame(there[0], held[0])) {
        adopt(there);
      }
      return newest;
    },
  };
}

function joined(keys: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(keys, keys.length * MASTER_KEY_BYTES));
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one !== undefined && other !== undefined && Buffer.compare(one, other) === 0;
}
