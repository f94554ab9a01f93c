/** Emails a second that are read and taken for what they are. */

import { program, resultOf } from "../children.ts";
import { type Figure, summary } from "../measure.ts";
import type { ReaderInput, ReaderResult } from "../programs/mail-reader.ts";
import type { Scale } from "./scale.ts";

export async function reading({ messages, rounds }: Scale): Promise<Figure> {
  const input: ReaderInput = { mails: messages, rounds };
  const { ours, parsed, kinds } = await resultOf<ReaderResult>(program("mail-reader", input));
  const third = Math.floor(messages / 3);
  if (["reply", "auto_reply", "bounce"].some((kind) => (kinds[kind] ?? 0) < third)) {
    throw new Error(`mails were taken for what they are not: ${JSON.stringify(kinds)}`);
  }
  return summary(
    {
      id: "read",
      about: "Mails read and classified: answers, absences and reports of failures",
      unit: "1/s",
      aim: 1000,
      limits: [{ name: "postal-mime alone" }],
    },
    [ours, parsed],
  );
}
