/** What goes wrong around an experiment: the clock set back, two replies of one person, a variant that's taken away. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { findBreaches } from "#domain/experiments/experiment-guardrail.ts";
import { readSegments } from "#domain/experiments/experiment-segments.ts";
import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import { wrongTallies } from "#store/sending/exposures.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeExperiment, personOf, resultsOf, setPeople } from "../../support/experiments.ts";
import { arm, figures, verdict } from "../../support/figures.ts";
import { ROUND_THE_CLOCK } from "../../support/inbox.ts";
import { createLive, type LiveApp } from "../support.ts";

type Counted = Record<
  "emails_sent" | "replies" | "interested" | "negative_replies" | "successes",
  number
>;

const totalOf = (variants: readonly Counted[], name: keyof Counted) =>
  variants.reduce((sum, one) => sum + one[name], 0);

describe("a clock that is set back to before the first email", () => {
  let live: LiveApp;
  beforeEach(async () => {
    live = await createLive();
  });
  afterEach(() => live.app.close());

  test("loses no reply, counts nobody twice, and its windows close when it has caught up", async () => {
    await live.addAccount();
    const { body: campaign } = await live.call("POST", "/campaigns", {
      ...{ name: "Spring", send_window: ROUND_THE_CLOCK, max_leads_per_day: 100 },
    });
    const path = `/campaigns/${campaign.id}`;
    await live.call("POST", `${path}/steps`, { type: "email", subject: "Hi", body: "Hello" });
    const leads = Array.from({ length: 4 }, (_, nth) => ({ email: `u${nth}@firm${nth}.example` }));
    await live.call("POST", `${path}/leads`, { leads });
    const { body: made } = await live.call("POST", "/experiments", {
      ...{ campaign_id: campaign.id, name: "Subject", attribution_window_days: 1 },
      variants: [{ name: "A" }, { name: "B", config: { subject: "Ho" } }],
    });
    const results = async () => (await live.call("GET", `/experiments/${made.id}/results`)).body;
    await live.call("POST", `${path}/start`);
    await live.run(12 * HOUR_MS);
    expect(totalOf((await results()).variants, "emails_sent")).toBe(4);

    live.app.wall.move(-3 * DAY_MS);
    const { data } = (await live.call("GET", `${path}/leads`)).body;
    const [first] = live.messages(data[0].id);
    for (const nth of [1, 2]) {
      live.deliver(
        "ann@sender.example",
        [
          `From: ${data[0].email}`,
          "To: ann@sender.example",
          "Subject: Re: Hi",
          `Message-ID: <reply${nth}@firm.example>`,
          `In-Reply-To: ${first?.messageId}`,
          "",
          "Sounds good, tell me more.",
        ].join("\n"),
      );
    }
    await live.run(HOUR_MS);
    const back = await results();
    expect(totalOf(back.variants, "emails_sent")).toBe(4);
    expect(totalOf(back.variants, "replies")).toBe(1);
    expect(back.experiment).toMatchObject({ status: "running", days_elapsed: 0 });
    expect(totalOf(back.variants, "successes")).toBe(0);

    await live.days(6);
    const { variants, quality } = await results();
    expect([totalOf(variants, "replies"), totalOf(variants, "successes")]).toEqual([1, 1]);
    expect(quality.pending).toBe(0);
    expect(wrongTallies(live.env.db, live.app.team.id)).toBe(0);
  });
});

describe("in the middle", () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await createTestApp({ seed: 71 });
    await setPeople(app, {});
  });
  afterEach(() => app.close());

  test("two replies of one person count once, as what the conversation has come to", async () => {
    const made = await makeExperiment(app, { leads: 6, perDay: 6 });
    await app.advance(DAY_MS);
    const { body } = await app.call("GET", `/leads?email=${personOf("spring", 1)}`);
    const play = async (text: string) => {
      const mail = { kind: "reply", lead_id: body.data[0].id, text };
      expect((await app.call("POST", "/sandbox/inject", mail)).status).toBeLessThan(300);
      await app.advance(HOUR_MS);
      const { variants } = await resultsOf(app, made.id);
      return (["replies", "negative_replies", "interested"] as const).map((name) =>
        totalOf(variants, name),
      );
    };
    expect(await play("No thanks, not interested.")).toEqual([1, 1, 0]);
    expect(await play("Sounds interesting after all, please send me more information.")).toEqual([
      ...[1, 0, 1],
    ]);
  });

  test.each(["fixed_split", "thompson_sampling", "auto_winner", "test_and_roll"])(
    "no variant can be deleted, and %s goes on as it was",
    async (mode) => {
      const fields = { optimization_mode: mode };
      const variants = ["A", "B", "C"].map((name) => ({ name, config: { subject: name } }));
      const made = await makeExperiment(app, { leads: 40, perDay: 20, fields, variants });
      await app.advance(DAY_MS);
      const path = `/experiments/${made.id}`;
      const before = (await app.call("GET", path)).body;
      const refused = await app.call("PATCH", path, { variants: before.variants.slice(0, 2) });
      expect([refused.status, refused.body.field]).toEqual([409, "variants"]);
      expect((await app.call("GET", path)).body.variants).toEqual(before.variants);
    },
  );

  test("a winner that no longer renders isn't applied by a person either, and the step stays", async () => {
    const variants = [{ name: "A" }, { name: "B", config: { body: "Hello {{ nickname }}" } }];
    const made = await makeExperiment(app, { leads: 0, variants, starts: false });
    const leads = Array.from({ length: 6 }, (_, nth) => ({
      ...{ email: personOf("spring", nth), variables: { nickname: "Al" } },
    }));
    const path = `/campaigns/${made.campaignId}`;
    await app.call("POST", `${path}/leads`, { leads });
    await app.call("POST", `${path}/start`);
    const { body: done } = await app.call("POST", `/experiments/${made.id}/complete`, {
      winner_variant_id: made.variants[1]?.id,
    });
    expect(done.status).toBe("completed");
    for (const lead of (await app.call("GET", "/leads?limit=100")).body.data) {
      await app.call("PATCH", `/leads/${lead.id}`, { variables: { nickname: null } });
    }
    const applied = await app.call("POST", `/experiments/${made.id}/apply-winner`);
    expect([applied.status, applied.body.message]).toEqual([
      409,
      expect.stringContaining("nickname"),
    ]);
    const [step] = (await app.call("GET", `${path}/steps`)).body.data;
    expect(step.body).toBe("The first way to say it");
  });
});

describe("counts at their ends", () => {
  const ends = [
    ["no leads", [arm(0, 0), arm(0, 0)]],
    [
      "all leads in one variant",
      [arm(5_000, 200, { negativeReplies: 200, optedOut: 90 }), arm(0, 0)],
    ],
    ["one lead", [arm(1, 1, { negativeReplies: 1 }), arm(0, 0)]],
    [
      "a million that decline, opt out, and bounce",
      [
        arm(1_000_000, 40_000, { negativeReplies: 10_000 }),
        arm(1_000_000, 1_000_000, {
          ...{ negativeReplies: 1_000_000, optedOut: 1_000_000, bounced: 1_000_000 },
        }),
      ],
    ],
  ] as const;

  test.each(ends)("%s: every figure is a number, and nothing throws", (_name, arms) => {
    for (const isFinal of [false, true]) {
      const guardrails = [
        { metric: "negative_replies", maxRate: 0.02 },
        { metric: "negative_replies", maxRatio: 2 },
      ] as const;
      const given = figures(arms, { isFinal, guardrails });
      const groups = [{ segment: "none", counts: arms }];
      const read = verdict(given, { status: isFinal ? "completed" : "running" });
      const segments = readSegments(given, { by: "custom", field: "size" }, groups, !isFinal);
      expect(JSON.stringify([read.reading, findBreaches(given), segments])).not.toMatch(
        /NaN|Infinity/,
      );
    }
  });
});
