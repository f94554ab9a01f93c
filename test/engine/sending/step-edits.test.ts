/**
 * Guarantees of editing a sequence while its campaign runs: a lead goes on with the first step behind the
 * last one that it was sent, whatever became of the numbers; no step is sent twice; and the wait of a step
 * is the one that it has now, counted from the last send.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus } from "#domain/time.ts";
import { createLive, type LiveApp, START } from "../support.ts";

const TO = "bob@example.com";

let live: LiveApp;
beforeEach(async () => {
  live = await createLive();
  await live.addAccount();
});
afterEach(() => live.app.close());

const email = (subject: string, wait_days = 1) => ({
  ...{ type: "email", subject, body: `This is ${subject}`, wait_days },
});
const task = (subject: string, wait_days = 1) => ({ type: "task", subject, wait_days });

/** A running campaign of these steps and one lead, which has been sent the first of them. */
async function under(...steps: object[]) {
  const { id, leads } = await live.launch(steps, TO);
  await live.run(MINUTE_MS);
  const lead = leads[0] ?? "";
  const path = `/campaigns/${id}/steps`;
  const ids: string[] = (await live.call("GET", path)).body.data.map((s: { id: string }) => s.id);
  const [first = "", second = "", third = ""] = ids;
  const record = async () => (await live.call("GET", `/campaigns/${id}/leads/${lead}`)).body;
  const patch = (step: string, body: object) => live.call("PATCH", `${path}/${step}`, body);
  return { id, lead, path, first, second, third, record, patch };
}

/** Subjects in the order in which they were sent, with the days since the first. */
const sent = (lead: string) =>
  live
    .messages(lead)
    .filter(({ status }) => status === "sent")
    .toSorted((a, b) => (a.sentAt ?? 0) - (b.sentAt ?? 0))
    .map(({ subject, sentAt }) => `${subject} ${Math.round(((sentAt ?? 0) - START) / DAY_MS)}`);

const remove = async (path: string, step: string) =>
  expect((await live.call("DELETE", `${path}/${step}`)).status).toBe(204);

describe("who is under way goes on by the steps and not by their numbers", () => {
  test("the step sent last is deleted: the one behind it is next", async () => {
    const { path, first, lead, record } = await under(email("One"), email("Two"), email("Three"));
    await remove(path, first);
    expect(await record()).toMatchObject({ current_step: 0, status: "active" });
    await live.days(7);
    expect(sent(lead)).toEqual(["One 0", "Two 1", "Three 2"]);
    expect(await record()).toMatchObject({ current_step: 2, status: "completed" });
  });

  test("the step sent last is moved behind the others: they follow, and it is not sent again", async () => {
    const { first, lead, patch } = await under(email("One"), email("Two"), email("Three"));
    await patch(first, { position: 3 });
    await live.days(7);
    expect(sent(lead)).toEqual(["One 0", "Two 1", "Three 2"]);
  });

  test("a step is moved to the end while its email is on its way: the others follow", async () => {
    let moved = false;
    live.mail.meanwhile = async () => {
      if (!moved) {
        moved = true;
        const [{ id: campaign }] = (await live.call("GET", "/campaigns")).body.data;
        const { data } = (await live.call("GET", `/campaigns/${campaign}/steps`)).body;
        const path = `/campaigns/${campaign}/steps/${data[0].id}`;
        await live.call("PATCH", path, { position: 3 });
      }
    };
    const { lead, record } = await under(email("One"), email("Two"), email("Three"));
    await live.days(7);
    expect(sent(lead)).toEqual(["One 0", "Two 1", "Three 2"]);
    expect((await record()).status).toBe("completed");
  });

  test("a step inserted behind the last sent is next, one ahead of it is not sent", async () => {
    const { path, lead } = await under(email("One"), email("Two"));
    await live.call("POST", path, { ...email("Ahead"), position: 1 });
    await live.call("POST", path, { ...email("Behind"), position: 3 });
    await live.days(7);
    expect(sent(lead)).toEqual(["One 0", "Behind 1", "Two 2"]);
  });

  test("a step that replaces the one sent last is next", async () => {
    const { path, first, lead } = await under(email("One"), email("Two"));
    await remove(path, first);
    await live.call("POST", path, { ...email("Other"), position: 1 });
    await live.days(7);
    expect(sent(lead)).toEqual(["One 0", "Other 1", "Two 2"]);
  });

  test("the step sent last is moved ahead: what lies behind it now is sent", async () => {
    const { path, second, lead, patch } = await under(email("One"), email("Two"), email("Three"));
    await live.days(1);
    await live.call("POST", path, { ...email("New"), position: 2 });
    await patch(second, { position: 1 });
    await live.days(7);
    expect(sent(lead)).toEqual(["One 0", "Two 1", "New 2", "Three 3"]);
  });

  test("the last step is deleted, and another is written before its time comes", async () => {
    const { path, second, lead, record } = await under(email("One"), email("Two", 3));
    await remove(path, second);
    expect((await record()).status).toBe("active");
    await live.call("POST", path, email("Other", 3));
    await live.days(7);
    expect(sent(lead)).toEqual(["One 0", "Other 3"]);
  });

  test("the last step is deleted: its lead has finished when it would have been sent", async () => {
    const { path, second, lead, record } = await under(email("One"), email("Two", 3));
    await remove(path, second);
    await live.days(7);
    expect(sent(lead)).toEqual(["One 0"]);
    expect(await record()).toMatchObject({ status: "completed", stop_reason: "sequence_finished" });
  });

  test("who has finished stays so when a step is added", async () => {
    const { path, lead, record } = await under(email("One"));
    expect((await record()).status).toBe("completed");
    await live.call("POST", path, email("Late"));
    await live.days(7);
    expect(sent(lead)).toEqual(["One 0"]);
    expect((await record()).status).toBe("completed");
  });

  test("a task that was done is not met again, and takes no time from the step behind it", async () => {
    const { path, second, lead, patch } = await under(
      ...[email("One", 0), task("Call"), email("Two"), email("Three")],
    );
    await live.days(1);
    const { data } = (await live.call("GET", "/tasks")).body;
    await live.call("PATCH", `/tasks/${data[0].id}`, { done: true });
    await patch(second, { position: 3 });
    expect((await live.call("GET", path)).body.data).toHaveLength(4);
    await live.days(7);
    expect(sent(lead)).toEqual(["One 0", "Two 2", "Three 3"]);
    expect((await live.call("GET", "/tasks")).body.total).toBe(1);
  });
});

