/** `doctor` asks each authorization server whether it accepts the operator's OAuth client. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { examineClients } from "#cli/server/doctor.ts";
import { readConfig } from "#config/config.ts";
import {
  type AuthorizationServer,
  CLIENT,
  startAuthorizationServer,
} from "../support/authorization-server.ts";

let oidc: AuthorizationServer;
beforeAll(async () => {
  oidc = await startAuthorizationServer(["https://mail.example.com/oauth/smtp/callback"]);
});
afterAll(() => oidc.stop());

async function examined(change: { secret?: string; issuer?: string } = {}) {
  const env = {
    OUTRIDER_OAUTH_SMTP_ISSUER: change.issuer ?? oidc.url,
    OUTRIDER_OAUTH_SMTP_CLIENT_ID: CLIENT.clientId,
    OUTRIDER_OAUTH_SMTP_CLIENT_SECRET: change.secret ?? CLIENT.clientSecret,
  };
  const { config } = readConfig({ flags: {}, env, workingDir: "/" });
  return await examineClients(config);
}

const check = "smtp OAuth client";

test("one that is accepted", async () => {
  expect(await examined()).toEqual([{ check, verdict: "ok", detail: "outrider is accepted" }]);
  expect(oidc.asked).toEqual([]);
});

test("one whose secret is wrong, with the settings to check", async () => {
  const [finding] = await examined({ secret: "expired" });
  expect(finding).toMatchObject({ check, verdict: "fault" });
  expect(finding?.detail).toMatch(/invalid_client.*oauth_smtp_client_secret/);
});

test("a server that does not answer, or is another, says nothing of the client", async () => {
  const elsewhere = oidc.url.replace("127.0.0.1", "localhost");
  for (const issuer of ["http://127.0.0.1:1", elsewhere]) {
    expect(await examined({ issuer })).toMatchObject([{ check, verdict: "warning" }]);
  }
});

test("none where there is none", async () => {
  const { config } = readConfig({ flags: {}, env: {}, workingDir: "/" });
  expect(await examineClients(config)).toEqual([]);
});
