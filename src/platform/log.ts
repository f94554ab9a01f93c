/**
 * One line an occurrence: JSON for machines, aligned words for people. No bodies, no secrets: API keys
 * and webhook secrets are masked wherever they turn up, and control characters are escaped.
 */

import { toIso } from "#domain/time.ts";
import type { Clock } from "./clock.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type Log = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>;

export interface LogOptions {
  clock: Clock;
  level: LogLevel;
  format: "human" | "json";
  write: (line: string) => void;
}

/** In a URL the letters of a webhook's secret may be written by their numbers. */
const SECRET = /\b(outrider_(?:live|test)_|whsec_)[0-9A-Za-z+/=%]{8,}/g;

/** API keys and webhook secrets in it are cut short. */
export function masked(text: string): string {
  return text.replace(SECRET, "$1…");
}

export function createLog(options: LogOptions): Log {
  const from = LOG_LEVELS.indexOf(options.level);
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (LOG_LEVELS.indexOf(level) < from) {
        return;
      }
      const time = toIso(options.clock.now());
      const line =
        options.format === "json"
          ? JSON.stringify({ time, level, message, ...fields })
          : `${time} ${level.padEnd(5)} ${message}${words(fields)}`;
      options.write(`${escapeControls(masked(line))}\n`);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** For tests and for tools whose output is their result. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

function words(fields: LogFields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
    .join("");
}

function escapeControls(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped
  return line.replace(/[\u0000-\u001f\u007f-\u009f]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
