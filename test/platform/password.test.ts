/** Passwords that a program guesses early are known as such, in bounded time; others are not. */

import { describe, expect, test } from "bun:test";
import { isGuessable } from "#platform/secrets/password.ts";

describe("a password that is guessed early", () => {
  test.each([
    // Django's list of common passwords (its `common-passwords.txt`), ten characters and more.
    ["qwertyuiop"],
    ["1234567890"],
    ["1q2w3e4r5t"],
    ["password123"],
    ["administrator"],
    ["basketball"],
    ["iloveyou12"],
    // As people change what was refused.
    ["Password123!"],
    ["P@ssw0rd123"],
    ["QWERTYuiop1"],
    ["password".repeat(9)],
    ["aaaaaaaaaaaaaaaa"],
    // Of what is known about its owner.
    ["Outrider2026"],
    ["ann@example.com1"],
    ["Example1985"],
  ])("%s", async (password) => {
    expect(await isGuessable(password, ["ann@example.com", "Ann Example", "outrider"])).toBe(true);
  });
});

describe("a password that is not", () => {
  test.each([
    ["correct horse battery staple"],
    ["xk29!aLw0p"],
    ["ein Pferd frisst keinen Gurkensalat"],
    ["зелёный чайник поёт"],
    ["柿くへば鐘が鳴るなり"],
  ])("%s", async (password) => {
    expect(await isGuessable(password, ["ann@example.com", "Ann Example", "outrider"])).toBe(false);
  });
});
