/** `outrider classify --score`: the figures of a benchmark, as a table or as JSON. */

import { join, resolve } from "node:path";
import { CommandError, EXIT, type ExitCode } from "#cli/exit.ts";
import { jsonLine, printable, type Terminal } from "#cli/term.ts";
import { askAbout } from "#domain/inbox/model.ts";
import { messageOf } from "#domain/thrown.ts";
import { askModel, type ReplyModel } from "#engine/reply-model.ts";
import { RAW_BYTES_MAX } from "#platform/ports/mail.ts";
import { readBenchmark } from "./benchmark.ts";
import { type Ask, type Score, scoreBenchmark } from "./score.ts";

const BUILT_IN = "built-in";
const CONFUSIONS_SHOWN = 12;

export async function scoreCommand(
  source: string,
  { json, terminal, workingDir }: { json: boolean; terminal: Terminal; workingDir: string },
  model: ReplyModel | null,
): Promise<ExitCode> {
  const load = (name: string) => bytesOf(join(resolve(workingDir, source), name));
  const benchmark =
    source === BUILT_IN
      ? await readBenchmark()
      : await readBenchmark(new TextDecoder().decode(await load("emails.ndjson")));
  const scores = await scoreBenchmark(benchmark, load, model && asking(model, terminal));
  terminal.out(json ? scores.map(jsonLine).join("") : scores.map(describe).join("\n"));
  return EXIT.done;
}

const COUNTED_EVERY = 50;

/** Ends the command where the model can't be asked: a score of half the answers would mislead. */
function asking(model: ReplyModel, terminal: Terminal): Ask {
  let asked = 0;
  return async (text) => {
    const body = askAbout(text, model.name);
    if (body === null) {
      return null;
    }
    asked += 1;
    if (asked % COUNTED_EVERY === 0) {
      terminal.err(`${asked} replies asked about\n`);
    }
    try {
      return (await askModel(model, body))?.interest ?? null;
    } catch (error) {
      throw new CommandError(
        EXIT.unavailable,
        `the model at ${printable(model.url)} can't be asked: ${printable(messageOf(error))}`,
      );
    }
  };
}

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await Bun.file(path).slice(0, RAW_BYTES_MAX).bytes();
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new CommandError(EXIT.badData, `${printable(path)}: can't read the file (${reason})`);
  }
}

function describe(score: Score): string {
  const share = ({ right, of }: { right: number; of: number }) =>
    of === 0 ? "none" : `${right}/${of} (${((100 * right) / of).toFixed(1)}%)`;
  const percent = (value: number | null) =>
    value === null ? "-".padStart(9) : `${(100 * value).toFixed(1)}%`.padStart(9);
  const classes = score.classes.map(
    ({ class: name, of, precision, recall }) =>
      `  ${name.padEnd(16)}${String(of).padStart(6)}${percent(precision)} ${percent(recall)}`,
  );
  const confusions = score.confusions
    .slice(0, CONFUSIONS_SHOWN)
    .map(({ class: name, read_as, emails }) => `  ${name} as ${read_as}: ${emails}`);
  return [
    `Half ${score.half}: ${share(score)} right`,
    `  ${"class".padEnd(16)}emails precision    recall`,
    ...classes,
    `  return dates: ${share(score.return_dates)}; left the company: ${share(score.left)}`,
    ...(score.model === null
      ? []
      : [
          `  model: asked about ${score.model.of}, labeled ${score.model.labelled}, ${score.model.right} of them right`,
        ]),
    `  ${score.languages.map((one) => `${one.language} ${one.right}/${one.of}`).join(", ")}`,
    ...confusions,
    "",
  ].join("\n");
}
