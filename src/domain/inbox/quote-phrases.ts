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
  // An address in brackets, a time of day and a colon at the end: whatever the language.
  {
    start: /^\S.{0,200}<[^<>\s]{1,200}@[^<>\s]{1,200}>/,
    end: /^(?=.{0,300}\b\d{1,2}[:.]\d\d\b).{0,380}:$/,
  },
  { start: /^(?:在|20\d\d)/, end: /(?:写道|寫道|작성|のメッセージ)[::]$/ },
];

/** A line by itself, after which nothing is the writer's. */
export const SEPARATORS: readonly RegExp[] = [
  /^-{2,} ?(?:original(?: message)?|ursprungliche nachricht|original-?nachricht|message d'origine|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|oprindelig besked|forwarded message|weitergeleitete nachricht|message transfere|mensaje reenviado|messaggio inoltrato|doorgestuurd bericht|(?:oryginalna wiadomosc|wiadomosc oryginalna)|ursprungligt meddelande|original meddelelse|opprinnelig melding|puvodni zprava|元のメッセージ|原始邮件|原始郵件) ?-*$/,
  /^begin forwarded message:$/,
  /^_{20,}$/,
  /^-{20,}$/,
];

/** Names of the header lines that clients put before a quoted email, in thirteen languages. */
export const HEADER_LINES =
  /^\*?(?:from|sent|date|to|cc|subject|von|gesendet|datum|an|betreff|de|envoye|a|objet|para|enviado(?: el)?|asunto|assunto|data|da|inviato|oggetto|van|verzonden|aan|onderwerp|od|wyslano|do|temat|fran|skickat|till|amne|fra|sendt|til|emne|odeslano|komu|predmet|差出人|送信日時|日時|宛先|件名|发件人|發件人|寄件者|发送时间|發送時間|傳送時間|日期|收件人|收件者|主题|主題|主旨)\*? ?:/;
export const FROM_LINES =
  /^\*?(?:from|von|de|da|van|od|fran|fra|差出人|发件人|發件人|寄件者)\*? ?:\*? ?\S/;

/** What a telephone adds. */
export const CLIENT_LINES: readonly RegExp[] = [
  /^(?:sent|sendt|skickat|get|gesendet|von meinem|envoye|telecharge[rz]?|enviado|verzonden|verstuurd|inviato|obtener|scarica|outlook fur) .{0,40}\b(?:iphone|ipad|android|outlook|mobile|samsung|blackberry|handy|smartphone|mail|telefon|galaxy|huawei|phone|windows|yahoo|gmail|proton)\b.{0,80}$/,
  /^(?:sent|sendt|skickat|gesendet|envoye|enviado|verzonden|verstuurd|inviato) (?:from|fra|fran|von|de|desde|vanaf|van|da|do|depuis|via) (?:my|min|mon|mi|mijn|meinem|il mio|meu|dal mio)? ?\S.{0,60}$/,
  /^(?:wyslane z|wyslano z|odeslano z|poslano z) .{0,60}$|^.{0,40}から送信$|^(?:发自|發自|从|從)我?的? ?.{0,20}(?:iphone|ipad|手机|手機|邮箱|郵箱|outlook|android|qq|huawei|华为|小米|mail)(?![a-z]).{0,20}$/,
];
