/**
 * What is advised where a provider refuses a consent, held against what the providers publish and people have posted:
 * the fixture names the page of each, and which were collected only after the rules were written.
 */

import { describe, expect, test } from "bun:test";
import { adviseConsent, remedyForGrant } from "#domain/mailboxes/consent-advice.ts";
import collected from "../../fixtures/consent-errors.json";

describe.each([
  ["collected before the rules", false],
  ["held out", true],
] as const)("%s", (_name, wanted) => {
  test.each(collected.errors.filter(({ held_out }) => held_out === wanted))(
    "$about: $text",
    ({ about, text }) => {
      expect(adviseConsent(text)?.about).toBe(about);
    },
  );
});

test("permissions that an application lacks are named by us, and advised on", () => {
  expect(remedyForGrant("the consent lacks SMTP.SendAsApp")).toContain("SMTP.SendAsApp");
});

test.each([
  "",
  "server_error",
  "temporarily_unavailable AADSTS90033: A transient error has occurred.",
])("%p: nobody has to click anything", (words) => {
  expect(adviseConsent(words)).toBeNull();
});
