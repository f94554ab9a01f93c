/** Tables, colours and the demo's progress: fit for a terminal and for a pipe. */

import { describe, expect, test } from "bun:test";
import { type DemoReport, presentReport, progressView, reportText } from "#cli/demo/demo-report.ts";
import { printable, styled, table } from "#cli/term.ts";
import { plus, unixMs } from "#domain/time.ts";
import { keepingTerminal } from "./support.ts";

const at = (text: string) => unixMs(Temporal.Instant.from(text).epochMilliseconds);

describe("A table", () => {
  test("aligns words to the left and figures to the right, whatever their width", () => {
    const columns = [{ title: "Name" }, { title: "Sent", right: true }];
    expect(
      table(
        columns,
        [
          ["日本", "7"],
          ["Ann", "1200"],
        ],
        false,
      ),
    ).toBe(["Name  Sent", "日本     7", "Ann   1200", ""].join("\n"));
  });

  test("without rows is its headings", () => {
    expect(table([{ title: "Id" }, { title: "Name" }], [], false)).toBe("Id  Name\n");
  });

  test("lets no text of the data move the cursor, change the colour or turn the line", () => {
    const hostile = "\u001b[2J\u202egnp\r\n\u0085\u2028x";
    const shown = table([{ title: "Name" }], [[hostile]], false);
    expect(shown).toBe("Name\n\\u001b[2J\\u202egnp\\u000d\\u000a\\u0085\\u2028x\n");
  });
});

test("plain text stays as it is", () => {
  expect(printable("Åsa 日本 👍🏽 e\u0301")).toBe("Åsa 日本 👍🏽 e\u0301");
});

test("colour is only where colours are asked for", () => {
  expect(styled("x", "red", false)).toBe("x");
  expect(styled("x", "red", true)).toBe("\u001b[31mx\u001b[39m");
});

const COUNTS = { sent: 10, replied: 3, bounced: 1, outOfOffice: 2, unsubscribed: 0 };

describe("The demo", () => {
  const report: DemoReport = {
    seed: 7,
    leads: 20,
    days: 30,
    seconds: 1.25,
    campaigns: [
      {
        name: "Spring",
        counts: COUNTS,
        steps: [
          { ...COUNTS, sent: 6 },
          { ...COUNTS, sent: 4 },
        ],
      },
      { name: "Autumn", counts: COUNTS, steps: [COUNTS] },
    ],
    experiment: {
      name: "One or two",
      status: "completed",
      variants: [
        { name: "One", sent: 200, replied: 4 },
        { name: "Two", sent: 0, replied: 0 },
      ],
      better: "Two",
      winner: "One",
      recommendation: "One wins.",
      isWithheld: false,
    },
    placement: {
      runs: 2,
      providers: [{ provider: "google", tests: 12, inbox: 10, spam: 1 }],
      wrong: 0,
    },
    health: [
      {
        at: at("2026-03-02T10:30Z"),
        who: "gus@x.example",
        score: 76,
        what: "limits halved: hard_bounces",
      },
      { at: at("2026-03-03T09:00Z"), who: "A list", score: null, what: "stopped: bounce_rate" },
    ],
    invariants: [
      { name: "nothing outside the window", holds: true, detail: "" },
      { name: "nobody twice", holds: false, detail: "2 messages" },
    ],
  };

  test("sums up by campaign and step, and shows each invariant", () => {
    expect(reportText(report, false)).toBe(`\
Campaign  Sent  Replied  Bounced  Out of office  Unsubscribed
Spring      10        3        1              2             0
  step 1     6        3        1              2             0
  step 2     4        3        1              2             0
Autumn      10        3        1              2             0
  step 1    10        3        1              2             0
All         20        6        2              4             0

30 days in 1 s, seed 7

Experiment: One or two  Sent  Replied   Rate
  One                    200        4  2.0 %
  Two                      0        0
  completed: One wins.
  The simulated recipients were set to prefer Two.

Placement, 2 runs  Tests  Inbox  Spam
  google              12     10     1

Health              Score  Mailbox or campaign  What
  2026-03-02 10:30     76  gus@x.example        half its limits: hard bounces
  2026-03-03 09:00         A list               stopped: bounce rate

Invariants
  holds   nothing outside the window
  BROKEN  nobody twice: 2 messages
`);
  });

  test("as a document says in one field whether all invariants hold", () => {
    const document = presentReport(report);
    expect(document.invariants_hold).toBe(false);
    expect(document.invariants).toEqual({
      "nothing outside the window": true,
      "nobody twice": false,
    });
    expect(document.experiment).toEqual({
      name: "One or two",
      status: "completed",
      variants: [
        { name: "One", sent: 200, replied: 4 },
        { name: "Two", sent: 0, replied: 0 },
      ],
      better: "Two",
      winner: "One",
      right: false,
      recommendation: "One wins.",
    });
    expect(document.placement).toEqual({
      runs: 2,
      providers: [{ provider: "google", tests: 12, inbox: 10, spam: 1 }],
    });
    expect(document.health).toEqual([
      {
        at: "2026-03-02T10:30:00.000Z",
        who: "gus@x.example",
        score: 76,
        what: "limits halved: hard_bounces",
      },
      {
        at: "2026-03-03T09:00:00.000Z",
        who: "A list",
        score: null,
        what: "stopped: bounce_rate",
      },
    ]);
    expect(document.totals).toEqual({
      sent: 20,
      replied: 6,
      bounced: 2,
      out_of_office: 4,
      unsubscribed: 0,
    });
  });

  test("writes a line a second into a pipe, and the last one always", () => {
    const { terminal, written } = keepingTerminal(false);
    let clock = at("2026-01-01T00:00Z");
    const show = progressView(terminal, () => clock);
    for (let done = 0; done <= 1; done += 0.125) {
      show({ done, now: at("2026-03-02T09:00Z"), counts: COUNTS });
      clock = plus(clock, 400);
    }
    const shares = [...written().err.matchAll(/(\d+) %/g)].map(([, share]) => share);
    expect(shares).toEqual(["0", "37", "75", "100"]);
    expect(written().err).not.toContain("\u001b");
    expect(written().err.split("\n")[1]).toBe(
      "█████████░░░░░░░░░░░░░░░  37 %  2026-03-02  10 sent, 3 replied, 1 bounced",
    );
  });

  test("writes over one line of a terminal, and ends it", () => {
    const { terminal, written } = keepingTerminal(true);
    const show = progressView(terminal, () => at("2026-01-01T00:00Z"));
    show({ done: 0.5, now: at("2026-03-02T09:00Z"), counts: COUNTS });
    show({ done: 1, now: at("2026-03-30T09:00Z"), counts: COUNTS });
    expect(written().err.match(/\n/g)).toHaveLength(1);
    expect(written().err.match(/\r/g)).toHaveLength(2);
  });
});
