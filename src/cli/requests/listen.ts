/**
 * `outrider listen`: a server's events to an address of one's own, signed as webhooks are, so that a
 * receiver can be built without being reachable from the server.
 */

import { VERSION } from "#app/version.ts";
import { command } from "#cli/command.ts";
import { EXIT, usageError } from "#cli/exit.ts";
import { jsonLine, printable, styled, type Terminal } from "#cli/term.ts";
import { messageOf } from "#domain/thrown.ts";
import { systemClock } from "#platform/clock.ts";
import { faultOfSecret, newSecret, signedHeaders } from "#platform/http/webhook-signature.ts";
import { CLIENT_DETAILS, CLIENT_OPTIONS, clientOf } from "./client.ts";
import { follow } from "./follow.ts";
import { EVENT_OPTIONS, sayAway } from "./tail.ts";

const ANSWER_MS_MAX = 15_000;
const SECRET_VARIABLE = "OUTRIDER_WEBHOOK_SECRET";

export const listenCommand = command({
  about: "Forward a server's events, signed, to your own URL",
  details: [
    CLIENT_DETAILS,
    `Signs with Standard Webhooks, using the secret in ${SECRET_VARIABLE} or a new one it prints`,
    "first. Failed deliveries are shown and not retried; use --after SEQ to send them again.",
  ].join("\n"),
  options: {
    "forward-to": { type: "string", value: "URL", about: "URL to send events to", required: true },
    ...EVENT_OPTIONS,
    ...CLIENT_OPTIONS,
  },
  run: async (call) => {
    const { values, terminal, json, env } = call;
    const target = readTarget(values["forward-to"]);
    const secret = readSecret(env[SECRET_VARIABLE], terminal);
    const signal = call.interrupt();
    const events = follow(clientOf(call), {
      type: values.events,
      after: values.after,
      signal,
      onAway: (reason) => sayAway(terminal, reason),
    });
    for await (const { id: seq, data } of events) {
      const { id, type } = JSON.parse(data) as { id: string; type: string };
      const result = await forward(target, secret, { id, body: data });
      const line = { seq: Number(seq), id, type, ...result };
      terminal.out(json ? jsonLine(line) : describe(line, terminal));
    }
    return EXIT.done;
  },
});

interface Forwarded {
  /** Of the receiver's answer; null where there was none. */
  status: number | null;
  error: string | null;
  ms: number;
}

async function forward(
  target: string,
  secret: string,
  event: { id: string; body: string },
): Promise<Forwarded> {
  const at = systemClock.now();
  try {
    const response = await fetch(target, {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
      headers: {
        "Content-Type": "application/json",
        "User-Agent": `Outrider/${VERSION}`,
        ...signedHeaders([secret], { ...event, at }),
      },
      body: event.body,
    });
    await response.body?.cancel();
    return { status: response.status, error: null, ms: systemClock.now() - at };
  } catch (error) {
    const reason = messageOf(error);
    return { status: null, error: reason, ms: systemClock.now() - at };
  }
}

function describe(line: Forwarded & { seq: number; type: string }, terminal: Terminal): string {
  const isTaken = line.status !== null && line.status >= 200 && line.status < 300;
  const said = line.error === null ? String(line.status) : printable(line.error);
  const result = styled(said, isTaken ? "green" : "red", terminal.outColours);
  return `${line.seq} ${line.type} ${result} ${line.ms} ms\n`;
}

function readTarget(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw usageError(`--forward-to must be like http://localhost:3000/hooks, not "${text}"`);
  }
  return url.href;
}

function readSecret(given: string | undefined, terminal: Terminal): string {
  if (given === undefined || given === "") {
    const secret = newSecret();
    terminal.err(`Signing secret: ${secret}\n`);
    return secret;
  }
  const fault = faultOfSecret(given);
  if (fault !== null) {
    throw usageError(`${SECRET_VARIABLE} ${fault}`);
  }
  return given;
}