describe("a step that goes while its email is on its way", () => {
  const deleteFirst = async () => {
    const [{ id }] = (await live.call("GET", "/campaigns")).body.data;
    const { data } = (await live.call("GET", `/campaigns/${id}/steps`)).body;
    await live.call("DELETE", `/campaigns/${id}/steps/${data[0].id}`);
  };
  const once = (act: () => Promise<void>) => {
    let done = false;
    return async () => {
      if (!done) {
        done = true;
        await act();
      }
    };
  };

  test("before its body: it is not sent, and the next step is", async () => {
    live.mail.meanwhile = once(deleteFirst);
    const { lead } = await under(email("One"), email("Two"));
    await live.days(3);
    expect(sent(lead)).toEqual(["Two 0"]);
    expect(live.messages(lead).map(({ status }) => status)).toEqual(["cancelled", "sent"]);
  });

  test("after its body: it counts as sent, and the next waits from then", async () => {
    const taken = live.mail.send;
    const gone = once(deleteFirst);
    live.mail.send = async (mailbox, envelope, beforeBody) => {
      const outcome = await taken(mailbox, envelope, beforeBody);
      await gone();
      return outcome;
    };
    const { lead } = await under(email("One"), email("Two"));
    await live.days(4);
    expect(sent(lead)).toEqual(["One 0", "Two 1"]);
  });

  test("while it waits for another try: it is not tried again", async () => {
    const response = "451 later";
    live.mail.outcomes.push({
      ...{ kind: "deferred", stage: "rcpt", code: 451, enhanced: null, response },
    } as never);
    const { lead, path, first } = await under(email("One"), email("Two"));
    await remove(path, first);
    await live.days(3);
    expect(sent(lead)).toEqual(["Two 0"]);
    expect(live.lead(lead)).toMatchObject({ status: "completed", attempts: 0 });
  });
});

