/** `outrider classify`: a line a file, every field in it, and a bad file named without losing the others. */

import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./support.ts";

const dir = mkdtempSync(join(tmpdir(), "outrider-classify-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function file(name: string, lines: string | readonly string[]): string {
  writeFileSync(join(dir, name), typeof lines === "string" ? lines : lines.join("\r\n"));
  return name;
}

const BOUNCE = file("bounce.eml", [
  "Return-Path: <>",
  "From: MAILER-DAEMON@mx.example.net",
  "To: sam@out.test",
  "Subject: Undelivered Mail Returned to Sender",
  "MIME-Version: 1.0",
  'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
  "",
  "--b",
  "Content-Type: message/delivery-status",
  "",
  "Reporting-MTA: dns; mx.example.net",
  "",
  "Final-Recipient: rfc822; ada@example.net",
  "Action: failed",
  "Status: 5.1.1",
  "Diagnostic-Code: smtp; 550 5.1.1 no such user here",
  "",
  "--b",
  "Content-Type: message/rfc822",
  "",
  "Message-ID: <m1@out.test>",
  "Subject: Offer",
  "",
  "Hello",
  "--b--",
]);
const ABSENCE = file("absence.eml", [
  "From: Ada <ada@example.net>",
  "To: sam@out.test",
  "Subject: Abwesenheitsnotiz: Offer",
  "Date: Mon, 2 Mar 2026 10:00:00 +0100",
  "In-Reply-To: <m1@out.test>",
  "Auto-Submitted: auto-replied",
  "",
  "Ich bin bis zum 13. Maerz nicht im Buero, wieder da am 16.03.2026.",
]);
const ANSWER = file("answer.eml", [
  "From: Ada <ada@example.net>",
  "To: sam@out.test",
  "Subject: Re: Offer",
  "In-Reply-To: <m1@out.test>",
  "",
  "Sounds great, tell me more.",
]);
const NOISE = file("noise.bin", "\u0000\u0001 this: is no mail");

describe("classify --json", () => {
  test("prints a line a file, in their order, with every field", async () => {
    const { exit, out, err } = await run(["classify", "--json", BOUNCE, ABSENCE, ANSWER], {
      workingDir: dir,
    });
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    const lines = out.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        ...EMPTY,
        file: BOUNCE,
        kind: "bounce",
        severity: "hard",
        status: "5.1.1",
        recipient: "ada@example.net",
        message_id: "<m1@out.test>",
        confidence: "high",
        evidence: expect.stringContaining("no such user here"),
      },
      {
        ...EMPTY,
        file: ABSENCE,
        kind: "auto_reply",
        message_id: "<m1@out.test>",
        return_date: "2026-03-16",
        confidence: "high",
        evidence: "auto-submitted: auto-replied",
      },
      {
        ...EMPTY,
        file: ANSWER,
        kind: "reply",
        message_id: "<m1@out.test>",
        confidence: "medium",
        evidence: "interested: sounds great",
      },
    ]);
  });

  test("65: a file without an email is named, the others are still read", async () => {
    const { exit, out, err } = await run(["classify", "--json", NOISE, "missing.eml", ANSWER], {
      workingDir: dir,
    });
    expect(exit).toBe(65);
    expect(out.trimEnd().split("\n")).toHaveLength(1);
    const errors = err
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).error);
    expect(errors).toEqual([
      { message: "noise.bin: not an email; it has no email headers", exit: 65 },
      { message: "missing.eml: can't read the file (ENOENT)", exit: 65 },
    ]);
  });
});

describe("classify", () => {
  test("says it in words", async () => {
    const { exit, out } = await run(["classify", ABSENCE], { workingDir: dir });
    expect(exit).toBe(0);
    expect(out).toBe(
      [
        "absence.eml: auto_reply",
        "  message id: <m1@out.test>",
        "  return date: 2026-03-16",
        "  confidence: high",
        "  evidence: auto-submitted: auto-replied",
        "",
      ].join("\n"),
    );
  });

  test("65: an empty file and a folder are no mails", async () => {
    file("empty.eml", "");
    const { exit, out, err } = await run(["classify", "empty.eml", "."], { workingDir: dir });
    expect({ exit, out }).toEqual({ exit: 65, out: "" });
    expect(err).toContain("empty.eml: not an email");
    expect(err).toContain(".: can't read the file");
  });

  test("64: no file at all", async () => {
    const { exit, err } = await run(["classify"]);
    expect({ exit, err }).toEqual({ exit: 64, err: "outrider: classify needs FILE\n" });
  });
});

const EMPTY = {
  severity: null,
  status: null,
  recipient: null,
  message_id: null,
  return_date: null,
  feedback_type: null,
  opt_out: false,
};
