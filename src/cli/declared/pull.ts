/** `outrider pull`: the campaigns of a server as a file that `outrider apply` takes. */

import { resolve } from "node:path";
import { command } from "#cli/command.ts";
import { EXIT } from "#cli/exit.ts";
import { CLIENT_DETAILS, CLIENT_OPTIONS, type Client, clientOf } from "#cli/requests/client.ts";
import { jsonLine } from "#cli/term.ts";
import type { Fields } from "./file.ts";
import {
  campaignsOf,
  experimentsOf,
  type Forms,
  formsOf,
  mailboxesOf,
  type ServerCampaign,
  stepsOf,
} from "./server.ts";

const HEADING = "Campaigns, as outrider apply takes them.";

export const pullCommand = command({
  about: "Write campaigns to a file that outrider apply takes",
  details: `${CLIENT_DETAILS} Archived campaigns are left out; leads aren't part of it.`,
  options: {
    output: { type: "string", value: "FILE", about: "Output file (stdout)" },
    ...CLIENT_OPTIONS,
  },
  run: async (call) => {
    const { stringify } = await import("yaml");
    const campaigns = await declarationOf(clientOf(call), await formsOf());
    const text = call.json
      ? jsonLine({ campaigns })
      : `# ${HEADING}\n${stringify({ campaigns }, { lineWidth: 0 })}`;
    const { output } = call.values;
    if (output === undefined) {
      call.terminal.out(text);
    } else {
      await Bun.write(resolve(call.workingDir, output), text);
    }
    return EXIT.done;
  },
});

async function declarationOf(client: Client, forms: Forms): Promise<Fields[]> {
  const campaigns = await campaignsOf(client);
  const mailboxes = await mailboxesOf(client);
  const written: Fields[] = [];
  for (const campaign of campaigns) {
    const { id, name, record } = campaign;
    const steps = await stepsOf(client, id);
    const experiments = (await experimentsOf(client, id)).filter(({ status }) =>
      ["running", "paused"].includes(status),
    );
    written.push({
      name,
      ...(isAlone(campaign, campaigns) ? {} : { id }),
      mailboxes: (record["account_ids"] as string[]).map(mailboxes.addressOf),
      ...known(record, forms.campaign),
      steps: steps.map((step) => known(step, forms.step)),
      ...(experiments.length === 0
        ? {}
        : {
            experiments: experiments.map((one) => ({
              ...{ name: one.name, ...known(one.record, forms.experiment) },
              variants: one.variants,
            })),
          }),
    });
  }
  return written;
}

function isAlone({ name }: ServerCampaign, campaigns: readonly ServerCampaign[]): boolean {
  return campaigns.filter((one) => one.name === name).length === 1;
}

/** Null is what a field is when nothing is said. */
function known(record: Fields, names: readonly string[]): Fields {
  const entries = names.map((name) => [name, record[name] ?? null] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}
