/** `outrider manual`: the manual page, for `man`. Source: man(7). */

import { COMMON_OPTIONS } from "./arguments.ts";
import { type Command, type Commands, command, type Options } from "./command.ts";
import { EXIT } from "./exit.ts";
import { jsonLine } from "./term.ts";

export const manualCommand = command({
  about: "Print the manual page",
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
  failed: "It ran, and found or met a fault.",
  usage: "A mistake on the command line, or a field that the server refused.",
  badData: "A file that cannot be used, or data of a newer program.",
  unavailable: "The port is taken, or no server answers.",
  cannotCreate: "The data directory cannot be written.",
  tryLater: "Another process holds what is needed, or the server asks to come back later.",
  notAllowed: "The key is wrong, or may not do this.",
  config: "A setting is wrong.",
  interrupted: "Cut short by Ctrl-C.",
};

function pageOf(commands: Commands): string {
  const codes = Object.entries(EXIT).map(([name, code]) =>
    item(String(code), MEANINGS[name as keyof typeof EXIT]),
  );
  return [
    '.TH OUTRIDER 1 "" "Outrider" "User Commands"',
    ".SH NAME",
    "outrider \\- email campaigns through your own mailboxes",
    ".SH SYNOPSIS",
    ".B outrider",
    ".I command",
    "[\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    "One executable with one data directory: an API, an engine that sends and reads mail, a console, and",
    "a sandbox in which no mail leaves the machine. Results go to standard output, talk to standard error.",
    ".SH OPTIONS OF EVERY COMMAND",
    ...optionLines(COMMON_OPTIONS),
    ".SH COMMANDS",
    ...Object.entries(commands).flatMap(([name, one]) => commandLines(name, one)),
    ".SH EXIT STATUS",
    ...codes.flat(),
    ".SH ENVIRONMENT",
    ...item("OUTRIDER_KEY, OUTRIDER_KEY_FILE", "The API key of commands that ask a server."),
    ...item("OUTRIDER_URL", "The server that they ask."),
    ...item("OUTRIDER_DATA and others", 'Settings; "outrider config" shows each.'),
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
