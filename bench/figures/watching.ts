/**
 * What watching mailboxes holds in memory: real connections over TLS to a Dovecot of this machine, each in
 * IDLE. A thousand are as many processes of the Dovecot; the short run has fewer, and reads the thousand
 * off the line through two numbers of them.
 */

import { join } from "node:path";
import {
  type MailServer,
  missingForMailServer,
  PASSWORD,
  startMailServer,
} from "../../test/mailserver/mailserver.ts";
import { program, startServer, temporaryDirectory } from "../children.ts";
import { compare, type Figure, type Sample } from "../measure.ts";
import type { WatchInput } from "../programs/watch-limit.ts";
import type { Scale } from "./scale.ts";

const ASKED = 1000;
/** What opening them took is given back within seconds. */
const RESTS = 5;

/** Nothing where there is no Dovecot to be started, which is said. */
export async function watching(scale: Scale): Promise<Figure[]> {
  const missing = missingForMailServer();
  if (missing !== null) {
    console.error(`skipped: watching mailboxes; the mail server ${missing}`);
    return [];
  }
  const server = await startMailServer({ loadUsers: scale.watched });
  try {
    const { watched, watchedFew, watchRounds } = scale;
    const run = (name: string) => () => extrapolated(server, name, scale);
    const how =
      watched < ASKED ? `from ${watchedFew} and ${watched} real ones, extrapolated` : "all real";
    const about = `Resident memory with ${ASKED} mailboxes watched over TLS, ${how}`;
    const limits = [{ name: "imapflow's connections alone, in IDLE", run: run("watch-limit") }];
    const product = { name: "outrider", run: run("watch-product") };
    return [await compare({ id: "watch", about, unit: "MiB", product, limits }, watchRounds)];
  } finally {
    await server.stop();
  }
}

async function extrapolated(server: MailServer, name: string, scale: Scale): Promise<Sample> {
  const many = await residentMib(server, name, scale.watched, scale.restMs);
  if (scale.watched >= ASKED) {
    return { value: many };
  }
  const few = await residentMib(server, name, scale.watchedFew, scale.restMs);
  const each = (many - few) / (scale.watched - scale.watchedFew);
  console.error(
    `${name}: ${few.toFixed(1)} MiB with ${scale.watchedFew}, ${many.toFixed(1)} MiB with ` +
      `${scale.watched}, ${(each * 1024).toFixed(0)} KiB each`,
  );
  return { value: many + each * (ASKED - scale.watched) };
}

async function residentMib(
  server: MailServer,
  name: string,
  mailboxes: number,
  restMs: number,
): Promise<number> {
  using directory = temporaryDirectory();
  const input: WatchInput = {
    host: "localhost",
    port: server.ports.IMAPS,
    ca: join(server.dir, "tls/cert.pem"),
    password: PASSWORD,
    mailboxes,
    directory: directory.path,
  };
  await using child = await startServer(program(name, input));
  await Bun.sleep(RESTS * restMs);
  return child.residentMib() ?? Number.NaN;
}
