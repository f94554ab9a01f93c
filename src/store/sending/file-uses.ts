/** What still needs a team's files: steps, variants that are being tested, and signatures. */

import { and, asc, eq, gt, inArray, like, or, sql } from "drizzle-orm";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { accounts } from "#store/tables/accounts.ts";
import { campaigns, steps } from "#store/tables/campaigns.ts";
import { experiments, variants } from "#store/tables/experiments.ts";

export const FILE_USES = ["step", "variant", "signature"] as const;

/** A text that has files, as attachments or as images. */
export interface FileUse {
  type: (typeof FILE_USES)[number];
  /** Of the campaign, or of the mailbox whose signature it is. */
  id: Id;
  name: string;
  /** From 1; null for a signature. */
  stepPosition: number | null;
  fileIds: readonly Id[];
}

/** Campaigns that are read at once. */
const CAMPAIGNS_READ = 20;
const SHOWN = /\bcid:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi;

const idsIn = (text: string) => [...text.matchAll(SHOWN)].map(([, id = ""]) => id.toLowerCase());

/** In slices, so that whoever need not be quick can let others have a turn between two. */
export function* usesOfFiles(db: Db, teamId: Id): Generator<FileUse[], void> {
  yield signatures(db, teamId);
  for (let last: Id | undefined; ; ) {
    const slice = db.orm
      .select({ id: campaigns.id, name: campaigns.name })
      .from(campaigns)
      .where(and(eq(campaigns.teamId, teamId), last === undefined ? last : gt(campaigns.id, last)))
      .orderBy(asc(campaigns.id))
      .limit(CAMPAIGNS_READ)
      .all();
    last = slice.at(-1)?.id;
    if (last === undefined) {
      return;
    }
    const names = new Map(slice.map(({ id, name }) => [id, name]));
    const found = [...stepsWith(db, [...names.keys()]), ...variantsWith(db, [...names.keys()])];
    yield found.map((use) => ({ ...use, name: names.get(use.id) ?? "" }));
  }
}

function signatures(db: Db, teamId: Id): FileUse[] {
  return db.orm
    .select({ id: accounts.id, name: accounts.email, signature: accounts.signature })
    .from(accounts)
    .where(and(eq(accounts.teamId, teamId), like(accounts.signature, "%cid:%")))
    .all()
    .map(({ id, name, signature }) => ({
      ...{ type: "signature", id, name, stepPosition: null },
      fileIds: idsIn(signature ?? ""),
    }));
}

type Unnamed = Omit<FileUse, "name">;

function stepsWith(db: Db, campaignIds: Id[]): Unnamed[] {
  const { campaignId: id, position: stepPosition, attachmentIds, body } = steps;
  return db.orm
    .select({ id, stepPosition, attachmentIds, body })
    .from(steps)
    .where(and(inArray(id, campaignIds), or(sql`${attachmentIds} <> '[]'`, like(body, "%cid:%"))))
    .orderBy(asc(id), asc(stepPosition))
    .all()
    .map(({ attachmentIds: attached, body: text, ...step }) => ({
      ...{ ...step, type: "step" },
      fileIds: [...attached, ...idsIn(text ?? "")],
    }));
}

function variantsWith(db: Db, campaignIds: Id[]): Unnamed[] {
  const { campaignId: id, stepPosition } = experiments;
  return db.orm
    .select({ id, stepPosition, config: variants.config })
    .from(experiments)
    .innerJoin(variants, eq(variants.experimentId, experiments.id))
    .where(
      and(
        inArray(id, campaignIds),
        inArray(experiments.status, ["running", "paused", "evaluating"]),
        like(variants.config, "%cid:%"),
      ),
    )
    .orderBy(asc(id), asc(stepPosition))
    .all()
    .map(({ config, ...step }) => ({
      ...{ ...step, type: "variant" },
      fileIds: idsIn(JSON.stringify(config)),
    }));
}
