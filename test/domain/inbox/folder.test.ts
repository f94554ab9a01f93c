/** Guarantees of the inbox's folders: each conversation is in one, done and snoozed are until another email comes. */

import { expect, test } from "bun:test";
import { FOLDERS, folderOf } from "#domain/inbox/folder.ts";
import { unixMs } from "#domain/time.ts";

test.each([
  ["a reply that says yes", "reply", "interested", "interested"],
  ["a meeting", "reply", "meeting", "meeting"],
  ["a reply that says nothing clear", "reply", null, "questions"],
  ["a neutral reply", "reply", "neutral", "questions"],
  ["a refusal", "reply", "not_interested", "not_interested"],
  ["an opt-out of whoever was interested", "unsubscribe", "interested", "not_interested"],
  ["a complaint", "complaint", null, "not_interested"],
  ["an absence note", "auto_reply", null, "out_of_office"],
  ["an absence note of whoever was interested", "auto_reply", "interested", "interested"],
  ["a bounce", "bounce", null, "bounces"],
  ["a notice", "notice", null, "other"],
] as const)("%s", (_, kind, interest, folder) => {
  const snoozedUntil = null;
  expect(folderOf({ kind, interest, isDone: false, snoozedUntil })).toBe(folder);
  expect(FOLDERS).toContain(folder);
  expect(folderOf({ kind, interest, isDone: true, snoozedUntil })).toBe("done");
  expect(folderOf({ kind, interest, isDone: false, snoozedUntil: unixMs(1) })).toBe("snoozed");
});
