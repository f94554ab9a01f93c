/** One conversation: both sides in order, how each email was classified and what it did, and a reply. */

import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { withoutTokens } from "#domain/inbox/opt-out-token.ts";
import { api } from "../../lib/api.ts";
import { plural, words } from "../../lib/format.ts";
import { evidenceWords, KINDS, MATCHES } from "../../lib/mail-words.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { MadeFrom } from "../../parts/made-from.tsx";
import { MailBody } from "../../parts/mail.tsx";
import { Notice, Pill } from "../../parts/page.tsx";
import { toastError } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { changed } from "./changes.ts";
import { type Conversation, type Mail, type Note, threadHref } from "./data.ts";
import { ForwardForm } from "./forward.tsx";
import { NoteForm, OneNote } from "./notes.tsx";
import { ReplyForm } from "./reply.tsx";

export function ThreadView(props: { thread: Conversation; writes: Signal<Writing> }) {
  const { thread, writes } = props;
  const pane = useRef<HTMLElement>(null);
  const back = () => {
    writes.value = "Reply";
  };
  const mails = thread.messages.length;
  const entries = mails + thread.notes.length;
  /** The newest email is what one came for. */
  useLayoutEffect(() => {
    const newest = pane.current?.querySelector<HTMLElement>("ol > :last-child");
    if (entries > 1 && newest) {
      pane.current?.scrollTo(0, newest.offsetTop - NEWEST_AT_PX);
    }
  }, [entries]);
  return (
    <section class="inbox-thread" aria-label="Conversation" ref={pane}>
      <header>
        <a class="button compact plain inbox-back" href={threadHref("")}>
          All conversations
        </a>
        <h2>
          <bdi>{withoutTokens(thread.subject) || "(no subject)"}</bdi>
        </h2>
        <p class="small quiet">
          {plural(mails, "email")} with <bdi>{thread.from_address || "an unknown sender"}</bdi>
          {thread.account_email && `, mailbox ${thread.account_email}`}
        </p>
      </header>
      <ol class="stack">
        {entriesOf(thread).map((entry) => (
          <li key={entry.id}>
            {"author" in entry ? (
              <OneNote note={entry} />
            ) : (
              <OneMail mail={entry} thread={thread} />
            )}
          </li>
        ))}
      </ol>
      {can("inbox:write") && (
        <>
          <fieldset class="judgement writes" aria-label="Write">
            {WRITINGS.map((name) => (
              <button
                key={name}
                type="button"
                class="button compact"
                aria-pressed={writes.value === name}
                onClick={() => (writes.value = name)}
              >
                {name}
              </button>
            ))}
          </fieldset>
          {writes.value === "Reply" && <ReplyForm thread={thread} />}
          {writes.value === "Forward" && <ForwardForm threadId={thread.id} onDone={back} />}
          {writes.value === "Note" && <NoteForm threadId={thread.id} onDone={back} />}
        </>
      )}
    </section>
  );
}

const WRITINGS = ["Reply", "Forward", "Note"] as const;
export type Writing = (typeof WRITINGS)[number];

const NEWEST_AT_PX = 16;

/** Emails and notes in the order in which they came. */
function entriesOf({ messages, notes }: Conversation): (Mail | Note)[] {
  const timeOf = (entry: Mail | Note) => ("author" in entry ? entry.created_at : entry.at);
  return [...messages, ...notes].toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
}

const STATES: Readonly<Record<string, string>> = {
  sent: "Sent",
  sending: "Sending",
  deferred: "Deferred by the mail server; Outrider retries",
  failed: "Couldn’t be sent",
  unknown: "Unconfirmed: may or may not have been delivered",
  cancelled: "Not sent",
  queued: "Waiting to be sent",
};

function OneMail({ mail, thread }: { mail: Mail; thread: Conversation }) {
  const isOurs = mail.direction === "out";
  const kind = KINDS[mail.kind as keyof typeof KINDS];
  return (
    <article class="one-mail" data-direction={mail.direction}>
      <header>
        <strong>
          <bdi>{isOurs ? thread.account_email : mail.from_name || mail.from}</bdi>
        </strong>
        {isOurs ? (
          <span class="small quiet">
            <MadeFrom mail={mail} /> · {STATES[mail.status ?? ""] ?? words(mail.status ?? "")}
          </span>
        ) : (
          kind && <Pill tone={kind.tone}>{kind.name}</Pill>
        )}
        <span class="small faint moment-time">
          <When at={mail.at} />
        </span>
      </header>
      <Recipients mail={mail} thread={thread} />
      <MailBody mail={mail} of={thread.subject} />
      {isOurs ? <Doubt mail={mail} /> : <Evidence mail={mail} />}
    </article>
  );
}

