/** How mail clients introduce what they quote, and how they sign. Written for lines through `fold`. */

const WROTE =
  /(?:wrote|schrieb|a ecrit|ecrit|escribio|ha scritto|scritto|escreveu|schreef|skrev|kirjoitti|napisal(?:\(a\)|a)?|pisze|napsal)\b.{0,200}:$/;

/** A line, or up to four joined, that says who wrote what follows: its first and its last words. */
export const ATTRIBUTIONS: readonly { start: RegExp; end: RegExp }[] = [
  { start: /^on\b/, end: /\bwrote ?:$/ },
  { start: /^(?:am|le|el|il|em|op|den|em|no dia|dnia|w dniu|pe|na|v|dne)\b/, end: WROTE },
  {
    start:
      /^(?:mon|tue|wed|thu|fri|sat|sun|lun|mar|mer|jeu|ven|sam|dim|mo|di|mi|do|fr|sa|so|ma|wo|vr|za|zo)\b/,
    end: WROTE,
  },
  {
    start: /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\b/,
    end: /(?:>|@[^ ]{1,200}|wrote|schrieb|escribio|escreveu|scritto|ecrit|schreef)[^:]{0,80} ?:$/,
  },
  {
    start: /^\S.{0,120}(?:<|\[mailto:|&lt;)/,
    end: /\b(?:wrote|schrieb|ecrit|escribio|scritto|escreveu|schreef|skrev|pisze)\b.{0,80}:$/,
  },
  { start: /^\S.{0,120}/, end: /\bwrote ?:$/ },
  { start: /^(?:在|20\d\d)/, end: /(?:写道|寫道|작성|のメッセージ)[::]$/ },
];

/** A line by itself, after which nothing is the writer's. */
export const SEPARATORS: readonly RegExp[] = [
  /^-{2,} ?(?:original(?: message)?|ursprungliche nachricht|original-?nachricht|message d'origine|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|oprindelig besked|forwarded message|weitergeleitete nachricht|message transfere|mensaje reenviado|messaggio inoltrato|doorgestuurd bericht) ?-*$/,
  /^begin forwarded message:$/,
  /^_{20,}$/,
  /^-{20,}$/,
];

/** Names of the header lines that clients put before a quoted mail, in seven languages. */
export const HEADER_LINES =
  /^\*?(?:from|sent|date|to|cc|subject|von|gesendet|datum|an|betreff|de|envoye|a|objet|para|enviado(?: el)?|asunto|assunto|data|da|inviato|oggetto|van|verzonden|aan|onderwerp)\*? ?:/;
export const FROM_LINES = /^\*?(?:from|von|de|da|van)\*? ?:\*? ?\S/;

/** What a telephone adds. */
export const CLIENT_LINES: readonly RegExp[] = [
  /^(?:sent|sendt|skickat|get|gesendet|von meinem|envoye|telecharge[rz]?|enviado|verzonden|verstuurd|inviato|obtener|scarica|outlook fur) .{0,40}\b(?:iphone|ipad|android|outlook|mobile|samsung|blackberry|handy|smartphone|mail|telefon|galaxy|huawei|phone|windows|yahoo|gmail|proton)\b.{0,80}$/,
  /^(?:sent|sendt|skickat|gesendet|envoye|enviado|verzonden|verstuurd|inviato) (?:from|fra|fran|von|de|desde|vanaf|van|da|do|depuis|via) (?:my|min|mon|mi|mijn|meinem|il mio|meu|dal mio)? ?\S.{0,60}$/,
];
