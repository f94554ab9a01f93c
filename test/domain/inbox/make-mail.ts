/** Received emails for tests: only what a test is about needs to be said. */

import type { MailHeader, ParsedMail } from "#domain/inbox/mail.ts";

export interface MailDraft extends Partial<Omit<ParsedMail, "headers" | "parts" | "from">> {
  from?: string | null;
  name?: string;
  headers?: Readonly<Record<string, string>>;
  parts?: Readonly<Record<string, string>>;
}

export function makeMail({ from, name, headers, parts, ...rest }: MailDraft = {}): ParsedMail {
  const list: MailHeader[] = Object.entries(headers ?? {}).map(([key, value]) => {
    return { name: key, value };
  });
  return {
    messageId: "<theirs@example.com>",
    inReplyTo: null,
    references: [],
    from: from === null ? null : { name: name ?? "Ada Smith", address: from ?? "ada@example.com" },
    replyTo: null,
    to: ["sam@out.test"],
    deliveredTo: [],
    subject: "Re: Offer",
    date: null,
    headers: list,
    text: "",
    html: null,
    parts: Object.entries(parts ?? {}).map(([type, content]) => {
      return { type, disposition: null, content };
    }),
    truncated: false,
    ...rest,
  };
}
