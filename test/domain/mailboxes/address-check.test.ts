/**
 * Guarantees of `domain/mailboxes/address-check.ts`. The roles of RFC 2142 are its own table; other roles, the typos
 * and people's names are our own lists.
 */

import { describe, expect, test } from "bun:test";
import { RISKY_ADDRESSES } from "#domain/campaigns/campaign.ts";
import {
  type AddressFacts,
  addTally,
  checkAddress,
  consequenceOf,
  noTally,
  ownReasons,
  tallyCheck,
} from "#domain/mailboxes/address-check.ts";
import { MX_ANSWERS } from "#domain/mailboxes/mail-provider.ts";

const FACTS: AddressFacts = {
  email: "ann@acme.com",
  own: [],
  mx: "found",
  softBounces: 0,
  callout: null,
  isCatchAll: false,
};

/** RFC 2142 §§3 to 7. */
const RFC_2142 =
  "info marketing sales support abuse noc security postmaster hostmaster usenet news webmaster www uucp ftp";
const OTHERS =
  "kontakt buchhaltung bewerbung vertrieb kanzlei praxis contacto ventas administracion bureau accueil " +
  "secretariat compta contato vendas contatti segreteria biuro sekretariat verkoop klantenservice " +
  "noreply no-reply do-not-reply admin billing office jobs hr hello team";
const PEOPLE =
  "james mary john patricia robert jennifer michael linda william elizabeth david barbara paris sydney india " +
  "ta jd mk al bo ann.lee a.lee first.last maria83";

describe("a role", () => {
  test.each(RFC_2142.split(" "))("of RFC 2142: %s", (word) => {
    expect(ownReasons(`${word}@acme.com`)).toEqual(["role_address"]);
  });

  test.each(OTHERS.split(" "))("of a department or language: %s", (word) => {
    expect(ownReasons(`${word}@acme.com`)).toEqual(["role_address"]);
  });

  test("also with a number or a label", () => {
    expect(ownReasons("info2@acme.com")).toEqual(["role_address"]);
    expect(ownReasons("sales-1@acme.com")).toEqual(["role_address"]);
    expect(ownReasons("info+spring@acme.com")).toEqual(["role_address"]);
  });

  test.each(PEOPLE.split(" "))("is not a person: %s", (name) => {
    expect(ownReasons(`${name}@acme.com`)).toEqual([]);
  });
});

test.each([
  ["x@mailinator.com", true],
  ["x@inbox.mailinator.com", true],
  ["x@guerrillamail.com", true],
  ["x@10minutemail.com", true],
  ["x@yopmail.com", true],
  ["x@gmail.com", false],
  ["x@com", false],
  ["x@notmailinator.com.acme.com", false],
])("%s is disposable: %p", (email, expected) => {
  expect(ownReasons(email).includes("disposable")).toBe(expected);
});

test.each([
  ["ann@gmial.com", "ann@gmail.com"],
  ["ann@gmai.com", "ann@gmail.com"],
  ["ann@gmail.co", "ann@gmail.com"],
  ["ann@gmail.con", "ann@gmail.com"],
  ["ann@hotmial.com", "ann@hotmail.com"],
  ["ann@hotmail.cmo", "ann@hotmail.com"],
  ["ann@yaho.com", "ann@yahoo.com"],
  ["ann@yahooo.com", "ann@yahoo.com"],
  ["ann@outloook.com", "ann@outlook.com"],
  ["ann@iclod.com", "ann@icloud.com"],
  ["ann@comcast.nry", null],
  ["ann@gmail.com", null],
  ["ann@ymail.com", null],
  ["ann@mail.com", null],
  ["ann@email.com", null],
  ["ann@cloud.com", null],
  ["ann@live.com", null],
  ["ann@yahoo.fr", null],
  ["ann@acme.com", null],
])("%s was meant as %p", (email, suggestion) => {
  const check = checkAddress({ ...FACTS, email, own: ownReasons(email) });
  expect(check.suggestion).toBe(suggestion);
  expect(check.verdict).toBe(suggestion === null ? "valid" : "risky");
});

test.each([
  ["found", "valid", []],
  ["none", "valid", []],
  ["unknown", "unknown", []],
  ["no_domain", "invalid", ["no_such_domain"]],
  ["no_host", "invalid", ["no_mx"]],
  ["null_mx", "invalid", ["null_mx"]],
] as const)("a domain whose name servers say %s is %s", (mx, verdict, reasons) => {
  expect(checkAddress({ ...FACTS, mx })).toEqual({ verdict, reasons, suggestion: null });
});

test("one that nobody has looked up is unknown, and risky if its words are", () => {
  expect(checkAddress({ ...FACTS, mx: undefined }).verdict).toBe("unknown");
  expect(checkAddress({ ...FACTS, mx: undefined, own: ["role_address"] }).verdict).toBe("risky");
  expect(checkAddress({ ...FACTS, softBounces: 1 }).reasons).toEqual(["soft_bounced"]);
});

test("what takes no email is never written to, and what nobody knows always is", () => {
  for (const mx of MX_ANSWERS) {
    for (const risky of RISKY_ADDRESSES) {
      const how = { risky, isFirst: true, isAccepted: true };
      const hold = consequenceOf(checkAddress({ ...FACTS, mx }), how);
      const isInvalid = mx === "no_domain" || mx === "no_host" || mx === "null_mx";
      expect([mx, hold]).toEqual([mx, isInvalid ? "invalid_address" : null]);
    }
  }
});

test.each([
  ["send", true, false, null],
  ["hold", true, false, "risky_address"],
  ["spread", true, false, "spread"],
  ["spread", true, true, null],
  ["spread", false, false, null],
  ["hold", true, true, null],
  ["hold", false, false, null],
] as const)("risky: %s, first email %p, accepted %p: %p", (risky, isFirst, isAccepted, hold) => {
  const check = checkAddress({ ...FACTS, own: ["role_address"] });
  expect(consequenceOf(check, { risky, isFirst, isAccepted })).toBe(hold);
});

test("counts add up by verdict and by reason", () => {
  const tally = noTally();
  tallyCheck(tally, checkAddress({ ...FACTS, own: ["disposable", "role_address"] }));
  tallyCheck(tally, checkAddress({ ...FACTS, mx: "null_mx" }));
  tallyCheck(tally, checkAddress(FACTS));
  tallyCheck(tally, null);
  const whole = noTally();
  addTally(whole, tally);
  addTally(whole, tally);
  expect(whole).toEqual({
    risky: 2,
    invalid: 2,
    reasons: { disposable: 2, role_address: 2, null_mx: 2 },
  });
});
