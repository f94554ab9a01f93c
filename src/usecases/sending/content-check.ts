/**
 * A step looked at before it is sent: rendered as a lead would get it, read by our own rules, its links
 * requested, and scored by SpamAssassin where one is configured. Changes nothing.
 */

import { domainOf } from "#domain/email-address.ts";
import {
  checkContent,
  type Finding,
  linksIn,
  type RuleName,
} from "#domain/sending/content-check.ts";
import type { Caller, Environment } from "#environment.ts";
import { composeMessage } from "#mail/compose.ts";
import type { LinkOutcome } from "#platform/ports/links.ts";
import type { SpamOutcome } from "#platform/ports/spamd.ts";
import { stepsOf } from "#store/campaigns/steps.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { CampaignRow, StepRow } from "#store/tables/campaigns.ts";
import { findTeam } from "#store/team/teams.ts";
import { requireCampaign } from "#usecases/campaigns/campaigns.ts";
import { type LaunchWarning, likelySender } from "#usecases/campaigns/launch.ts";
import { requireStep } from "#usecases/leads/steps.ts";
import { type Preview, previewStep, type UnsavedWords, withWords } from "./preview.ts";

/** Links that are asked; the others are only read. */
const LOOKS_MAX = 20;

export interface ContentCheckInput {
  /** Absent: somebody with all fields filled. */
  leadId?: Id;
  /** Words that are not saved yet, in place of the step's own. */
  words?: UnsavedWords;
  /** Ask whether the links answer. */
  links: boolean;
}

export interface LookedLink {
  url: string;
  outcome: LinkOutcome;
}

export interface ContentReport {
  step: StepRow;
  /** Variables without a value: nothing could be checked. */
  missing: string[];
  findings: Finding[];
  links: LookedLink[];
  /** Null: none is configured, or nothing could be rendered. */
  spam: SpamOutcome | null;
}

/** Throws `not_found`, or `validation_error` for a step that cannot be rendered. */
export async function checkStep(
  env: Environment,
  caller: Caller,
  place: { campaignId: Id; stepId: Id },
  input: ContentCheckInput,
): Promise<ContentReport> {
  const campaign = requireCampaign(env, caller, place.campaignId);
  const saved = requireStep(env, caller, campaign.id, place.stepId);
  const step = withWords(saved, input.words ?? {});
  const { content, missing } = renderFor(env, caller, { campaign, step }, input.leadId);
  if (content === null) {
    return { step, missing, findings: [], links: [], spam: null };
  }
  const mark = unsubscribeMark(env, campaign);
  const [links, spam] = await Promise.all([
    input.links ? lookAtLinks(env, campaign.teamId, linksOf(content, mark)) : [],
    env.spamd === null
      ? null
      : asSigned(await env.spamd.score(await compose(env, campaign, content, mark))),
  ]);
  return { step, missing: [], findings: findingsOf(env, campaign, step, content), links, spam };
}

/** Rules that hold only until somebody has signed the email, as the sender's server does. */
const OF_UNSIGNED = new Set(["LIST_PARTIAL_SHORT_MSG"]);
const POINTS_EXACT = 10;

function asSigned(outcome: SpamOutcome): SpamOutcome {
  if (outcome.kind !== "judged") {
    return outcome;
  }
  const rules = outcome.rules.filter(({ name }) => !OF_UNSIGNED.has(name));
  const gone = outcome.rules.filter(({ name }) => OF_UNSIGNED.has(name));
  const points = gone.reduce((sum, rule) => sum + rule.points, 0);
  const score = Math.round((outcome.score - points) * POINTS_EXACT) / POINTS_EXACT;
  return { ...outcome, rules, score, isSpam: score >= outcome.required };
}

type Content = NonNullable<Preview["content"]>;

/** Somebody who lacks nothing stands in where nobody is named. */
const SAMPLE = {
  email: "ann.lee@example.com",
  firstName: "Ann",
  lastName: "Lee",
  company: "Example Works",
  website: "https://example.com",
  phone: "+1 555 0100",
} as const;
const SAMPLE_VALUE = "sample";

