/** An email as it is read: its head, its words as text, and its picture in a frame that can do nothing. */

import { useSignal } from "@preact/signals";
import { withoutTokens } from "../lib/mail-words.ts";
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

export function MailBody({ mail }: { mail: ShownMail }) {
  const isFramed = useSignal(false);
  return (
    <div class="mail">
      <p class="small quiet mail-head">
        <bdi>{withoutTokens(mail.subject) || "(no subject)"}</bdi>
      </p>
      {isFramed.value ? (
        <iframe
          class="mail-frame"
          title={`Email: ${mail.subject}`}
          sandbox=""
          src={`/${env.value}/mail/${mail.id}`}
        />
      ) : (
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
        {isFramed.value ? "Show plain text" : "Show formatted email"}
      </Button>
    </div>
  );
}
