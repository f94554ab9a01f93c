/** Leads that are merged while campaigns write to them, through the API. */

import type { Answer, TestApp } from "../app.ts";
import { addAccount, EMAIL_STEP } from "../campaigns.ts";
import { quiet, ROUND_THE_CLOCK } from "../inbox.ts";

export interface Enrollment {
  id: string;
  lead_id: string;
  email: string;
  status: string;
  stop_reason: string | null;
  current_step: number;
}

/** The calls that tests of merges make over and over; `app` is asked for at each. */
export function merging(app: () => TestApp) {
  const enroll = (campaign: string, ...emails: string[]): Promise<Answer> =>
    app().call("POST", `/campaigns/${campaign}/leads`, {
      leads: emails.map((email) => ({ email })),
    });
  const leadsOf = async (campaign: string): Promise<Enrollment[]> =>
    (await app().call("GET", `/campaigns/${campaign}/leads?limit=100`)).body.data;
  return {
    enroll,
    leadsOf,
    /** Creates leads and returns their ids. */
    addLeads: async (...leads: object[]): Promise<string[]> => {
      const { body } = await app().call("POST", "/leads", { leads });
      return body.data.map(({ id }: { id: string }) => id);
    },
    /** A draft of steps two days apart, which nobody reacts to by themselves. */
    makeSteps: async (steps = 3): Promise<string> => {
      await quiet(app());
      const fields = { name: "Spring", send_window: ROUND_THE_CLOCK };
      const { id } = (await app().call("POST", "/campaigns", fields)).body;
      for (let step = 0; step < steps; step += 1) {
        const wait_days = step === 0 ? 0 : 2;
        const words = { ...EMAIL_STEP, subject: `Step ${step + 1}`, body: "Hi", wait_days };
        await app().call("POST", `/campaigns/${id}/steps`, words);
      }
      return id;
    },
    merge: (id: string, ...lead_ids: string[]): Promise<Answer> =>
      app().call("POST", `/leads/${id}/merge`, { lead_ids }),
    /** Subjects of what was delivered to an address. */
    sentTo: async (recipient: string): Promise<string[]> => {
      const path = `/sandbox/messages?recipient=${encodeURIComponent(recipient)}&limit=100`;
      const { data } = (await app().call("GET", path)).body;
      return data.map(({ subject }: { subject: string }) => subject).sort();
    },
    /** The enrollment at an address before the merge. */
    at: async (campaign: string, email: string): Promise<Enrollment> => {
      const found = (await leadsOf(campaign)).find((row) => row.email === email);
      if (found === undefined) {
        throw new Error(`${email} is not in the campaign`);
      }
      return found;
    },
  };
}

/** A mailbox that writes as fast as it is asked to. */
export async function addFastAccount(app: TestApp): Promise<void> {
  const { id } = await addAccount(app);
  await app.call("PATCH", `/accounts/${id}`, { min_gap_seconds: 0, hourly_limit: 100 });
}
