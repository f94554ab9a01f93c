/** `outrider manual`: the manual page, for `man`. Source: man(7). */

import { COMMON_OPTIONS } from "./arguments.ts";
import { type Command, type Commands, command, type Options } from "./command.ts";
import { EXIT } from "./exit.ts";
import { jsonLine } from "./term.ts";

export const manualCommand = command({
  about: "Print the man page",
  details: "outrider manual > /usr/local/share/man/man1/outrider.1",
  options: {},
  run: async ({ commands, terminal, json }) => {
    const page = pageOf(await commands());
    terminal.out(json ? jsonLine({ page }) : page);
    return EXIT.done;
  },
});

const MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: "Done.",
  failed: "The command ran, but found or hit a problem.",
  usage: "Wrong command line, or a field the server rejected.",
  badData: "Unusable input file, or data written by a newer version.",
  unavailable: "The port is in use, or no server responds.",
  cannotCreate: "Can't write to the data directory.",
  tryLater: "Another process is in the way, or the server says to retry later.",
  notAllowed: "The key is invalid, or isn't allowed to do this.",
  config: "Invalid setting.",
  interrupted: "Interrupted by Ctrl-C.",
};

function pageOf(commands: Commands): string {
  const codes = Object.entries(EXIT).map(([name, code]) =>
    item(String(code), MEANINGS[name as keyof typeof EXIT]),
  );
  return [
    '.TH OUTRIDER 1 "" "Outrider" "User Commands"',
    ".SH NAME",
    "outrider \\- email campaigns from your own mailboxes",
    ".SH SYNOPSIS",
    ".B outrider",
    ".I command",
    "[\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    "One executable and one data directory: an API, a web console, an engine that sends and receives email,",
    "and a sandbox that never sends real email. Results go to standard output, messages to standard error.",
    ".SH GLOBAL OPTIONS",
    ...optionLines(COMMON_OPTIONS),
    ".SH COMMANDS",
    ...Object.entries(commands).flatMap(([name, one]) => commandLines(name, one)),
    ".SH EXIT STATUS",
    ...codes.flat(),
    ".SH ENVIRONMENT",
    ...item("OUTRIDER_KEY, OUTRIDER_KEY_FILE", "API key for commands that talk to a server."),
    ...item("OUTRIDER_URL", "The server to talk to."),
    ...item("OUTRIDER_DATA and others", 'Settings; run "outrider config" to list them.'),
    "",
  ].join("\n");
}

function commandLines(name: string, { about, details, options, positionals = [] }: Command) {
  const words = positionals.map((one) => (one.optional === true ? `[${one.name}]` : one.name));
  return [
    `.SS ${escaped(["outrider", name, ...words].join(" "))}`,
    ...paragraph(`${about}.`),
    ...(details === undefined ? [] : [".PP", ".nf", ...details.split("\n").map(escaped), ".fi"]),
    ...positionals.flatMap((one) => item(one.name, one.about)),
    ...optionLines(options),
  ];
}

function optionLines(options: Options): string[] {
  return Object.entries(options).flatMap(([name, { type, value, about }]) =>
    item(type === "boolean" ? `--${name}` : `--${name} ${value ?? "TEXT"}`, about),
  );
}

function item(term: string, about: string): string[] {
  return [".TP", `.B ${escaped(term)}`, ...paragraph(about)];
}

function paragraph(text: string): string[] {
  return text.split("\n").map(escaped);
}

/** A line that begins with a full stop or an apostrophe would be a request. */
function escaped(text: string): string {
  const plain = text
    .replaceAll("\t", " ")
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "...")
    .replaceAll('"', "\\(dq");
  return /^[.']/.test(plain) ? `\\&${plain}` : plain;
}
