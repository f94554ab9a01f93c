/** One conversation: both sides in order, what each mail was taken for and did, and an answer. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { api } from "../../lib/api.ts";
import { count, plural, words } from "../../lib/format.ts";
import { evidenceWords, KINDS, MATCHES } from "../../lib/mail-words.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { MailBody } from "../../parts/mail.tsx";
import { Notice, Pill } from "../../parts/page.tsx";
import { sayFault } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { changed } from "./changes.ts";
import { type Conversation, type Mail, threadHref } from "./data.ts";
import { ReplyForm } from "./reply.tsx";

export function ThreadView(props: {
  thread: Conversation;
  replyAt: { current: HTMLTextAreaElement | null };
}) {
  const { thread, replyAt } = props;
  const pane = useRef<HTMLElement>(null);
  const mails = thread.messages.length;
  /** The newest mail is what one came for. */
  useLayoutEffect(() => {
    const newest = pane.current?.querySelector<HTMLElement>("ol > :last-child");
    if (mails > 1 && newest) {
      pane.current?.scrollTo(0, newest.offsetTop - NEWEST_AT_PX);
    }
  }, [mails]);
  return (
    <section class="inbox-thread" aria-label="Conversation" ref={pane}>
      <header>
        <a class="button compact plain inbox-back" href={threadHref("")}>
          All conversations
        </a>
        <h2>
          <bdi>{thread.subject || "(no subject)"}</bdi>
        </h2>
        <p class="small quiet">
          {plural(mails, "mail")} with <bdi>{thread.from_address || "an unknown sender"}</bdi>
          {thread.account_email && `, written from ${thread.account_email}`}
        </p>
      </header>
      <ol class="stack">
        {thread.messages.map((mail) => (
          <li key={mail.id}>
            <OneMail mail={mail} thread={thread} />
          </li>
        ))}
      </ol>
      {can("inbox:write") && <ReplyForm thread={thread} replyAt={replyAt} />}
    </section>
  );
}

const NEWEST_AT_PX = 16;

const STATES: Readonly<Record<string, string>> = {
  sent: "Sent",
  sending: "Being sent",
  deferred: "Put off by the mail server; it is tried again",
  failed: "Could not be sent",
  unknown: "May or may not have been delivered",
  cancelled: "Not sent",
  queued: "Waits to be sent",
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
            {mail.step_position === null ? "By hand" : `Step ${count(mail.step_position)}`} ·{" "}
            {STATES[mail.status ?? ""] ?? words(mail.status ?? "")}
          </span>
        ) : (
          kind && <Pill tone={kind.tone}>{kind.name}</Pill>
        )}
        <span class="small faint moment-time">
          <When at={mail.at} />
        </span>
      </header>
      <MailBody mail={mail} />
      {isOurs ? <Doubt mail={mail} /> : <Evidence mail={mail} />}
    </article>
  );
}

function Doubt({ mail }: { mail: Mail }) {
  if (mail.status !== "unknown" || !can("inbox:write")) {
    return mail.response && mail.status !== "sent" ? (
      <p class="small quiet">The mail server said: {mail.response}</p>
    ) : null;
  }
  const resolve = (action: "treat_as_sent" | "send_again") =>
    api()
      .resolveMessage({ id: mail.id, body: { action } })
      .then(() => {
        changed.value += 1;
      }, sayFault);
  return (
    <Notice tone="warn">
      The connection broke at the end of this mail.
      <div class="actions">
        <Button look="compact" onClick={() => void resolve("treat_as_sent")}>
          It was sent
        </Button>
        <Button look="compact" onClick={() => void resolve("send_again")}>
          Send it again
        </Button>
      </div>
    </Notice>
  );
}

/** Why the mail is what it is taken for, and what that has changed. */
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
        Why {(KINDS[mail.kind as keyof typeof KINDS]?.name ?? "this").toLowerCase()}
        {mail.effects.length > 0 && `, and ${plural(mail.effects.length, "thing")} it did`}
      </summary>
      {isOpen.value && (
        <dl class="lead-facts">
          {isRelabelled && (
            <>
              <dt>Said by</dt>
              <dd>a person; the rules had said {kind?.name.toLowerCase() ?? "something else"}</dd>
            </>
          )}
          <dt>Rule</dt>
          <dd>{evidenceWords(mail.evidence ?? "")}</dd>
          <dt>Sureness</dt>
          <dd>{words(mail.confidence ?? "unknown")}</dd>
          <dt>Belongs here</dt>
          <dd>{MATCHES[mail.matched_by ?? ""] ?? "not known"}</dd>
          {mail.returns_on && (
            <>
              <dt>Back on</dt>
              <dd>{mail.returns_on}</dd>
            </>
          )}
          {mail.new_contact && (
            <>
              <dt>Names instead</dt>
              <dd>
                <bdi>{mail.new_contact}</bdi>
              </dd>
            </>
          )}
          {mail.effects.length > 0 && (
            <>
              <dt>What it did</dt>
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
      return `The sequence went from ${quiet(before)} to ${quiet(after)}`;
    case "interest":
      return after === null ? "The interest was taken away" : `Judged ${quiet(after)}`;
    case "suppression":
      return `The address was suppressed: ${quiet(after)}`;
    case "message_bounced":
      return "Our mail counts as bounced";
    case "soft_bounces":
      return "It counts among the failures in a row";
    case "step_bounced":
      return "It counts among the step's bounces";
    case "step_unsubscribed":
      return "It counts among the step's unsubscribed";
    default:
      return "It counts against the mailbox's health";
  }
}

function quiet(text: string | null): string {
  return words(text ?? "nothing").toLowerCase();
}
