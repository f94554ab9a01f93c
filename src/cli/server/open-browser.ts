/** Opening an address for somebody who sits at this machine. */

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
  linux: ["xdg-open"],
};

/** Whether somebody at a desktop can see a window that we open. */
export function isDesktop(env: Readonly<Record<string, string | undefined>>): boolean {
  const hasScreen =
    process.platform !== "linux" || Boolean(env["DISPLAY"] ?? env["WAYLAND_DISPLAY"]);
  return process.stderr.isTTY === true && process.platform in OPENERS && hasScreen;
}

/** Opens `url` with the desktop's own browser; where there is none, nothing happens. */
export function openBrowser(url: string): void {
  const opener = OPENERS[process.platform] ?? [];
  const [program] = opener;
  if (program !== undefined && Bun.which(program) !== null) {
    Bun.spawn([...opener, url], { stdin: "ignore", stdout: "ignore", stderr: "ignore" }).unref();
  }
}
