/** An email as it is read: its head, its words as text, and its picture in a frame that can do nothing. */

import { useSignal } from "@preact/signals";
import { withoutTokens } from "#domain/inbox/opt-out-token.ts";
import { env } from "../lib/route.ts";
import { Button } from "./button.tsx";

export interface ShownMail {
  id: string;
  direction: "in" | "out";
  from: string;
  to: string;
  subject: string;
  text: string;
}

/** What is higher scrolls in its frame. */
const FRAME_PX_MAX = 3000;
const PREFIXES = /^(?:\w{2,4}:\s*)+/;

/** In a conversation, whose subject is `of`, an email that has a form is shown in it at once. */
export function MailBody({ mail, of }: { mail: ShownMail; of?: string }) {
  const isFramed = useSignal(false);
  const subject = withoutTokens(mail.subject);
  const isSaid = of !== undefined && subject.replace(PREFIXES, "") === of.replace(PREFIXES, "");
  return (
    <div class="mail">
      {!isSaid && (
        <p class="small quiet mail-head">
          <bdi>{subject || "(no subject)"}</bdi>
        </p>
      )}
      {(isFramed.value || of !== undefined) && (
        <iframe
          class="mail-frame"
          title={`Email: ${mail.subject}`}
          hidden={!isFramed.value}
          sandbox="allow-same-origin"
          src={`/${env.value}/mail/${mail.id}`}
          onLoad={({ currentTarget: frame }) => {
            const page = frame.contentDocument?.documentElement;
            if (page !== undefined) {
              isFramed.value ||= page.dataset["formatted"] !== undefined;
              new ResizeObserver(() => {
                frame.style.height = `${Math.min(page.offsetHeight + 2, FRAME_PX_MAX)}px`;
              }).observe(page);
            }
          }}
        />
      )}
      {!isFramed.value && (
        <p class="mail-text" dir="auto">
          {withoutTokens(mail.text) || "(no text)"}
        </p>
      )}
      <Button
        look="compact plain"
        aria-pressed={isFramed.value}
        onClick={() => {
          isFramed.value = !isFramed.value;
        }}
      >
        {isFramed.value ? "Show plain text" : "Show whole email"}
      </Button>
    </div>
  );
}
