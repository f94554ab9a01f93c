/** What an email carries: attached files, and the images that its text shows. */

import { ATTACHMENTS_BYTES_MAX, IMAGES_MAX, imageIdsIn, isImage } from "#domain/campaigns/file.ts";
import { governsStep, overrideContent } from "#domain/experiments/experiment.ts";
import { invalid } from "#domain/problem.ts";
import { type BodyFormat, formatOf } from "#domain/sending/text-to-html.ts";
import type { Environment } from "#environment.ts";
import { findFile } from "#store/campaigns/files.ts";
import { openExperiments, variantsOf } from "#store/experiments/experiments.ts";
import { bytesOf, type Carried } from "#store/sending/message-files.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import type { FileRow } from "#store/tables/files.ts";
import { governs } from "./exposures.ts";

/** Why an email can't carry its files: `field` is one of its step. */
interface CarryFault {
  kind: "fault";
  field: string;
  message: string;
}

export type Carrying = { kind: "ready"; carried: Carried[] } | CarryFault;

const MB = 1024 * 1024;

/**
 * What an email with these attachments carries that says `html`. Asked when words are saved, and of each email
 * again: a lead's value or a signature may name an image, too.
 */
export function carriedBy(
  env: Environment,
  teamId: Id,
  attachmentIds: readonly Id[],
  html: string,
): Carrying {
  const attached = attachedFiles(env, teamId, attachmentIds);
  const images = shownImages(env, teamId, imageIdsIn(html));
  if ("kind" in attached) {
    return attached;
  }
  if ("kind" in images) {
    return images;
  }
  const bytes = bytesOf([...attached, ...images]);
  if (bytes > ATTACHMENTS_BYTES_MAX) {
    const [size, most] = [(bytes / MB).toFixed(1), ATTACHMENTS_BYTES_MAX / MB];
    return fault(
      attached.length > 0 ? "attachment_ids" : "body",
      `an email carries at most ${most} MB, and these files total ${size} MB; share the largest as a link`,
    );
  }
  const as = (isInline: boolean) => (file: FileRow) => ({ file, isInline });
  return { kind: "ready", carried: [...images.map(as(true)), ...attached.map(as(false))] };
}

function fault(field: string, message: string): CarryFault {
  return { kind: "fault", field, message };
}

function attachedFiles(env: Environment, teamId: Id, ids: readonly Id[]): FileRow[] | CarryFault {
  const files: FileRow[] = [];
  for (const [at, id] of ids.entries()) {
    const file = findFile(env.db, teamId, id);
    if (file === undefined) {
      return fault(`attachment_ids.${at}`, "no such file");
    }
    if (files.some((other) => other.id === file.id)) {
      return fault(`attachment_ids.${at}`, `${file.name} is listed twice`);
    }
    files.push(file);
  }
  return files;
}

function shownImages(env: Environment, teamId: Id, ids: readonly Id[]): FileRow[] | CarryFault {
  if (ids.length > IMAGES_MAX) {
    return fault("body", `may show at most ${IMAGES_MAX} images`);
  }
  const images: FileRow[] = [];
  for (const id of ids) {
    const file = findFile(env.db, teamId, id);
    if (file === undefined) {
      return fault("body", `shows cid:${id}, which isn't a file of the team`);
    }
    if (!isImage(file)) {
      return fault("body", `shows ${file.name}, which isn't an image`);
    }
    images.push(file);
  }
  return images;
}

export interface Words {
  attachmentIds: readonly Id[];
  body: string | null;
  /** Only HTML has images. */
  format: BodyFormat | null;
}

/** As {@link carriedBy}, before anybody's values are filled in. */
export function carriedByWords(env: Environment, teamId: Id, words: Words): Carrying {
  const { attachmentIds, body, format } = words;
  const html = body !== null && formatOf(body, format) === "html" ? body : "";
  return carriedBy(env, teamId, attachmentIds, html);
}

/** Throws `validation_error` for what these words can't carry, naming `field` where it is given. */
export function checkCarried(env: Environment, teamId: Id, words: Words, field?: string): void {
  const carrying = carriedByWords(env, teamId, words);
  if (carrying.kind === "fault") {
    throw invalid(field ?? carrying.field, carrying.message);
  }
}

/** Throws `validation_error` for attachments that don't go with the words of a variant that is being sent. */
export function checkVariantsCarry(env: Environment, step: StepRow): void {
  const governing = openExperiments(env.db, step.campaignId).filter(
    (row) => governs(row, step) && governsStep(row.status),
  );
  for (const { id, name: experiment } of governing) {
    for (const { name, config } of variantsOf(env.db, id)) {
      const words = { ...overrideContent(step, config), attachmentIds: step.attachmentIds };
      const carrying = carriedByWords(env, step.teamId, words);
      if (carrying.kind === "fault") {
        const where = `variant "${name}" of the experiment "${experiment}"`;
        throw invalid("attachment_ids", `don't go with ${where}: ${carrying.message}`);
      }
    }
  }
}