/** `step` for the lead, or for somebody who has a value for everything that it asks. */
export function renderFor(
  env: Environment,
  caller: Caller,
  { campaign, step }: { campaign: CampaignRow; step: StepRow },
  leadId: Id | undefined,
): Preview {
  const { id: stepId, subject, body, format } = step;
  const words = { subject, body: body ?? "", format };
  const preview = (input: object) =>
    previewStep(env, caller, campaign.id, { stepId, words, ...input });
  if (leadId !== undefined) {
    return preview({ leadId });
  }
  const bare = preview({ lead: SAMPLE });
  const variables = Object.fromEntries(bare.missing.map((name) => [name, SAMPLE_VALUE]));
  return bare.content === null ? preview({ lead: { ...SAMPLE, variables } }) : bare;
}

/** What the launch check says in other words. */
const SAID_OTHERWISE: readonly RuleName[] = ["address_missing", "one_click_missing"];

/**
 * A warning for each step in which our own rules find a problem: for the launch check, which asks no links
 * and no daemon. The steps must be such that they can be rendered.
 */
export function contentWarnings(
  env: Environment,
  caller: Caller,
  campaign: CampaignRow,
): LaunchWarning[] {
  return stepsOf(env.db, campaign.id).flatMap((step): LaunchWarning[] => {
    const content =
      step.type === "email" ? renderFor(env, caller, { campaign, step }, undefined).content : null;
    const problems = (content === null ? [] : findingsOf(env, campaign, step, content)).filter(
      ({ rule, severity }) => severity === "problem" && !SAID_OTHERWISE.includes(rule),
    );
    const words = problems.map(({ message }) => message).join("; ");
    return words === "" ? [] : [{ code: "content", message: `step ${step.position}: ${words}` }];
  });
}

function findingsOf(
  env: Environment,
  campaign: CampaignRow,
  step: StepRow,
  content: Content,
): Finding[] {
  const first = stepsOf(env.db, campaign.id).find(({ type }) => type === "email");
  return checkContent({
    ...content,
    isFirst: first?.id === step.id || step.subject !== null,
    hasOneClick: env.publicUrl !== null,
    unsubscribeMark: unsubscribeMark(env, campaign),
    postalAddress: findTeam(env.db, campaign.teamId)?.postalAddress ?? "",
    tracksOpens: campaign.trackOpens,
  });
}

/** How the link of the preview to unsubscribe begins. */
function unsubscribeMark(env: Environment, campaign: CampaignRow): string {
  const sender = likelySender(env, campaign)?.email ?? "sender@example.com";
  return env.publicUrl === null ? `mailto:${sender}` : `${env.publicUrl}/u/`;
}

/** Those that are looked at: all but the link to unsubscribe. */
function linksOf(content: Content, mark: string): string[] {
  const urls = linksIn(content).map(({ url }) => url);
  return urls.filter((url) => !url.startsWith(mark)).slice(0, LOOKS_MAX);
}

async function lookAtLinks(
  env: Environment,
  teamId: Id,
  urls: readonly string[],
): Promise<LookedLink[]> {
  return await Promise.all(
    urls.map(async (url) => {
      return { url, outcome: await env.links.look(url, teamId) };
    }),
  );
}

async function compose(
  env: Environment,
  campaign: CampaignRow,
  { subject, text, html }: Content,
  mark: string,
): Promise<Uint8Array> {
  const account = likelySender(env, campaign);
  const address = account?.email ?? "sender@example.com";
  return await composeMessage({
    from: { name: account?.displayName ?? "", address },
    to: { name: "Ann Lee", address: SAMPLE.email },
    ...{ subject, text, html },
    messageId: `<check.${campaign.id}@${domainOf(address)}>`,
    date: env.clock.now(),
    ...(account === undefined ? {} : { timezone: account.timezone }),
    inReplyTo: null,
    references: [],
    headers: [{ name: "List-Unsubscribe", value: `<${mark}>` }],
  });
}
