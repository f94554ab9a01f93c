/** Browsers and systems by what they call themselves. */

const BROWSERS = [
  [/Edg\//, "Edge"],
  [/Firefox\//, "Firefox"],
  [/Chrom(e|ium)/, "Chrome"],
  [/Safari\//, "Safari"],
  [/curl\//, "curl"],
] as const;
const SYSTEMS = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS/, "macOS"],
  [/Linux/, "Linux"],
] as const;

/** "Firefox on Linux"; what it calls itself where that is not known. */
export function browserOf(userAgent: string): string {
  const browser = BROWSERS.find(([sign]) => sign.test(userAgent))?.[1];
  const system = SYSTEMS.find(([sign]) => sign.test(userAgent))?.[1];
  const name = browser ?? (userAgent.slice(0, 60) || "Unknown browser");
  return system === undefined ? name : `${name} on ${system}`;
}
