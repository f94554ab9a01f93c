import { Type } from "@sinclair/typebox";
import { Id, Nullable, OneOf, Shape } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { RULE_NAMES, SEVERITIES_OF_FINDINGS } from "#domain/sending/content-check.ts";
import type { LinkOutcome } from "#platform/ports/links.ts";
import type { SpamOutcome } from "#platform/ports/spamd.ts";
import type { ContentReport } from "#usecases/sending/content-check.ts";

/** Without a body, as with an empty one. */
export const CheckBody = Type.Optional(
  Shape({
    lead_id: Type.Optional({ ...Id, description: "Somebody with all fields filled when absent" }),
    links: Type.Optional(
      Type.Boolean({ description: "Ask the links whether they answer; true if left out" }),
    ),
  }),
);

const Spam = Shape({
  available: Type.Boolean(),
  reason: Nullable(Type.String({ description: "Why there is no judgement" })),
  score: Nullable(Type.Number()),
  required: Nullable(Type.Number({ description: "From here on it is spam" })),
  is_spam: Nullable(Type.Boolean()),
  rules: Type.Array(Shape({ name: Type.String(), points: Type.Number(), about: Type.String() })),
});

export const ContentCheck = Shape({
  step_id: Id,
  position: Type.Integer(),
  ok: Type.Boolean({ description: "No problem, every link answers, and no spam" }),
  missing: Type.Array(Type.String(), {
    description: "Variables that the lead lacks: nothing was checked",
  }),
  findings: Type.Array(
    Shape({
      rule: OneOf(RULE_NAMES),
      severity: OneOf(SEVERITIES_OF_FINDINGS),
      message: Type.String(),
    }),
  ),
  links: Type.Array(
    Shape({
      url: Type.String(),
      ok: Type.Boolean(),
      status: Nullable(Type.Integer()),
      leads_to: Nullable(Type.String({ description: "Of a redirect" })),
      error: Nullable(Type.String()),
    }),
    { description: "Those that were asked, 20 at most" },
  ),
  spamassassin: Nullable(Spam),
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
  return { ok, status, leadsTo: location, error: ok ? null : `it answers ${status}` };
}

function spamOf(outcome: SpamOutcome) {
  if (outcome.kind === "unavailable") {
    const nothing = { score: null, required: null, isSpam: null, rules: [] };
    return { available: false, reason: outcome.reason, ...nothing };
  }
  const { score, required, isSpam, rules } = outcome;
  return { available: true, reason: null, score, required, isSpam, rules };
}
