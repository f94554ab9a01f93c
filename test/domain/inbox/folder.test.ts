/** Guarantees of the inbox's folders: each conversation is in one, done is until another email comes. */

import { expect, test } from "bun:test";
import { FOLDERS, folderOf } from "#domain/inbox/folder.ts";

test.each([
  ["a reply that says yes", "reply", "interested", false, "interested"],
  ["a meeting", "reply", "meeting", false, "meeting"],
  ["a reply that says nothing clear", "reply", null, false, "questions"],
  ["a neutral reply", "reply", "neutral", false, "questions"],
  ["a refusal", "reply", "not_interested", false, "not_interested"],
  ["an opt-out of whoever was interested", "unsubscribe", "interested", false, "not_interested"],
  ["a complaint", "complaint", null, false, "not_interested"],
  ["an absence note", "auto_reply", null, false, "out_of_office"],
  ["an absence note of whoever was interested", "auto_reply", "interested", false, "interested"],
  ["a bounce", "bounce", null, false, "bounces"],
  ["a notice", "notice", null, false, "other"],
  ["whatever somebody is done with", "reply", "interested", true, "done"],
] as const)("%s", (_, kind, interest, isDone, folder) => {
  expect(folderOf({ kind, interest, isDone })).toBe(folder);
  expect(FOLDERS).toContain(folder);
});
