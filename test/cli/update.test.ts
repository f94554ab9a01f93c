/**
 * Guarantees of `update`: only a release that runs takes the place, one that is fetched only where it is signed, newer
 * and whole, and what was there stays. With a server and its data: `journeys/update.test.ts`.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "#config/config.ts";
import { sign } from "../../.ci/sign.ts";
import { layRelease, RELEASE_FILE, releaseKey } from "../support/releases.ts";
import { run } from "./support.ts";

let dir: string;
const path = (name: string) => join(dir, name);
const read = (name: string) => readFileSync(path(name), "utf8");

/** A program that answers `version --json` as a release does. */
const release = (version: string) =>
  `#!/bin/sh\n[ "$1 $2" = "version --json" ] && echo '{"version":"${version}","commit":"abc"}'\n`;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "outrider-update-"));
  writeFileSync(path("outrider"), release("1.0.0"), { mode: 0o755 });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const update = (...args: string[]) =>
  run(["update", "--target", path("outrider"), ...args], { workingDir: dir });

test("the new program stands in the place, runs, and the old one is beside it", async () => {
  writeFileSync(path("new"), release("2.0.0"), { mode: 0o644 });
  const hash = new Bun.CryptoHasher("sha256").update(release("2.0.0")).digest("hex");
  const { exit, out, err } = await update("--from", "new", "--sha256", hash, "--json");
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  expect(JSON.parse(out)).toMatchObject({ version: "2.0.0", target: path("outrider") });
  expect(read("outrider")).toBe(release("2.0.0"));
  expect(read("outrider.old")).toBe(release("1.0.0"));
  expect(readdirSync(dir).sort()).toEqual(["new", "outrider", "outrider.old"]);
});

describe("Nothing is replaced, and nothing is left over, by", () => {
  test.each<[about: string, content: string | null, args: string[], exit: number]>([
    ["a file that is not there", null, [], 65],
    ["what does not run", "not a program", [], 65],
    ["what runs and is no Outrider", "#!/bin/sh\necho hello\n", [], 65],
    ["what fails", "#!/bin/sh\nexit 3\n", [], 65],
    ["another file than the hash says", release("2.0.0"), ["--sha256", "0".repeat(64)], 65],
    ["a hash that is none", release("2.0.0"), ["--sha256", "abc"], 64],
  ])("%s", async (_, content, args, code) => {
    if (content !== null) {
      writeFileSync(path("new"), content);
      chmodSync(path("new"), 0o755);
    }
    const { exit, out } = await update("--from", "new", ...args);
    expect({ exit, out }).toEqual({ exit: code, out: "" });
    expect(read("outrider")).toBe(release("1.0.0"));
    expect(existsSync(path("outrider.next"))).toBe(false);
    expect(existsSync(path("outrider.old"))).toBe(false);
  });
});

const key = releaseKey();
const fromPlace = (...args: string[]) =>
  update("--update-url", path("releases"), "--update-key", key.public, ...args);

function lay(version: string, text = release(version), signedBy = key): void {
  const of = { version, commit: "abc", key: signedBy };
  layRelease(path("releases"), { ...of, executable: { text } });
}

