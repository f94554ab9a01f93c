/**
 * What servers say when they refuse, and how bad it is.
 *
 * Written for text that went through `fold`. The first row that matches decides, so narrow meanings
 * stand above wide ones: "mailbox … full" above "mailbox … unavailable".
 *
 * Source: the replies of large providers and of the usual servers; the grades are ours.
 */

import type { Severity } from "./severity.ts";

export interface BouncePhrase {
  reason: string;
  severity: Severity;
  pattern: RegExp;
}

export const BOUNCE_PHRASES: readonly BouncePhrase[] = [
  {
    reason: "no_mail",
    severity: "hard",
    pattern:
      /null ?mx|domain (?:.{0,80} )?(?:does(?:n't| not)|do(?:n't| not)) (?:receive|accept) (?:any )?(?:e-?mail|mail|messages)/,
  },
  {
    reason: "group_refused",
    severity: "block",
    pattern:
      /groups\.google\.com|google groups?\b|not (?:a )?member of (?:this|the) (?:mailing )?list|not (?:allowed|permitted|authori[sz]ed) to post|post(?:ing)? (?:by non-?members|denied)|only (?:members|subscribers) (?:can|may) post|members-only list|moderator approval/,
  },
  {
    reason: "user_unknown",
    severity: "hard",
    pattern:
      /recipient address rejected: (?:access denied|user unknown|undeliverable address)|recip(?:ient)?notfound|nobody at that (?:domain|address)|resolver\.adr\.(?:recipnotfound|exrecipnotfound|invalidsmtp)|email account that you tried to reach does not exist|user doesn't have a .{1,20} account|mailbox (?:unavailable|not found) or access denied|the account or domain may not exist, they may be blacklisted|\b542 @ rejected/,
  },
  {
    reason: "moved",
    severity: "hard",
    pattern: /has moved (?:to|permanently)|new (?:e-?mail )?address is|user has moved/,
  },
  {
    reason: "loop",
    severity: "soft",
    pattern: /hop count|too many hops|mail loop|looping/,
  },
  {
    reason: "authentication",
    severity: "block",
    pattern:
      /\bdmarc\b|\bdkim\b|\bspf\b|unauthenticated (?:e-?mail|sender|mail)|sender id .{0,30}fail|not pass authentication|fails? authentication|authentication (?:checks? )?fail/,
  },
  {
    reason: "reverse_dns",
    severity: "block",
    pattern:
      /\bptr\b|reverse[ -]?(?:dns|lookup|hostname|resolution)|\brdns\b|\bfcrdns\b|cannot (?:find|resolve) your (?:reverse )?hostname|client host rejected: cannot find|dns lookup .{0,40}(?:connecting|your)/,
  },
  {
    reason: "mailbox_full",
    severity: "soft",
    pattern:
      /(?:mail ?box|mailfolder|inbox|account|user|recipient|quota|storage|disk|folder|mail).{0,60}(?:\bfull\b|over (?:the |its |their )?(?:allowed )?(?:quota|limit)|exceed(?:s|ed|ing)?.{0,20}(?:quota|storage|limit|space|size)|out of (?:storage|space|quota))|over ?quota|quota.{0,30}(?:exceed|reached|full)|exceed(?:s|ed|ing)?.{0,40}(?:quota|storage)|insufficient (?:system |disk )?(?:storage|space)|not enough (?:disk |storage |free )?space|no space left|mailbox_full|too many messages in .{0,12}mailbox|limit quota|容量.{0,20}(?:超|オーバー|いっぱい)|(?:邮箱|郵箱|信箱)(?:已|空间|空間)?.{0,4}(?:满|滿|不足)/,
  },
  {
    reason: "mailbox_full",
    severity: "soft",
    pattern: new RegExp(
      "(?:post(?:fach|kasse|laatikko|afiok)|boite|buzon|casella|caixa|mailbox|brevlada|skrzynka|schranka|casuta|кутия|sanducic|γραμματοκιβωτιο|ящик|скринька|posta kutusu|صندوق|תיבה|मेलबॉक्स|kotak surat|hop thu|メールボックス|편지함|กล่องจดหมาย).{0,80}" +
        "(?:voll|plein|llen[oa]|pien[oa]|chei[oa]|\\bvol\\b|\\bful[dl]?\\b|taynna|pe?lna|megtelt|plina|пълна|\\bpun\\b|γεματο|перепо[лв]н|dolu|ممتلئ|מלאה|भर गया|penuh|da day|いっぱい|가득|เต็ม|پر است)",
    ),
  },
  {
    reason: "greylisted",
    severity: "soft",
    pattern: /gr[ae]y-?\s?list/,
  },
  {
    reason: "virus",
    severity: "block",
    pattern:
      /virus|malware|trojan|infected|(?:banned|dangerous|forbidden) (?:attachment|file|name)/,
  },
  {
    reason: "too_big",
    severity: "soft",
    pattern:
      /message.{0,30}too (?:large|big)|(?:message|mail|file).{0,30}exceeds?.{0,40}(?:size|limit|maximum)|message (?:size|length).{0,30}(?:exceed|limit)|size limit|larger than .{0,30}(?:limit|allowed)|mail too big/,
  },
  {
    reason: "reputation",
    severity: "block",
    pattern: /user complaints|\[?tss0\d\]?|sender reputation|poor reputation|low reputation/,
  },
  {
    reason: "syntax",
    severity: "block",
    pattern:
      /malformed (?:address|header|message)|incorrectly constructed|syntax error|bad sequence of commands|\b50[1-4] (?:\d\.\d\.\d )?(?:invalid|bad) (?:domain|host|argument|helo)/,
  },
  {
    reason: "rate",
    severity: "soft",
    pattern:
      /rate.?limit|frequency limit|too many (?:connections?|concurrent|messages|recipients|errors|sessions|smtp|invalid)|throttl|exceeded.{0,40}(?:rate|connections|messages|per (?:hour|day|minute))|at a rate that|sending.{0,30}too (?:quickly|fast|much)|too much mail|unusual rate|reduce .{0,20}rate|temporarily deferred|connection limit|limit on the number of|max(?:imum)? (?:number of )?(?:connections|recipients|messages)/,
  },
  {
    reason: "spam",
    severity: "block",
    pattern:
      /spam|спам|ספאם|سپام|مزعج|垃圾邮件|垃圾郵件|迷惑メール|스팸|สแปม|correo no deseado|courrier indesirable|indesirable|no deseado|posta indesiderata|ongewenste (?:e-?mail|mail|post)|uonsket|oonskad|roskaposti|nevyzadan|niechcian|kereskedelmi levelszemet|levelszemet|neželjen|nezeljen|ανεπιθυμητ|istenmeyen|black-?\s?list|block-?\s?list|blocklisted|\brbl\b|dnsbl|spamhaus|spamcop|barracuda|\bsorbs\b|proofpoint|cloudmark|senderbase|reputation|unsolicited|\bbulk (?:mail|e-?mail)|(?<!not )listed (?:at|in|on|by) |in a black list|abuse|suspicious|junk|sperrliste|list[ae] n(?:oire|egra|era|eagra)|lista de bloque|zwarte lijst|(?:sparr|sort|svarte|esto|feketel|tiltol)list|czarn\S{1,3} list|ci?ern\S{1,3} list|crn\S{1,3} list|(?:черн|чорн|черен)\S{0,3} спис|μαυρη λιστα|kara liste|القائمة السوداء|רשימה שחורה|ब्लैकलिस्ट|daftar hitam|danh sach den|ブラックリスト|차단 목록|黑名[单單]|บัญชีดำ|فهرست سیاه|\b(?:dt|mi|hl|rp):sp[fmb]\b/,
  },
  {
    reason: "blocked",
    severity: "block",
    pattern:
      /(?:client host|\bip\b|sending (?:host|server|ip)|your (?:host|ip|server|mail server|e-?mail|domain|network|message)|sender|connection|mail server|remote server|host).{0,60}(?:blocked|banned|refused due|rejected (?:due|because|for)|denied|restricted|not (?:allowed|authori[sz]ed|permitted))|blocked (?:by|for|using|due|senders?)|@:blocked\b|deny ?list|banned (?:from|sending)|access (?:from .{0,40})?(?:denied|rejected)|dynamic (?:ip|address|pool)|bad helo|helo.{0,40}(?:invalid|reject|bad|denied)|not allowed to (?:send|connect)|go away|no (?:unauthorized|thank)|not have permission to|tss04|mail from .{0,30}not accepted/,
  },
  {
    reason: "relay",
    severity: "block",
    pattern:
      /relay(?:ing)?.{0,20}(?:denied|not (?:permitted|allowed|supported)|prohibited|rejected)|(?:unable|not (?:permitted|allowed|going)|refus\w{1,4}|won't|do not) to? ?relay|relay access|not a (?:valid )?(?:open )?relay|isn't in (?:my|our) (?:control\/)?(?:locals|allowed)|not a gateway|rcpthosts/,
  },
  {
    reason: "content",
    severity: "block",
    pattern:
      /content (?:reject|filter|restrict|not accept|policy|violat|block)|(?:message|mail).{0,40}\b(?:content|policy|filter|administrative prohibition|security)\b|(?:e-?mail|message) (?:has been |was )?(?:rejected|refused)\b(?! by:)|mail (?:rejected|rejete|refused)|polic(?:y|ies)|administrative prohibition|(?:violates?|violation)|not rfc.{0,10}complian|rfc ?\d{3,4}|8-?bit (?:data|character)|header.{0,30}(?:invalid|missing|too)|urls? in (?:this|the) (?:e-?mail|message)|phish|prohibited|starttls|tls (?:is )?required|encryption (?:is )?(?:required|needed)|security (?:reasons|error|policy)|message filtered|sender (?:address )?(?:rejected|refused|denied|verif\w{1,10} (?:fail|error)|not (?:accept|allow|exist))|invalid sender|sender.{0,40}(?:not exist|unknown|invalid)/,
  },
  {
    reason: "sender",
    severity: "block",
    pattern:
      /after mail from|sender domain is|unrout\w{1,6} sender|domain of (?:the )?sender|from: ?domain is invalid|valid from:|(?:sender|return|from)(?:'s)? (?:address|domain|e-?mail).{0,40}(?:not exist|invalid|unknown|not found|unroutable|rejected)/,
  },
  {
    reason: "user_unknown",
    severity: "hard",
    pattern:
      /(?:user|recipient|mail ?box|address|account|alias|inbox|person|destination|addressee|local part|customer|subscriber|username|e-?mail|member|mailbox name|name)s?\b.{0,80}(?:unknown|\bnot? (?:be )?found|(?:does|do|did)(?:n't| not) exist|not? exist|no longer|not? (?:currently )?(?:listed|recogni[sz]ed|known|valid|registered|local|active|our customer|accepted here|allowed|here|on (?:this|our) (?:server|system))|is? ?n'?t (?:valid|listed|found)|\binvalid|disabled|inactive|suspended|deactivated|unavailable|not available|closed|terminated|deleted|discontinued|dormant|incorrect|isn't|couldn't be found|wasn't found|rejected)/,
  },
  {
    reason: "user_unknown",
    severity: "hard",
    pattern:
      /(?:no such|unknown|invalid|bad|incorrect|unrecogni[sz]ed|non-?existent|undeliverable|not an? (?:valid|active|known|local)|no|doesn't have an?|cannot find|can't find|don't know|unable to find|no valid|inactive|disabled) .{0,25}(?:users?|recipients?|mail ?box(?:es)?|address(?:es)?|accounts?|local|person|alias|destination|inbox|addressee|username|name|e-?mail|here|virtual)\b|user unknown|unknown user|recipient unknown|not our customer|nosuchuser|undeliverable address|this address no longer|left the (?:company|organi[sz]ation)|no (?:one|body) (?:here )?by that name|unknown (?:local|virtual)|destinataire inconnu|utilizador desconhecido|usuario (?:inexistente|nao encontrado)|nieznany (?:uzytkownik|odbiorca)|uzytkownik nieznany|okand (?:anvandare|mottagare)|ukendt (?:bruger|modtager)|ukjent (?:bruker|mottaker)|neznamy (?:uzivatel|prijemce)|utilisateur inconnu|benutzer unbekannt|empfanger.{0,30}(?:unbekannt|nicht)|usuario desconocido|utente sconosciuto|onbekende gebruiker|(?:宛先|メールアドレス|ユーザー?|アカウント).{0,20}(?:存在しま?せん|存在しない|見つかりません|無効|不明)|(?:用户|用戶|收件人|邮箱|郵箱|邮件地址|帐号|账号)(?:地址)?(?:不存在|无效|無效|未找到)|не существует|пользователь не найден/,
  },
  {
    // Whoever or whatever it is, and that it isn't there, in the languages without a row above.
    reason: "user_unknown",
    severity: "hard",
    pattern: new RegExp(
      "(?:adres|direccion|indirizzo|endereco|\\bcim\\b|osoit|compte|cuenta|konto|account|postfach|mailbox|kaynnis|uzytkownik|uzivatel|pouzivatel|felhasznalo|utilizator|kullanici|usuario|utente|benutzer|utilisateur|адрес|διευθυνση|العنوان|כתובת|पता|alamat|dia chi|アドレス|주소|地址|ที่อยู่|نشانی|empfanger|destina[tz]|usuario|gebruiker|mottagar|mottaker|modtager|пользовател|получател).{0,80}" +
        "(?:nicht (?:gefunden|bekannt|vorhanden)|(?:gibt es|existiert) (?:.{0,20} )?nicht|unbekannt|ei ole talla|ei loydy|puuttuu|dada? de baja|desativad|disattivat|desactive|deaktiviert|gesperrt und geloscht|opgeheven|nie znaleziono|nebyl\\S* nalezen|nem talalhato|nu a fost gasit|bulunamadi|bulunmuyor|אינה קיימת|אינו קיים|tidak ditemukan|khong tim thay|ไม่พบ|n'existe|inconnu|no existe|desconocid|non esiste|sconosciut|nao existe|desconhecid|bestaat niet|onbekend|finns inte|okand|fin[dn]es ikke|ukendt|ukjent|ei ole olemassa|nie istnieje|neexistuje|nem letezik|nu exista|не съществува|ne postoji|δεν υπαρχει|не существует|не найден|не існує|\\byok\\b|غير موجود|לא קיימת|मौजूद नही|tidak ada|khong ton tai|存在しま|不存在|وجود ندارد)" +
        "|postfach nicht mehr gibt|존재하지 않는 주소|(?:주소|계정|사용자).{0,20}(?:존재하지 않|찾을 수 없)|ไม่มีที่อยู่|見つかりません",
    ),
  },
  {
    reason: "host_unknown",
    severity: "hard",
    pattern:
      /(?:host|domain|\bmx\b|dns|name server|domaene|server name)\b.{0,60}(?:unknown|not (?:be )?found|(?:does|did)(?:n't| not) exist|lookup (?:fail|error)|non-?exist|invalid|nxdomain|could ?n[o']t be (?:found|resolved)|no (?:such|mail|mx|a record)|not (?:known|valid|accept\w{0,3} (?:any )?mail|receive)|illegal)|(?:no|unknown|bad|invalid|illegal|non-?existent) (?:such |valid |mail )?(?:host|domain|mx|server name)|unrouteable|unroutable|null mx|all relevant mx records|cannot route|no route to domain|couldn't find any host|nullmx/,
  },
  {
    reason: "network",
    severity: "soft",
    pattern:
      /(?:connection|connect|network|host|server|session|conversation|dns|delivery|message|response|retry|mail).{0,50}(?:refused|reset|lost|timed? ?-?out|dropped|unreachable|expired|failed|too long|timeout|closed|not respond|\bdown\b|busy|unavailable|interrupted|aborted)|retry (?:time|timeout)|timed? ?out|(?:been|was|message) (?:in (?:the )?queue|queued)|too long|lost connection|unable to connect|no route to host|temporar(?:y|ily)|try (?:again )?later|retry later|not yet been delivered|undelivered after|deferred|delayed/,
  },
  {
    reason: "system",
    severity: "soft",
    pattern:
      /loop|too many hops|hop count|too many received|local (?:error|configuration)|configuration error|config(?:uration)? (?:problem|error)|system (?:error|problem|not|resources|full|config)|resources|service (?:un)?\s?(?:not )?available|service currently|internal (?:server )?error|server error|command (?:time|output|died|fail)|process(?:ing)? (?:error|time|fail)|can't (?:open|create|write|lock)|i\/o error|input\/output error|disk (?:error|full)|mail server .{0,30}(?:down|fail|problem)|out of memory/,
  },
];

/** Enhanced status codes with one meaning. The class digit is dropped where both mean the same. */
export const STATUS_SEVERITY: Readonly<Record<string, Severity>> = {
  "1.1": "hard",
  "1.2": "hard",
  "1.3": "hard",
  "1.4": "hard",
  "1.6": "hard",
  "1.7": "block",
  "1.8": "block",
  "1.10": "hard",
  "2.1": "hard",
  "2.2": "soft",
  "2.3": "soft",
  "2.4": "soft",
  "3.1": "soft",
  "3.2": "soft",
  "3.4": "soft",
  "3.5": "soft",
  "4.1": "soft",
  "4.2": "soft",
  "4.4": "hard",
  "4.5": "soft",
  "4.6": "soft",
  "4.7": "soft",
  "6.0": "block",
  "6.1": "block",
  "6.2": "block",
  "6.3": "block",
  "7.1": "block",
  "7.25": "block",
  "7.26": "block",
  "7.27": "block",
  "7.509": "block",
  "7.515": "block",
  "7.606": "block",
};

/** Where the detail has no one meaning, the subject of the code has: 3 system, 5 protocol, 6 content. */
export const SUBJECT_SEVERITY: Readonly<Record<string, Severity>> = {
  "3": "soft",
  "6": "block",
  "7": "block",
};
