/**
 * Makes npm packages of a release's executables, so that `npx outrider` runs one: a package for each platform, of which
 * npm installs the one that fits, and a launcher that depends on all of them.
 *
 *   bun .ci/packages/npm.ts FOLDER VERSION     writes outrider-npm*.tgz beside the executables in FOLDER
 */

import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const NAME = "outrider";
const TOP = resolve(import.meta.dir, "../..");
const EXECUTABLE =
  /^outrider-(?<os>linux|darwin|windows)-(?<cpu>x64|arm64)(?<libc>-musl)?(?:\.exe)?$/;

export function packAll(folder: string, version: string): string[] {
  const common = { version, license: "MIT" };
  const parts = readdirSync(folder).flatMap((file) => {
    const { os, cpu, libc = "" } = EXECUTABLE.exec(file)?.groups ?? {};
    return os === undefined || cpu === undefined ? [] : [{ file, os, cpu, libc }];
  });
  const packed = parts.map(({ file, os, cpu, libc }) =>
    pack(folder, `${NAME}-npm-${os}-${cpu}${libc}.tgz`, (at) => {
      const executable = join(at, os === "windows" ? "outrider.exe" : "outrider");
      copyFileSync(join(folder, file), executable);
      chmodSync(executable, 0o755);
      return {
        ...{ ...common, name: `${NAME}-${os}-${cpu}${libc}` },
        description: `The executable of ${NAME} for ${os} on ${cpu}`,
        ...{ os: [os === "windows" ? "win32" : os], cpu: [cpu] },
        ...(os === "linux" ? { libc: [libc === "" ? "glibc" : "musl"] } : {}),
      };
    }),
  );
  const launcher = pack(folder, `${NAME}-npm.tgz`, (at) => {
    const script = readFileSync(join(import.meta.dir, "npm-launcher.mjs"), "utf8");
    writeFileSync(join(at, "outrider.mjs"), script.replace("PACKAGE", NAME), { mode: 0o755 });
    copyFileSync(join(TOP, "README.md"), join(at, "README.md"));
    const names = parts.map(({ os, cpu, libc }) => `${NAME}-${os}-${cpu}${libc}`);
    return {
      ...{ ...common, name: NAME, type: "module", engines: { node: ">=18" } },
      description: "Email outreach from a team's own mailboxes, as one executable",
      bin: { outrider: "outrider.mjs" },
      optionalDependencies: Object.fromEntries(names.map((name) => [name, version])),
    };
  });
  return [...packed, launcher];
}

/** npm dates all files alike, so that the same files give the same bytes. */
function pack(folder: string, name: string, fill: (at: string) => object): string {
  const at = mkdtempSync(join(tmpdir(), "outrider-npm-"));
  try {
    const manifest = fill(at);
    copyFileSync(join(TOP, "LICENSE"), join(at, "LICENSE"));
    writeFileSync(join(at, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    const to = mkdtempSync(join(tmpdir(), "outrider-npm-"));
    const { exitCode, stderr } = Bun.spawnSync(
      ["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", to],
      { cwd: at },
    );
    const [made] = readdirSync(to);
    if (exitCode !== 0 || made === undefined) {
      throw new Error(`npm pack ended with ${exitCode}: ${stderr.toString()}`);
    }
    copyFileSync(join(to, made), join(folder, name));
    rmSync(to, { recursive: true });
    return join(folder, name);
  } finally {
    rmSync(at, { recursive: true });
  }
}

if (import.meta.main) {
  const [folder, version] = process.argv.slice(2);
  if (folder === undefined || version === undefined) {
    throw new Error("usage: bun .ci/packages/npm.ts FOLDER VERSION");
  }
  packAll(resolve(folder), version);
}
