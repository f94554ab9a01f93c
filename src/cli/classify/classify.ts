/** `outrider classify`: what the inbox makes of an email, and why. */

import { resolve } from "node:path";
import { type Call, command } from "#cli/command.ts";
import { CommandError, EXIT, type ExitCode } from "#cli/exit.ts";
import { configOf, settingOptions } from "#cli/server/settings.ts";
import { jsonLine, printable, styled, type Terminal } from "#cli/term.ts";
import { type Classification, classify } from "#domain/inbox/classify.ts";
import type { ParsedMail } from "#domain/inbox/mail.ts";
import { matchKeys } from "#domain/inbox/match.ts";
import type { ReplyModel } from "#engine/reply-model.ts";
import { parseMail } from "#mail/parse.ts";
import { RAW_BYTES_MAX } from "#platform/ports/mail.ts";
import { scoreCommand } from "./score-command.ts";

interface Verdict {
  file: string;
  kind: string;
  severity: string | null;
  status: string | null;
  recipient: string | null;
  message_id: string | null;
  return_date: string | null;
  feedback_type: string | null;
  opt_out: boolean;
  confidence: string;
  evidence: string;
}

export const classifyCommand = command({
  about: "Show how the inbox classifies emails in files, and why",
  details: [
    "Reads .eml files and changes nothing. With --json, prints one line per file, with these fields:",
    "kind is reply, auto_reply, bounce, notice (a delay or delivery notice), complaint, unsubscribe,",
    "or unrelated. A file that isn't an email is reported on stderr, the others are still classified,",
    "and the exit code is 65.",
    "With --score, reads the emails of a benchmark instead and prints how many are classified right, by",
    "class and by language: built-in for the one in bench/classify, or a directory with an emails.ndjson",
    "of the same form, whose lines may name .eml files. With --model as well, replies that the rules say",
    "nothing about are sent to the model of reply_model_url, as the inbox would, and its labels count too.",
  ].join("\n"),
  options: {
    score: { type: "string", value: "BENCHMARK", about: "built-in, or a directory" },
    model: {
      type: "boolean",
      about: "Ask the model of reply_model_url where the rules are silent",
    },
    ...settingOptions(["reply_model_url", "reply_model_name"]),
  },
  positionals: [
    { name: "FILE", about: "A raw email (message/rfc822)", optional: true, repeats: true },
  ],
  run: async (call) => {
    const { values, words, json, terminal, workingDir } = call;
    const model = values.model === true ? modelOf(call) : null;
    if (values.score !== undefined) {
      return await scoreCommand(values.score, { json, terminal, workingDir }, model);
    }
    if (model !== null) {
      throw new CommandError(EXIT.usage, "--model needs --score");
    }
    if (words.length === 0) {
      throw new CommandError(EXIT.usage, "classify needs FILE");
    }
    let exit: ExitCode = EXIT.done;
    for (const file of words) {
      try {
        const { mail, reading } = await classifyFile(file, resolve(workingDir, file));
        const verdict = present(file, mail, reading);
        terminal.out(json ? jsonLine(verdict) : describe(verdict, reading, terminal));
      } catch (error) {
        if (!(error instanceof CommandError)) {
          throw error;
        }
        exit = error.exit;
        complain(error, json, terminal);
      }
    }
    return exit;
  },
});

function modelOf(call: Call): ReplyModel {
  const { url, name, key } = configOf(call).config.operations.replyModel;
  if (url === null) {
    throw new CommandError(EXIT.usage, "--model needs --reply-model-url URL");
  }
  return { url, name, key, fetch, signal: call.interrupt() };
}

/** Throws a {@link CommandError} that names the file where it holds no email. */
async function classifyFile(
  file: string,
  path: string,
): Promise<{ mail: ParsedMail; reading: Classification }> {
  const mail = await parseMail(await bytesOf(file, path));
  if (!mail.headers.some(({ name }) => MAIL_HEADERS.has(name))) {
    throw new CommandError(
      EXIT.badData,
      `${printable(file)}: not an email; it has no email headers`,
    );
  }
  return { mail, reading: classify(mail, { addresses: [] }) };
}

/** Every email has one of them; other files with colons have none. */
const MAIL_HEADERS: ReadonlySet<string> = new Set(
  "from to subject date received message-id return-path delivered-to content-type mime-version".split(
    " ",
  ),
);

/** The first {@link RAW_BYTES_MAX} bytes, as the inbox would read them. */
async function bytesOf(file: string, path: string): Promise<Uint8Array> {
  try {
    return await Bun.file(path).slice(0, RAW_BYTES_MAX).bytes();
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new CommandError(EXIT.badData, `${printable(file)}: can't read the file (${reason})`);
  }
}

function present(file: string, mail: ParsedMail, reading: Classification): Verdict {
  return {
    file,
    kind: reading.kind === "own" ? "unrelated" : reading.kind,
    severity: reading.severity,
    status: reading.status,
    recipient: reading.recipients[0] ?? null,
    message_id: matchKeys(mail, reading).messageIds[0] ?? null,
    return_date: reading.returnsOn,
    feedback_type: reading.feedbackType,
    opt_out: reading.optOut,
    confidence: reading.confidence,
    evidence: reading.evidence,
  };
}

/** One line with the verdict, then a line for everything else that is known. */
function describe(verdict: Verdict, reading: Classification, terminal: Terminal): string {
  const { file, kind, severity, ...rest } = verdict;
  const { hasLeft, newContact, interest } = reading;
  const title = severity === null ? kind : `${kind}, ${severity}`;
  const all = { ...rest, left_company: hasLeft, new_contact: newContact, interest };
  const lines = Object.entries(all)
    .filter(([, value]) => value !== null && value !== false)
    .map(([name, value]) => {
      const label = styled(name.replaceAll("_", " "), "dim", terminal.outColours);
      return `  ${label}: ${printable(String(value))}\n`;
    });
  return `${printable(file)}: ${styled(title, "bold", terminal.outColours)}\n${lines.join("")}`;
}

function complain({ message, exit }: CommandError, json: boolean, terminal: Terminal): void {
  const head = styled("outrider:", "red", terminal.errColours);
  terminal.err(json ? jsonLine({ error: { message, exit } }) : `${head} ${message}\n`);
}
