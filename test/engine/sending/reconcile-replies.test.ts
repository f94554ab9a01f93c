/** After a restore, whoever replied to an email that the copy has never heard of is written to no more. */

import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOUR_MS } from "#domain/time.ts";
import { reconcile } from "#engine/reconcile.ts";
import { updateAccount } from "#store/mailboxes/accounts.ts";
import { copyOpen } from "#store/operations/snapshot.ts";
import { markUnconfirmed } from "#usecases/delivery/restored.ts";
import { START } from "../../support/app.ts";
import { createLive } from "../support.ts";
import { listing, replyTo } from "./sent-folder.ts";

const STEPS = [
  { type: "email", subject: "Hi", body: "Hello" },
  { type: "email", body: "Again", wait_days: 1 },
];

test.each(["before the Sent folder", "behind it"])("be it read %s", async (order) => {
  const top = mkdtempSync(join(tmpdir(), "outrider-replies-"));
  const paths = { live: join(top, "live.db"), test: join(top, "test.db") };
  const before = await createLive();
  const row = before.account(await before.addAccount());
  const atGoogle = { ...row, provider: "google" as const, saveSent: false };
  await before.env.commit(() => updateAccount(before.env.db, atGoogle));
  await before.launch(STEPS, "a@one.example", "b@two.example");
  copyOpen(before.app.environments.live.db, paths.live, before.app.wall.now());
  await before.run(HOUR_MS);
  const [first] = before.mail.taken;

  const after = await createLive({ paths, seed: 99 });
  after.app.wall.set(before.app.wall.now());
  const sent = await listing(before.mail.taken, before.app.wall.now());
  after.mail.listing = order === "behind it" ? sent : { kind: "unreachable", reason: "down" };
  after.deliver("ann@sender.example", replyTo(first));
  await after.env.commit(() => markUnconfirmed(after.env, START, after.env.clock.now()));
  await reconcile(after.env);
  after.mail.listing = sent;
  await after.days(3);

  const all = [...before.mail.taken, ...after.mail.taken].map(({ to }) => to);
  expect(all.filter((to) => to === first?.to)).toHaveLength(1);
  expect(all.filter((to) => to !== first?.to)).toHaveLength(2);
  await before.app.close();
  await after.app.close();
  rmSync(top, { recursive: true, force: true });
});
