/** Guarantees of `domain/leads/company.ts`: people at a mail provider are no colleagues. */

import { expect, test } from "bun:test";
import { isCompanyDomain } from "#domain/leads/company.ts";

test.each([
  ["gmail.com", false],
  ["outlook.com", false],
  ["web.de", false],
  ["yahoo.com", false],
  ["yahoo.co.uk", false],
  ["hotmail.com", false],
  ["gmx.at", false],
  ["live.com.au", false],
  ["gmx.acme.example", true],
  ["live.example", true],
  ["live.info", true],
  ["yahoo-consulting.com", true],
  ["acme.example", true],
  ["mail.acme.example", true],
  ["notgmail.com", true],
])("%s: %p", (domain, expected) => {
  expect(isCompanyDomain(domain)).toBe(expected);
});
