/** `outrider install --print`: the unit by which systemd runs a server, hardened. */

import { command, type Option } from "#cli/command.ts";
import { EXIT, usageError } from "#cli/exit.ts";
import { jsonLine } from "#cli/term.ts";

const PRINT = {
  type: "boolean",
  about: "Print the unit; install nothing",
} as const satisfies Option;

export const installCommand = command({
  about: "Print a systemd unit for Outrider",
  details: [
    "outrider install --print > /etc/systemd/system/outrider.service",
    "systemctl daemon-reload && systemctl enable --now outrider",
    "Put settings in /etc/outrider.env (mode 0600), one variable per line: OUTRIDER_PUBLIC_URL=https://…",
    "To use a settings file, add OUTRIDER_CONFIG=/etc/outrider.toml there.",
  ].join("\n"),
  options: {
    print: PRINT,
    executable: {
      type: "string",
      value: "PATH",
      about: "Path of the executable (/usr/local/bin/outrider)",
    },
  },
  run: (call) => {
    if (call.values.print !== true) {
      throw usageError("install needs --print: it prints the unit, and you install it");
    }
    const executable = call.values.executable ?? "/usr/local/bin/outrider";
    if (!/^\/[A-Za-z0-9._/-]+$/.test(executable)) {
      throw usageError("--executable must be an absolute path without spaces");
    }
    const unit = unitOf(executable);
    call.terminal.out(call.json ? jsonLine({ unit }) : unit);
    return EXIT.done;
  },
});

/**
 * No MemoryDenyWriteExecute: JavaScript is compiled while it runs. An own user is made at each start
 * (DynamicUser), and its data lies in /var/lib/outrider.
 */
export function unitOf(executable: string): string {
  return `[Unit]
Description=Outrider, email campaigns through your own mailboxes
Wants=network-online.target
After=network-online.target

[Service]
Type=exec
ExecStart=${executable} serve --data /var/lib/outrider
Environment=OUTRIDER_LOG_FORMAT=json
EnvironmentFile=-/etc/outrider.env
Restart=always
RestartSec=2
TimeoutStopSec=60
LimitNOFILE=65536

DynamicUser=yes
StateDirectory=outrider
StateDirectoryMode=0700
UMask=0077
CapabilityBoundingSet=
AmbientCapabilities=
NoNewPrivileges=yes
PrivateDevices=yes
PrivateTmp=yes
PrivateUsers=yes
ProcSubset=pid
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}
