/** Bounces and complaints count for the day on which their email was claimed, and are taken back from that day. */

import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, plus } from "#domain/time.ts";
import { messageById, messagesOf, updateMessage } from "#store/sending/messages.ts";
import { countNegativeEvent, takeBackNegativeEvent } from "#usecases/campaigns/negative-events.ts";
import { createLive } from "../../engine/support.ts";

test("one whose email was claimed anew on another day leaves nothing behind", async () => {
  const live = await createLive();
  await live.addAccount("ann@sender.example");
  const steps = [{ type: "email", subject: "Hello", body: "Hello" }];
  const { leads } = await live.launch(steps, "bob@client.example");
  await live.run(HOUR_MS);
  const env = live.app.environments.live;
  const [message] = messagesOf(env.db, leads[0] ?? "");
  if (message === undefined) {
    throw new Error("nothing was sent");
  }
  const tallies = () =>
    env.db.raw
      .query<{ date: string; sends: number; bounces: number }, []>(
        "select date, sends, hard_bounces as bounces from account_health order by date",
      )
      .all();
  const before = tallies();
  expect(before).toMatchObject([{ sends: 1, bounces: 0 }]);

  await env.commit(() => countNegativeEvent(env, message, "hard_bounce", undefined));
  expect(tallies()).toMatchObject([{ sends: 1, bounces: 1 }]);
  await env.commit(() => {
    const row = messageById(env.db, message.id) ?? message;
    updateMessage(env.db, { ...row, reserved: [], claimedAt: plus(row.claimedAt, DAY_MS) });
    takeBackNegativeEvent(env, message.id, "hard_bounce");
  });

  expect(tallies()).toEqual(before);
  await live.app.close();
});
