/** Files of leads: looked at, imported, broken off, stopped and taken back. */

import { importFile, pieces } from "../../test/support/imports.ts";
import type { Scene } from "./scene.ts";

const FILE =
  "email,company\n" +
  "fay@umbrella.example,Umbrella\n" +
  "bo.li@acme.example,Acme\n" +
  "not an address,\n";
const LINES = `${JSON.stringify({ email: "gil@stark.example", first_name: "Gil" })}\n`;

export async function recordImports(scene: Scene): Promise<void> {
  const { show, ask } = scene;
  const { id: campaignId } = await ask.createCampaign({ body: { name: "Conference list" } });
  const csv = { contentType: "text/csv", body: FILE } as const;
  const lines = { contentType: "application/x-ndjson", body: LINES } as const;
  await show.previewImport(csv);
  await show.previewImport(lines);
  const named = { id: campaignId, file_name: "conference.csv", existing: "replace" } as const;
  const { id } = await show.importCampaignFile({ ...named, ...csv });
  await show.importCampaignFile({ id: campaignId, ...lines });
  await show.listImports({ limit: 1 });
  await show.getImport({ id });
  await show.downloadImportLines({ id, format: "csv" });
  await show.downloadImportLines({ id, format: "ndjson" });
  // What somebody has changed since is not put back.
  const { data } = await ask.listLeads({ email: "bo.li@acme.example" });
  await ask.patchLead({ id: data[0]?.id ?? "", body: { company: "Acme Europe" } });
  await show.undoImport({ id });
  await show.getImportNotRestored({ id, format: "csv" });
  await show.getImportNotRestored({ id, format: "ndjson" });
  await recordSuppressions(scene);
  await recordBroken(scene, campaignId);
}

async function recordSuppressions({ show, ask }: Scene): Promise<void> {
  const rows = [{ email: "max@stark.example", reason: "unsubscribe" }, { email: "@rival.example" }];
  const csv = "email,reason\nmax@stark.example,unsubscribe\n@rival.example,\n";
  const ndjson = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  const uploads = [
    await show.importSuppressions({
      contentType: "text/csv",
      body: csv,
      file_name: "opt-outs.csv",
    }),
    await show.importSuppressions({ contentType: "application/x-ndjson", body: ndjson }),
    await show.importSuppressions({ contentType: "application/json", body: JSON.stringify(rows) }),
  ];
  for (const { id } of uploads.toReversed()) {
    await ask.undoImport({ id });
  }
}

/** Files that are announced as longer than what comes. */
async function recordBroken({ app, show }: Scene, campaignId: string): Promise<void> {
  const broken = async (file: string, type: string) => {
    const headers = { "Content-Length": String(file.length + 1) };
    return (await importFile(app, campaignId, pieces([file]), { type, headers })).body;
  };
  for (const [contentType, file] of [
    ["text/csv", FILE],
    ["application/x-ndjson", LINES],
  ] as const) {
    const { id, offset } = await broken(file, contentType);
    await show.resumeImport({ id, offset, contentType, body: file.slice(offset) });
  }
  await show.cancelImport({ id: (await broken(FILE, "text/csv")).id });
}
