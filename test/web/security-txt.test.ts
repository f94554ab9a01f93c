/** `/.well-known/security.txt` names whom the operator says, in the fields of RFC 9116, and is not there otherwise. */

import { expect, test } from "bun:test";
import { readConfig } from "#config/config.ts";
import { DAY_MS, fromIso, unixMs } from "#domain/time.ts";
import { SECURITY_TXT_PATH, securityTxtRoutes } from "#web/security-txt.ts";

const NOW = unixMs(1_790_000_000_000);
const contactOf = (text: string) =>
  readConfig({ flags: {}, env: { OUTRIDER_SECURITY_CONTACT: text }, workingDir: "/srv" }).config
    .operations.securityContact;

async function shown(contact: string | null, publicUrl: string | null): Promise<Response> {
  const app = securityTxtRoutes(contact, publicUrl, () => NOW);
  return await app.handle(new Request(`http://localhost${SECURITY_TXT_PATH}`));
}

test("the fields of the standard, with an end within a year", async () => {
  const response = await shown(contactOf("Sec@Example.com"), "https://mail.example.com");
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const lines = (await response.text()).trimEnd().split("\n");
  const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s)));
  expect(Object.keys(fields)).toEqual(["Contact", "Expires", "Canonical"]);
  expect(fields["Contact"]).toBe("mailto:sec@example.com");
  expect(fields["Canonical"]).toBe(`https://mail.example.com${SECURITY_TXT_PATH}`);
  const until = fromIso(fields["Expires"] ?? "", "Expires") - NOW;
  expect(until).toBeGreaterThan(30 * DAY_MS);
  expect(until).toBeLessThan(365 * DAY_MS);
});

test("nobody is named where nobody is set", async () => {
  expect((await shown(null, null)).status).toBe(404);
});

test.each(["http://example.com/report", "javascript:alert(1)", "nobody", "a@b@c"])(
  "%s is no contact",
  (text) => {
    expect(() => contactOf(text)).toThrow("must be an email address or an https URL");
  },
);
