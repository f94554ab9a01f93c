/**
 * Words looked for in the bytes of files, by what knows nothing of ours: as UTF-8 and UTF-16, in any case,
 * and in what base64 and quoted-printable of them decode to.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** How often each word stands in each file below `dir`, by the way in which it is written. */
export function tracesIn(dir: string, words: readonly string[]): Record<string, number> {
  const found: Record<string, number> = {};
  const names = readdirSync(dir, { recursive: true, withFileTypes: true });
  for (const entry of names.filter((one) => one.isFile())) {
    const bytes = readFileSync(join(entry.parentPath, entry.name));
    for (const [form, texts] of formsOf(bytes)) {
      for (const word of words) {
        const times = texts.reduce((sum, text) => sum + text.split(word).length - 1, 0);
        if (times > 0) {
          found[`${entry.name}, ${form}: ${word}`] = times;
        }
      }
    }
  }
  return found;
}

function formsOf(bytes: Buffer): [string, string[]][] {
  const text = bytes.toString("latin1");
  const runs = text.match(/[A-Za-z0-9+/]{12,}(?:\r?\n[A-Za-z0-9+/]+)*/g) ?? [];
  const coded = runs.map((run) => run.replaceAll(/\r?\n/g, ""));
  const quoted = text
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  const forms: [string, Buffer[]][] = [
    ["UTF-8", [bytes]],
    ["quoted-printable", [Buffer.from(quoted, "latin1")]],
    // A run may begin before the word's own base64 does.
    [
      "base64",
      coded.flatMap((run) => [0, 1, 2, 3].map((at) => Buffer.from(run.slice(at), "base64"))),
    ],
  ];
  const wide = [0, 1].flatMap((at) => [bytes.subarray(at).toString("utf16le"), big(bytes, at)]);
  return [
    ...forms.map(([name, all]): [string, string[]] => [
      name,
      all.map((one) => one.toString("utf8").toLowerCase()),
    ]),
    ["UTF-16", wide.map((one) => one.toLowerCase())],
  ];
}

function big(bytes: Buffer, at: number): string {
  const even = Buffer.from(bytes.subarray(at, bytes.length - ((bytes.length - at) % 2)));
  return even.swap16().toString("utf16le");
}