describe("a changed wait counts for who is waiting", () => {
  test.each([
    [1, 14],
    [14, 1],
    [3, 0],
    [0, 7],
  ])("from %i days to %i", async (before, after) => {
    const { lead, second, patch, record } = await under(
      email("One"),
      email("Two", 30),
      email("Three"),
    );
    await patch(second, { wait_days: before === 0 ? 1 : before });
    await patch(second, { wait_days: after });
    const due = plus(START, after * DAY_MS);
    expect((await record()).next_attempt_at).toBe(new Date(due).toISOString());
    await live.days(20);
    expect(sent(lead).slice(0, 2)).toEqual(["One 0", `Two ${after}`]);
  });

  test("a step is deleted: the one behind it has its own wait", async () => {
    const { path, second, lead } = await under(email("One"), email("Two", 14), email("Three", 2));
    await remove(path, second);
    await live.days(5);
    expect(sent(lead)).toEqual(["One 0", "Three 2"]);
  });

  test("a step is inserted: its wait counts, and the next one's from its send", async () => {
    const { path, lead } = await under(email("One"), email("Two", 7));
    await live.call("POST", path, { ...email("New", 1), position: 2 });
    await live.days(10);
    expect(sent(lead)).toEqual(["One 0", "New 1", "Two 8"]);
  });

  test("a date that a person has set stays", async () => {
    const { id, second, lead, patch, record } = await under(email("One"), email("Two", 7));
    const at = new Date(plus(START, 3 * DAY_MS)).toISOString();
    await live.call("PATCH", `/campaigns/${id}/leads/${lead}`, { next_attempt_at: at });
    await patch(second, { wait_days: 14 });
    expect((await record()).next_attempt_at).toBe(at);
    await live.days(5);
    expect(sent(lead)).toEqual(["One 0", "Two 3"]);
  });
});

describe("a wait is kept", () => {
  const resume = async (id: string, lead: string) => {
    const path = `/campaigns/${id}/leads/${lead}`;
    await live.call("PATCH", path, { status: "paused" });
    await live.run(HOUR_MS);
    await live.call("PATCH", path, { status: "active" });
  };

  test.each<[string, object[]]>([
    ["a task between emails", [email("One", 0), task("Call", 0), email("Two", 10)]],
    ["a task that comes first", [task("Call", 0), email("Two", 10)]],
  ])("by a pause after %s", async (_what, steps) => {
    const { id, lead, record } = await under(...steps);
    await live.days(1);
    const { data } = (await live.call("GET", "/tasks")).body;
    await live.call("PATCH", `/tasks/${data[0].id}`, { done: true });
    const due = (await record()).next_attempt_at;
    await resume(id, lead);
    expect((await record()).next_attempt_at).toBe(due);
    await live.days(14);
    expect(sent(lead).at(-1)).toBe("Two 11");
  });

  test("by a move to another step after a task", async () => {
    const { id, lead, record } = await under(task("Call", 0), email("Two", 10), email("Three", 10));
    const { data } = (await live.call("GET", "/tasks")).body;
    await live.call("PATCH", `/tasks/${data[0].id}`, { done: true });
    const due = (await record()).next_attempt_at;
    await live.call("PATCH", `/campaigns/${id}/leads/${lead}`, { current_step: 2 });
    expect(await record()).toMatchObject({ current_step: 2, next_attempt_at: due });
    await live.days(14);
    expect(sent(lead)).toEqual(["Three 10"]);
  });

  test("by a reply that was none", async () => {
    const { lead, record } = await under(
      ...[task("Call", 0), email("One", 0), task("Again", 0), email("Two", 10)],
    );
    const doTask = async () => {
      const { data } = (await live.call("GET", "/tasks?done=false")).body;
      await live.call("PATCH", `/tasks/${data[0].id}`, { done: true });
    };
    await doTask();
    await live.run(HOUR_MS);
    const [message] = live.messages(lead);
    await live.days(1);
    await doTask();
    const due = (await record()).next_attempt_at;
    live.deliver(
      "ann@sender.example",
      `From: ${TO}\nTo: ann@sender.example\nSubject: Re: One\nMessage-ID: <r@example.com>\nIn-Reply-To: ${message?.messageId}\n\nTell me more\n`,
    );
    await live.run(HOUR_MS);
    expect((await record()).status).toBe("replied");
    const answer = await live.call("PATCH", `/inbox/threads/${lead}`, { kind: "notice" });
    expect(answer.status).toBe(200);
    expect(await record()).toMatchObject({ status: "active", next_attempt_at: due });
  });
});
