/**
 * Files of a team, which its emails carry: names, types, bounds.
 *
 * Source: ours, but for {@link REFUSED_ENDINGS}: what Gmail takes from nobody ("File types blocked in Gmail",
 * support.google.com/mail/answer/6590).
 */

import { invalid } from "#domain/problem.ts";

/** Of one file. */
export const FILE_BYTES_MAX = 10 * 1024 * 1024;
/** Of a team. */
export const FILES_MAX = 1_000;
export const FILES_BYTES_MAX = 512 * 1024 * 1024;
/** Files that one email carries, and their bytes: in base64 14 MB, which most servers take. */
export const ATTACHMENTS_MAX = 10;
export const ATTACHMENTS_BYTES_MAX = 10 * 1024 * 1024;
/** Bytes of files in all emails that are being sent, or copied: each is in memory several times meanwhile. */
export const CARRIED_BYTES_MAX = 48 * 1024 * 1024;
/** Images that one text shows. */
export const IMAGES_MAX = 20;
/** Characters of a name. */
export const FILE_NAME_MAX = 200;
/** A file is stored and read in slices of so many bytes, so that nobody waits for a large one. */
export const SLICE_BYTES = 64 * 1024;

const REFUSED_ENDINGS =
  "ade adp apk appx appxbundle bat cab chm cmd com cpl diagcab diagcfg diagpkg dll dmg ex ex_ exe hta " +
  "img ins iso isp jar jnlp js jse lib lnk mde mjs msc msi msix msixbundle msp mst nsh pif ps1 scr sct " +
  "shb sys vb vbe vbs vhd vxd wsc wsf wsh xll";

/** What mail programs show in place, by the ending of its name. */
const IMAGES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

const OFFICE = "application/vnd.openxmlformats-officedocument";
const TYPES: Readonly<Record<string, string>> = {
  ...IMAGES,
  pdf: "application/pdf",
  docx: `${OFFICE}.wordprocessingml.document`,
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  pptx: `${OFFICE}.presentationml.presentation`,
  doc: "application/msword",
  xls: "application/vnd.ms-excel",
  ppt: "application/vnd.ms-powerpoint",
  odt: "application/vnd.oasis.opendocument.text",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  odp: "application/vnd.oasis.opendocument.presentation",
  txt: "text/plain",
  csv: "text/csv",
  ics: "text/calendar",
  vcf: "text/vcard",
  svg: "image/svg+xml",
  zip: "application/zip",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
};
const UNKNOWN_TYPE = "application/octet-stream";

/**
 * The last part of a path, without what a reader can't see or is misled by: controls, line ends, marks that turn
 * the direction of writing. What joins an emoji stays. Throws `validation_error` for a name with nothing left, and
 * for a type of file that mail providers refuse.
 */
export function checkFileName(given: string): string {
  const last = given.toWellFormed().normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const name = last
    .replace(/[\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}]/gu, "")
    .replace(/^[\s.]+|[\s.]+$/g, "");
  if (name === "") {
    throw invalid("name", "must be the name of a file, for example offer.pdf");
  }
  const ending = endingOf(name);
  if (REFUSED_ENDINGS.split(" ").includes(ending)) {
    throw invalid(
      "name",
      `email providers refuse .${ending} files; share it as a link instead, or send another type`,
    );
  }
  return name;
}

/** By the name alone: what a sender says of it, programs don't believe either. */
export function mediaTypeOf(name: string): string {
  const ending = endingOf(name);
  return Object.hasOwn(TYPES, ending) ? (TYPES[ending] ?? UNKNOWN_TYPE) : UNKNOWN_TYPE;
}

/** True of what mail programs show in the text. */
export function isImage({ mediaType }: { mediaType: string }): boolean {
  return Object.values(IMAGES).includes(mediaType);
}

function endingOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot === -1 ? "" : name.slice(dot + 1).toLowerCase();
}

/** No `<` inside of a tag: a search from each tag to the end of a text would take the square of its length. */
const IMAGE =
  /<img\b[^<>]*?\bsrc\s*=\s*["']?cid:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b/gi;

/** Ids of the files that HTML shows as `<img src="cid:FILE_ID">`, each once. */
export function imageIdsIn(html: string): string[] {
  return [...new Set([...html.matchAll(IMAGE)].map(([, id = ""]) => id.toLowerCase()))];
}

/** HTML whose images name parts of the email by `cidOf` in place of files. */
export function withImageParts(html: string, cidOf: (fileId: string) => string): string {
  return html.replace(IMAGE, (tag, id: string) => {
    const start = tag.length - id.length;
    return `${tag.slice(0, start)}${cidOf(id.toLowerCase())}`;
  });
}
