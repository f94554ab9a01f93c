/** A file from the server, to a file here or to stdout, as it comes. */

import { resolve } from "node:path";
import type { Call } from "#cli/command.ts";

/** How often the count on the terminal changes. */
const TOLD_EVERY_BYTES = 256 * 1024;

/** `output`: a file's name; undefined: stdout. */
export async function save(
  { terminal, workingDir }: Pick<Call, "terminal" | "workingDir">,
  body: ReadableStream<Uint8Array>,
  output: string | undefined,
): Promise<void> {
  const file = output === undefined ? null : Bun.file(resolve(workingDir, output));
  if (file !== null) {
    // The writer leaves what a longer file has beyond its end.
    await Bun.write(file, "");
  }
  const sink = file?.writer() ?? null;
  const decoder = new TextDecoder();
  let written = 0;
  let told = 0;
  for await (const bytes of body) {
    written += bytes.byteLength;
    if (sink === null) {
      terminal.out(decoder.decode(bytes, { stream: true }));
    } else {
      sink.write(bytes);
      await sink.flush();
    }
    if (terminal.errOverwrites && sink !== null && written - told >= TOLD_EVERY_BYTES) {
      told = written;
      terminal.err(`\r\u001b[K${(written / 1024 / 1024).toFixed(1)} MiB`);
    }
  }
  await sink?.end();
  terminal.err(sink !== null && terminal.errOverwrites ? "\r\u001b[K" : "");
}
