/** Settings of whoever runs an installation: certificates, backups, metrics, and the log of slow statements. */

import { resolve } from "node:path";
import { parseDuration } from "#domain/duration.ts";
import { parseAddress } from "#domain/email-address.ts";
import {
  CERTIFICATES_SETTINGS,
  type CertificatesConfig,
  readCertificatesConfig,
} from "./certificates.ts";
import { REPLY_MODEL_SETTINGS, type ReplyModelConfig, readReplyModel } from "./reply-model.ts";
import { readUpdateConfig, UPDATE_SETTINGS, type UpdateConfig } from "./update.ts";
import { ConfigError, integer } from "./values.ts";

export interface OperationsConfig {
  /** How often a backup is made by itself, in milliseconds; 0: never. */
  backupEveryMs: number;
  /** Absolute path of the directory that backups lie in. */
  backupDir: string;
  /** Scheduled backups that are kept, 1 to 1,000. */
  backupKeep: number;
  /** Seals backups, and lets the master key into them; null: they are not sealed. */
  backupPassphrase: string | null;
  /** Opens `/metrics`; null: an operator's key alone does. */
  metricsToken: string | null;
  /** Statements that take at least this long are logged, in milliseconds; 0: none. */
  slowQueryMs: number;
  /** Whom to tell of a vulnerability, as a URI; null: nobody is named. */
  securityContact: string | null;
  update: UpdateConfig;
  certificates: CertificatesConfig;
  replyModel: ReplyModelConfig;
}

export const OPERATIONS_SETTINGS = {
  ...CERTIFICATES_SETTINGS,
  ...REPLY_MODEL_SETTINGS,
  backup_every: {
    about: "How often to back up, such as 24h; 0s for never",
    value: "DURATION",
    fallback: "0s",
  },
  backup_dir: {
    about: "Backup directory (backups in the data directory)",
    value: "DIR",
    fallback: null,
  },
  backup_keep: { about: "Scheduled backups to keep", value: "N", fallback: "7" },
  ...UPDATE_SETTINGS,
  slow_query_ms: {
    about: "Log SQL statements that take this many milliseconds; 0 for off",
    value: "N",
    fallback: "0",
  },
  security_contact: {
    about: "Email or https URL for reports of vulnerabilities, in /.well-known/security.txt",
    value: "CONTACT",
    fallback: null,
  },
  backup_passphrase: {
    about: "Encrypts backups, which then include the master key",
    value: "TEXT",
    fallback: null,
    secret: true,
  },
  metrics_token: {
    about: "Bearer token for /metrics",
    value: "TOKEN",
    fallback: null,
    secret: true,
  },
} as const;

const KEEP_MAX = 1_000;
const SLOW_QUERY_MS_MAX = 3_600_000;

type Read = <Value>(
  name: keyof typeof OPERATIONS_SETTINGS,
  parse: (text: string, base: string) => Value,
) => Value | null;

export function readOperations(read: Read, dataDir: string): OperationsConfig {
  const directory = (text: string, base: string) => resolve(base, text);
  return {
    backupEveryMs: read("backup_every", parseBackupEvery) ?? 0,
    backupDir: read("backup_dir", directory) ?? resolve(dataDir, "backups"),
    backupKeep: read("backup_keep", integer(1, KEEP_MAX)) ?? KEEP_MAX,
    backupPassphrase: read("backup_passphrase", parsePassphrase),
    metricsToken: read("metrics_token", parseToken),
    slowQueryMs: read("slow_query_ms", integer(0, SLOW_QUERY_MS_MAX)) ?? 0,
    securityContact: read("security_contact", parseContact),
    update: readUpdateConfig(read),
    certificates: readCertificatesConfig(read),
    replyModel: readReplyModel(read),
  };
}

const BACKUP_EVERY_MS_MIN = 60_000;

/** A duration; 0 for none at all. */
function parseBackupEvery(text: string): number {
  const ms = parseDuration(text);
  if (ms === null || (ms !== 0 && ms < BACKUP_EVERY_MS_MIN)) {
    throw new ConfigError('must be a duration such as "24h", at least "1m", or "0s"');
  }
  return ms;
}

const PASSPHRASE_LENGTH_MIN = 12;
const PASSPHRASE_LENGTH_MAX = 1_024;

function parsePassphrase(text: string): string {
  if (text.length < PASSPHRASE_LENGTH_MIN || text.length > PASSPHRASE_LENGTH_MAX) {
    throw new ConfigError(
      `must be ${PASSPHRASE_LENGTH_MIN} to ${PASSPHRASE_LENGTH_MAX} characters`,
    );
  }
  return text;
}

const TOKEN = /^[\x21-\x7e]{16,256}$/;

function parseToken(text: string): string {
  if (!TOKEN.test(text)) {
    throw new ConfigError("must be 16 to 256 printable characters without spaces");
  }
  return text;
}

function parseContact(text: string): string {
  const email = parseAddress(text)?.address;
  if (email !== undefined) {
    return `mailto:${email}`;
  }
  const url = URL.parse(text);
  if (url === null || !["https:", "mailto:"].includes(url.protocol)) {
    throw new ConfigError("must be an email address or an https URL");
  }
  return url.href;
}
