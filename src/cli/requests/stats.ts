/** `outrider stats eval`: our statistics for anybody's counts, to be held against another's. */

import { resolve } from "node:path";
import { command } from "#cli/command.ts";
import { EXIT, type ExitCode } from "#cli/exit.ts";
import { flushed } from "#cli/process.ts";
import { jsonLine, printable, styled, type Terminal } from "#cli/term.ts";
import { evaluate, functionList, QuestionError } from "#domain/experiments/stats/functions.ts";

/** Some hundred thousand clusters. */
const LINE_CHARS_MAX = 16 * 1024 * 1024;
const STDIN = "-";

export const statsEvalCommand = command({
  about: "Run the experiment statistics on your own counts",
  details: [
    'Reads JSON lines {"id", "fn", "input"} from files, or from stdin, and writes a line',
    '{"id", "result"} for each, in their order: no data directory, no network, the same digits each',
    'time. A line that cannot be computed gets {"id", "error"}, and the exit code is 1.',
    "",
    "Functions and their inputs:",
    ...functionList(),
  ].join("\n"),
  options: {},
  positionals: [
    { name: "FILE", about: "JSON lines file (- or none for stdin)", optional: true, repeats: true },
  ],
  run: async ({ words, terminal, workingDir }) => {
    let exit: ExitCode = EXIT.done;
    for (const file of words.length === 0 ? [STDIN] : words) {
      const source = file === STDIN ? Bun.stdin : Bun.file(resolve(workingDir, file));
      try {
        const isGood = await respondAll(source.stream(), terminal);
        exit = isGood ? exit : EXIT.failed;
      } catch (error) {
        if (!(error instanceof Error && "code" in error)) {
          throw error;
        }
        const head = styled("outrider:", "red", terminal.errColours);
        terminal.err(`${head} ${printable(file)}: can't read the file (${String(error.code)})\n`);
        exit = EXIT.failed;
      }
    }
    return exit;
  },
});

/** Returns a chunk's lines before the next is read. False where a line could not be answered. */
async function respondAll(stream: AsyncIterable<Uint8Array>, terminal: Terminal): Promise<boolean> {
  let isGood = true;
  for await (const lines of linesOf(stream)) {
    const answers = lines.filter((line) => line === null || line.trim() !== "").map(answer);
    isGood &&= answers.every((line) => !("error" in line));
    terminal.out(answers.map(jsonLine).join(""));
    await flushed();
  }
  return isGood;
}

/** The whole lines of each chunk; null for one above {@link LINE_CHARS_MAX}, whose text is dropped. */
async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<(string | null)[]> {
  const decoder = new TextDecoder();
  let rest: string | null = "";
  for await (const chunk of stream) {
    const lines: (string | null)[] = decoder.decode(chunk, { stream: true }).split("\n");
    lines[0] = rest === null ? null : rest + (lines[0] ?? "");
    rest = lines.pop() ?? null;
    if (rest !== null && rest.length > LINE_CHARS_MAX) {
      rest = null;
    }
    yield lines;
  }
  yield [rest];
}

type Answer = { id: unknown; result: unknown } | { id: unknown; error: string };

function answer(line: string | null): Answer {
  if (line === null) {
    return { id: null, error: `the line is longer than ${LINE_CHARS_MAX} characters` };
  }
  let id: unknown = null;
  try {
    const question: unknown = JSON.parse(line);
    if (typeof question !== "object" || question === null || Array.isArray(question)) {
      throw new QuestionError('the line must be an object {"id", "fn", "input"}');
    }
    const {
      id: given = null,
      fn,
      input,
    }: { id?: unknown; fn?: unknown; input?: unknown } = question;
    id = given;
    return { id, result: evaluate(fn, input) };
  } catch (error) {
    if (error instanceof QuestionError) {
      return { id, error: error.message };
    }
    if (error instanceof SyntaxError) {
      return { id, error: "the line is not valid JSON" };
    }
    throw error;
  }
}
