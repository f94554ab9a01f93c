/**
 * A step sent to somebody who wants to see it as it arrives: rendered as for a lead, from the mailbox whose
 * name the preview shows, by the same way as any email. It belongs to no lead and moves no sequence; it is
 * counted and held by the mailbox's caps, and never goes to a suppressed address.
 */

import { parseAddress } from "#domain/email-address.ts";
import { asSender } from "#domain/mailboxes/account.ts";
import { conflict, invalid } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { bytesOf } from "#store/sending/message-files.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import { requireCampaign } from "#usecases/campaigns/campaigns.ts";
import { likelySender } from "#usecases/campaigns/launch.ts";
import { requireStep } from "#usecases/leads/steps.ts";
import { mayReplyFrom } from "./claim-reply.ts";
import { renderFor } from "./content-check.ts";
import { mintMessageId, withinCapacity } from "./draft.ts";
import { carriedIn, type Preview } from "./preview.ts";
import { type Sent, sendSingle } from "./single-mail.ts";

export interface TestSend {
  to: string;
  /** Whose values fill the email; absent: somebody with all fields filled. */
  leadId?: Id;
}

export interface SentTest extends Sent {
  step: StepRow;
  from: string;
  to: string;
  messageId: string;
}

/**
 * Sends it now, and says what the mail server made of it. Throws `not_found`; `validation_error` for a
 * step that cannot be rendered, a lead that lacks a value, or no address; `conflict` where the address is
 * suppressed, no mailbox can send, or its limit is reached; `unavailable` where its files don't fit into memory now.
 */
export async function sendTest(
  env: Environment,
  caller: Caller,
  place: { campaignId: Id; stepId: Id },
  input: TestSend,
): Promise<SentTest> {
  const campaign = requireCampaign(env, caller, place.campaignId);
  const step = requireStep(env, caller, campaign.id, place.stepId);
  const to = parseAddress(input.to)?.address;
  if (to === undefined) {
    throw invalid("to", "must be an email address");
  }
  const { content, headers, carried } = readyPreview(
    renderFor(env, caller, { campaign, step }, input.leadId),
  );
  const account = likelySender(env, campaign);
  if (!mayReplyFrom(env, account) || account === undefined) {
    throw conflict("none of this campaign's mailboxes can send; connect and test one");
  }
  const messageId = mintMessageId(env, account);
  const mail = { account, to, messageId, content, headers, carried };
  const bytes = bytesOf(carried.map(({ file }) => file));
  const { status, response } = await withinCapacity(env, bytes, () =>
    sendSingle(env, caller, mail, { action: "step.send_test", target: `step:${step.id}` }),
  );
  return { step, from: asSender(account).email, to, messageId, status, response };
}

function readyPreview(preview: Preview) {
  const { step, content, headers, missing } = preview;
  if (content === null) {
    throw invalid(
      "lead_id",
      `this lead has no value for ${missing.join(", ")}, so its email would go on hold; add one or choose another lead`,
    );
  }
  if (content.subject === "") {
    throw invalid(
      `steps.${step.position - 1}.subject`,
      "is empty for this lead; add a subject to the step",
    );
  }
  return { content, headers, carried: carriedIn(preview) };
}
