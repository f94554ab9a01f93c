#!/usr/bin/env node
// Becomes the executable for this machine, which npm installed beside this package.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";

const { platform, arch } = process;
const isMusl =
  platform === "linux" && !process.report.getReport().header.glibcVersionRuntime ? "-musl" : "";
const system = platform === "win32" ? "windows" : platform;
const name = `PACKAGE-${system}-${arch}${isMusl}`;
const file = platform === "win32" ? "outrider.exe" : "outrider";
let executable;
try {
  executable = createRequire(import.meta.url).resolve(`${name}/${file}`);
} catch {
  console.error(
    `outrider: ${name} isn't installed. Install without --omit=optional, on a platform that Outrider has.`,
  );
  process.exit(69);
}
const child = spawn(executable, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  // Ctrl-C reaches both; the executable says when it has ended.
  process.on(signal, () => signal !== "SIGINT" && child.kill(signal));
}
child.on("error", (error) => {
  console.error(`outrider: ${error.message}`);
  process.exit(69);
});
child.on("exit", (code, signal) => {
  process.exit(code ?? 128 + ({ SIGKILL: 9, SIGTERM: 15, SIGABRT: 6, SIGSEGV: 11 }[signal] ?? 0));
});
