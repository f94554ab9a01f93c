/** Configuration: which source wins, what is refused, and what is shown of a secret. */

import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { flagOf, readConfig, SETTING_NAMES, type Sources, variableOf } from "#config/config.ts";
import { providerOf } from "#config/people.ts";
import { ConfigError } from "#config/values.ts";
import { PLAN_LIMITS } from "#domain/sending/plan.ts";

const dir = mkdtempSync(join(tmpdir(), "outrider-config-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let files = 0;
function file(text: string | Uint8Array): string {
  files += 1;
  const path = join(dir, `${files}.toml`);
  writeFileSync(path, text);
  return path;
}

function read(sources: Partial<Sources>) {
  return readConfig({ flags: {}, env: {}, workingDir: "/srv", ...sources });
}

function originOf(name: string, sources: Partial<Sources>): string | undefined {
  return read(sources).settings.find((setting) => setting.name === name)?.origin;
}

const KEY = Buffer.alloc(32, 7).toString("base64");

/** One value of each setting that is not its default, as text and in TOML. */
const STRIPE = '{"secret_key":"sk_test_1","webhook_secret":"whsec_1","prices":{"pro":"price_1"}}';

const OTHER: Record<string, { text: string; toml: string }> = {
  data: { text: "/var/lib/outrider", toml: '"/var/lib/outrider"' },
  host: { text: "0.0.0.0", toml: '"0.0.0.0"' },
  port: { text: "9000", toml: "9000" },
  public_url: { text: "https://mail.example.com", toml: '"https://mail.example.com"' },
  rate_limit: { text: "0", toml: "0" },
  auth_failures: { text: "0", toml: "0" },
  trusted_proxies: { text: "10.0.0.1", toml: '["10.0.0.1"]' },
  allowed_hosts: { text: "mail.example.com", toml: '["mail.example.com"]' },
  cors_origins: { text: "https://app.example", toml: '["https://app.example"]' },
  allow_cidrs: { text: "10.0.0.0/8,fd00::/8", toml: '["10.0.0.0/8", "fd00::/8"]' },
  dns_servers: { text: "10.0.0.53,[fd00::53]:5353", toml: '["10.0.0.53", "[fd00::53]:5353"]' },
  log_format: { text: "json", toml: '"json"' },
  log_level: { text: "debug", toml: '"debug"' },
  audit_days: { text: "0", toml: "0" },
  request_body_hours: { text: "24", toml: "24" },
  security_contact: { text: "Sec@Example.com", toml: '"Sec@Example.com"' },
  docs: { text: "off", toml: "false" },
  sandbox_seed: { text: "4294967295", toml: "4294967295" },
  poll_seconds: { text: "3600", toml: "3600" },
  block_lists: { text: "b.example,a.example", toml: '["b.example", "a.example"]' },
  spamd: { text: "localhost:783", toml: '"localhost:783"' },
  imap_connections: { text: "0", toml: "0" },
  mail_ca_file: { text: join(dir, "ca.pem"), toml: JSON.stringify(join(dir, "ca.pem")) },
  oidc_issuer: { text: "https://login.example.com/a/", toml: '"https://login.example.com/a/"' },
  oidc_client_id: { text: "client-1", toml: '"client-1"' },
  oidc_client_secret: { text: "secret-1", toml: '"secret-1"' },
  oidc_name: { text: "Example", toml: '"Example"' },
  admin_email: { text: "ann@example.com", toml: '"ann@example.com"' },
  admin_password: { text: "a long password", toml: '"a long password"' },
  master_key: { text: KEY, toml: JSON.stringify(KEY) },
  oauth_google_client_id: { text: "client-1", toml: '"client-1"' },
  oauth_google_client_secret: { text: "secret-1", toml: '"secret-1"' },
  oauth_google_issuer: {
    text: "https://login.example.com/a",
    toml: '"https://login.example.com/a"',
  },
  oauth_microsoft_client_id: { text: "client-1", toml: '"client-1"' },
  oauth_microsoft_client_secret: { text: "secret-1", toml: '"secret-1"' },
  oauth_microsoft_issuer: {
    text: "https://login.example.com/a",
    toml: '"https://login.example.com/a"',
  },
  oauth_smtp_client_id: { text: "client-1", toml: '"client-1"' },
  oauth_smtp_client_secret: { text: "secret-1", toml: '"secret-1"' },
  oauth_smtp_issuer: { text: "https://login.example.com/a", toml: '"https://login.example.com/a"' },
  oauth_smtp_scope: { text: "mail", toml: '"mail"' },
  plan_limits: {
    text: '{"starter":{"accounts":5}}',
    toml: '\'{"starter":{"accounts":5}}\'',
  },
  license_keys: { text: "A".repeat(43), toml: `["${"A".repeat(43)}"]` },
  stripe: { text: STRIPE, toml: `'${STRIPE}'` },
  acme: { text: "agree", toml: '"agree"' },
  acme_directory: { text: "https://ca.example/dir", toml: '"https://ca.example/dir"' },
  acme_email: { text: "ops@example.com", toml: '"ops@example.com"' },
  https_port: { text: "8443", toml: "8443" },
  http_port: { text: "8080", toml: "8080" },
  reply_model_url: { text: "http://127.0.0.1:1/v1", toml: '"http://127.0.0.1:1/v1"' },
  reply_model_name: { text: "small", toml: '"small"' },
  reply_model_key: { text: "key-1", toml: '"key-1"' },
  backup_every: { text: "24h", toml: '"24h"' },
  backup_dir: { text: "/var/backups/outrider", toml: '"/var/backups/outrider"' },
  backup_keep: { text: "30", toml: "30" },
  backup_passphrase: { text: "correct horse battery", toml: '"correct horse battery"' },
  metrics_token: { text: "t".repeat(32), toml: `"${"t".repeat(32)}"` },
  slow_query_ms: { text: "100", toml: "100" },
  update_url: { text: "https://releases.example.com/a", toml: '"https://releases.example.com/a"' },
  update_key: { text: "RWQ".padEnd(56, "A"), toml: `"${"RWQ".padEnd(56, "A")}"` },
};
writeFileSync(
  join(dir, "ca.pem"),
  "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
);

describe("Precedence", () => {
  test("the table below has every setting", () => {
    expect(Object.keys(OTHER).sort()).toEqual([...SETTING_NAMES].sort());
  });

  test.each(SETTING_NAMES)("%s: flag over environment over file over default", (name) => {
    const other = OTHER[name]!;
    const path = file(`${name} = ${other.toml}\n`);
    const env = { [variableOf(name)]: other.text };
    const flags = { [name]: other.text };
    const isSecret =
      ["master_key", "admin_password", "stripe", "backup_passphrase", "metrics_token"].includes(
        name,
      ) || /client_secret$|^reply_model_key$/.test(name);

    expect(originOf(name, {})).toBe("default");
    expect(originOf(name, { file: path })).toBe(`file ${path}`);
    expect(originOf(name, { file: path, env })).toBe(`env ${variableOf(name)}`);
    expect(originOf(name, { file: path, env, flags })).toBe(
      isSecret ? `env ${variableOf(name)}` : `flag --${flagOf(name)}`,
    );
  });

  test.each(SETTING_NAMES)("%s: the same value whichever way it comes", (name) => {
    const other = OTHER[name]!;
    const fromFile = read({ file: file(`${name} = ${other.toml}\n`) }).config;
    const fromEnv = read({ env: { [variableOf(name)]: other.text } }).config;
    expect(fromFile).toEqual(fromEnv);
    expect(fromEnv).not.toEqual(read({}).config);
  });

  test("OUTRIDER_CONFIG names the file where --config does not", () => {
    const [one, two] = [file("port = 1\n"), file("port = 2\n")];
    expect(read({ env: { OUTRIDER_CONFIG: one } }).config.port).toBe(1);
    expect(read({ env: { OUTRIDER_CONFIG: one }, file: two }).config.port).toBe(2);
  });

  test("an empty variable counts as not set", () => {
    expect(originOf("port", { env: { OUTRIDER_PORT: "" } })).toBe("default");
  });
});

describe("Values", () => {
  test("defaults", () => {
    expect(read({}).config).toEqual({
      dataDir: "/srv/outrider-data",
      host: "127.0.0.1",
      port: 8480,
      publicUrl: null,
      rateLimit: 600,
      authFailures: 30,
      trustedProxies: [],
      allowedHosts: [],
      corsOrigins: [],
      blockLists: ["dnsbl.dronebl.org", "bl.spamcop.net"],
      allowCidrs: [],
      dnsServers: [],
      logFormat: "auto",
      logLevel: "info",
      auditDays: 730,
      requestBodyHours: 0,
      docs: true,
      oauth: {
        google: { clientId: null, clientSecret: null, issuer: null, scope: null },
        microsoft: { clientId: null, clientSecret: null, issuer: null, scope: null },
        smtp: { clientId: null, clientSecret: null, issuer: null, scope: null },
      },
      sandboxSeed: 1,
      pollSeconds: 60,
      imapConnections: 1000,
      plans: PLAN_LIMITS,
      licenceKeys: [],
      stripe: null,
      mailCa: null,
      spamd: null,
      operations: {
        backupEveryMs: 0,
        backupDir: "/srv/outrider-data/backups",
        backupKeep: 7,
        ...{ backupPassphrase: null, metricsToken: null, slowQueryMs: 0, securityContact: null },
        update: { from: null, key: expect.objectContaining({ id: "B876FFB7A91E0614" }) },
        certificates: expect.objectContaining({ isAgreed: false, httpPort: 80, httpsPort: 443 }),
        replyModel: { url: null, name: "default", key: null },
      },
      signOn: { issuer: null, clientId: null, clientSecret: null, name: "single sign-on" },
      adminEmail: null,
      adminPassword: null,
      masterKey: null,
    });
  });

  test("a relative path in the file is taken from the file's own directory", () => {
    expect(read({ file: file('data = "state"\n') }).config.dataDir).toBe(join(dir, "state"));
    expect(read({ flags: { data: "state" } }).config.dataDir).toBe("/srv/state");
  });

  test("the public URL keeps no slash at its end", () => {
    const { config } = read({ flags: { public_url: "https://Mail.Example.com/" } });
    expect(config.publicUrl).toBe("https://mail.example.com");
  });

  test.each(["http://localhost:8480", "http://127.0.0.1:8480", "http://[::1]:8480"])(
    "the public URL may be plain on this machine: %s",
    (url) => {
      expect(read({ flags: { public_url: url } }).config.publicUrl).toBe(url);
    },
  );
});

describe("A provider to sign in with", () => {
  const issuer = "https://login.example.com/a/";
  const providerIn = (flags: Record<string, string>) => providerOf(read({ flags }).config);

  test("is none without an issuer", () => {
    expect(providerIn({ oidc_client_id: "client-1" })).toBeNull();
  });

  test.each([
    ["oidc_client_id", { public_url: "https://mail.example.com" }],
    ["public_url", { oidc_client_id: "client-1" }],
  ])("needs %s", (missing, flags) => {
    const whole = { oidc_issuer: issuer, ...flags };
    expect(() => providerIn(whole as Record<string, string>)).toThrow(
      `oidc_issuer also needs ${missing}`,
    );
  });

  test("keeps its address as it is written, which is its name", () => {
    const flags = { oidc_issuer: issuer, oidc_client_id: "c", public_url: "https://a.example" };
    expect(providerIn(flags)).toMatchObject({ issuer, clientId: "c", clientSecret: null });
  });

  test.each(["http://login.example.com", "login.example.com", "https://a.example/?b"])(
    "is refused at %s",
    (url) => {
      expect(messageOf({ flags: { oidc_issuer: url } })).toContain("oidc_issuer (flag");
    },
  );
});

describe("Secrets", () => {
  test("come from a file too, without the line end", () => {
    const path = file(`${KEY}\n`);
    const { config, settings } = read({ env: { OUTRIDER_MASTER_KEY_FILE: path } });
    expect(config.masterKey).toEqual(new Uint8Array(32).fill(7));
    expect(settings.at(-1)).toEqual({
      name: "master_key",
      value: "********",
      origin: "env OUTRIDER_MASTER_KEY_FILE",
    });
  });

  test("are not shown, and not named in an error", () => {
    const shown = JSON.stringify(read({ env: { OUTRIDER_MASTER_KEY: KEY } }).settings);
    expect(shown).not.toContain(KEY);
    expect(messageOf({ env: { OUTRIDER_MASTER_KEY: "hunter2" } })).toBe(
      "master_key (env OUTRIDER_MASTER_KEY): must be 32 bytes in base64",
    );
  });

  test("given twice are refused", () => {
    const env = { OUTRIDER_MASTER_KEY: KEY, OUTRIDER_MASTER_KEY_FILE: file(KEY) };
    expect(messageOf({ env })).toBe(
      "OUTRIDER_MASTER_KEY and OUTRIDER_MASTER_KEY_FILE are both set; remove one",
    );
  });
});

describe("Refused, naming the setting and where the value came from", () => {
  const wrong = "must be a whole number from 0 to 65535, not";
  test.each<[string, Partial<Sources>, string]>([
    ["letters", { flags: { port: "http" } }, `port (flag --port): ${wrong} "http"`],
    ["too large", { flags: { port: "65536" } }, `port (flag --port): ${wrong} "65536"`],
    ["negative", { flags: { port: "-1" } }, `port (flag --port): ${wrong} "-1"`],
    ["a fraction", { env: { OUTRIDER_PORT: "1.5" } }, `port (env OUTRIDER_PORT): ${wrong} "1.5"`],
    ["hexadecimal", { flags: { port: "0x50" } }, `port (flag --port): ${wrong} "0x50"`],
    [
      "a service's address",
      { env: { OUTRIDER_PORT: "tcp://10.0.0.1:80" } },
      `port (env OUTRIDER_PORT): ${wrong} "tcp://10.0.0.1:80"`,
    ],
    [
      "a wrong word",
      { flags: { log_level: "debgu" } },
      'log_level (flag --log-level): must be one of debug, info, warn, error, not "debgu"; did you mean "debug"?',
    ],
    [
      "no switch",
      { flags: { docs: "maybe" } },
      'docs (flag --docs): must be on or off, not "maybe"',
    ],
    [
      "a host with a path",
      { flags: { host: "localhost/x" } },
      'host (flag --host): must be a host name or an IP address, not "localhost/x"',
    ],
    [
      "a plain public URL",
      { flags: { public_url: "http://example.com" } },
      "public_url (flag --public-url): must use https; http works for localhost only",
    ],
    [
      "a public URL with a path",
      { flags: { public_url: "https://example.com/mail" } },
      "public_url (flag --public-url): must have only a scheme, host, and port: no path, query, or user",
    ],
    [
      "the address of a description as an issuer",
      { flags: { oidc_issuer: "https://login.example.com/a/.well-known/openid-configuration" } },
      "oidc_issuer (flag --oidc-issuer): must be the issuer itself, such as https://login.example.com/a, not its discovery document",
    ],
    [
      "a script as public URL",
      { flags: { public_url: "javascript:alert(1)" } },
      'public_url (flag --public-url): must be a URL like https://mail.example.com, not "javascript:alert(1)"',
    ],
    [
      "a block that is none",
      { flags: { allow_cidrs: "10.0.0.0/33" } },
      "allow_cidrs (flag --allow-cidrs): not an address block: 10.0.0.0/33; write for example 10.2.0.0/16",
    ],
    [
      "a mailbox that is read without a pause",
      { env: { OUTRIDER_POLL_SECONDS: "0" } },
      'poll_seconds (env OUTRIDER_POLL_SECONDS): must be a whole number from 1 to 3600, not "0"',
    ],
    [
      "no such certificate file",
      { flags: { mail_ca_file: "gone.pem" } },
      "mail_ca_file (flag --mail-ca-file): can't read /srv/gone.pem: no such file",
    ],
  ])("%s", (_name, sources, message) => {
    expect(messageOf(sources)).toBe(message);
  });

  test.each<[string, string, string]>([
    ["an unknown key", "prot = 1\n", 'unknown key "prot"; did you mean "port"?'],
    [
      "a flag's spelling",
      'public-url = "x"\n',
      'unknown key "public-url"; did you mean "public_url"?',
    ],
    ["a table", "[server]\nport = 1\n", 'unknown key "server"'],
    ["a key of every object", "constructor = 1\n", 'unknown key "constructor"'],
    [
      "a list of numbers",
      "allow_cidrs = [1]\n",
      "allow_cidrs: must be a string, a number, true or false, or a list of strings",
    ],
  ])("in the file: %s", (_name, text, message) => {
    const path = file(text);
    expect(messageOf({ file: path })).toBe(`${path}: ${message}`);
  });

  test("a file that is not TOML, missing, a directory, or too large", () => {
    expect(messageOf({ file: file("port: 8480\n") })).toContain(": not valid TOML: ");
    expect(messageOf({ file: "gone.toml" })).toBe("can't read /srv/gone.toml: no such file");
    expect(messageOf({ file: dir })).toBe(`${dir} is not a file`);
    const large = file("#".repeat(64 * 1024 + 1));
    expect(messageOf({ file: large })).toBe(`${large} is too large: the limit is 65536 bytes`);
  });

  test("a mistake in a flag is told from one elsewhere", () => {
    expect(thrown({ flags: { port: "x" } }).fromFlag).toBe(true);
    expect(thrown({ env: { OUTRIDER_PORT: "x" } }).fromFlag).toBe(false);
  });
});

test("an unknown variable is warned about, and the ones of build and tests are not", () => {
  const env = { OUTRIDER_PROT: "1", OUTRIDER_TEST_TIER: "full", OTHER: "1" };
  expect(read({ env }).warnings).toEqual([
    'OUTRIDER_PROT is not an Outrider setting; did you mean "OUTRIDER_PORT"?',
  ]);
});

function thrown(sources: Partial<Sources>): ConfigError {
  try {
    read(sources);
  } catch (error) {
    if (error instanceof ConfigError) {
      return error;
    }
    throw error;
  }
  throw new Error("nothing was refused");
}

function messageOf(sources: Partial<Sources>): string {
  return thrown(sources).message;
}
