/** Bytes that are written to the disk for a lead, a request and an email, against what each adds to the file. */

import { program, resultOf, startServer, temporaryDirectory } from "../children.ts";
import { type Figure, summary } from "../measure.ts";
import type { WrittenInput, WrittenResult } from "../programs/written.ts";
import type { Scale } from "./scale.ts";

const KB = 1000;
/** Requests, a group of them at a time. */
const REQUESTS = 1_920;

const WRITTEN = [
  { name: "lead", about: "Written to disk for a lead of a file", aim: 3 },
  { name: "request", about: "… for a lead by a request of its own, 64 at a time", aim: 6 },
  { name: "email", about: "… for a live email", aim: 15 },
] as const;

export async function writing({ importLeads: leads, messages }: Scale): Promise<Figure[]> {
  await using sink = await startServer(program("smtp-sink"));
  using directory = temporaryDirectory();
  const { port } = sink.ready;
  const input: WrittenInput = {
    ...{ directory: directory.path, port, leads, requests: REQUESTS, messages },
  };
  const result = await resultOf<WrittenResult>(program("written", input));
  return WRITTEN.flatMap(({ name, about, aim }) => {
    const { written, kept } = result[name];
    const limits = [{ name: "what it adds to the file" }];
    const question = { id: `written_${name}`, about, unit: "kB", aim, limits } as const;
    return written === null
      ? []
      : [summary(question, [[{ value: written / KB }], [{ value: kept / KB }]])];
  });
}
