/** `outrider tail`: what happens on a server, line by line. */

import { command } from "#cli/command.ts";
import { EXIT } from "#cli/exit.ts";
import { printable, styled, type Terminal } from "#cli/term.ts";
import { CLIENT_DETAILS, CLIENT_OPTIONS, clientOf } from "./client.ts";
import { follow } from "./follow.ts";

/** Of every command that follows events. */
export const EVENT_OPTIONS = {
  events: {
    type: "string",
    value: "KINDS",
    about: "Only these events, such as email.*,reply.received",
  },
  after: { type: "string", value: "SEQ", about: "Start after this event (default: now)" },
} as const;

interface Told {
  seq: number;
  type: string;
  created_at: string;
  data: Record<string, unknown>;
}

export const tailCommand = command({
  about: "Stream a server's events as they happen",
  details: `${CLIENT_DETAILS} Reconnects if the server restarts; stop with Ctrl-C.`,
  options: { ...EVENT_OPTIONS, ...CLIENT_OPTIONS },
  run: async (call) => {
    const { values, terminal, json } = call;
    const signal = call.interrupt();
    const events = follow(clientOf(call), {
      type: values.events,
      after: values.after,
      signal,
      onAway: (reason) => sayAway(terminal, reason),
    });
    for await (const { data } of events) {
      terminal.out(json ? `${data}\n` : lineOf(JSON.parse(data) as Told, terminal));
    }
    return EXIT.done;
  },
});

export function sayAway(terminal: Terminal, reason: string): void {
  terminal.err(`${styled("waiting:", "amber", terminal.errColours)} ${printable(reason)}\n`);
}

/** What people ask of an event first. */
const SHOWN = ["to", "from", "email", "name", "reason", "status", "subject"];

function lineOf({ seq, type, created_at, data }: Told, { outColours }: Terminal): string {
  const facts = SHOWN.filter((name) => typeof data[name] === "string")
    .map((name) => `${name}=${JSON.stringify(data[name])}`)
    .join(" ");
  const time = styled(created_at, "dim", outColours);
  return `${time} ${seq} ${styled(type, "bold", outColours)} ${printable(facts)}\n`;
}
