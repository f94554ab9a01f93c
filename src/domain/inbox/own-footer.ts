/**
 * Takes our own words beside the link to unsubscribe out of a reply that repeats them without the marks of
 * a quote. They are those of the message replied to, so any language and wording is known.
 */

/** A token of ours (`usecases/leads/unsubscribe.ts`), in a link that a mail server may have wrapped. */
const LINK = /(?:https?:|mailto:)\S{0,2000}?(?:\/|%2f|%(?:25)?20)[lt][\w-]{43}\S*/i;
/** Of longer words beside the link the end is looked for. */
const WORDS_CHARS_MAX = 500;

/** `text` without the words and the link that each of `sent`, texts of our messages, puts below itself. */
export function withoutOwnFooter(text: string, sent: readonly string[]): string {
  return sent.reduce((rest, message) => {
    const footer = footerIn(message);
    return footer === null ? rest : rest.replace(footer, "");
  }, text);
}

function footerIn(sent: string): RegExp | null {
  const before = sent.slice(0, LINK.exec(sent)?.index ?? 0).trimEnd();
  const paragraphs = before.split(/\n\s*\n/);
  const words = spaced((paragraphs.pop() ?? "").slice(-WORDS_CHARS_MAX));
  const above = spaced(paragraphs.pop()?.split("\n").at(-1) ?? "");
  if (words === "") {
    return null;
  }
  // Without the link they may be the writer's own, unless the line above ours is above them too.
  const alone = above === "" ? "" : `|(?<=^[ \\t]{0,9}${above}\\s{1,9})${words}[ \\t:]{0,9}$`;
  const linked = `^[ \\t]{0,9}${words}[\\s:<([]{0,9}${LINK.source}`;
  return new RegExp(linked + alone, "gimu");
}

/** As a pattern: programs break lines where they like. */
function spaced(text: string): string {
  const bare = text.replace(/[\s:<([]+$/, "").trim();
  return bare.split(/\s+/).map(RegExp.escape).join("\\s{1,9}");
}
