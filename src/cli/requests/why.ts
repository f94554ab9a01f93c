/** `outrider why`: why a lead has not been written to yet, and when it will be. */

import { command } from "#cli/command.ts";
import { CommandError, EXIT } from "#cli/exit.ts";
import { jsonLine, printable, styled } from "#cli/term.ts";
import { CLIENT_DETAILS, CLIENT_OPTIONS, type Client, clientOf } from "./client.ts";

interface Place {
  campaign_id: string;
  campaign_name: string;
  status: string;
}

interface Explanation {
  reason: string;
  message: string;
  next_send_at: string | null;
  estimated: boolean;
  ahead: number | null;
}

export const whyCommand = command({
  about: "Explain why a lead hasn't been emailed, and when they will be",
  details: CLIENT_DETAILS,
  options: {
    campaign: {
      type: "string",
      value: "ID",
      about: "Only this campaign (default: all of the lead's campaigns)",
    },
    ...CLIENT_OPTIONS,
  },
  positionals: [{ name: "LEAD", about: "Email address or lead id" }],
  run: async (call) => {
    const { values, terminal, json } = call;
    const client = clientOf(call);
    const id = await leadId(client, call.words[0] ?? "");
    const { data } = await client.call<{ data: Place[] }>("GET", `/leads/${id}/campaigns`);
    const places = data.filter(
      ({ campaign_id }) => values.campaign === undefined || values.campaign === campaign_id,
    );
    const explained = [];
    for (const { campaign_id, campaign_name, status } of places) {
      const path = `/campaigns/${campaign_id}/leads/${id}/explain`;
      const why = await client.call<Explanation>("GET", path);
      explained.push({ campaign_id, campaign: campaign_name, status, ...why });
    }
    if (json) {
      terminal.out(jsonLine({ lead_id: id, campaigns: explained }));
      return EXIT.done;
    }
    for (const { campaign, message, next_send_at, estimated } of explained) {
      const name = styled(printable(campaign), "bold", terminal.outColours);
      const when =
        next_send_at === null ? "" : `, next ${estimated ? "about " : ""}${next_send_at}`;
      terminal.out(`${name}: ${printable(message)}${when}\n`);
    }
    if (explained.length === 0) {
      terminal.err("this lead is not in that campaign\n");
    }
    return EXIT.done;
  },
});

async function leadId(client: Client, word: string): Promise<string> {
  if (!word.includes("@")) {
    return encodeURIComponent(word);
  }
  const query = new URLSearchParams({ email: word });
  const { data } = await client.call<{ data: { id: string }[] }>("GET", `/leads?${query}`);
  const [lead] = data;
  if (lead === undefined) {
    throw new CommandError(EXIT.failed, `no lead with the email ${word}`);
  }
  return lead.id;
}
