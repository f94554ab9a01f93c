/** What a receiver says of a message, as receivers write it and as others forge it. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { authenticationOf, signsOneClick } from "#domain/mailboxes/authentication-results.ts";

const results = (value: string) => authenticationOf([{ name: "Authentication-Results", value }]);

describe("authenticationOf", () => {
  test.each([
    [
      "Gmail",
      "mx.google.com; dkim=pass header.i=@acme.test header.s=s1 header.b=Ab; " +
        "spf=pass (google.com: domain of a@acme.test designates 192.0.2.1 as permitted sender; ok) " +
        "smtp.mailfrom=a@acme.test; dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=acme.test",
      { spf: "pass", dkim: "pass", dmarc: "pass" },
    ],
    [
      "Exchange, which leaves out its own name",
      "spf=softfail (sender IP is 192.0.2.1) smtp.mailfrom=acme.test; dkim=none " +
        "(message not signed) header.d=none;dmarc=fail action=none header.from=acme.test;",
      { spf: "softfail", dkim: "none", dmarc: "fail" },
    ],
    [
      "a version, upper case and a hard fail",
      "mx.test 1; SPF = hardfail; dkim/1=permerror",
      {
        spf: "fail",
        dkim: "permerror",
        dmarc: null,
      },
    ],
    [
      "two signatures: the best counts",
      "mx.test; dkim=fail header.d=a.test; dkim=pass header.d=b.test",
      { spf: null, dkim: "pass", dmarc: null },
    ],
    ["nothing checked", "mx.test; none", { spf: null, dkim: null, dmarc: null }],
    [
      "results inside a comment or a quoted string",
      'mx.test; dkim=fail (; spf=pass \\) (dmarc=pass)) reason="x; dmarc=pass"',
      { spf: null, dkim: "fail", dmarc: null },
    ],
    [
      "a verdict that there is not",
      "mx.test; spf=great",
      {
        spf: null,
        dkim: null,
        dmarc: null,
      },
    ],
  ] as const)("reads %s", (_name, value, expected) => {
    expect(results(value)).toEqual(expected);
  });

  test("believes the topmost field alone", () => {
    const fields = [
      { name: "Authentication-Results", value: "mx.test; spf=fail" },
      { name: "Authentication-Results", value: "forged; spf=pass; dkim=pass; dmarc=pass" },
    ];
    expect(authenticationOf(fields)).toEqual({ spf: "fail", dkim: null, dmarc: null });
    expect(authenticationOf([])).toEqual({ spf: null, dkim: null, dmarc: null });
  });

  test("takes whatever it is given", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (value) => {
        const read = results(value);
        return Object.keys(read).length === 3;
      }),
    );
    expect(results(`mx; dkim=pass ${"(".repeat(100_000)}`).dkim).toBe("pass");
  });
});

describe("signsOneClick", () => {
  const both = [
    { name: "List-Unsubscribe", value: "<https://acme.test/u/1>" },
    { name: "List-Unsubscribe-Post", value: "List-Unsubscribe=One-Click" },
  ];
  const signed = (names: string) => ({ name: "DKIM-Signature", value: `v=1; h=${names}; b=Ab` });

  test.each([
    ["both in one signature", [signed("From:List-Unsubscribe:List-Unsubscribe-Post")], true],
    [
      "both, folded and in another case",
      [signed("from:\r\n list-unsubscribe : LIST-Unsubscribe-Post")],
      true,
    ],
    ["one of them", [signed("From:List-Unsubscribe")], false],
    [
      "each in another signature",
      [signed("List-Unsubscribe"), signed("List-Unsubscribe-Post")],
      false,
    ],
    ["no signature", [], false],
    [
      "an h= inside another tag",
      [{ name: "DKIM-Signature", value: "v=1; bh=list-unsubscribe" }],
      false,
    ],
  ])("%s", (_name, signatures, expected) => {
    expect(signsOneClick([...signatures, ...both])).toBe(expected);
  });

  test("says nothing of a message that offers no one-click", () => {
    expect(signsOneClick([signed("List-Unsubscribe:List-Unsubscribe-Post")])).toBeNull();
    expect(signsOneClick(both.slice(0, 1))).toBeNull();
  });
});
