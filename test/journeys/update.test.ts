/**
 * `outrider update` beside a server that sends through a real Postfix and Dovecot, under a supervisor that starts it
 * again: spoilt releases change nothing, one that crashes and one that is never ready, after it has migrated the data
 * and sent with it, go back by themselves, and a good one stays. Nobody gets an email twice, and everybody gets one.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { serverOf } from "#store/sqlite/lock.ts";
import {
  freePorts,
  type MailServer,
  mailsOf,
  missingForMailServer,
  skipsMailServer,
  startMailServer,
} from "../mailserver/mailserver.ts";
import { EXECUTABLE, outrider, type Ran, temporaryDirectory } from "../support/executable.ts";
import { layRelease, minisign, RELEASE_FILE, releaseKey } from "../support/releases.ts";
import { ROUND_THE_CLOCK } from "./days.ts";
import { connect, enroll } from "./mail.ts";
import {
  type Call,
  caller,
  campaignLeads,
  createCampaign,
  done,
  type Reply,
  until,
} from "./support.ts";

const TOP = resolve(import.meta.dir, "../..");
/** What is another in the newer version; it shares the rest of the repository. */
const OWN = ["src", "migrations"];
const RECIPIENTS = 150;
const SENDERS = ["sender1@out.test", "sender2@out.test", "sender3@out.test"];
const PACE = { min_gap_seconds: 1, max_gap_seconds: 1 };
const GOOD = "99.0.0";
const WAIT_MS_MAX = 180_000;
const TEST_MS_MAX = 600_000;
const RESTART_MS = 300;

const title = "An update under way of a campaign";
if (skipsMailServer()) {
  const why = `skipped: the mail server ${missingForMailServer()}`;
  test.skipIf(true)(`${title} (${why})`, () => undefined);
} else {
  describe(title, updates);
}

