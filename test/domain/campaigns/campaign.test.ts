/** Guarantees of `domain/campaigns/campaign.ts`: who may become what, and defaults that are themselves valid. */

import { describe, expect, test } from "bun:test";
import {
  CAMPAIGN_DEFAULTS,
  CAMPAIGN_STATUSES,
  type CampaignStatus,
  checkTransition,
} from "#domain/campaigns/campaign.ts";
import { checkWindow } from "#domain/campaigns/window.ts";

describe("checkTransition", () => {
  const allows = (from: CampaignStatus, to: CampaignStatus): boolean => {
    try {
      checkTransition(from, to);
      return true;
    } catch {
      return false;
    }
  };

  test.each<[CampaignStatus, CampaignStatus[]]>([
    ["draft", ["draft", "active", "archived"]],
    ["active", ["active", "paused", "archived"]],
    ["paused", ["active", "paused", "archived"]],
    ["completed", ["active", "completed", "archived"]],
    ["archived", ["paused", "archived"]],
  ])("%s may stay, or become one of %j", (from, to) => {
    expect(CAMPAIGN_STATUSES.filter((status) => allows(from, status))).toEqual(to);
  });

  test("a refusal names the field and what is possible", () => {
    expect(() => checkTransition("draft", "paused")).toThrow(
      expect.objectContaining({
        type: "conflict",
        field: "status",
        message: "a campaign can't go from draft to paused; allowed: active or archived",
      }),
    );
  });
});

test("the defaults are the specification's, and their window is valid", () => {
  expect(() => checkWindow(CAMPAIGN_DEFAULTS.sendWindow)).not.toThrow();
  expect(CAMPAIGN_DEFAULTS).toEqual({
    notes: null,
    stopOnReply: true,
    stopOnAutoReply: false,
    sendWindow: {
      timezone: "UTC",
      days: ["monday", "tuesday", "wednesday", "thursday", "friday"],
      startHour: 9,
      endHour: 17,
      skipHolidays: [],
    },
    maxLeadsPerDay: 50,
    dailyLimit: null,
    priority: "follow_ups",
    maxPerDomainPerDay: null,
    stopCompanyOnReply: false,
    riskyAddresses: "send",
    providerMatching: "off",
    trackOpens: false,
    trackClicks: false,
    evergreen: true,
    rules: [],
  });
});