describe("A release that is fetched", () => {
  test("is verified and takes the place", async () => {
    lay("2.0.0");
    const { exit, out, err } = await fromPlace();
    expect({ exit, out }).toMatchObject({ exit: 0, out: expect.stringContaining("now 2.0.0") });
    expect(err).toContain(`${RELEASE_FILE} 2.0.0, signed by`);
    expect(read("outrider")).toBe(release("2.0.0"));
    expect(read("outrider.old")).toBe(release("1.0.0"));
    expect(readdirSync(dir).sort()).toEqual(["outrider", "outrider.old", "releases"]);
  });

  test("comes over HTTP, too", async () => {
    lay("2.0.0");
    using server = Bun.serve({
      ...{ port: 0, hostname: "127.0.0.1" },
      fetch: async (request) => {
        const { pathname } = new URL(request.url);
        const file = Bun.file(path(pathname.replace("/outrider/", "releases/")));
        return (await file.exists()) ? new Response(file) : new Response(null, { status: 404 });
      },
    });
    const url = `http://127.0.0.1:${server.port}/outrider`;
    const { exit } = await update("--update-url", url, "--update-key", key.public);
    expect(exit).toBe(0);
    expect(read("outrider")).toBe(release("2.0.0"));
    const away = await update("--update-url", `${url}/none`, "--update-key", key.public);
    expect(away).toMatchObject({ exit: 69, err: expect.stringContaining("Nothing was changed") });
  });

  test("is only looked for with --check", async () => {
    lay("2.0.0");
    const { exit, out } = await fromPlace("--check", "--json");
    expect({ exit, ...JSON.parse(out) }).toEqual({
      ...{ exit: 0, version: "1.0.0", available: "2.0.0", update: true },
    });
    expect(read("outrider")).toBe(release("1.0.0"));
    lay("1.0.0");
    expect((await fromPlace("--check")).out).toBe("already up to date: 1.0.0\n");
  });

  test("is left where it is the one that is here", async () => {
    lay("1.0.0", "#!/bin/sh\nexit 1\n");
    expect(await fromPlace()).toMatchObject({ exit: 0, out: "already up to date: 1.0.0\n" });
    expect(existsSync(path("outrider.old"))).toBe(false);
  });

  test("is taken where it is older, if that is meant", async () => {
    lay("0.9.0");
    const refused = await fromPlace();
    expect(refused).toMatchObject({ exit: 65, err: expect.stringContaining("--allow-downgrade") });
    expect(read("outrider")).toBe(release("1.0.0"));
    expect((await fromPlace("--allow-downgrade")).exit).toBe(0);
    expect(read("outrider")).toBe(release("0.9.0"));
  });

  const file = () => path(join("releases", RELEASE_FILE));
  const sums = () => path("releases/SHA256SUMS");
  test.each<[about: string, spoil: () => void, exit: number, says: string]>([
    ["nothing there", () => rmSync(path("releases"), { recursive: true }), 69, "SHA256SUMS"],
    ["no signature", () => rmSync(`${sums()}.minisig`), 69, "SHA256SUMS.minisig"],
    ["another key's", () => lay("2.0.0", release("2.0.0"), releaseKey()), 65, "is by key"],
    ["other sums", () => appendFileSync(sums(), "\n"), 65, "doesn't match the file"],
    ["a flipped byte", () => flip(file()), 65, "isn't what was signed"],
    ["a truncated file", () => truncateSync(file(), 20), 65, "isn't what was signed"],
    ["no file for this machine", () => otherPlatform(), 65, `has no ${RELEASE_FILE}`],
    ["another version than signed", () => lay("2.0.0", release("1.9.0")), 65, "says it is 1.9.0"],
    ["no program", () => lay("2.0.0", "hello"), 65, "not an Outrider executable"],
  ])("with %s changes nothing", async (_, spoil, code, says) => {
    lay("2.0.0");
    spoil();
    const { exit, out, err } = await fromPlace();
    expect({ exit, out }).toEqual({ exit: code, out: "" });
    expect(err).toContain(says);
    expect(read("outrider")).toBe(release("1.0.0"));
    expect(existsSync(path("outrider.next"))).toBe(false);
    expect(existsSync(path("outrider.old"))).toBe(false);
  });

  test("needs to be somewhere", async () => {
    const { exit, err } = await update();
    expect({ exit, err }).toMatchObject({ exit: 64, err: expect.stringContaining("update_url") });
  });
});

test("a file that is named is held against the signature beside it", async () => {
  lay("2.0.0");
  const from = ["--from", join("releases", RELEASE_FILE), "--update-key", key.public];
  flip(path(from[1] ?? ""));
  expect(await update(...from)).toMatchObject({ exit: 65, err: expect.stringContaining("signed") });
  lay("2.0.0");
  expect((await update(...from)).exit).toBe(0);
  expect(read("outrider")).toBe(release("2.0.0"));
});

test.each([
  ["https://a.example/r", "https://a.example/r/"],
  ["http://127.0.0.1:8080/", "http://127.0.0.1:8080/"],
  ["file:///srv/releases", "/srv/releases"],
  ["/srv/releases", "/srv/releases"],
])("releases are fetched from %s", (text, from) => {
  expect(settings({ update_url: text }).config.operations.update.from).toBe(from);
});

test.each([
  ["update_url", "http://a.example/"],
  ["update_url", "ftp://a.example/"],
  ["update_url", "releases"],
  ["update_url", "https://a.example/?a=1"],
  ["update_key", "RWQ"],
  ["update_key", Buffer.from(`ED${"k".repeat(40)}`).toString("base64")],
])("%s can't be %s", (name, text) => {
  expect(() => settings({ [name]: text })).toThrow(`${name} (flag --`);
});

function settings(flags: Record<string, string>) {
  return readConfig({ flags, env: {}, workingDir: "/srv" });
}

function flip(file: string): void {
  const bytes = readFileSync(file);
  bytes[30]! ^= 1;
  writeFileSync(file, bytes);
}

function otherPlatform(): void {
  const text = Buffer.from(`${"0".repeat(64)}  outrider-plan9-mips\n`);
  writeFileSync(path("releases/SHA256SUMS"), text);
  writeFileSync(
    path("releases/SHA256SUMS.minisig"),
    sign(text, key.secret, "version:2.0.0 commit:abc"),
  );
}