function updates(): void {
  let mail: MailServer;
  const directory = temporaryDirectory();
  const at = (...names: string[]) => join(directory.path, ...names);
  beforeAll(async () => {
    mail = await startMailServer({ loadUsers: RECIPIENTS });
  }, TEST_MS_MAX);
  afterAll(async () => {
    await mail?.stop();
    directory[Symbol.dispose]();
  }, TEST_MS_MAX);

  test(
    "goes back from what fails, stays with what is ready, and writes to nobody twice",
    async () => {
      const [key, data, target] = [releaseKey(), at("data"), at("bin", "outrider")];
      mkdirSync(at("bin"));
      cpSync(EXECUTABLE, target);
      const good = buildNewer(at("tree"), at("built"));
      const [port = 0] = await freePorts(1);
      await using supervisor = supervise(target, data, port, {
        OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
        OUTRIDER_MAIL_CA_FILE: join(mail.dir, "tls/cert.pem"),
        OUTRIDER_RATE_LIMIT: "0",
        OUTRIDER_POLL_SECONDS: "1",
        OUTRIDER_LOG_LEVEL: "warn",
      });
      await until(WAIT_MS_MAX, "the server runs", async () => serverOf(data) ?? undefined);
      const old = serverOf(data)?.build;
      const call = await callerOf(target, data, port);
      const leads = Array.from({ length: RECIPIENTS }, (_, n) => `u${n + 1}@load.test`);
      const campaign = await sendingCampaign(mail, call, leads);
      const sent = async () => (await boxesOf(mail, leads)).filter((box) => box.length > 0).length;
      await until(WAIT_MS_MAX, "emails go out", async () =>
        (await sent()) > 3 ? true : undefined,
      );
      const update = (...args: string[]) => {
        const where = ["--data", data, "--update-url", at("releases")];
        const more = ["--update-key", key.public, "--timeout", "10", ...args];
        return outrider(["update", ...where, ...more], { executable: target });
      };
      const lay = (version: string, path: string, signedBy = key) =>
        layRelease(at("releases"), {
          ...{ version, commit: "planted", key: signedBy, executable: { path } },
        });

      // Nothing of these reaches the server.
      const first = serverOf(data);
      lay(GOOD, good, releaseKey());
      expectFailure(await update(), 65, "is by key");
      lay(GOOD, good);
      truncateSync(at("releases", RELEASE_FILE), 50_000_000);
      expectFailure(await update(), 65, "isn't what was signed");
      lay(GOOD, good);
      flip(at("releases", RELEASE_FILE));
      expectFailure(await update(), 65, "isn't what was signed");
      lay("98.0.0", wrapper(at("refuses"), "98.0.0", { migrate: "echo planted >&2; exit 65" }));
      expectFailure(await update(), 65, "can't take over the data");
      expect(serverOf(data)).toEqual(first);
      expect(existsSync(`${target}.old`)).toBe(false);

      // A server that can't be restarted goes on.
      lay(GOOD, good);
      const stuck = await update("--restart-command", "exit 3");
      expectFailure(stuck, 1, "--restart-command ended with 3");
      expect(stuck.err).toContain("The server is ready with it");
      expect(serverOf(data)).toEqual(first);

      // One that crashes at its start.
      const real = `exec ${good} "$@"`;
      lay("98.1.0", wrapper(at("crashes"), "98.1.0", { serve: "exit 1", migrate: real }));
      const crashed = await update();
      expectFailure(crashed, 1, "98.1.0 wasn't ready within");
      expect(crashed.err).toContain("The server is ready with it");
      expect(crashed.err).not.toContain("before_migration");
      expect(serverOf(data)?.build).toEqual(old);

      // One that migrates and sends, and isn't the one that was signed.
      const before = await sent();
      lay("98.2.0", wrapper(at("unready"), "98.2.0", { serve: real, migrate: real }));
      const unready = update();
      await until(WAIT_MS_MAX, "the new version runs", async () =>
        serverOf(data)?.build?.version === GOOD ? true : undefined,
      );
      const atStart = await sent();
      const failed = await unready;
      expectFailure(failed, 1, "98.2.0 wasn't ready within");
      expect(failed.err).toContain("The data is that of");
      expect(failed.err).toContain("The server is ready with it");
      expect(serverOf(data)?.build).toEqual(old);
      const byUnready = (await sent()) - atStart;

      // A good one.
      lay(GOOD, good);
      expect(minisign("-Vm", at("releases", "SHA256SUMS"), "-P", key.public)).toContain(
        `version:${GOOD}`,
      );
      const updated = await update(
        "--json",
        "--restart-command",
        `kill $(cat ${data}/outrider.pid)`,
      );
      expect({ exit: updated.exit, err: updated.err }).toEqual({ exit: 0, err: "" });
      expect(JSON.parse(updated.out)).toMatchObject({ version: GOOD, restarted: true });
      expect(serverOf(data)?.build?.version).toBe(GOOD);
      expect(await update()).toMatchObject({ exit: 0, out: `already up to date: ${GOOD}\n` });
      const updatedAt = await sent();

      // What was last claimed before the restore is a person's to decide.
      const held = await ended(call, campaign);
      expect(held.map(({ hold_reason }) => hold_reason)).toEqual(held.map(() => "unknown_send"));
      for (const { lead_id, email } of held) {
        const action = (await mailsOf(mail, email)).length === 0 ? "send_again" : "treat_as_sent";
        await done(call("POST", `/campaigns/${campaign}/leads/${lead_id}/resolve`, { action }));
      }
      expect(await ended(call, campaign)).toEqual([]);
      await mail.emptyQueue();
      const boxes = await boxesOf(mail, leads);
      const twice = boxes.filter((box) => box.length > 1).length;
      const lost = boxes.filter((box) => box.length === 0).length;
      console.info(
        `${RECIPIENTS} recipients: ${before} before the version that is never ready, ${byUnready} by it and after, ` +
          `${updatedAt} when the good one was ready; ${twice} twice, ${lost} lost, ${held.length} on hold until released; ` +
          `${supervisor.starts()} starts`,
      );
      expect(byUnready).toBeGreaterThan(0);
      expect(updatedAt).toBeLessThan(RECIPIENTS);
      expect({ twice, lost }).toEqual({ twice: 0, lost: 0 });
    },
    TEST_MS_MAX,
  );
}

