/** `outrider leads export`: a team's leads, or those of a campaign, as a file. */

import { command } from "#cli/command.ts";
import { EXIT } from "#cli/exit.ts";
import { CLIENT_DETAILS, CLIENT_OPTIONS, clientOf } from "./client.ts";
import { save } from "./save.ts";

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
    const { values } = call;
    const query = new URLSearchParams({
      ...(values.format === undefined ? {} : { format: values.format }),
      ...(values.campaign === undefined ? {} : { campaign_id: values.campaign }),
    });
    const body = await clientOf(call).stream(`/exports/leads?${query}`);
    await save(call, body, values.output);
    return EXIT.done;
  },
});
