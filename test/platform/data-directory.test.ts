/** Guarantees of `platform/data-directory.ts`: the master key is its owner's alone, and stays. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadMasterKey, prepareDirectory, UnsafeKeyFile } from "#platform/data-directory.ts";
import { MASTER_KEY_BYTES } from "#platform/secrets/crypto.ts";

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "outrider-directory-"));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe("the directory", () => {
  test("is made with all that is above it, for its owner alone", () => {
    const path = join(top, "a", "b");
    prepareDirectory(path);
    expect(modeOf(path)).toBe(0o700);
    prepareDirectory(path);
  });

  test("that is a file is an error", () => {
    writeFileSync(join(top, "file"), "");
    expect(() => prepareDirectory(join(top, "file"))).toThrow();
  });
});

describe("the master key", () => {
  test("is made once, readable by its owner alone, and is the same from then on", () => {
    const key = loadMasterKey(top);
    expect(key).toHaveLength(MASTER_KEY_BYTES);
    expect(modeOf(join(top, "master.key"))).toBe(0o600);
    expect(loadMasterKey(top)).toEqual(key);
    rmSync(join(top, "master.key"));
    expect(loadMasterKey(top)).not.toEqual(key);
  });

  test.each([0o640, 0o604, 0o620, 0o666, 0o610])("of mode %o is refused", (mode) => {
    loadMasterKey(top);
    chmodSync(join(top, "master.key"), mode);
    expect(() => loadMasterKey(top)).toThrow(UnsafeKeyFile);
    expect(() => loadMasterKey(top)).toThrow("chmod 600");
  });

  test.each([
    ["nothing", ""],
    ["a short key", Buffer.alloc(31).toString("base64")],
    ["a long key", Buffer.alloc(33).toString("base64")],
    ["words", "this is not a key"],
  ])("file that holds %s is refused and left as it is", (_name, text) => {
    const path = join(top, "master.key");
    writeFileSync(path, text, { mode: 0o600 });
    expect(() => loadMasterKey(top)).toThrow(UnsafeKeyFile);
    expect(readFileSync(path, "utf8")).toBe(text);
  });
});
