/** `outrider install`: prints what an installation is made of, or writes it into a directory. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { command, type Option } from "#cli/command.ts";
import { CommandError, EXIT, usageError } from "#cli/exit.ts";
import { jsonLine, type Terminal } from "#cli/term.ts";
import { FRONTS, filesOf, type Installation } from "./files.ts";
import { unitOf } from "./unit.ts";

const OPTIONS = {
  print: { type: "boolean", about: "Print a systemd unit alone; install nothing" },
  with: {
    type: "string",
    value: "FRONT",
    values: FRONTS,
    about: "What does TLS: acme (Outrider itself), caddy, nginx, or compose (containers)",
  },
  domain: { type: "string", value: "HOST", about: "Host name of the console and the API" },
  tracking: { type: "string", value: "HOSTS", about: "Teams' tracking hosts, with commas" },
  litestream: {
    type: "string",
    value: "DIR",
    about: "Also replicate to this directory with Litestream",
  },
  out: { type: "string", value: "DIR", about: "Write the files there instead of printing them" },
  executable: {
    type: "string",
    value: "PATH",
    about: "Path of the executable (/usr/local/bin/outrider)",
  },
} as const satisfies Record<string, Option>;

export const installCommand = command({
  about: "Print or write a systemd unit, a proxy's configuration, settings, and alert rules",
  details: [
    "outrider install --with caddy --domain mail.example.com --out ./files",
    "writes files that fit together, and changes nothing else: outrider.service for /etc/systemd/system,",
    "outrider.toml for /etc, the proxy's configuration, and what Prometheus and Grafana need.",
    "Put secrets in /etc/outrider.env (mode 0600), one variable per line: OUTRIDER_METRICS_TOKEN=…",
  ].join("\n"),
  options: OPTIONS,
  run: ({ values, json, terminal, workingDir }) => {
    const { print, with: front, domain, out, litestream: replica = null } = values;
    const executable = pathOf("executable", values.executable ?? "/usr/local/bin/outrider");
    if (print === true) {
      if (front !== undefined) {
        throw usageError("--print prints the unit alone; leave it out with --with");
      }
      const unit = unitOf({ executable, settings: null, listensLow: false });
      terminal.out(json ? jsonLine({ unit }) : unit);
      return EXIT.done;
    }
    if (front === undefined || domain === undefined) {
      throw usageError(
        `install needs --with ${FRONTS.join("|")} and --domain HOST, or --print for the unit alone`,
      );
    }
    const files = filesOf({
      front: frontOf(front),
      domain: hostOf("domain", domain),
      tracking: (values.tracking?.split(",") ?? []).map((host) => hostOf("tracking", host.trim())),
      replica: replica === null ? null : pathOf("litestream", replica),
      executable,
    });
    if (out !== undefined) {
      writeAll(resolve(workingDir, out), files);
    }
    say(terminal, files, { json, out });
    return EXIT.done;
  },
});

type Files = Readonly<Record<string, string>>;

function say(terminal: Terminal, files: Files, how: { json: boolean; out: string | undefined }) {
  if (how.json) {
    terminal.out(jsonLine({ files }));
  } else if (how.out !== undefined) {
    terminal.out(
      Object.keys(files)
        .map((name) => `${join(how.out ?? "", name)}\n`)
        .join(""),
    );
  } else {
    const texts = Object.entries(files).map(([name, text]) => `==> ${name} <==\n${text}`);
    terminal.out(texts.join("\n"));
  }
}

/** All or none: files that are there with another text are somebody's. */
function writeAll(directory: string, files: Files): void {
  const others = Object.entries(files)
    .filter(([name, text]) => {
      const path = join(directory, name);
      return existsSync(path) && readFileSync(path, "utf8") !== text;
    })
    .map(([name]) => name);
  if (others.length > 0) {
    throw new CommandError(
      EXIT.cannotCreate,
      `${directory} has other files named ${others.join(", ")}; move them, or use another directory`,
    );
  }
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(directory, name), text);
  }
}

function frontOf(text: string): Installation["front"] {
  const front = FRONTS.find((one) => one === text);
  if (front === undefined) {
    throw usageError(`--with must be one of ${FRONTS.join(", ")}`);
  }
  return front;
}

const HOST = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;

/** It goes into files of other programs, so it is a host name and nothing else. */
function hostOf(option: string, text: string): string {
  const host = text.toLowerCase();
  if (!HOST.test(host)) {
    throw usageError(`--${option} must be a host name such as mail.example.com, not "${text}"`);
  }
  return host;
}

function pathOf(option: string, text: string): string {
  if (!/^\/[A-Za-z0-9._/-]+$/.test(text)) {
    throw usageError(`--${option} must be an absolute path without spaces`);
  }
  return text;
}