/** The program with another version and one more migration. */
function buildNewer(tree: string, to: string): string {
  mkdirSync(tree);
  for (const name of readdirSync(TOP)) {
    const [from, copy] = [join(TOP, name), join(tree, name)];
    if (OWN.includes(name)) {
      cpSync(from, copy, { recursive: true });
    } else {
      symlinkSync(from, copy);
    }
  }
  const migration = "9999_update";
  writeFileSync(
    join(tree, "migrations", `${migration}.sql`),
    "CREATE TABLE `updated` (`id` integer);",
  );
  const list = join(tree, "src/store/sqlite/migrations.ts");
  const text = readFileSync(list, "utf8");
  const added = text.replace("\n];", `\n  { name: "${migration}", sql: updated },\n];`);
  const from = `../../../migrations/${migration}.sql`;
  writeFileSync(list, `import updated from "${from}" with { type: "text" };\n${added}`);
  const defined = { COMMIT: "planted", VERSION: GOOD };
  const defines = Object.entries(defined).flatMap(([name, value]) => [
    "--define",
    `OUTRIDER_${name}="${value}"`,
  ]);
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      ...["build", "--compile", "--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"],
      ...["--minify-syntax", "--minify-whitespace", "--format=esm", "--splitting", ...defines],
      ...["--define", '__dirname="/"', "--define", '__filename="/outrider"'],
      ...["src/main.ts", "src/app/reader.ts", "--outfile", to],
    ],
    { cwd: tree, encoding: "utf8" },
  );
  expect({ status, stderr }).toMatchObject({ status: 0 });
  rmSync(tree, { recursive: true });
  return to;
}

/** An executable that says it is `version`, and does what `commands` say. */
function wrapper(path: string, version: string, commands: Record<string, string>): string {
  const said = JSON.stringify({ version, commit: "planted" });
  const all = { version: `echo '${said}'`, ...commands };
  const cases = Object.entries(all).map(([name, script]) => `${name}) ${script} ;;`);
  writeFileSync(path, `#!/bin/sh\ncase "$1" in\n${cases.join("\n")}\n*) exit 64 ;;\nesac\n`);
  return path;
}

/** Starts the server, and starts it again whenever it ends, as systemd does. */
function supervise(target: string, data: string, port: number, env: Record<string, string>) {
  const { PATH = "", HOME = "" } = process.env;
  let [isOver, starts] = [false, 0];
  const run = () =>
    Bun.spawn([target, "serve", "--data", data, "--port", String(port)], {
      env: { PATH, HOME, ...env },
      ...{ stdin: "ignore", stdout: "ignore", stderr: "ignore" },
    });
  let child = run();
  const loop = (async () => {
    while (!isOver) {
      starts += 1;
      await child.exited;
      await Bun.sleep(RESTART_MS);
      if (!isOver) {
        child = run();
      }
    }
  })();
  return {
    starts: () => starts,
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      child.kill("SIGKILL");
      await loop;
    },
  };
}

async function callerOf(executable: string, data: string, port: number): Promise<Call> {
  const made = await outrider(
    ["keys", "create", "--data", data, "--name", "test", "--env", "live", "--json"],
    { executable },
  );
  const { key } = JSON.parse(made.out) as { key: string };
  const headers = { Authorization: `Bearer ${key}` };
  const url = `http://127.0.0.1:${port}`;
  return caller({
    fetch: (path, init) =>
      fetch(url + path, { ...init, headers: { ...Object(init?.headers), ...headers } }),
  });
}

async function sendingCampaign(
  mail: MailServer,
  call: Call,
  leads: readonly string[],
): Promise<string> {
  for (const email of SENDERS) {
    const { id } = await connect(mail, call, email, { security: "starttls" });
    await done(call("PATCH", `/accounts/${id}`, PACE));
    await done(call("POST", `/accounts/${id}/test`, { send: false }));
  }
  const campaign = await createCampaign(call, {
    ...{ name: "Update", max_leads_per_day: 10_000, send_window: ROUND_THE_CLOCK },
  });
  const step = { type: "email", subject: "Update", body: "Hello" };
  await done(call("POST", `/campaigns/${campaign}/steps`, step));
  await enroll(call, campaign, leads);
  await done(call("POST", `/campaigns/${campaign}/start`));
  return campaign;
}

function boxesOf(mail: MailServer, leads: readonly string[]) {
  return Promise.all(leads.map((lead) => mailsOf(mail, lead)));
}

/** Those on hold, once all are done or on hold. */
async function ended(call: Call, campaign: string): Promise<Reply["body"][]> {
  const rows = await until(WAIT_MS_MAX, "every lead is done or on hold", async () => {
    const all = await campaignLeads(call, campaign);
    const isOver = all.every((row) => row.hold_reason !== null || row.status === "completed");
    return isOver ? all : undefined;
  });
  return rows.filter((row) => row.hold_reason !== null);
}

function expectFailure({ exit, out, err }: Ran, code: number, says: string): void {
  expect({ exit, out, err }).toEqual({ exit: code, out: "", err: expect.stringContaining(says) });
}

function flip(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(file, bytes);
}
