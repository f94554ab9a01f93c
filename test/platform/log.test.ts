/** Guarantees of `platform/log.ts`: one line an occurrence, no secrets, nothing that moves a terminal. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mintKey } from "#domain/team/api-key.ts";
import { unixMs } from "#domain/time.ts";
import { seededDice } from "#platform/dice.ts";
import { createLog, LOG_LEVELS, type LogLevel, silentLog } from "#platform/log.ts";
import { crc32 } from "#platform/secrets/crypto.ts";

const clock = { now: () => unixMs(Date.UTC(2026, 2, 2, 15)) };
const FORMATS = ["human", "json"] as const;

function collect(format: "human" | "json", level: LogLevel = "debug") {
  const lines: string[] = [];
  const write = (line: string) => {
    lines.push(line);
  };
  return { log: createLog({ clock, level, format, write }), lines };
}

const dice = seededDice(1);
const LIVE_KEY = mintKey("live", () => dice.byte(), crc32);
const SECRETS = [
  LIVE_KEY,
  mintKey("test", () => dice.byte(), crc32),
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  "whsec_MfKQ9r8GKYqr+wjUPD8ILP/Io2LaLa==",
];

test("a line for a machine is JSON with time, level, message and fields", () => {
  const { log, lines } = collect("json");
  log.warn("slow", { ms: 12, ok: false, why: null });
  expect(lines).toHaveLength(1);
  expect(lines[0]?.endsWith("}\n")).toBe(true);
  expect(JSON.parse(lines[0] ?? "")).toEqual({
    time: "2026-03-02T15:00:00.000Z",
    level: "warn",
    message: "slow",
    ms: 12,
    ok: false,
    why: null,
  });
});

test("a line for people is time, level, message and words", () => {
  const { log, lines } = collect("human");
  log.info("ready", { url: "http://x", none: undefined });
  expect(lines).toEqual(['2026-03-02T15:00:00.000Z info  ready url="http://x"\n']);
});

test.each(LOG_LEVELS.map((level, index) => [level, index] as const))(
  "from %s on: what is less is not written",
  (level, index) => {
    const { log, lines } = collect("json", level);
    for (const each of LOG_LEVELS) {
      log[each]("x");
    }
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(LOG_LEVELS.slice(index));
  },
);

describe.each(FORMATS)("%s", (format) => {
  test.each(SECRETS)("masks %s wherever it stands", (secret) => {
    const { log, lines } = collect(format);
    log.error(`refused ${secret}`, { key: secret, header: `Bearer ${secret},`, two: secret });
    log.error("a\nb", { cause: `Error\n    at "${secret}"` });
    const written = lines.join("");
    const prefix = /^(outrider_\w+?_|whsec_)/.exec(secret)?.[0] ?? "";
    const body = secret.slice(prefix.length);
    for (let from = 0; from + 8 <= body.length; from += 1) {
      expect(written).not.toContain(body.slice(from, from + 8));
    }
    expect(written.split(`${prefix}…`)).toHaveLength(6);
  });

  test("masks a key that has lost its end", () => {
    const { log, lines } = collect(format);
    log.error("cut", { key: LIVE_KEY.slice(0, 30) });
    expect(lines[0]).not.toContain(LIVE_KEY.slice(14, 30));
  });

  test("any text is one line without control characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (message, value) => {
        const { log, lines } = collect(format);
        log.info(message, { value });
        expect(lines).toHaveLength(1);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are looked for
        expect(lines[0]?.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
    );
  });

  test("an escape sequence of a terminal is shown, not obeyed", () => {
    const { log, lines } = collect(format);
    log.warn("subject \u001b[2Jgone\u009b1A\r\nforged");
    expect(lines[0]).toContain("\\u001b[2Jgone\\u009b1A");
    expect(lines[0]?.indexOf("\n")).toBe((lines[0]?.length ?? 0) - 1);
  });
});

test("the silent log writes nothing, at any level", () => {
  for (const level of LOG_LEVELS) {
    expect(silentLog[level]("x")).toBeUndefined();
  }
});
