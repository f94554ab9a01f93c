/** Steps of campaigns, and the places that steps have left. */

import { asc } from "drizzle-orm";
import { type Sequence, stepsUpTo } from "#domain/campaigns/sequence.ts";
import { equals, type Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import {
  cachedReader,
  finder,
  inserter,
  reader,
  remover,
  teamFinder,
  updater,
} from "#store/sqlite/rows.ts";
import { type LeftPlaceRow, leftPlaces, type StepRow, steps } from "#store/tables/campaigns.ts";

export const insertStep = inserter(steps);
/** Writes the whole row: read it in the same transaction, or a counter is lost. */
export const updateStep = updater(steps);
export const removeStep = remover(steps);
export const findStep = teamFinder(steps);
export const stepById = finder(steps);

const ofCampaign = cachedReader(steps, (db) =>
  db.orm
    .select({ id: steps.id })
    .from(steps)
    .where(equals(steps.campaignId, "campaignId"))
    .orderBy(asc(steps.position))
    .prepare(),
);

/** All steps of a campaign in the order of their positions. */
export function stepsOf(db: Db, campaignId: Id): StepRow[] {
  return ofCampaign(db, { campaignId });
}

const insertLeft = inserter(leftPlaces);
const updateLeft = updater(leftPlaces);
const removeLeft = remover(leftPlaces);

const leftOf = reader(leftPlaces, (db) =>
  db.orm.select().from(leftPlaces).where(equals(leftPlaces.campaignId, "campaignId")).prepare(),
);

/** A campaign's steps in order, and the places that steps have left. */
export function sequenceOf(db: Db, campaignId: Id): Sequence<StepRow> {
  const left = new Map(leftOf(db, { campaignId }).map(({ id, stepsBefore }) => [id, stepsBefore]));
  return { steps: stepsOf(db, campaignId), left };
}

interface LeadPlace {
  campaignId: Id;
  placeId: Id | null;
}

/** The number of the last step that a lead was sent, as the steps are numbered now; 0 at first. */
export function currentStepOf(db: Db, lead: LeadPlace): number {
  return currentStepsOf(db)(lead);
}

/** The same for many leads of one answer: each campaign's steps are read once. */
export function currentStepsOf(db: Db): (lead: LeadPlace) => number {
  const sequences = new Map<Id, Sequence<StepRow>>();
  return ({ campaignId, placeId }) => {
    if (placeId === null) {
      return 0;
    }
    const sequence = sequences.get(campaignId) ?? sequenceOf(db, campaignId);
    sequences.set(campaignId, sequence);
    return stepsUpTo(sequence, placeId);
  };
}

/** Writes which places of a campaign have been left. */
export function saveLeftPlaces(
  db: Db,
  { teamId, campaignId }: Pick<LeftPlaceRow, "teamId" | "campaignId">,
  left: ReadonlyMap<string, number>,
): void {
  const known = new Map(leftOf(db, { campaignId }).map((row) => [row.id, row]));
  for (const [id, stepsBefore] of left) {
    const row = known.get(id);
    known.delete(id);
    if (row === undefined) {
      insertLeft(db, { id, teamId, campaignId, stepsBefore });
    } else if (row.stepsBefore !== stepsBefore) {
      updateLeft(db, { ...row, stepsBefore });
    }
  }
  for (const id of known.keys()) {
    removeLeft(db, id);
  }
}
