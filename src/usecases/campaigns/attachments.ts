/** What an email carries: attached files, and the images that its text shows. */

import { ATTACHMENTS_BYTES_MAX, IMAGES_MAX, imageIdsIn, isImage } from "#domain/campaigns/file.ts";
import { invalid } from "#domain/problem.ts";
import { type BodyFormat, formatOf } from "#domain/sending/text-to-html.ts";
import type { Environment } from "#environment.ts";
import { findFile } from "#store/campaigns/files.ts";
import type { Carried } from "#store/sending/message-files.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { FileRow } from "#store/tables/files.ts";

export interface Carrying {
  attachmentIds: readonly Id[];
  body: string | null;
  /** Only HTML has images. */
  format: BodyFormat | null;
}

const MB = 1024 * 1024;

/**
 * Throws `validation_error` naming the attachment or the text that names no file of the team, an image that is
 * none, or what is too large together.
 */
export function checkCarried(
  env: Environment,
  teamId: Id,
  { attachmentIds, body, format }: Carrying,
  place = "",
): void {
  const attached = attachmentIds.map((id, at) => {
    const file = findFile(env.db, teamId, id);
    if (file === undefined) {
      throw invalid(`${place}attachment_ids.${at}`, "no such file");
    }
    return file;
  });
  const images = checkImages(env, teamId, htmlOf(body, format), place);
  const bytes = [...attached, ...images].reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > ATTACHMENTS_BYTES_MAX) {
    const [size, most] = [(bytes / MB).toFixed(1), ATTACHMENTS_BYTES_MAX / MB];
    throw invalid(
      place === "" && attached.length > 0 ? "attachment_ids" : `${place}body`,
      `an email carries at most ${most} MB, and these files have ${size} MB; share the largest as a link`,
    );
  }
}

function htmlOf(body: string | null, format: BodyFormat | null): string {
  return body !== null && formatOf(body, format) === "html" ? body : "";
}

function checkImages(env: Environment, teamId: Id, html: string, place: string): FileRow[] {
  const ids = imageIdsIn(html);
  if (ids.length > IMAGES_MAX) {
    throw invalid(`${place}body`, `may show at most ${IMAGES_MAX} images`);
  }
  return ids.map((id) => {
    const file = findFile(env.db, teamId, id);
    if (file === undefined || !isImage(file)) {
      const why = file === undefined ? "no file of the team" : `${file.name}, and no image`;
      throw invalid(`${place}body`, `shows cid:${id}, which is ${why}`);
    }
    return file;
  });
}

/** What an email carries with these attachments that says `html`; undefined: a file is gone. */
export function carriedBy(
  env: Environment,
  teamId: Id,
  attachmentIds: readonly Id[],
  html: string,
): Carried[] | undefined {
  const carried: Carried[] = [];
  const images = imageIdsIn(html);
  const all = [
    ...images.map((id) => [id, true] as const),
    ...attachmentIds.map((id) => [id, false] as const),
  ];
  for (const [id, isInline] of all) {
    const file = findFile(env.db, teamId, id);
    if (file === undefined) {
      return undefined;
    }
    carried.push({ file, isInline });
  }
  return carried;
}
