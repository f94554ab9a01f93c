/** After a restore, whoever replied to an email that the copy has never heard of is written to no more. */

import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { reconcile } from "#engine/reconcile.ts";
import { updateAccount } from "#store/mailboxes/accounts.ts";
import { copyOpen } from "#store/operations/snapshot.ts";
import { markUnconfirmed } from "#usecases/delivery/restored.ts";
import { START } from "../../support/app.ts";
import { createLive } from "../support.ts";
import { LATER, listing, replyTo } from "./sent-folder.ts";

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

test("what another mailbox sent to somebody whose sequence had ended in the copy is all theirs", async () => {
  const top = mkdtempSync(join(tmpdir(), "outrider-ended-"));
  const paths = { live: join(top, "live.db"), test: join(top, "test.db") };
  const before = await createLive();
  const atGoogle = async (id: string) => {
    const row = { ...before.account(id), provider: "google" as const, saveSent: false };
    await before.env.commit(() => updateAccount(before.env.db, row));
    return id;
  };
  const first = await atGoogle(await before.addAccount());
  before.mail.outcomes.push(LATER);
  const { leads } = await before.launch(STEPS, "a@one.example");
  await before.run(MINUTE_MS);
  const other = await atGoogle(await before.addAccount("bea@sender.example"));
  const { body } = await before.call("POST", "/suppressions", { email: "a@one.example" });
  // As where somebody opts out while their email is under way, and it is withdrawn.
  const { raw } = before.env.db;
  const found = raw.query<{ at: Uint8Array }, []>("select account_id at from messages").get();
  raw.query("update enrollments set account_id = ?").run(found?.at ?? null);
  copyOpen(before.app.environments.live.db, paths.live, before.app.wall.now());
  raw.query("update enrollments set account_id = null").run();
  await before.call("PATCH", `/accounts/${first}`, { status: "paused" });
  await before.call("DELETE", `/suppressions/${body.id}?resume=true`);
  await before.days(3);
  expect(before.mail.taken).toHaveLength(2);

  const after = await createLive({ paths, seed: 99 });
  after.app.wall.set(before.app.wall.now());
  const sent = await listing(before.mail.taken, before.app.wall.now());
  after.mail.sentSince = async ({ address }) =>
    address.startsWith("bea@") ? sent : { kind: "listed", mails: [] };
  await after.env.commit(() => markUnconfirmed(after.env, START, after.env.clock.now()));
  expect(await reconcile(after.env)).toMatchObject({ recorded: 2 });
  const [id] = leads;
  const steps = after.messages(id ?? "").map((one) => [one.kind, one.stepPosition, one.status]);
  expect(steps).toEqual([
    ["step", 1, "sent"],
    ["step", 2, "sent"],
  ]);
  expect(after.lead(id ?? "")).toMatchObject({ accountId: other, status: "unsubscribed" });
  await before.app.close();
  await after.app.close();
  rmSync(top, { recursive: true, force: true });
});

test("an email of a step that was next only because the sequence was edited since is that step's", async () => {
  const top = mkdtempSync(join(tmpdir(), "outrider-edited-"));
  const paths = { live: join(top, "live.db"), test: join(top, "test.db") };
  const before = await createLive();
  const row = before.account(await before.addAccount());
  const atGoogle = { ...row, provider: "google" as const, saveSent: false };
  await before.env.commit(() => updateAccount(before.env.db, atGoogle));
  const subjects = ["One", "Two", "Three"];
  const steps = subjects.map((subject) => {
    return { type: "email", subject, body: "Hello", wait_days: 1 };
  });
  const { id, leads } = await before.launch(steps, "a@one.example");
  await before.run(HOUR_MS);
  copyOpen(before.app.environments.live.db, paths.live, before.app.wall.now());
  const listed = (await before.call("GET", `/campaigns/${id}/steps`)).body.data;
  await before.call("DELETE", `/campaigns/${id}/steps/${listed[1].id}`);
  await before.days(2);
  const after = await createLive({ paths, seed: 99 });
  after.app.wall.set(before.app.wall.now());
  after.mail.listing = await listing(before.mail.taken, before.app.wall.now());
  await after.env.commit(() => markUnconfirmed(after.env, START, after.env.clock.now()));
  await reconcile(after.env);
  await after.days(4);
  const all = [...before.mail.taken, ...after.mail.taken].map(
    ({ raw }) => /^Subject: (.*)\r$/m.exec(new TextDecoder().decode(raw))?.[1],
  );
  expect(all).toEqual(["One", "Three"]);
  expect(after.messages(leads[0] ?? "").map(({ stepPosition }) => stepPosition)).toEqual([1, 3]);
  await before.app.close();
  await after.app.close();
  rmSync(top, { recursive: true, force: true });
});
