/** What a step says to a lead, and which leads of a campaign lack something that a step says. */

import { stepsUpTo } from "#domain/campaigns/sequence.ts";
import { overrideContent, type VariantConfig } from "#domain/experiments/experiment.ts";
import { listed } from "#domain/experiments/experiment-words.ts";
import { asSender } from "#domain/mailboxes/account.ts";
import { type AddressTally, noTally, tallyCheck } from "#domain/mailboxes/address-check.ts";
import { invalid } from "#domain/problem.ts";
import {
  type ContentInput,
  type MessageContent,
  renderMessage,
} from "#domain/sending/message-content.ts";
import { scopeOf } from "#domain/sending/message-scope.ts";
import { renderTemplate } from "#domain/sending/template.ts";
import type { BodyFormat } from "#domain/sending/text-to-html.ts";
import { unixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { sequenceOf, stepsOf } from "#store/campaigns/steps.ts";
import { openLeadsOf } from "#store/leads/campaign-leads.ts";
import { findLead } from "#store/leads/leads.ts";
import type { Carried } from "#store/sending/message-files.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { CampaignRow, StepRow } from "#store/tables/campaigns.ts";
import type { LeadRow } from "#store/tables/leads.ts";
import { findTeam } from "#store/team/teams.ts";
import { type Carrying, carriedBy } from "#usecases/campaigns/attachments.ts";
import { requireCampaign } from "#usecases/campaigns/campaigns.ts";
import { type Assignment, governStep } from "#usecases/campaigns/exposures.ts";
import { likelySender, problemOf } from "#usecases/campaigns/launch.ts";
import { addressOf } from "#usecases/mailboxes/address-checks.ts";
import { fieldsOf } from "./draft.ts";
import { footerOf } from "./footer.ts";

export interface UnsavedWords {
  subject?: string | null;
  body?: string;
  format?: BodyFormat | null;
}

export interface PreviewInput {
  stepId?: Id;
  /** 1-based; the first email where neither is given. */
  position?: number;
  leadId?: Id;
  /** Somebody who need not be a lead. */
  lead?: Partial<LeadRow>;
  /** Words that are not saved yet, in place of the step's own. */
  words?: UnsavedWords;
  /** Another choice of each spintax than the lead's own, which is 0. */
  roll?: number;
}

export interface Preview {
  step: StepRow;
  /** Null while something is missing. */
  content: { subject: string; text: string; html: string } | null;
  /** Of the email, without those that each sending makes anew. Empty while something is missing. */
  headers: { name: string; value: string }[];
  /** What the email carries, images in its text first, or why it can't. Nothing while something is missing. */
  carrying: Carrying;
  /** Names of variables without a value and without a fallback. */
  missing: string[];
}

/** Stands in where nobody is named. */
const SAMPLE: LeadRow = {
  id: "00000000-0000-0000-0000-000000000000",
  teamId: "00000000-0000-0000-0000-000000000000",
  email: "lead@example.com",
  firstName: null,
  lastName: null,
  company: null,
  website: null,
  phone: null,
  timezone: null,
  variables: {},
  softBounces: 0,
  addressReasons: [],
  callout: null,
  calloutAt: null,
  createdAt: unixMs(0),
  updatedAt: unixMs(0),
};
const SAMPLE_SENDER = { email: "sender@example.com", name: "Sample Sender", signature: "" };

/**
 * Renders a step for a lead as the engine would. Throws `not_found`, or `validation_error` naming what
 * the request gets wrong or the step that cannot be rendered.
 */
export function previewStep(
  env: Environment,
  caller: Caller,
  campaignId: Id,
  input: PreviewInput,
): Preview {
  const campaign = requireCampaign(env, caller, campaignId);
  const steps = stepsOf(env.db, campaign.id);
  const step = withWords(chooseStep(steps, input), input.words ?? {});
  const recipient = chooseRecipient(env, caller, input);
  const sample = sampleOf(env, campaign);
  const content = render({ ...sample, roll: input.roll ?? 0 }, steps, step, recipient);
  switch (content.kind) {
    case "ready": {
      const { subject, text, html } = content;
      const headers = headersOf(sample, recipient, subject);
      const carrying = carriedBy(env, campaign.teamId, step.attachmentIds, html);
      return { step, content: { subject, text, html }, headers, carrying, missing: [] };
    }
    case "held":
      return { step, content: null, headers: [], carrying: NOTHING, missing: content.missing };
    case "failed":
      throw problemOf({
        field: `steps.${step.position - 1}.${content.field}`,
        message: content.error,
      });
    default:
      return content satisfies never;
  }
}

const NOTHING: Carrying = { kind: "ready", carried: [] };

/** What a preview carries. Throws `validation_error` where the email can't carry it, and so wouldn't be sent. */
export function carriedIn({ step, carrying }: Preview): Carried[] {
  if (carrying.kind === "fault") {
    const { field, message } = carrying;
    throw problemOf({ field: `steps.${step.position - 1}.${field}`, message });
  }
  return carrying.carried;
}

function chooseStep(steps: readonly StepRow[], { stepId, position }: PreviewInput): StepRow {
  if (stepId !== undefined && position !== undefined) {
    throw invalid("position", "use either step_id or position, not both");
  }
  const field = stepId === undefined ? "position" : "step_id";
  const step = steps.find((candidate) =>
    stepId === undefined
      ? candidate.position === (position ?? 1)
      : candidate.id === stepId.toLowerCase(),
  );
  if (step === undefined) {
    throw invalid(field, "the campaign has no such step");
  }
  if (step.type === "task") {
    throw invalid(field, "this step is a task, so it has no email");
  }
  return step;
}

/** `subject` null goes on in the thread; a blank one counts as none. */
export function withWords(step: StepRow, words: UnsavedWords): StepRow {
  const { subject = step.subject, body = step.body, format = step.format } = words;
  return { ...step, subject: subject?.trim() === "" ? null : subject, body, format };
}

function headersOf(
  { sender, unsubscribe }: Sample,
  recipient: LeadRow,
  subject: string,
): Preview["headers"] {
  const { https, mailto } = unsubscribe;
  const forms = https === null ? [`<${mailto}>`] : [`<${https}>`, `<${mailto}>`];
  const name = [recipient.firstName, recipient.lastName].filter((part) => part?.trim()).join(" ");
  const mailboxOf = (shown: string, address: string) =>
    shown === "" ? address : `${shown} <${address}>`;
  return [
    { name: "From", value: mailboxOf(sender.name, sender.email) },
    { name: "To", value: mailboxOf(name, recipient.email) },
    { name: "Subject", value: subject },
    { name: "List-Unsubscribe", value: forms.join(", ") },
    ...(https === null
      ? []
      : [{ name: "List-Unsubscribe-Post", value: "List-Unsubscribe=One-Click" }]),
  ];
}

function chooseRecipient(
  env: Environment,
  caller: Caller,
  { leadId, lead }: PreviewInput,
): LeadRow {
  if (leadId === undefined) {
    return { ...SAMPLE, ...lead };
  }
  if (lead !== undefined) {
    throw invalid("lead", "use either lead_id or lead, not both");
  }
  const row = findLead(env.db, caller.teamId, leadId);
  if (row === undefined) {
    throw invalid("lead_id", "no such lead");
  }
  return row;
}

/** What every rendering of a campaign shares. */
type Sample = Pick<ContentInput, "sender" | "unsubscribe" | "at"> & ReturnType<typeof footerOf>;

function sampleOf(env: Environment, campaign: CampaignRow): Sample {
  const account = likelySender(env, campaign);
  const sender = account === undefined ? SAMPLE_SENDER : senderOf(account);
  return {
    sender,
    ...footerOf(findTeam(env.db, campaign.teamId)),
    unsubscribe: {
      https: env.publicUrl === null ? null : `${env.publicUrl}/u/preview`,
      mailto: `mailto:${sender.email}?subject=unsubscribe`,
    },
    at: env.clock.now(),
  };
}

function senderOf(row: AccountRow): Sample["sender"] {
  const { email, displayName, signature } = asSender(row);
  return { email, name: displayName ?? "", signature: signature ?? "" };
}

function render(
  sample: Sample & { roll: number },
  steps: readonly StepRow[],
  step: StepRow,
  recipient: LeadRow,
): MessageContent {
  const first = threadStart(steps, step);
  const opening =
    first === undefined
      ? null
      : renderMessage({ ...inputOf(sample, first, recipient), threadSubject: null });
  const threadSubject = opening?.kind === "ready" ? opening.subject : (first?.subject ?? null);
  return renderMessage({ ...inputOf(sample, step, recipient), threadSubject });
}

/** The earlier email whose subject a step without one continues. */
function threadStart(steps: readonly StepRow[], step: StepRow): StepRow | undefined {
  return step.subject !== null
    ? undefined
    : steps.findLast(
        ({ type, subject, position }) =>
          type === "email" && subject !== null && position < step.position,
      );
}

function inputOf(
  { roll, ...sample }: Sample & { roll: number },
  step: StepRow,
  recipient: LeadRow,
): Omit<ContentInput, "threadSubject"> {
  return {
    ...sample,
    lead: leadOf(recipient),
    subject: step.subject,
    body: step.body ?? "",
    format: step.format,
    seed: roll === 0 ? `${recipient.id} ${step.id}` : `${recipient.id} ${step.id} ${roll}`,
  };
}

function leadOf(lead: LeadRow): ContentInput["lead"] {
  return { email: lead.email, fields: fieldsOf(lead), variables: lead.variables };
}

/** Leads looked at by one check, and templates rendered for them. */
const SCANNED_MAX = 10_000;
const RENDERINGS_MAX = 100_000;
/** Leads between two turns of the event loop. */
const SCAN_SLICE_MAX = 200;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/** Leads that a variant would be sent to, and what some of them lack. */
export interface VariantHoles {
  experiment: string;
  name: string;
  leads: number;
  held: number;
  missing: readonly string[];
}

/**
 * How many open leads lack something that a step still to come says to them, among the first `scanned`;
 * where an experiment governs the step, something that their variant says.
 */
export async function countHoles(
  env: Environment,
  campaign: CampaignRow,
): Promise<{ held: number; scanned: number; variants: VariantHoles[]; addresses: AddressTally }> {
  const sequence = sequenceOf(env.db, campaign.id);
  const { steps } = sequence;
  const sample = sampleOf(env, campaign);
  const limit = Math.min(SCANNED_MAX, Math.floor(RENDERINGS_MAX / Math.max(1, steps.length)));
  const variants = new Map<Id, VariantHoles>();
  const addresses = noTally();
  let [held, scanned, after] = [0, 0, BEFORE_ALL];
  while (scanned < limit) {
    const size = Math.min(SCAN_SLICE_MAX, limit - scanned);
    const page = await env.commit(() => openLeadsOf(env.db, campaign.id, after, size));
    scanned += page.length;
    for (const place of page) {
      if (place.placeId === null) {
        tallyCheck(addresses, addressOf(env.db, place.lead));
      }
      const holes = steps
        .slice(stepsUpTo(sequence, place.placeId))
        .filter(({ type }) => type === "email")
        .map((step) => {
          const row = { campaignId: campaign.id, leadId: place.lead.id };
          const { step: governed, assignment } = governStep(env, row, step);
          const missing = holesOf(sample, governed, place.lead);
          if (assignment !== null) {
            noteHoles(variants, assignment, missing);
          }
          return missing;
        });
      held += Number(holes.some((missing) => missing.length > 0));
    }
    after = page.at(-1)?.enrollmentId ?? after;
    if (page.length < size) {
      break;
    }
  }
  const wanting = [...variants.values()].filter((one) => one.held > 0);
  return { held, scanned, variants: wanting, addresses };
}

function noteHoles(
  variants: Map<Id, VariantHoles>,
  { experiment, variant }: Assignment,
  missing: readonly string[],
): void {
  const known = variants.get(variant.id) ?? {
    experiment: experiment.name,
    name: variant.name,
    leads: 0,
    held: 0,
    missing: [],
  };
  variants.set(variant.id, {
    ...known,
    leads: known.leads + 1,
    held: known.held + Number(missing.length > 0),
    missing: [...new Set([...known.missing, ...missing])],
  });
}

/** Names of variables that the step asks for and the lead lacks, without a fallback. */
function holesOf(sample: Sample, step: StepRow, lead: LeadRow): string[] {
  const scope = scopeOf({ ...sample, lead: leadOf(lead) }, "none");
  const seed = `${lead.id} ${step.id}`;
  const missingIn = (source: string | null, part: string) => {
    const options = { seed: `${seed} ${part}`, escape: "none" as const, at: sample.at };
    const rendered = source === null ? null : renderTemplate(source, scope, options);
    return rendered !== null && "missing" in rendered ? rendered.missing : [];
  };
  return [...missingIn(step.subject, "subject"), ...missingIn(step.body, "body")];
}

/** Leads for which the variants of an experiment that begins at once are rendered. */
const LEADS_TRIED_MAX = 50;
/** Open leads that they are looked for among: the first may be past the step. */
const LEADS_LOOKED_AT_MAX = 1_000;

/**
 * Throws `validation_error` for a variant that could be sent to none of the leads who wait for its step: it
 * would be given its share of them all the same, and each would be on hold.
 */
export function checkRenderable(
  env: Environment,
  campaign: CampaignRow,
  step: StepRow,
  variants: readonly { config: VariantConfig }[],
): void {
  const sequence = sequenceOf(env.db, campaign.id);
  const leads = openLeadsOf(env.db, campaign.id, BEFORE_ALL, LEADS_LOOKED_AT_MAX)
    .filter(({ placeId }) => stepsUpTo(sequence, placeId) < step.position)
    .slice(0, LEADS_TRIED_MAX);
  if (leads.length === 0) {
    return;
  }
  const sample = sampleOf(env, campaign);
  for (const [index, { config }] of variants.entries()) {
    const said = { ...step, ...overrideContent(step, config) };
    const holes = leads.map(({ lead }) => holesOf(sample, said, lead));
    if (holes.every((missing) => missing.length > 0)) {
      const names = listed([...new Set(holes.flat())]);
      throw invalid(
        `variants.${index}.config`,
        `cannot be sent: none of the first ${leads.length} leads has ${names}; add it, or give it ` +
          "a fallback",
      );
    }
  }
}
