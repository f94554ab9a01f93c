/**
 * Configuration: what can be set, where each value came from, and what is wrong with it.
 *
 * A flag wins over the environment (`OUTRIDER_PORT`; for secrets also `OUTRIDER_MASTER_KEY_FILE`, a
 * file that holds the value), which wins over the `--config` file (TOML, `port = 8480`), which wins over
 * the default. An empty variable counts as not set. A relative path is taken from the working directory,
 * in the file from the file's own. An unknown key in the file is refused; an unknown variable is only
 * warned about, since others may set variables that look like ours.
 */

import { dirname, resolve } from "node:path";
import { Problem } from "#domain/problem.ts";
import type { PlanLimits } from "#domain/sending/plan.ts";
import { messageOf } from "#domain/thrown.ts";
import type { NameServer } from "#mail/dns/dns-wire.ts";
import type { OauthConfig } from "#mail/oauth/oauth-servers.ts";
import { type Cidr, parseCidrs } from "#platform/http/guard.ts";
import { LOG_LEVELS, type LogLevel } from "#platform/log.ts";
import { MAIL_SETTINGS, type MailConfig, readMail } from "./mail.ts";
import { OAUTH_SETTINGS, readOauth } from "./oauth.ts";
import { OPERATIONS_SETTINGS, type OperationsConfig, readOperations } from "./operations.ts";
import { PEOPLE_SETTINGS, readSignOn, type SignOnConfig } from "./people.ts";
import {
  ConfigError,
  hint,
  integer,
  oneOf,
  parseEmail,
  parseHost,
  parseHosts,
  parseLicenceKeys,
  parseMasterKey,
  parseNameServers,
  parseOrigins,
  parsePlanLimits,
  parsePublicUrl,
  parseStripe,
  parseSwitch,
  readBounded,
  type StripeConfig,
  textOf,
} from "./values.ts";

