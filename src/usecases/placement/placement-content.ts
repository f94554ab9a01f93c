/** What a test email says: a step's templates for a made-up person, or a neutral text of ours. */

import { asSender } from "#domain/mailboxes/account.ts";
import { type MessageContent, renderMessage } from "#domain/sending/message-content.ts";
import type { Environment } from "#environment.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import type { RunContent } from "#store/tables/placement.ts";
import { findTeam } from "#store/team/teams.ts";
import { unsubscribeLinks } from "#usecases/leads/unsubscribe.ts";
import { footerOf } from "#usecases/sending/footer.ts";

/** Nobody's data goes to a seed. */
const PERSON = {
  first_name: "Alex",
  last_name: "Morgan",
  company: "Northfield",
  website: "https://northfield.example",
  phone: "+1 555 0100",
  timezone: null,
} as const;

const NEUTRAL: RunContent = {
  subject: "{Notes from today|Notes from our meeting|The notes you asked for}",
  body: [
    "Hi {{first_name}},",
    "",
    "{thanks for your time today|thank you for the talk today}. I have written down what we said about " +
      "{the plan for next week|the next steps}, and will send the rest {tomorrow|by Friday}.",
    "",
    "{Best|Kind regards},",
    "{{sender.name | default: sender.email}}",
  ].join("\n"),
  threadSubject: null,
};

/** The step's words as they are now. `steps` are all of its campaign's. */
export function contentOf(steps: readonly StepRow[], step: StepRow): RunContent {
  const start = steps.findLast(
    ({ type, subject, position }) =>
      type === "email" && subject !== null && position < step.position,
  );
  const isFollowUp = step.subject === null || step.subject.trim() === "";
  const threadSubject = isFollowUp ? (start?.subject ?? null) : null;
  const { subject, format, attachmentIds } = step;
  return { subject, body: step.body ?? "", format, attachmentIds, threadSubject };
}

export interface TestMail {
  content: RunContent | null;
  account: AccountRow;
  recipient: string;
  /** Row id of the message, for its opt-out. */
  messageId: Id;
}

/** Renders one test email; a variable that the made-up person lacks gets its own name as its value. */
export function renderTestMail(env: Environment, mail: TestMail): MessageContent {
  const content = mail.content ?? NEUTRAL;
  const opening =
    content.threadSubject === null
      ? null
      : withAllVariables(env, mail, { ...content, subject: content.threadSubject }, null);
  const threadSubject = opening?.kind === "ready" ? opening.subject : content.threadSubject;
  return withAllVariables(env, mail, content, threadSubject);
}

function withAllVariables(
  env: Environment,
  mail: TestMail,
  content: RunContent,
  threadSubject: string | null,
): MessageContent {
  const first = render(env, mail, { content, threadSubject, variables: {} });
  if (first.kind !== "held") {
    return first;
  }
  const variables = Object.fromEntries(first.missing.map((name) => [name, wordOf(name)]));
  return render(env, mail, { content, threadSubject, variables });
}

/** `industry_name` is "industry name". */
function wordOf(name: string): string {
  return name.replace(/[_.]+/g, " ").trim();
}

function render(
  env: Environment,
  { account: mailbox, recipient, messageId }: TestMail,
  given: {
    content: RunContent;
    threadSubject: string | null;
    variables: Readonly<Record<string, string>>;
  },
): MessageContent {
  const account = asSender(mailbox);
  return renderMessage({
    subject: given.content.subject,
    body: given.content.body,
    format: given.content.format ?? null,
    lead: { email: recipient, fields: PERSON, variables: given.variables },
    sender: {
      email: account.email,
      name: account.displayName ?? "",
      signature: account.signature ?? "",
    },
    ...footerOf(findTeam(env.db, account.teamId)),
    unsubscribe: unsubscribeLinks(env, account.email, messageId),
    threadSubject: given.threadSubject,
    seed: `${recipient} ${messageId}`,
    at: env.clock.now(),
  });
}
