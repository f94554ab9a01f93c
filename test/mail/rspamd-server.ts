/** Starts and ends Debian's rspamd on a free port, with the rules that ask nobody else. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../mailserver/mailserver.ts";

export const RSPAMD = "/usr/bin/rspamd";
const STARTING_TRIES_MAX = 600;
/** What rspamd is told of the connection that a message came by. */
const CONNECTION = { IP: "93.184.215.14", Helo: "mail.example.com", Hostname: "mail.example.com" };

export interface RspamdServer {
  /** Names and points of the rules that a message hits, those without points too. */
  judge(raw: Uint8Array, envelope: { from: string; to: string }): Promise<Map<string, number>>;
  stop(): Promise<void>;
}

/** Of Debian's configuration what needs neither a network nor a store. No name server answers. */
const configOf = (dir: string, port: number) => `
lua = "$RULESDIR/rspamd.lua"
options {
  pidfile = "${dir}/pid"; tempdir = "${dir}"; url_tld = "$SHAREDIR/effective_tld_names.dat";
  filters = "chartable,dkim,regexp"; disable_monitoring = true;
  dns { nameserver = ["127.0.0.1:9"]; timeout = 0.1s; retransmits = 1; }
}
.include "$CONFDIR/metrics.conf"
.include "$CONFDIR/composites.conf"
modules { ${["once_received", "hfilter", "maillist", "mid", "mime_types", "phishing", "trie"]
  .map((name) => `path = "$PLUGINSDIR/${name}.lua";`)
  .join(" ")} }
${["chartable", "regexp", "once_received", "hfilter", "maillist", "mime_types"]
  .map((name) => `.include "$CONFDIR/modules.d/${name}.conf"`)
  .join("\n")}
logging { type = "console"; level = "error"; }
worker "normal" { bind_socket = "127.0.0.1:${port}"; count = 1; mime = true; }
`;

export async function startRspamd(): Promise<RspamdServer> {
  const dir = await mkdtemp(join(tmpdir(), "outrider-rspamd-"));
  const [port = 0] = await freePorts(1);
  const config = join(dir, "rspamd.conf");
  await Bun.write(config, configOf(dir, port));
  const variables = ["DBDIR", "RUNDIR", "LOGDIR"].map((name) => `--var=${name}=${dir}`);
  const child = Bun.spawn([RSPAMD, "--no-fork", "--insecure", `--config=${config}`, ...variables], {
    stdout: "ignore",
    stderr: "pipe",
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; !(await isUp(url)); tries += 1) {
    if (child.exitCode !== null || tries > STARTING_TRIES_MAX) {
      child.kill();
      throw new Error(`rspamd did not start: ${await new Response(child.stderr).text()}`);
    }
    await Bun.sleep(100);
  }
  return {
    judge: async (raw, { from, to }) => {
      const response = await fetch(`${url}/checkv2`, {
        method: "POST",
        body: Buffer.from(raw),
        headers: { ...CONNECTION, From: from, Rcpt: to },
      });
      const { symbols } = (await response.json()) as { symbols: Record<string, { score: number }> };
      return new Map(Object.entries(symbols).map(([name, { score }]) => [name, score]));
    },
    stop: async () => {
      child.kill();
      await child.exited;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function isUp(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/ping`)).ok;
  } catch {
    return false;
  }
}
