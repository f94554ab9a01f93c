/** What servers say when they refuse a login, and what a person is told to do. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  adviseLogin,
  adviseReach,
  REACH_FAULTS,
  type TriedServer,
} from "#domain/mailboxes/connection-advice.ts";

const SERVER: TriedServer = {
  ...{ side: "smtp", provider: "smtp", host: "mail.test", port: 587 },
  ...{ security: "starttls", isOauth: false },
};
const google = { ...SERVER, provider: "google" } as const;
const microsoft = { ...SERVER, provider: "microsoft" } as const;
const imap = { side: "imap" } as const;
const oauth = { isOauth: true } as const;

describe("a refused login", () => {
  test.each<[string, TriedServer, string, RegExp]>([
    [
      "Gmail without an app password",
      google,
      "534 5.7.9 Application-specific password required. For more information, go to  https://support.google.com/mail/?p=InvalidSecondFactor",
      /app password/,
    ],
    [
      "Gmail over IMAP without one",
      { ...google, ...imap },
      "Application-specific password required: https://support.google.com/accounts/answer/185833 (Failure)",
      /app password/,
    ],
    [
      "Gmail with a plain password",
      google,
      "535 5.7.8 Username and Password not accepted. BadCredentials",
      /app password/,
    ],
    [
      "Gmail that wants a browser",
      google,
      "534 5.7.14 Please log in via your web browser and then try again.",
      /browser/,
    ],
    [
      "Gmail that wants a browser, over IMAP",
      { ...google, ...imap },
      "[WEBALERT https://accounts.google.com/] Web login required.",
      /browser/,
    ],
    [
      "Gmail with IMAP off",
      { ...google, ...imap },
      "Your account is not enabled for IMAP use. Please visit your Gmail settings page and enable your account for IMAP access. (Failure)",
      /Turn on IMAP/,
    ],
    [
      "Microsoft without basic authentication",
      microsoft,
      "535 5.7.139 Authentication unsuccessful, basic authentication is disabled.",
      /OAuth/,
    ],
    [
      "Microsoft at the end of basic authentication",
      microsoft,
      "550 5.7.30 Basic authentication is not supported for Client Submission.",
      /OAuth/,
    ],
    [
      "Microsoft, SMTP AUTH off for the organization",
      microsoft,
      "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.",
      /Authenticated SMTP/,
    ],
    ["Microsoft over IMAP", { ...microsoft, ...imap }, "LOGIN failed.", /OAuth/],
    [
      "Microsoft, no mailbox behind the login",
      { ...microsoft, ...imap, ...oauth },
      "User is authenticated but not connected.",
      /license/,
    ],
    [
      "a locked mailbox",
      SERVER,
      "535 5.7.8 Account is locked due to too many login failures",
      /unlock/,
    ],
    [
      "a busy server",
      { ...SERVER, ...imap },
      "[UNAVAILABLE] Temporary authentication failure",
      /retries on its own/,
    ],
    [
      "a wrong password",
      SERVER,
      "535 5.7.8 Error: authentication failed: (reason unavailable)",
      /user name and password/,
    ],
    [
      "no login for mail programs",
      SERVER,
      "503 5.5.1 Error: authentication not enabled",
      /submission/,
    ],
    [
      "a withdrawn consent",
      { ...google, ...oauth },
      "invalid_grant: Token has been expired or revoked.",
      /connect/,
    ],
    [
      "an unknown client",
      { ...microsoft, ...oauth },
      "invalid_client: AADSTS7000215: Invalid client secret provided.",
      /client secret/,
    ],
    [
      "a silent token endpoint",
      { ...google, ...oauth },
      "token endpoint: timed out",
      /retries on its own/,
    ],
    [
      "somebody else's consent",
      { ...SERVER, ...oauth },
      "535 5.7.8 no",
      /signed in as this mailbox/,
    ],
  ])("%s", (_name, server, words, remedy) => {
    const advice = adviseLogin(server, words);
    expect(advice.remedy).toMatch(remedy);
    expect(advice.message).toEndWith(`(${words})`);
  });

  test("always says something, whatever the server said", () => {
    fc.assert(
      fc.property(fc.string(), fc.boolean(), (words, isOauth) => {
        const { message, remedy } = adviseLogin({ ...SERVER, isOauth }, words);
        expect(message).not.toBe("");
        expect(remedy).toEndWith(".");
      }),
    );
  });
});

test("every fault on the way to a server has words and a remedy that name it", () => {
  for (const side of ["smtp", "imap"] as const) {
    const said = REACH_FAULTS.map((fault) => adviseReach({ ...SERVER, side }, fault, ""));
    expect(new Set(said.map(({ message }) => message)).size).toBe(REACH_FAULTS.length);
    expect(said.every(({ remedy }) => remedy.endsWith("."))).toBe(true);
    expect(JSON.stringify(said)).not.toContain("undefined");
  }
});
