/**
 * SpamAssassin's daemon, asked over its own protocol: the message goes out after a head of two lines,
 * a report comes back.
 *
 * Source: spamd/PROTOCOL of SpamAssassin, version 1.5, command REPORT.
 */

import { createConnection, isIP, type Socket } from "node:net";
import type { Dns } from "#platform/ports/dns.ts";
import type { Spamd, SpamOutcome, SpamRule } from "#platform/ports/spamd.ts";

/** Its network tests may take long; ours are of content. */
const SCORE_MS_MAX = 20_000;
const REPORT_BYTES_MAX = 256 * 1024;
const MESSAGE_BYTES_MAX = 500 * 1024;
const RULES_MAX = 200;
const ABOUT_MAX = 300;

export interface SpamdAddress {
  host: string;
  port: number;
}

export interface SpamdOptions extends SpamdAddress {
  dns: Pick<Dns, "lookup">;
  /** Replaces {@link SCORE_MS_MAX}. */
  scoreMs?: number;
}

export function createSpamd(options: SpamdOptions): Spamd {
  return { score: (raw) => score(options, raw) };
}

async function score(options: SpamdOptions, raw: Uint8Array): Promise<SpamOutcome> {
  if (raw.length > MESSAGE_BYTES_MAX) {
    return { kind: "unavailable", reason: `the message has more than ${MESSAGE_BYTES_MAX} bytes` };
  }
  const { host, port, scoreMs = SCORE_MS_MAX } = options;
  const address = await addressOf(host, options.dns);
  if (address === undefined) {
    return { kind: "unavailable", reason: `spamd's host ${host} has no address` };
  }
  const answer = await exchange({ host: address, port }, raw, scoreMs);
  return typeof answer === "string" ? readReport(answer) : answer;
}

async function addressOf(host: string, dns: SpamdOptions["dns"]): Promise<string | undefined> {
  if (isIP(host) !== 0) {
    return host;
  }
  const [address] = await dns.lookup(host, null).catch(() => []);
  return address;
}

/** The whole answer, or why there is none. */
function exchange(
  { host, port }: SpamdAddress,
  raw: Uint8Array,
  ms: number,
): Promise<string | SpamOutcome> {
  return new Promise((resolve) => {
    const socket: Socket = createConnection({ host, port });
    const deadline = AbortSignal.timeout(ms);
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (outcome: string | SpamOutcome) => {
      deadline.removeEventListener("abort", expire);
      resolve(outcome);
      socket.destroy();
    };
    const fail = (reason: string) => end({ kind: "unavailable", reason });
    const expire = () => fail("spamd did not respond in time");
    deadline.addEventListener("abort", expire);
    socket.on("connect", () => {
      socket.write(`REPORT SPAMC/1.5\r\nContent-length: ${raw.length}\r\n\r\n`);
      socket.write(raw);
    });
    socket.on("data", (chunk) => {
      size += chunk.length;
      if (size > REPORT_BYTES_MAX) {
        fail("spamd sent more than a report");
        return;
      }
      chunks.push(chunk);
    });
    socket.on("error", (error) => fail(`can't reach spamd: ${error.message}`));
    socket.on("close", () => end(Buffer.concat(chunks).toString("latin1")));
  });
}

const VERDICT =
  /^Spam:\s*(True|False|Yes|No)\s*;\s*(-?\d+(?:\.\d+)?)\s*\/\s*(-?\d+(?:\.\d+)?)\s*$/im;
/** ` 1.2 SUBJ_ALL_CAPS          Subject is all capitals`; what goes on stands under the third column. */
const RULE = /^\s*\*?\s*(-?\d{1,5}(?:\.\d{1,3})?)\s+([A-Z][A-Z0-9_]{1,60})\s*(.*)$/;
const MORE = /^\s{20,}(\S.*)$/;

/** An answer of the daemon, status line first. */
export function readReport(answer: string): SpamOutcome {
  const [head = "", ...rest] = answer.split(/\r?\n\r?\n/);
  const [, status, words = ""] = /^SPAMD\/\d+\.\d+\s+(\d+)\s*(.*)/.exec(head) ?? [];
  if (status !== "0") {
    const reason = status === undefined ? "spamd sent an unexpected response" : words.trim();
    return { kind: "unavailable", reason };
  }
  const [, yes = "", score = "", required = ""] = VERDICT.exec(head) ?? [];
  if (score === "") {
    return { kind: "unavailable", reason: "spamd sent no score" };
  }
  return {
    kind: "judged",
    score: Number(score),
    required: Number(required),
    isSpam: /^(true|yes)$/i.test(yes),
    rules: rulesOf(rest.join("\n\n")),
  };
}

function rulesOf(report: string): SpamRule[] {
  const rules: SpamRule[] = [];
  for (const line of report.split(/\r?\n/)) {
    const [, points, name, about = ""] = RULE.exec(line) ?? [];
    const last = rules.at(-1);
    if (points !== undefined && name !== undefined && rules.length < RULES_MAX) {
      rules.push({ name, points: Number(points), about: about.trim().slice(0, ABOUT_MAX) });
    } else if (last !== undefined) {
      const [, more] = MORE.exec(line) ?? [];
      last.about = `${last.about} ${more ?? ""}`.trim().slice(0, ABOUT_MAX);
    }
  }
  return rules;
}