/** Who else got it. */
function Recipients({ mail, thread }: { mail: Mail; thread: Conversation }) {
  const to = mail.direction === "out" && mail.to !== thread.from_address ? [mail.to] : [];
  const lists = [
    ["To", to],
    ["Cc", mail.cc],
    ["Bcc", mail.bcc],
  ] as const;
  return lists
    .filter(([, addresses]) => addresses.length > 0)
    .map(([name, addresses]) => (
      <p key={name} class="small quiet">
        {name}: <bdi>{addresses.join(", ")}</bdi>
      </p>
    ));
}

function Doubt({ mail }: { mail: Mail }) {
  if (mail.status !== "unknown" || !can("inbox:write")) {
    return mail.response && mail.status !== "sent" ? (
      <p class="small quiet">Mail server response: {mail.response}</p>
    ) : null;
  }
  const resolve = (action: "treat_as_sent" | "send_again") =>
    api()
      .resolveMessage({ id: mail.id, body: { action } })
      .then(() => {
        changed.value += 1;
      }, toastError);
  return (
    <Notice tone="warn">
      The connection broke at the end of this email, so it may or may not have been delivered.
      <div class="actions">
        <Button look="compact" onClick={() => void resolve("treat_as_sent")}>
          Count as sent
        </Button>
        <Button look="compact" onClick={() => void resolve("send_again")}>
          Send again
        </Button>
      </div>
    </Notice>
  );
}

/** Why the email is what it is taken for, and what that has changed. */
function Evidence({ mail }: { mail: Mail }) {
  const isOpen = useSignal(false);
  const kind = KINDS[mail.found_kind as keyof typeof KINDS];
  const isRelabelled = mail.labelled_by !== null;
  return (
    <details
      class="evidence small"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>
        Classified as {(KINDS[mail.kind as keyof typeof KINDS]?.name ?? "this").toLowerCase()}
        {mail.effects.length > 0 && ` · ${plural(mail.effects.length, "effect")}`}
      </summary>
      {isOpen.value && (
        <dl class="lead-facts">
          {isRelabelled && (
            <>
              <dt>Classified by</dt>
              <dd>a person; the rules said {kind?.name.toLowerCase() ?? "something else"}</dd>
            </>
          )}
          <dt>Rule</dt>
          <dd>{evidenceWords(mail.evidence ?? "")}</dd>
          <dt>Confidence</dt>
          <dd>{words(mail.confidence ?? "unknown")}</dd>
          <dt>Matched</dt>
          <dd>{MATCHES[mail.matched_by ?? ""] ?? "unknown"}</dd>
          {mail.returns_on && (
            <>
              <dt>Returns on</dt>
              <dd>{mail.returns_on}</dd>
            </>
          )}
          {mail.new_contact && (
            <>
              <dt>Alternate contact</dt>
              <dd>
                <bdi>{mail.new_contact}</bdi>
              </dd>
            </>
          )}
          {mail.effects.length > 0 && (
            <>
              <dt>Effects</dt>
              <dd>
                <ul>
                  {mail.effects.map((effect) => (
                    <li key={`${effect.type}-${effect.subject_id}`}>{effectWords(effect)}</li>
                  ))}
                </ul>
              </dd>
            </>
          )}
        </dl>
      )}
    </details>
  );
}

function effectWords({ type, before, after }: Mail["effects"][number]): string {
  switch (type) {
    case "enrollment":
      return `Sequence changed from ${quiet(before)} to ${quiet(after)}`;
    case "interest":
      return after === null ? "Interest cleared" : `Interest set to ${quiet(after)}`;
    case "suppression":
      return `Address suppressed: ${quiet(after)}`;
    case "message_bounced":
      return "Our email counts as bounced";
    case "soft_bounces":
      return "Counts toward consecutive failures";
    case "step_bounced":
      return "Counts toward the step’s bounces";
    case "step_unsubscribed":
      return "Counts toward the step’s unsubscribes";
    default:
      return "Counts against the mailbox’s health";
  }
}

function quiet(text: string | null): string {
  return words(text ?? "nothing").toLowerCase();
}
