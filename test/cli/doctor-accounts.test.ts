/** `doctor --accounts`: a mailbox that does not let us in is a fault that says why; nothing is recorded. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { openEnvironments } from "#app/environments.ts";
import { examineAccounts } from "#cli/server/doctor.ts";
import { readConfig } from "#config/config.ts";
import { silentLog } from "#platform/log.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import { createAccount } from "#usecases/mailboxes/accounts.ts";
import { createTeam } from "#usecases/team/teams.ts";
import { temporaryDirectory } from "../support/executable.ts";

test("tries every live account that is not switched off", async () => {
  using directory = temporaryDirectory();
  const env = { OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8" };
  const flags = { data: join(directory.path, "data") };
  const { config } = readConfig({ flags, env, workingDir: directory.path });
  expect(await examineAccounts(config)).toMatchObject([{ verdict: "ok" }]);

  const environments = openEnvironments(config, silentLog);
  const { live } = environments;
  const row = await live.commit(() => {
    const team = createTeam(live, "Acme");
    const server = { host: "127.0.0.1", port: 1, security: "tls", password: "secret" } as const;
    const input = {
      email: "ann@example.com",
      provider: "smtp",
      smtp: server,
      imap: server,
    } as const;
    return createAccount(live, { teamId: team.id, actor: "operator", scopes: [] }, input);
  });
  await environments.close();

  const findings = await examineAccounts(config);
  expect(findings).toEqual([
    {
      check: "account ann@example.com",
      verdict: "fault",
      detail: expect.stringMatching(/^smtp_connect: .*refused.* imap_connect: .*Check the port/),
    },
  ]);
  const after = openEnvironments(config, silentLog);
  const kept = accountById(after.live.db, row.id);
  await after.close();
  expect([kept?.notReadyReason, kept?.lastError]).toEqual(["untested", null]);
});
