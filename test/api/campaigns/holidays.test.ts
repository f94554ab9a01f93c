/** Public holidays through HTTP: a campaign skips them, and the forecast knew. India has Holi on 4 March 2026. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";
import { quiet, ROUND_THE_CLOCK, TWO_STEPS } from "../../support/inbox.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const HOLI = "2026-03-04";

describe("send_window.skip_holidays", () => {
  test("nothing is sent on a holiday, as forecast and explanation say before", async () => {
    await quiet(app);
    await addAccount(app);
    const { id } = await makeCampaign(app, TWO_STEPS);
    const window = { ...ROUND_THE_CLOCK, skip_holidays: ["IN"] };
    const change = { send_window: window, max_leads_per_day: 3 };
    await app.call("PATCH", `/campaigns/${id}`, change);
    const people = Array.from({ length: 9 }, (_, n) => `p${n}@client${n}.example`);
    const leads = await addLeads(app, id, ...people);
    await app.call("POST", `/campaigns/${id}/start`);
    const { days } = (await app.call("GET", `/campaigns/${id}/forecast?days=7`)).body;
    const planned = days.map((day: { date: string; new_leads: number; follow_ups: number }) => [
      day.date,
      day.new_leads + day.follow_ups,
    ]);
    expect(Object.fromEntries(planned)[HOLI]).toBe(0);

    await app.advance(2 * DAY_MS);
    const { sending_status } = (await app.call("GET", `/campaigns/${id}`)).body;
    expect(sending_status).toBe("outside_window");
    const path = `/campaigns/${id}/leads/${leads.at(-1)?.id}/explain`;
    expect((await app.call("GET", path)).body.reason).toBe("outside_window");

    await app.advance(5 * DAY_MS);
    const stats = (await app.call("GET", `/stats?campaign_id=${id}&to=2026-03-09`)).body;
    expect(stats.totals.sent).toBeGreaterThan(9);
    const sent = new Map(
      stats.days.map((day: { date: string; sent: number }) => [day.date, day.sent]),
    );
    for (const [date, sends] of planned) {
      expect([date, sent.get(date)]).toEqual([date, sends]);
    }
  });

  test("it is kept by a change of the hours alone, and cleared by an empty list", async () => {
    const { id } = await makeCampaign(app, TWO_STEPS);
    const patch = async (window: object) =>
      (await app.call("PATCH", `/campaigns/${id}`, { send_window: window })).body.send_window;
    expect((await app.call("GET", `/campaigns/${id}`)).body.send_window.skip_holidays).toEqual([]);
    await patch({ skip_holidays: ["DE", "FR"] });
    expect(await patch({ start_hour: 8 })).toMatchObject({ skip_holidays: ["DE", "FR"] });
    expect(await patch({ skip_holidays: [] })).toMatchObject({ start_hour: 8, skip_holidays: [] });
  });

  test.each([
    [["BV"], "send_window.skip_holidays.0", "no public holidays are known for BV"],
    [["de"], "send_window.skip_holidays.0", "must be an ISO 3166 country code in capitals"],
    ["DE", "send_window.skip_holidays", "must be an array"],
    [["DE", "DE"], "send_window.skip_holidays", "must not repeat an item"],
    [Array.from({ length: 11 }, () => "DE"), "send_window.skip_holidays", "10"],
  ])("422: %p names %s", async (countries, field, words) => {
    const body = { name: "Spring", send_window: { skip_holidays: countries } };
    const answer = await app.call("POST", "/campaigns", body);
    expect([answer.status, answer.body.field]).toEqual([422, field]);
    expect(answer.body.message).toContain(words);
  });
});
