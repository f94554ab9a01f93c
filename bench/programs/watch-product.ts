/** The product watches mailboxes: the whole server, with accounts that are ready in its data directory. */

import { openEnvironments } from "#app/environments.ts";
import { startApp } from "#app.ts";
import { readConfig } from "#config/config.ts";
import { unixMs } from "#domain/time.ts";
import { type Caller, type Environment, engineCaller } from "#environment.ts";
import { silentLog } from "#platform/log.ts";
import { accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import { createAccount } from "#usecases/mailboxes/accounts.ts";
import { createTeam } from "#usecases/team/teams.ts";
import type { WatchInput } from "./watch-limit.ts";

const LOOK_EVERY_MS = 50;

const input = JSON.parse(process.argv[2] ?? "{}") as WatchInput;
const { config } = readConfig({
  flags: {
    data: input.directory,
    port: "0",
    allow_cidrs: "127.0.0.0/8,::1/128",
    mail_ca_file: input.ca,
    imap_connections: String(input.mailboxes),
  },
  env: {},
  workingDir: input.directory,
});
const before = openEnvironments(config, silentLog);
const team = await before.live.commit(() => createTeam(before.live, "Bench"));
await before.live.commit(() => {
  for (let index = 1; index <= input.mailboxes; index += 1) {
    addMailbox(before.live, engineCaller(team.id), `u${index}@load.test`);
  }
});
await before.close();
const app = await startApp(config, { log: silentLog });
/** A mailbox that is to be watched is first read over the connection that watches it. */
const unread = () => {
  const sql = "select count(*) from accounts where poll_cursor = ''";
  return Number(app.environments.live.db.raw.query(sql).values()[0]?.[0]);
};
while (unread() > 0) {
  await Bun.sleep(LOOK_EVERY_MS);
}
console.log(JSON.stringify({ url: app.url }));

/** Ready to be read, and due. */
function addMailbox(live: Environment, caller: Caller, email: string): void {
  const server = { host: input.host, security: "tls", username: email } as const;
  const login = { ...server, password: input.password };
  const { id } = createAccount(live, caller, {
    email,
    provider: "smtp",
    smtp: { ...login, port: input.port },
    imap: { ...login, port: input.port },
  });
  const row = accountById(live.db, id);
  if (row !== undefined) {
    const due = { notReadyReason: null, probeAt: null, pollAt: unixMs(0) } as const;
    updateAccount(live.db, { ...row, ...due });
  }
}
