/** `outrider leads export`: a team's leads, or those of a campaign, as a file. */

import { resolve } from "node:path";
import { command } from "#cli/command.ts";
import { EXIT } from "#cli/exit.ts";
import { CLIENT_DETAILS, CLIENT_OPTIONS, clientOf } from "./client.ts";

/** How often the count on the terminal changes. */
const TOLD_EVERY_BYTES = 256 * 1024;

export const leadsExportCommand = command({
  about: "Export leads to a file or stdout, as CSV or NDJSON",
  details: CLIENT_DETAILS,
  options: {
    campaign: {
      type: "string",
      value: "ID",
      about: "Only this campaign's leads, with their progress",
    },
    format: { type: "string", value: "csv|ndjson", about: "Output format (csv)" },
    output: { type: "string", value: "FILE", about: "Output file (stdout)" },
    ...CLIENT_OPTIONS,
  },
  run: async (call) => {
    const { values, terminal, workingDir } = call;
    const query = new URLSearchParams({
      ...(values.format === undefined ? {} : { format: values.format }),
      ...(values.campaign === undefined ? {} : { campaign_id: values.campaign }),
    });
    const body = await clientOf(call).stream(`/exports/leads?${query}`);
    const sink =
      values.output === undefined ? null : Bun.file(resolve(workingDir, values.output)).writer();
    const decoder = new TextDecoder();
    let written = 0;
    let told = 0;
    for await (const bytes of body) {
      written += bytes.byteLength;
      if (sink === null) {
        terminal.out(decoder.decode(bytes, { stream: true }));
      } else {
        sink.write(bytes);
        await sink.flush();
      }
      if (terminal.errOverwrites && sink !== null && written - told >= TOLD_EVERY_BYTES) {
        told = written;
        terminal.err(`\r\u001b[K${(written / 1024 / 1024).toFixed(1)} MiB`);
      }
    }
    await sink?.end();
    terminal.err(sink !== null && terminal.errOverwrites ? "\r\u001b[K" : "");
    return EXIT.done;
  },
});
