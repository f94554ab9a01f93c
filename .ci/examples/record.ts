/** The whole recording: one team, whose story the parts beside this file tell. */

import type { Examples } from "#api/document/examples.ts";
import { createTestApp } from "../../test/support/app.ts";
import { scriptedHttp } from "../../test/support/webhooks.ts";
import { recordCampaigns, recordEndings, recordLeads, recordUnconfirmed } from "./campaigns.ts";
import {
  LICENCE_KEYS,
  recordAddress,
  recordBatch,
  recordBilling,
  recordEvents,
  recordKeys,
  recordTeam,
  recordWebhooks,
} from "./developers.ts";
import { recordExperiments, recordPlacement } from "./experiments.ts";
import { recordImports } from "./imports.ts";
import { recordFiles, recordInbox, recordSandbox, recordSuppressions } from "./inbox.ts";
import { operations, operatorKey, recordInstallation } from "./installation.ts";
import { recordMailboxes, recordMailboxHistory } from "./mailboxes.ts";
import { recorder } from "./recorder.ts";
import { SILENCE } from "./scene.ts";

const PUBLIC_URL = "https://outrider.example";

export async function record(): Promise<Examples> {
  const app = await createTestApp({
    publicUrl: PUBLIC_URL,
    http: scriptedHttp(),
    licenceKeys: [LICENCE_KEYS.publicKey],
    operations,
  });
  try {
    const { examples, shows, asks } = recorder((request) => app.fetch(request));
    const { live, test } = app.keys;
    const scene = { app, show: shows(test), live: shows(live), ask: asks(test) };
    await scene.show.patchSandboxSettings({ body: { rates: SILENCE } });
    await recordAddress(scene);
    const webhook = await recordWebhooks(scene);
    const account = await recordMailboxes(scene);
    const campaign = await recordCampaigns(scene, account);
    await recordInbox(scene, campaign);
    await recordSuppressions(scene);
    await recordFiles(scene);
    await recordLeads(scene, campaign);
    await recordMailboxHistory(scene, account);
    await recordUnconfirmed(scene, campaign);
    await recordImports(scene);
    await recordExperiments(scene);
    await recordPlacement(scene, account);
    await recordEvents(scene, webhook);
    await recordBatch(scene);
    await recordKeys(scene);
    await recordTeam(scene);
    await recordBilling(scene);
    await recordInstallation(shows(await operatorKey(app)));
    await recordSandbox(scene);
    await recordEndings(scene, campaign);
    return examples;
  } finally {
    await app.close();
  }
}
