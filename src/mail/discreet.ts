/**
 * Servers may say our own secrets back to us, in a refusal for example. Their words are stored, shown and
 * told to webhooks: so secrets are taken out of every outcome before anybody sees it.
 */

import type { Mailbox } from "#platform/ports/mail.ts";

/** Where outcomes hold what a server has said; no other field is words. */
const WORDS = ["reason", "response", "error", "message"];
const MASK = "…";
/** Shorter ones are in many words; whoever has such a password hides nothing by it. */
const SECRET_CHARS_MIN = 4;

/** `outcome` with the mailbox's secrets taken out of all words in it; messages stay as they came. */
export function discreet<Outcome>(mailbox: Mailbox, outcome: Outcome): Outcome {
  const secrets = secretsOf(mailbox);
  return secrets.length === 0 ? outcome : (cleaned(outcome, secrets) as Outcome);
}

/** As they are, and as AUTH and XOAUTH2 say them. The longest first: one may be part of another. */
function secretsOf({ smtp, imap, oauth }: Mailbox): string[] {
  const given = [smtp, imap].flatMap((login) => {
    const password = login?.password ?? "";
    return password === "" ? [] : [password, plainLogin(login?.username ?? "", password)];
  });
  const granted = [oauth?.clientSecret, oauth?.refreshToken, oauth?.access?.token];
  return [...given, ...granted]
    .filter((secret) => secret !== undefined && secret.length >= SECRET_CHARS_MIN)
    .flatMap((secret) => (secret === undefined ? [] : [secret, coded(secret)]))
    .toSorted((a, b) => b.length - a.length);
}

/** `text` with these secrets taken out. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(({ length }) => length >= SECRET_CHARS_MIN)
    .reduce((words, secret) => words.replaceAll(secret, MASK), text);
}

const plainLogin = (username: string, password: string) => `\0${username}\0${password}`;

const coded = (secret: string) => Buffer.from(secret).toString("base64");

function cleaned(value: unknown, secrets: readonly string[], isWords = false): unknown {
  if (typeof value === "string") {
    return isWords ? secrets.reduce((text, one) => text.replaceAll(one, MASK), value) : value;
  }
  if (value === null || typeof value !== "object" || value instanceof Uint8Array) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((one) => cleaned(one, secrets, isWords));
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      cleaned(one, secrets, isWords || WORDS.includes(name)),
    ]),
  );
}
