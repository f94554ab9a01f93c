/**
 * Results by segment of the leads, in steps: those by provider and mailbox are read from sums, but by country and by
 * custom value all emailed leads are gone through.
 */

import { governsStep } from "#domain/experiments/experiment.ts";
import { type Figures, isBandit } from "#domain/experiments/experiment-figures.ts";
import {
  type Group,
  readSegments,
  type Segments,
  strataGroups,
} from "#domain/experiments/experiment-segments.ts";
import { addCounts, type Counts, countsOf, NO_COUNTS } from "#domain/experiments/exposure.ts";
import {
  countryOf,
  isStratumKey,
  learnCountries,
  NO_SEGMENT,
  type SegmentKey,
  segmentKeyText,
  segmentOfValue,
  VALUES_MAX,
} from "#domain/experiments/segment-keys.ts";
import { found, invalid } from "#domain/problem.ts";
import type { Environment } from "#environment.ts";
import type { Steps } from "#platform/side-thread.ts";
import { epochsOf, experimentById, variantsOf } from "#store/experiments/experiments.ts";
import { FIRST_ID } from "#store/leads/enrollment-scan.ts";
import { type EmailedLead, emailedLeads } from "#store/sending/exposures.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { ExperimentRow } from "#store/tables/experiments.ts";
import { figuresOf } from "./experiment-results.ts";

/** Leads of one step. */
const PAGE = 20;

function currentFigures(env: Environment, row: ExperimentRow): Figures {
  const [variants, epochs] = [variantsOf(env.db, row.id), epochsOf(env.db, row.id)];
  return figuresOf(env, row, { variants, epochs, isFinal: false });
}

/**
 * Fresh at every read, since nothing of it is part of the verdict; null for a bandit. Throws `validation_error` for a
 * field that no lead has, or one with more values than anybody reads.
 */
export function* segmentSteps(
  env: Environment,
  { id, key }: { id: Id; key: SegmentKey },
): Steps<Segments | null> {
  const row = found(experimentById(env.db, id), "experiment");
  const isAssigning = governsStep(row.status);
  if (isBandit(row.optimizationMode)) {
    return null;
  }
  if (isStratumKey(key)) {
    const figures = currentFigures(env, row);
    return readSegments(figures, key, strataGroups(figures, key.by), isAssigning);
  }
  const places = new Map(variantsOf(env.db, id).map((variant) => [variant.id, variant.place]));
  const counted = new Map<string, Counts[]>();
  const field = key.by === "custom" ? key.field : null;
  if (field === null) {
    yield* learnCountries();
  }
  let after = FIRST_ID;
  for (let page = emailedLeads(env.db, { id, after, field, limit: PAGE }); page.length > 0; ) {
    for (const lead of page) {
      count(counted, field === null ? countryOf(lead) : segmentOfValue(lead.value), lead, places);
    }
    if (counted.size > VALUES_MAX) {
      const most = VALUES_MAX.toLocaleString("en");
      throw invalid("segment_by", `${field} has more than ${most} different values`);
    }
    yield undefined;
    after = page.at(-1)?.leadId ?? after;
    page = emailedLeads(env.db, { id, after, field, limit: PAGE });
  }
  if (field !== null && counted.size === 1 && counted.has(NO_SEGMENT)) {
    const named = segmentKeyText(key);
    throw invalid("segment_by", `no lead of this experiment has a value for ${named}`);
  }
  const all = [...counted].map(([segment, counts]): Group => ({ segment, counts }));
  return readSegments(currentFigures(env, row), key, all, isAssigning);
}

function count(
  counted: Map<string, Counts[]>,
  segment: string,
  lead: EmailedLead,
  places: ReadonlyMap<Id, number>,
): void {
  let counts = counted.get(segment);
  if (counts === undefined) {
    counts = Array.from(places, () => ({ ...NO_COUNTS }));
    counted.set(segment, counts);
  }
  const place = places.get(lead.variantId);
  const before = counts[place ?? -1];
  if (place !== undefined && before !== undefined) {
    counts[place] = addCounts(before, countsOf(lead));
  }
}
