/**
 * Callouts at a real Postfix: with and without a catch-all, greylisting, and with a block list. What it was asked, and that
 * it was never given an email, is read off its own log.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { controlAddress, nextQuestion, readCallout } from "#domain/mailboxes/callout.ts";
import type { MailPort } from "#platform/ports/mail.ts";
import {
  type MailServer,
  missingForMailServer,
  skipsMailServer,
  startMailServer,
} from "../../mailserver/mailserver.ts";
import { tableDns } from "../../support/dns.ts";
import { localMailPort } from "../support.ts";

if (skipsMailServer()) {
  test.skipIf(true)(`callouts at Postfix (skipped: it ${missingForMailServer()})`, () => undefined);
} else {
  let server: MailServer;
  let mail: MailPort;
  beforeAll(async () => {
    server = await startMailServer({ loadUsers: 0 });
    const etc = join(server.dir, "postfix/etc");
    await appendFile(
      join(etc, "aliases"),
      "@outlookish.test seed2@outlookish.test\npostmaster@globex.test bob@globex.test\n",
    );
    await appendFile(
      join(etc, "answers"),
      "gmailish.test 451 4.7.1 Greylisted, try again in 300 seconds\n" +
        "load.test 554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org\n",
    );
    const reload = Bun.spawn(["/usr/sbin/postfix", "-c", etc, "reload"], {
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", MAIL_CONFIG: etc },
      stdout: "ignore",
      stderr: "ignore",
    });
    expect(await reload.exited).toBe(0);
    mail = localMailPort({
      dns: tableDns({ "mx.test": ["127.0.0.1"] }),
      mxPort: server.ports.MX,
    });
  }, 120_000);
  afterAll(() => server.stop());

  const ask = async (domain: string, ...locals: string[]) => {
    const leads = locals.map((local) => `${local}@${domain}`);
    const questions = { domain, control: controlAddress("account-1", domain), leads };
    const callout = {
      teamId: "t",
      domain,
      hosts: ["mx.test"],
      name: "out.test",
      from: "me@out.test",
    };
    const session = await mail.callout(callout, (replies) => nextQuestion(questions, replies));
    return { ...readCallout(questions, session), session };
  };
  /** How Postfix sums up each session, oldest first. */
  const sessions = async () => {
    const log = await server.logs();
    return [...log.matchAll(/disconnect from \S+ (.*)/g)].map(([, counts]) => counts);
  };

  test("a server that tells who is there is believed, over TLS and without an email", async () => {
    const { answers, catchAll } = await ask("acme.test", "alice", "nobody", "somebody");
    expect(catchAll).toBe(false);
    expect([...answers]).toEqual([
      ["alice@acme.test", "accepted"],
      ["nobody@acme.test", "unknown_user"],
      ["somebody@acme.test", "unknown_user"],
    ]);
    expect((await sessions()).at(-1)).toBe("ehlo=2 starttls=1 mail=1 rcpt=1/4 quit=1 commands=6/9");
  });

  test("one that takes nobody is believed only where it takes its postmaster", async () => {
    expect((await ask("acme.test", "nobody")).answers.size).toBe(0);
    expect([...(await ask("globex.test", "nobody")).answers.values()]).toEqual(["unknown_user"]);
  });

  test("a catch-all is asked for nobody", async () => {
    const { catchAll, answers } = await ask("outlookish.test", "seed2", "nobody");
    expect([catchAll, answers.size]).toEqual([true, 0]);
    expect((await sessions()).at(-1)).toContain("rcpt=1 ");
  });

  test("greylisting says nothing, and a block list only of who asks", async () => {
    const grey = await ask("gmailish.test", "seed1");
    expect([grey.catchAll, grey.answers.size, grey.blocked]).toEqual([null, 0, null]);
    const listed = await ask("load.test", "u1", "u2");
    expect([listed.catchAll, listed.answers.size]).toEqual([null, 0]);
    expect(listed.blocked).toContain("blocked using zen.spamhaus.org");
    expect((await sessions()).at(-1)).toContain("rcpt=0/1 ");
  });

  test("no email ever came: neither DATA nor a message in its log", async () => {
    expect((await sessions()).join("\n")).not.toContain("data=");
    expect(await server.logs()).not.toContain("postfix/cleanup");
  });
}
