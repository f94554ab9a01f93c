/**
 * Guarantees of confirmations: every operation that changes something is known to send email or not to; a
 * confirmation is for one plan, one caller, and a short while.
 */

import { describe, expect, test } from "bun:test";
import { createConfirmations } from "#api/assistant/confirmations.ts";
import { boundText, type Plan } from "#api/assistant/plan.ts";
import { PROMPTS } from "#api/assistant/prompts.ts";
import { SENDS } from "#api/assistant/sends.ts";
import { makeToolbox } from "#api/assistant/toolbox.ts";
import { loadApi } from "#cli/requests/operations.ts";
import { MINUTE_MS, plus, unixMs } from "#domain/time.ts";

/** Change something and let no email out. A new operation goes here, or to `sends.ts`. */
const SILENT = [
  ...["createCampaign", "deleteCampaign", "pauseCampaign", "archiveCampaign"],
  ...["restoreCampaign", "restoreAccount", "restoreWebhook", "purgeDeleted"],
  ...["patchCampaignStep", "deleteCampaignStep", "checkCampaignStep", "deleteCampaignLead"],
  ...["previewCampaign", "patchLead", "deleteLead", "importCampaignFile", "previewImport"],
  ...["resumeImport", "cancelImport", "undoImport", "createAccount", "deleteAccount"],
  ...["connectAccount", "setAccountDkim", "deleteAccountDkim", "createSuppression"],
  ...["createWorkspace", "patchWorkspace", "deleteWorkspace", "checkWorkspace"],
  "connectWorkspaceAccounts",
  "checkDomain",
  ...["createExperiment", "patchExperiment", "pauseExperiment", "resumeExperiment"],
  ...[
    "cancelExperiment",
    "completeExperiment",
    "applyExperimentWinner",
    "shareExperiment",
    "unshareExperiment",
    "attachInboxThread",
  ],
  ...["createPlacementSeed", "patchPlacementSeed", "deletePlacementSeed", "testPlacementSeed"],
  ...["changeInboxThreads", "tagInboxThreads", "createInboxThreadNote", "deleteInboxThreadNote"],
  ...["createCannedReply", "patchCannedReply", "deleteCannedReply"],
  "mergeLead",
  ...["createLeadView", "patchLeadView", "deleteLeadView", "uploadFile", "deleteFile"],
  ...["cancelPlacementRun", "deletePlacementSchedule", "createWebhook", "patchWebhook"],
  ...["deleteWebhook", "rotateWebhookSecret", "testWebhook", "replayWebhookDelivery"],
  ...["replayWebhook", "patchTeam", "patchTeamMember", "deleteTeamMember", "createTeamInvitation"],
  ...["deleteTeamInvitation", "createKey", "deleteKey", "rotateKey", "subscribeToPlan"],
  ...["setBillingLicense", "openBillingPortal", "moveSandboxClock", "injectIntoSandbox"],
  ...["startSandboxDemo"],
  ...["patchSandboxSettings", "resetSandbox", "createBackup", "uploadBackup", "deleteBackup"],
  ...["verifyBackup", "tagAccounts", "tagCampaigns", "tagLeads", "upsertLeads"],
  ...["duplicateCampaign", "importAccounts", "importSuppressions", "checkWebhook"],
];

test("every operation that changes something asks first, or sends nothing", async () => {
  const { operations } = await loadApi();
  const writes = operations.filter(({ method }) => method !== "GET").map(({ id }) => id);
  const known = [...SILENT, ...Object.keys(SENDS)];
  expect(known.toSorted()).toEqual(writes.toSorted());
});

test("a batch is shown with all that it changes; one that only reads is carried out", async () => {
  const read = { method: "GET", path: "/leads/1" };
  const start = { method: "POST", path: "/campaigns/{spring.id}/start" };
  const look = () => Promise.reject(new Error("not asked"));
  const plan = await SENDS["runBatch"]?.({ operations: [read, start, start] }, look);
  const named = "POST /campaigns/{spring.id}/start";
  expect(plan?.action).toBe(`Carry out 2 changes at once: ${named}, ${named}`);
  expect(await SENDS["runBatch"]?.({ operations: [read] }, look)).toBeNull();
});

