/** The unit by which systemd runs a server, hardened. */

export interface UnitInput {
  /** Path of the executable. */
  executable: string;
  /** Path of the settings file; null: there are variables alone. */
  settings: string | null;
  /** It gets its certificates itself, for which it listens on ports that are for the system. */
  listensLow: boolean;
}

/**
 * No MemoryDenyWriteExecute: JavaScript is compiled while it runs. An own user is made at each start
 * (DynamicUser), and its data lies in /var/lib/outrider. Wrong settings (64, 78) stay wrong until somebody looks, so such a
 * start isn't tried again. Refused data (65) is, without a limit: an update that goes back restores it meanwhile.
 */
export function unitOf({ executable, settings, listensLow }: UnitInput): string {
  const config = settings === null ? "" : `\nEnvironment=OUTRIDER_CONFIG=${settings}`;
  const low = listensLow ? "CAP_NET_BIND_SERVICE" : "";
  // A capability in a user namespace of its own doesn't open the host's ports.
  const users = listensLow ? "" : "\nPrivateUsers=yes";
  return `[Unit]
Description=Outrider, email campaigns through your own mailboxes
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=${executable} serve --data /var/lib/outrider
Environment=OUTRIDER_LOG_FORMAT=json${config}
EnvironmentFile=-/etc/outrider.env
Restart=always
RestartSec=2
RestartPreventExitStatus=64 78
TimeoutStopSec=60
LimitNOFILE=65536

DynamicUser=yes
StateDirectory=outrider
StateDirectoryMode=0700
UMask=0077
CapabilityBoundingSet=${low}
AmbientCapabilities=${low}
NoNewPrivileges=yes
PrivateDevices=yes
PrivateTmp=yes${users}
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