export const LOG_FORMATS = ["auto", "human", "json"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface Config extends MailConfig {
  /** Absolute path. */
  dataDir: string;
  /** Name or address to listen on. */
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Base of links in emails, without a slash at its end. */
  publicUrl: string | null;
  /** Requests a minute for each key; 0 is no limit. */
  rateLimit: number;
  /** Failed keys a minute for each address before the answer is 429; 0 is no limit. */
  authFailures: number;
  /** Proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly Cidr[];
  /** Host names besides those of `publicUrl` and tracking under which requests may come; empty: any. */
  allowedHosts: readonly string[];
  /** Sites whose pages may call the API from a browser: `https://app.example`. */
  corsOrigins: readonly string[];
  /** Private address blocks that mail servers and webhooks may be in. */
  allowCidrs: readonly Cidr[];
  /** In place of those of `/etc/resolv.conf`; none: those. */
  dnsServers: readonly NameServer[];
  /** `auto` is human on a terminal and JSON elsewhere. */
  logFormat: LogFormat;
  logLevel: LogLevel;
  /** How many days audit entries are kept, 0 to 36,500; 0 is for good. */
  auditDays: number;
  /** How many hours bodies of requests are kept in memory, 0 to 24; 0 is not at all. */
  requestBodyHours: number;
  /** Whether the API reference is served at `/docs`. */
  docs: boolean;
  /** Seed of the sandbox's people and faults, 0 to 4294967295. */
  sandboxSeed: number;
  /** How often a live mailbox is read, 1 to 3600. */
  pollSeconds: number;
  /** Live mailboxes that are watched over a connection of their own, 0 to 10,000. */
  imapConnections: number;
  /** What each plan lets a team have. */
  plans: PlanLimits;
  /** Ed25519 public keys whose licences are believed, two at most. */
  licenceKeys: readonly string[];
  /** Null: plans are confirmed on a page of ours. */
  stripe: StripeConfig | null;
  /** Clients and servers of OAuth logins. */
  oauth: OauthConfig;
  /** Backups, and what is reported of the installation itself. */
  operations: OperationsConfig;
  /** Who people may sign in to the console with, besides their passwords. */
  signOn: SignOnConfig;
  /** Of the first account; null: whoever opens the link that is printed at the start. */
  adminEmail: string | null;
  adminPassword: string | null;
  /** 32 bytes, or as many of each of several keys, the newest first; null: the key in the data directory's `master.key`. */
  masterKey: Uint8Array | null;
}

/** Where a value came from: `flag --port`, `env OUTRIDER_PORT`, `file /etc/outrider.toml`, `default`. */
export type Origin = string;

export interface ReadSetting {
  name: string;
  /** As it would be written in the file; a secret shows as `********`, an absent value as null. */
  value: string | null;
  origin: Origin;
}

export interface Sources {
  /** Values of flags by setting name (`public_url`). */
  flags: Readonly<Record<string, string | undefined>>;
  env: Readonly<Record<string, string | undefined>>;
  /** What `--config` named. */
  file?: string | undefined;
  workingDir: string;
}

export interface ReadConfig {
  config: Config;
  settings: ReadSetting[];
  warnings: string[];
}

const CONFIG_BYTES_MAX = 64 * 1024;
const SECRET_BYTES_MAX = 4 * 1024;
const RATE_LIMIT_MAX = 1_000_000;
const SEED_MAX = 0xffff_ffff;
const POLL_SECONDS_MAX = 3600;
const IMAP_CONNECTIONS_MAX = 10_000;
const AUDIT_DAYS_MAX = 36_500;
const REQUEST_BODY_HOURS_MAX = 24;

const ENV_PREFIX = "OUTRIDER_";
/** Variables of the build, the tests, and of commands that ask a server; not of this table. */
const OTHER_VARIABLES = [
  "OUTRIDER_CONFIG",
  "OUTRIDER_EXECUTABLE",
  "OUTRIDER_KEY",
  "OUTRIDER_KEY_FILE",
  "OUTRIDER_TEST_TIER",
  "OUTRIDER_URL",
  "OUTRIDER_WEBHOOK_SECRET",
];

interface Setting {
  about: string;
  /** What the value is called in help: `DIR`, `N`. */
  value: string;
  /** As text, as if somebody had written it; null where the value may be absent. */
  fallback: string | null;
  /** Secrets have no flag, since the arguments of a process are public on its machine. */
  secret?: true;
}

export const SETTINGS = {
  data: { about: "Data directory, created if missing", value: "DIR", fallback: "./outrider-data" },
  host: { about: "Address to listen on", value: "HOST", fallback: "127.0.0.1" },
  port: { about: "Port to listen on; 0 for any free port", value: "N", fallback: "8480" },
  public_url: { about: "Base URL of links in emails (https)", value: "URL", fallback: null },
  rate_limit: { about: "Requests per minute per key; 0 for no limit", value: "N", fallback: "600" },
  auth_failures: {
    about: "Wrong keys per minute per IP address; 0 for no limit",
    value: "N",
    fallback: "30",
  },
  trusted_proxies: {
    about: "CIDR blocks of proxies whose X-Forwarded-For is trusted",
    value: "CIDRS",
    fallback: "",
  },
  allowed_hosts: { about: "Host names in use; default: any", value: "HOSTS", fallback: "" },
  cors_origins: {
    about: "Sites whose pages may call the API, such as https://app.example",
    value: "ORIGINS",
    fallback: "",
  },
  allow_cidrs: {
    about: "Private CIDR blocks where mail servers and webhooks are allowed",
    value: "CIDRS",
    fallback: "",
  },
  dns_servers: {
    about: "DNS servers, such as 10.0.0.53; default: those in /etc/resolv.conf",
    value: "ADDRESSES",
    fallback: "",
  },
  log_format: { about: "auto, human, or json", value: "FORMAT", fallback: "auto" },
  log_level: { about: LOG_LEVELS.join(", "), value: "LEVEL", fallback: "info" },
  audit_days: { about: "Days to keep the audit log; 0 for forever", value: "N", fallback: "730" },
  request_body_hours: {
    about: "Hours to keep bodies of API requests in memory, for GET /requests; 0 for never",
    value: "N",
    fallback: "0",
  },
  docs: { about: "API reference at /docs: on or off", value: "on|off", fallback: "on" },
  sandbox_seed: { about: "Random seed of the sandbox", value: "N", fallback: "1" },
  poll_seconds: { about: "Seconds between checks of a mailbox", value: "N", fallback: "60" },
  imap_connections: {
    about: "Mailboxes to watch over open connections; the rest are polled",
    value: "N",
    fallback: "1000",
  },
  ...MAIL_SETTINGS,
  ...OAUTH_SETTINGS,
  plan_limits: { about: "Plan limits to override, as JSON", value: "JSON", fallback: "" },
  license_keys: {
    about: "Comma-separated public keys whose licenses are trusted",
    value: "KEYS",
    fallback: "",
  },
  stripe: {
    about: "Stripe keys and prices, as JSON; without it, plans are confirmed here",
    value: "JSON",
    fallback: null,
    secret: true,
  },
  ...OPERATIONS_SETTINGS,
  ...PEOPLE_SETTINGS,
  master_key: {
    about: "Key that encrypts stored credentials, 32 bytes in base64",
    value: "KEY",
    fallback: null,
    secret: true,
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

interface Found {
  text: string | null;
  origin: Origin;
  /** Directory that a relative path is taken from. */
  base: string;
  fromFlag: boolean;
}

/** Throws {@link ConfigError} naming the setting, where its value came from, and what would be right. */
export function readConfig(sources: Sources): ReadConfig {
  const file = readConfigFile(sources);
  const found = new Map(SETTING_NAMES.map((name) => [name, find(name, sources, file)]));
  const read = <Value>(name: SettingName, parse: (text: string, base: string) => Value) => {
    const { text, origin, base, fromFlag } = found.get(name) ?? missing(name);
    try {
      return text === null ? null : parse(text, base);
    } catch (error) {
      const why = error instanceof ConfigError || error instanceof Problem ? error.message : null;
      if (why === null) {
        throw error;
      }
      throw new ConfigError(`${name} (${origin}): ${why}`, fromFlag);
    }
  };
  /** For settings whose default is a value. */
  const must = <Value>(name: SettingName, parse: (text: string, base: string) => Value): Value =>
    read(name, parse) ?? missing(name);

  const dataDir = must("data", (text, base) => resolve(base, text));
  const config: Config = {
    dataDir,
    host: must("host", parseHost),
    port: must("port", integer(0, 65_535)),
    publicUrl: read("public_url", parsePublicUrl),
    rateLimit: must("rate_limit", integer(0, RATE_LIMIT_MAX)),
    authFailures: must("auth_failures", integer(0, RATE_LIMIT_MAX)),
    trustedProxies: must("trusted_proxies", parseCidrs),
    allowedHosts: must("allowed_hosts", parseHosts),
    corsOrigins: must("cors_origins", parseOrigins),
    allowCidrs: must("allow_cidrs", parseCidrs),
    dnsServers: must("dns_servers", parseNameServers),
    logFormat: must("log_format", oneOf(LOG_FORMATS)),
    logLevel: must("log_level", oneOf(LOG_LEVELS)),
    auditDays: must("audit_days", integer(0, AUDIT_DAYS_MAX)),
    requestBodyHours: must("request_body_hours", integer(0, REQUEST_BODY_HOURS_MAX)),
    docs: must("docs", parseSwitch),
    sandboxSeed: must("sandbox_seed", integer(0, SEED_MAX)),
    pollSeconds: must("poll_seconds", integer(1, POLL_SECONDS_MAX)),
    imapConnections: must("imap_connections", integer(0, IMAP_CONNECTIONS_MAX)),
    oauth: readOauth(read),
    plans: must("plan_limits", parsePlanLimits),
    licenceKeys: must("license_keys", parseLicenceKeys),
    stripe: read("stripe", parseStripe),
    ...readMail(read),
    operations: readOperations(read, dataDir),
    signOn: readSignOn(read),
    adminEmail: read("admin_email", parseEmail),
    adminPassword: read("admin_password", (text) => text),
    masterKey: read("master_key", parseMasterKey),
  };
  const settings = SETTING_NAMES.map((name): ReadSetting => {
    const { text, origin, base } = found.get(name) ?? missing(name);
    return { name, value: shown(name, text, base), origin };
  });
  return { config, settings, warnings: unknownVariables(sources.env) };
}

/** `OUTRIDER_PUBLIC_URL` of `public_url`. */
export function variableOf(name: string): string {
  return ENV_PREFIX + name.toUpperCase();
}

/** `public-url` of `public_url`. */
export function flagOf(name: string): string {
  return name.replaceAll("_", "-");
}

interface ConfigFile {
  path: string;
  values: Readonly<Record<string, string>>;
}

function readConfigFile(sources: Sources): ConfigFile | null {
  const named = sources.file ?? (sources.env["OUTRIDER_CONFIG"] || undefined);
  if (named === undefined) {
    return null;
  }
  const path = resolve(sources.workingDir, named);
  const text = readBounded(path, CONFIG_BYTES_MAX).replace(/^\ufeff/, "");
  let table: object;
  try {
    table = Bun.TOML.parse(text);
  } catch (error) {
    throw new ConfigError(`${path}: not valid TOML: ${messageOf(error)}`);
  }
  const values = Object.entries(table).map(([name, value]) => {
    if (!isSetting(name)) {
      throw new ConfigError(`${path}: unknown key "${name}"${hint(name, SETTING_NAMES)}`);
    }
    return [name, textOf(value, `${path}: ${name}`)] as const;
  });
  return { path, values: Object.fromEntries(values) };
}

function find(name: SettingName, sources: Sources, file: ConfigFile | null): Found {
  const setting: Setting = SETTINGS[name];
  const here = { base: sources.workingDir, fromFlag: false };
  const flag = setting.secret ? undefined : sources.flags[name];
  if (flag !== undefined) {
    return { ...here, text: flag, origin: `flag --${flagOf(name)}`, fromFlag: true };
  }
  const variable = variableOf(name);
  const fromEnv = sources.env[variable];
  const fromSecret = setting.secret ? sources.env[`${variable}_FILE`] : undefined;
  if (fromSecret !== undefined && fromSecret !== "") {
    if (fromEnv !== undefined && fromEnv !== "") {
      throw new ConfigError(`${variable} and ${variable}_FILE are both set; remove one`);
    }
    const path = resolve(sources.workingDir, fromSecret);
    const text = readBounded(path, SECRET_BYTES_MAX).trim();
    return { ...here, text, origin: `env ${variable}_FILE` };
  }
  if (fromEnv !== undefined && fromEnv !== "") {
    return { ...here, text: fromEnv, origin: `env ${variable}` };
  }
  const fromFile = file?.values[name];
  if (file !== null && fromFile !== undefined) {
    return { ...here, text: fromFile, origin: `file ${file.path}`, base: dirname(file.path) };
  }
  return { ...here, text: setting.fallback, origin: "default" };
}

const PATHS: readonly SettingName[] = ["data", "mail_ca_file", "backup_dir"];

function shown(name: SettingName, text: string | null, base: string): string | null {
  const setting: Setting = SETTINGS[name];
  if (text === null) {
    return null;
  }
  if (setting.secret) {
    return "********";
  }
  return PATHS.includes(name) ? resolve(base, text) : text;
}

function unknownVariables(env: Sources["env"]): string[] {
  const known = SETTING_NAMES.flatMap((name) => {
    const setting: Setting = SETTINGS[name];
    return setting.secret ? [variableOf(name), `${variableOf(name)}_FILE`] : [variableOf(name)];
  });
  return Object.keys(env)
    .filter((name) => name.startsWith(ENV_PREFIX))
    .filter((name) => !known.includes(name) && !OTHER_VARIABLES.includes(name))
    .sort()
    .map((name) => `${name} is not an Outrider setting${hint(name, known)}`);
}

function isSetting(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

function missing(name: SettingName): never {
  throw new Error(`the setting ${name} has no value and no default`);
}