test("a key of any scope may run a batch, if it may write", async () => {
  const toolbox = makeToolbox(await loadApi(), createConfirmations());
  const find = async (scopes: readonly string[], readOnly: boolean) => {
    const to = { ask: () => Promise.reject(new Error("not asked")), who: "", now: () => unixMs(0) };
    const { texts } = await toolbox.call({ ...to, scopes, readOnly }, "find_operations", {
      words: "run a batch",
    });
    return texts.join().includes("runBatch");
  };
  expect(await find(["leads:write"], false)).toBe(true);
  expect(await find(["leads:write"], true)).toBe(false);
});

test("prompts name tools and operations that exist", async () => {
  const toolbox = makeToolbox(await loadApi(), createConfirmations());
  const tools = toolbox.tools({
    ...{ ask: () => Promise.reject(new Error("not asked")), who: "", scopes: null },
    ...{ now: () => unixMs(0), readOnly: false },
  });
  const names = new Set(tools.map(({ name }) => name));
  const said = PROMPTS.flatMap(({ text }) => text({}).match(/\b[a-z]+(_[a-z]+)+\b/g) ?? []);
  const fields = ["account_ids", "sending_status", "on_hold", "as_if_started"];
  expect(said.length).toBeGreaterThan(20);
  expect(said.filter((name) => !(names.has(name) || fields.includes(name)))).toEqual([]);
});

describe("A confirmation", () => {
  const plan: Plan = {
    ...{ action: "Send a reply", from: ["ann@a.example"], to: ["bo@b.example"], emails: 1 },
    ...{ firstAt: null, lastAt: null, subject: null, text: "Hello", warnings: [] },
  };
  const now = unixMs(1_000_000);
  const of = boundText("key:1", "replyToInboxThread", { id: "1", body: "Hello" }, plan);
  const confirmations = createConfirmations();
  const { confirm, expiresAt } = confirmations.seal(of, now);

  test("holds for the same call, whatever the order of its arguments", () => {
    const same = boundText("key:1", "replyToInboxThread", { body: "Hello", id: "1" }, plan);
    expect(confirmations.isSealed(confirm, same, now)).toBe(true);
    const later = boundText(
      ...(["key:1", "replyToInboxThread", { id: "1", body: "Hello" }] as const),
      { ...plan, emails: 2, firstAt: "2026-03-02T15:00:00.000Z" },
    );
    expect(confirmations.isSealed(confirm, later, now)).toBe(true);
  });

  test("for no other caller, operation, argument or plan", () => {
    const others = [
      boundText("key:2", "replyToInboxThread", { id: "1", body: "Hello" }, plan),
      boundText("key:1", "startCampaign", { id: "1", body: "Hello" }, plan),
      boundText("key:1", "replyToInboxThread", { id: "1", body: "Hello!" }, plan),
      boundText("key:1", "replyToInboxThread", { id: "1", body: "Hello" }, { ...plan, to: [] }),
    ];
    expect(others.map((other) => confirmations.isSealed(confirm, other, now))).toEqual([
      ...[false, false, false, false],
    ]);
  });

  test("ends after ten minutes, and can't be made longer or by another program", () => {
    expect(expiresAt - now).toBe(10 * MINUTE_MS);
    expect(confirmations.isSealed(confirm, of, plus(expiresAt, -1))).toBe(true);
    expect(confirmations.isSealed(confirm, of, expiresAt)).toBe(false);
    const longer = confirm.replace(/^\d+/, String(expiresAt + MINUTE_MS));
    expect(confirmations.isSealed(longer, of, now)).toBe(false);
    expect(createConfirmations().isSealed(confirm, of, now)).toBe(false);
    for (const forged of ["", ".", "x", `${expiresAt}.`, "9999999999999999."]) {
      expect(confirmations.isSealed(forged, of, now)).toBe(false);
    }
  });
});
