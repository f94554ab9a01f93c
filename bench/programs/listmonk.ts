/**
 * listmonk on a PostgreSQL of its own, for as long as this program runs. Prints where it listens. PostgreSQL
 * is as it comes but for its port: every commit is on disk.
 */

import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface ListmonkInput {
  /** The program and the files that it reads where it runs. */
  home: string;
  /** PostgreSQL's programs. */
  postgres: string;
  directory: string;
  smtpPort: number;
  /** Workers that send, and as many connections to the mail server. */
  concurrency: number;
  /** Subscribers that are read at a time. */
  batchSize: number;
  /** Connections to PostgreSQL. */
  databaseConnections: number;
}

const READY_MS_MAX = 30_000;
const LOOK_EVERY_MS = 50;
const NAME = "listmonk";

const input = JSON.parse(process.argv[2] ?? "{}") as ListmonkInput;
const cluster = join(input.directory, "cluster");
const own = ownerOf();
mkdirSync(cluster);
// PostgreSQL refuses to run as root, and its user has to get to its directory.
chmodSync(input.directory, 0o711);
if (own !== undefined) {
  chownSync(cluster, own.uid, own.gid);
}
const as = own === undefined ? [] : ["setpriv", `--reuid=${own.uid}`, `--regid=${own.gid}`];
const user = own === undefined ? [] : [...as, "--clear-groups"];
const psqlPort = freePort();
run([...user, join(input.postgres, "initdb"), "-D", cluster, "-A", "trust", "-U", NAME, "-N"]);
const settings = ["listen_addresses=127.0.0.1", `port=${psqlPort}`, "unix_socket_directories="];
const database = start(
  [
    ...user,
    join(input.postgres, "postgres"),
    "-D",
    cluster,
    ...settings.flatMap((one) => ["-c", one]),
  ],
  cluster,
);
const client = ["-h", "127.0.0.1", "-p", String(psqlPort), "-U", NAME];
await until(() => spawnSync(join(input.postgres, "pg_isready"), client).status === 0);
run([join(input.postgres, "createdb"), ...client, NAME]);

const home = join(input.directory, "home");
cpSync(input.home, home, { recursive: true });
const port = freePort();
writeFileSync(
  join(home, "config.toml"),
  `[app]
address = "127.0.0.1:${port}"
admin_username = ""
admin_password = ""
[db]
host = "127.0.0.1"
port = ${psqlPort}
user = "${NAME}"
password = ""
database = "${NAME}"
ssl_mode = "disable"
max_open = ${input.databaseConnections}
max_idle = ${input.databaseConnections}
max_lifetime = "300s"
`,
);
const listmonk = join(home, NAME);
run([listmonk, "--install", "--yes"], home);
set("app.concurrency", input.concurrency);
set("app.batch_size", input.batchSize);
// For each worker and second: as good as none.
set("app.message_rate", 1_000_000);
set("app.check_updates", false);
set("app.notify_emails", []);
const mailServer = { host: "127.0.0.1", port: input.smtpPort, max_conns: input.concurrency };
const patience = { idle_timeout: "15s", wait_timeout: "5s", max_msg_retries: 2 };
const plain = { auth_protocol: "none", tls_enabled: false, email_headers: [] };
set("smtp", [{ enabled: true, ...mailServer, ...patience, ...plain }]);
const server = start([listmonk], home);
process.on("SIGTERM", () => {
  server.kill("SIGKILL");
  // Ends at once; the next start would recover from its log.
  database.kill("SIGQUIT");
  void database.exited.then(() => process.exit(0));
});
const url = `http://127.0.0.1:${port}`;
await until(async () => (await fetch(`${url}/health`).catch(() => null))?.ok === true);
console.log(JSON.stringify({ url, port }));

/** Undefined where whoever runs this may run PostgreSQL. */
function ownerOf(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const id = (flag: string) => Number(run(["id", flag, "postgres"]).trim());
  return { uid: id("-u"), gid: id("-g") };
}

function set(key: string, value: unknown): void {
  const sql = `update settings set value = '${JSON.stringify(value)}' where key = '${key}'`;
  run([join(input.postgres, "psql"), ...client, "-q", "-c", sql, NAME]);
}

function run([command = "", ...words]: readonly string[], cwd = input.directory): string {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd, encoding: "utf8" });
  if (status !== 0) {
    throw new Error(`${command} ended with ${status}: ${stdout}${stderr}`);
  }
  return stdout;
}

function start(words: readonly string[], cwd: string) {
  return Bun.spawn([...words], { cwd, stdin: "ignore", stdout: "ignore", stderr: "ignore" });
}

function freePort(): number {
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: () => undefined },
  });
  const found = listener.port;
  listener.stop();
  return found;
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const from = performance.now();
  while (!(await isSo())) {
    if (performance.now() - from > READY_MS_MAX) {
      throw new Error("listmonk does not start");
    }
    await Bun.sleep(LOOK_EVERY_MS);
  }
}
