import { Type } from "@sinclair/typebox";
import { Described, Documented, IdOf, Nullable, OneOf, Shape } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { RULE_NAMES, SEVERITIES_OF_FINDINGS } from "#domain/sending/content-check.ts";
import type { LinkOutcome } from "#platform/ports/links.ts";
import type { SpamOutcome } from "#platform/ports/spamd.ts";
import type { ContentReport } from "#usecases/sending/content-check.ts";
import { unsaved } from "./schema.ts";

const AS_LEAD =
  "Lead to render the step for; without one, a sample lead that has a value for every variable";

/** Without a body, as with an empty one. */
export const CheckBody = Type.Optional(
  Shape({
    lead_id: Type.Optional(IdOf(AS_LEAD)),
    ...unsaved,
    links: Type.Optional(
      Documented(Type.Boolean({ description: "Request the links to see whether they work" }), {
        default: true,
      }),
    ),
  }),
);

const Spam = Shape({
  available: Type.Boolean({ description: "Whether SpamAssassin could be asked" }),
  reason: Nullable(Type.String({ description: "Why it could not be asked; null otherwise" })),
  score: Nullable(Type.Number({ description: "Points given to the email" })),
  required: Nullable(Type.Number({ description: "Points from which an email counts as spam" })),
  is_spam: Nullable(Type.Boolean({ description: "Whether the email counts as spam" })),
  rules: Type.Array(
    Shape({
      name: Type.String({ description: "Name of the rule", examples: ["HTML_MESSAGE"] }),
      points: Type.Number({ description: "Points that it adds" }),
      about: Type.String({ description: "What it looks for, in SpamAssassin's words" }),
    }),
    { description: "Rules that matched" },
  ),
});

export const ContentCheck = Shape({
  step_id: IdOf("The step's id"),
  position: Type.Integer({ minimum: 1, description: "Position of the step, from 1" }),
  ok: Type.Boolean({ description: "True without problems, broken links and spam" }),
  missing: Type.Array(Type.String(), {
    description: "Variables that the lead has no value for; nothing is checked while there are any",
  }),
  findings: Type.Array(
    Shape({
      rule: OneOf(RULE_NAMES, { description: "Rule that the text breaks" }),
      severity: OneOf(SEVERITIES_OF_FINDINGS, {
        description: "A problem makes the check fail; a warning and a note do not",
      }),
      message: Type.String({ description: "What was found and what would be better" }),
    }),
    { description: "What a filter might object to in the text" },
  ),
  links: Type.Array(
    Shape({
      url: Type.String({ description: "Address of the link" }),
      ok: Type.Boolean({ description: "Whether the link works" }),
      status: Nullable(Type.Integer({ description: "HTTP status; null without a response" })),
      leads_to: Nullable(Type.String({ description: "Where a redirect leads; null otherwise" })),
      error: Nullable(Type.String({ description: "Why the link does not work; null otherwise" })),
    }),
    { description: "Links that were requested, the first 20 at most" },
  ),
  spamassassin: Described(
    Nullable(Spam),
    "SpamAssassin's result; null when none is configured or values are missing",
  ),
});

const STATUS_OK_MAX = 399;

export function presentCheck(report: ContentReport) {
  const { step, missing, findings } = report;
  const links = report.links.map(({ url, outcome }) => ({ url, ...lookOf(outcome) }));
  const spamassassin = report.spam === null ? null : spamOf(report.spam);
  const isClean = findings.every(({ severity }) => severity !== "problem");
  const isFine = isClean && links.every((link) => link.ok) && !spamassassin?.isSpam;
  const ok = missing.length === 0 && isFine;
  const place = { stepId: step.id, position: step.position };
  return present(ContentCheck, { ...place, ok, missing, findings, links, spamassassin });
}

function lookOf(outcome: LinkOutcome) {
  if (outcome.kind === "failed") {
    return { ok: false, status: null, leadsTo: null, error: outcome.reason };
  }
  const { status, location } = outcome;
  const ok = status <= STATUS_OK_MAX;
  return { ok, status, leadsTo: location, error: ok ? null : `it responds with ${status}` };
}

function spamOf(outcome: SpamOutcome) {
  if (outcome.kind === "unavailable") {
    const nothing = { score: null, required: null, isSpam: null, rules: [] };
    return { available: false, reason: outcome.reason, ...nothing };
  }
  const { score, required, isSpam, rules } = outcome;
  return { available: true, reason: null, score, required, isSpam, rules };
}
