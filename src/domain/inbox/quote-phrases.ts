/** How mail clients introduce what they quote, and how they sign. Written for lines through `fold`. */

import { fold } from "./fold.ts";

/** "Wrote" as it is said of whoever is quoted. */
const WROTE = fold(
  "wrote|schrieb|schreift|a écrit|écrit|escribió|escribiu|va escriure|escreveu|ha scritto|scritto|scribite|schreef|skreau|skrev|skreiv|" +
    "skrivaði|skrifaði|kirjoitti|kirjutas|rakstīja|rašė|napi?sa[lo]|pisze|írta|a scris|пишет|писал|написа|напісаў|пише|" +
    "напиша|έγραψε|yazd|yazmış|yazıb|yozgan|كتب|כתב|نوشت|लिखा|लिही|menulis|viết|เขียน|作成|작성|쓴 |写道|寫道|寫到|" +
    "書きました|のメッセージ|idatzi|shkroi|skribis|scríobh|ysgrifennodd|skrivet gant|nivîsî|დაწერა|សរសេរ|skriv ",
);
/** Four figures at least: a day, mostly with its time. */
const WITH_DAY = "(?=(?:\\P{N}*\\p{N}){4})";

/** A line, or several joined, that says who wrote what follows: its first and its last words. */
export const ATTRIBUTIONS: readonly { start: RegExp; end: RegExp }[] = [
  { start: /^on\b/, end: /\bwrote ?:$/ },
  {
    start:
      /^(?:am|le|el|il|em|op|den|no dia|dnia|w dniu|pe|na|v|dne|mon|tue|wed|thu|fri|sat|sun|lun|mar|mer|jeu|ven|sam|dim|mo|di|mi|do|fr|sa|so|ma|wo|vr|za|zo|\d{1,4}[-./]\d{1,2}[-./]\d{1,4})\b/,
    end: new RegExp(`(?:${WROTE}).{0,200}:$`),
  },
  {
    start: /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\b/,
    end: /(?:>|@[^ ]{1,200})[^:]{0,80} ?:$/,
  },
  {
    start: /^\S.{0,120}(?:<|\[mailto:|&lt;)/,
    end: new RegExp(`(?:${WROTE}).{0,80}:$`),
  },
  { start: /^\S.{0,120}/, end: /\bwrote ?:$/ },
  // An address in brackets, a time of day and a colon at the end: whatever the language.
  {
    start: /^\S.{0,200}<[^<>\s]{1,200}@[^<>\s]{1,200}>/,
    end: /^(?=.{0,300}\b\d{1,2}[:.]\d\d\b).{0,380}:$/,
  },
  {
    start: new RegExp(`^${WITH_DAY}`, "u"),
    end: new RegExp(`(?:${WROTE}).{0,200}[:\u17d6]$|^[:].{0,3}(?:${WROTE})`),
  },
];

/** The rows that begin like nothing else, which are tried on joined lines too. */
export const NARROW_ROWS = 3;
/** Every such line has it: programs that write from right to left put the colon first. */
export const ATTRIBUTION_MARK = /[:\u17d6]$|^:/;

/** A line by itself, after which nothing is the writer's. */
export const SEPARATORS: readonly RegExp[] = [
  /^-{2,} ?(?:original(?: message)?|ursprungliche nachricht|original-?nachricht|message d'origine|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|oprindelig besked|forwarded message|weitergeleitete nachricht|message transfere|mensaje reenviado|messaggio inoltrato|doorgestuurd bericht|(?:oryginalna wiadomosc|wiadomosc oryginalna)|ursprungligt meddelande|original meddelelse|opprinnelig melding|puvodni zprava|元のメッセージ|原始邮件|原始郵件) ?-*$/,
  /^begin forwarded message:$/,
  /^_{20,}$/,
  /^-{20,}$/,
];

/**
 * Names of the header lines that programs put before a quoted email, a language a row: who wrote it, then
 * the others (en, de, fr, es, it, nl, sv da no, fi, is, et, lv, lt, pl, cs sk, hu, ro, bg, hr sl sr, mk, el, ru,
 * uk, be, tr, az, ar, he, fa, ur, hi, bn, id ms, vi, th, ja, ko, zh, ca, eu, sq, fil).
 */
const HEADER_NAMES = `
from | sent|date|to|cc|subject
von | gesendet|datum|an|betreff
de,da | envoye|a|objet
de,remitente | enviado|enviado el|enviada|enviada em|fecha|data|para|asunto|assunto
mittente | inviato|oggetto
van | verzonden|aan|onderwerp
från,fra,frå | skickat|sendt|till|til|kopia|kopi|ämne|emne|dato
lähettäjä | lähetetty|vastaanottaja|kopio|aihe|päivämäärä
frá | efni|dagsetning
saatja | saadetud|adressaat|teema|pealkiri|kuupäev
no | nosūtīts|kam|temats|datums
nuo,siuntėjas | išsiųsta|tema
od | wysłano|do|dw|temat
odesílatel | odesláno|odoslané|komu|kopie|kópia|předmět|predmet|dátum
feladó | elküldve|küldve|címzett|másolat|tárgy
de la,expeditor | trimis|către|subiect
от | изпратено|до|относно|заглавие|отправлено|кому|копия|тема|дата
šalje,шаље | poslano|poslato|za|prima|kp|zadeva|naslov|послато|за|прима|датум
од | испратено|предмет|наслов
από,αποστολέας | στάλθηκε|εστάλη|προς|κοιν.|θέμα|ημερομηνία
від,від кого | надіслано|відправлено|копія
ад | адпраўлена|каму|тэма
kimden,gönderen | gönderildi|gönderme tarihi|kime|bilgi|konu|tarih
kimdən | göndərilib|kimə|mövzu
من,المرسل | تاريخ الإرسال|تم الإرسال|أرسل|إلى|نسخة|الموضوع|التاريخ
מאת | נשלח|נשלח ב|אל|עותק|נושא|תאריך
از,فرستنده | ارسال شده|تاریخ ارسال|به|رونوشت|موضوع|تاریخ
منجانب | بھیجا گیا|بنام
प्रेषक,से | भेजा गया|प्रेषित|प्रति|विषय|दिनांक
থেকে | পাঠানো হয়েছে|প্রতি|বিষয়|তারিখ
dari,daripada | dikirim|dihantar|kepada|subjek|perihal|tanggal|tarikh
từ,người gửi | đã gửi|ngày gửi|đến|tới|chủ đề|tiêu đề|ngày
จาก,ผู้ส่ง | ส่ง|ส่งเมื่อ|วันที่|ถึง|เรื่อง|หัวเรื่อง
差出人 | 送信日時|日時|宛先|件名
보낸 사람,보낸사람 | 보낸 날짜|보낸 시간|날짜|받는 사람|받는사람|참조|제목
发件人,發件人,寄件者 | 发送时间|發送時間|傳送時間|寄件日期|日期|收件人|收件者|抄送|副本|主题|主題|主旨
remitent | enviat|enviat el|per a|assumpte
nork | bidalia|nori|gaia
nga | dërguar|për|subjekti
mula kay,mula sa | ipinadala|para kay|para sa|paksa
`;
const NAMES = fold(
  HEADER_NAMES.trim()
    .replaceAll("\n", "|")
    .replaceAll(/ ?[,|] ?/g, "|"),
);
const FROM_NAMES = HEADER_NAMES.trim()
  .split("\n")
  .map((row) => row.split(" | ")[0] ?? "");
const FROMS = fold(FROM_NAMES.join("|").replaceAll(",", "|"));
export const HEADER_LINES: RegExp = new RegExp(`^\\*?(?:${NAMES})\\*? ?[::]`);
export const FROM_LINES: RegExp = new RegExp(`^\\*?(?:${FROMS})\\*? ?[::]\\*? ?\\S`);

/** A header line whatever its language, and what tells a block of them from a person's own list. */
export const ANY_HEADER_LINE = /^\*?[^\s\p{N}:<>@.!?,-][^\p{N}:<>@.!?,]{0,30}[::]\*? ?\S/u;
export const HAS_ADDRESS = /(?:<|\[mailto:|&lt;)[^<>\s]{1,200}@/;
export const HAS_DAY_AND_TIME =
  /^(?=.*(?:\p{N}{4}|\p{N}[./-]\p{N}{2}(?!\p{N}))).*\p{N}[:.]\p{N}{2}/u;
/** "-------- Original message --------" in any language. */
export const DASHED_TITLE = /^-{3,12} ?[^\p{N}:-][^:]{2,50}?-{3,12}$/u;

/** What a telephone adds. */
export const CLIENT_LINES: readonly RegExp[] = [
  /^(?:sent|sendt|skickat|get|gesendet|von meinem|envoye|telecharge[rz]?|enviado|verzonden|verstuurd|inviato|obtener|scarica|outlook fur) .{0,40}\b(?:iphone|ipad|android|outlook|mobile|samsung|blackberry|handy|smartphone|mail|telefon|galaxy|huawei|phone|windows|yahoo|gmail|proton)\b.{0,80}$/,
  /^(?:sent|sendt|skickat|gesendet|envoye|enviado|verzonden|verstuurd|inviato) (?:from|fra|fran|von|de|desde|vanaf|van|da|do|depuis|via) (?:my|min|mon|mi|mijn|meinem|il mio|meu|dal mio)? ?\S.{0,60}$/,
  /^(?:wyslane z|wyslano z|odeslano z|poslano z) .{0,60}$|^.{0,40}から送信$|^(?:发自|發自|从|從)我?的? ?.{0,20}(?:iphone|ipad|手机|手機|邮箱|郵箱|outlook|android|qq|huawei|华为|小米|mail)(?![a-z]).{0,20}$/,
];
