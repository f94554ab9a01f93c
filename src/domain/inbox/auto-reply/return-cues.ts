/**
 * The words around a date in an auto-reply, in thirty languages, written as `fold` leaves them.
 * What stands before a date is matched at its end, what stands after it at its beginning.
 */

import { anyOf } from "#domain/inbox/fold.ts";

interface CueWords {
  /** Whether figures with a slash begin with the day; "either" where both are usual. */
  slashes: "day first" | "month first" | "either";
  /** Before a first day back. */
  back: readonly RegExp[];
  /** Before a last day away. */
  until: readonly RegExp[];
  /** Before either a first day back or a first day away: what else is said decides. */
  from: RegExp | null;
  /** After a first day back. */
  backAfter: RegExp | null;
  /** After a last day away. */
  untilAfter: RegExp | null;
}

const NO_WORDS = { from: null, backAfter: null, untilAfter: null } as const;

const LATIN: Pick<CueWords, "slashes"> = { slashes: "day first" };

export const CUES: readonly CueWords[] = [
  {
    // en
    ...NO_WORDS,
    slashes: "either",
    back: [
      /\b(?:return(?:ing|s)?(?: date)?|back|reachable|resum(?:e|ing)|contactable|rejoin(?:ing)?)(?: to (?:the |my )?(?:office|work|desk|duty))?(?: again)?(?: (?:in|at) (?:the |my )?(?:office|work|desk))?(?: again)?(?: is)?:?,? ?(?:on|from|as of|starting|by|in|only on)?(?: the)?(?: morning of)?$/,
      /\bavailable(?: again)?,? ?(?:on|from|as of|starting|after)?(?: the)?$/,
      /\b(?:in the office|at work|at my desk)(?: again)? (?:on|from|as of|starting)(?: the)?$/,
    ],
    until: [
      /\b(?:until|till|'?til|through|thru|to|up to|ending|ends|last day)(?: and including)?(?: on)?(?: the)?$/,
    ],
    from: /\b(?:from|as of|starting|after)(?: on)?(?: the)?$/,
  },
  {
    // de
    ...NO_WORDS,
    ...LATIN,
    back: [
      /\b(?:zuruck|(?:erster arbeitstag|wieder)(?: (?:fur sie|ist|der))?(?: (?:da|erreichbar|im (?:buro|hause|dienst|einsatz)|anwesend|verfugbar|zu erreichen))?|ruckkehr|erreichbar)(?: bin ich)?:? ?(?:am|ab(?: dem)?|in der|in)?$/,
    ],
    until: [
      /\b(?:bis(?: zum| und mit| einschliesslich| einschl\.?| inkl(?:usive)?\.?| incl\.?)?(?: dem| zum)?)$/,
    ],
    from: /\b(?:ab(?: dem)?|nach dem|am)$/,
  },
  {
    // fr
    ...NO_WORDS,
    ...LATIN,
    back: [
      /\b(?:retour|reviens|reviendrai|rentre(?:rai)?|reprendrai|reprends|joignable|disponible|present(?:e)?)(?: au (?:bureau|travail))?(?: (?:mon|le) travail)?:? ?(?:le|a partir du|des le|a compter du|prevu le|en|dans|la|au)?$/,
    ],
    until: [/\b(?:jusqu'?(?:au|a)|jusque|au)(?: (?:le|la|inclus))?(?: fin)?$/],
    from: /\b(?:a partir du|des le|a compter du|des)$/,
  },
  {
    // es
    ...NO_WORDS,
    ...LATIN,
    back: [
      /\b(?:regres(?:o|are|ando)|vuelv(?:o|ere)|volvere|de vuelta|de regreso|retorn(?:o|are)|(?:me )?reincorpor(?:o|are)|reincorporacion|estare (?:disponible|de vuelta))(?: (?:a|en) la oficina| al trabajo)?:? ?(?:el|a partir del?|desde el|en|la)?(?: dia)?$/,
    ],
    until: [/\b(?:hasta|al)(?: el)?(?: proximo)?(?: dia)?(?: la)?$/],
    from: /\b(?:a partir del?|desde)(?: el)?(?: dia)?$/,
  },
  {
    // nl
    ...NO_WORDS,
    ...LATIN,
    back: [
      /\b(?:terug(?: (?:op kantoor|aanwezig))?|weer (?:aanwezig|bereikbaar|op kantoor|terug|beschikbaar|aan het werk)):? ?(?:op|vanaf|per|in|over)?$/,
    ],
    until: [/\b(?:tot(?: en met)?|t\/m|t\.e\.m\.|tem)$/],
    from: /\b(?:vanaf|per)$/,
    backAfter:
      /^(?:pas |ben ik |er )*weer(?=[.!]|$)|^(?:pas |ben ik )*weer (?:terug|aanwezig|bereikbaar|op kantoor|beschikbaar|aan het werk)|^terug\b/,
  },
  {
    // pt
    ...NO_WORDS,
    ...LATIN,
    back: [
      /\b(?:retorn(?:o|arei|ando)|volt(?:o|arei|ando)|de volta|regress(?:o|arei|ando)|estarei (?:disponivel|de volta))(?: (?:ao (?:trabalho|escritorio)|as atividades))?:? ?(?:em|no|na|a partir d[eo]|a)?(?: dia)?$/,
    ],
    until: [/\bate(?: (?:ao|o|a))?(?: dia)?$/, /\d a(?:o)?(?: dia)?$/, /\bao dia$/],
    from: /\b(?:a partir d[eo]|desde)(?: dia)?$/,
  },
  {
    // it
    ...NO_WORDS,
    ...LATIN,
    back: [
      /\b(?:rientr(?:o|ero|are)|torn(?:o|ero)|ritorno|ritornero|di nuovo (?:in (?:ufficio|sede)|disponibile|operativ[oa])|sara? di nuovo)(?: in (?:ufficio|sede)| al lavoro)?:? ?(?:il|dal?|in data|la|in|tra|fra)?(?: giorno)?$/,
    ],
    until: [/\b(?:(?:fino|sino)(?: a(?:l|lla|ll')?)?|al)(?: giorno)?(?: la)?$/],
    from: /\b(?:a partire dal?|dal)(?: giorno)?$/,
  },
  {
    // pl
    ...NO_WORDS,
    ...LATIN,
    back: [
      /\b(?:wracam|wroce|powracam|powroce|powrot|z powrotem|(?:bede )?(?:ponownie|znow|znowu) (?:dostepn[ya]|w biurze|w pracy|osiagaln[ya])|bede dostepn[ya])(?: do (?:biura|pracy))?:? ?(?:dnia|w dniu|od|we?|za)?(?: dnia)?$/,
    ],
    until: [/\bdo(?: dnia| konca)?$/],
    from: /\b(?:od)(?: dnia)?$/,
  },
  {
    // sv
    ...NO_WORDS,
    ...LATIN,
    back: [
      /\b(?:tillbaka|ater|atervander|i tjanst igen|antraffbar)(?: pa (?:kontoret|jobbet|plats))?(?: igen)?:? ?(?:den|fran(?: och med)?(?: den)?|fr\.?o\.?m\.?|pa|om|i)?$/,
    ],
    until: [/\b(?:till?(?: och med)?|t\.?o\.?m\.?|fram till|tills)(?: den)?$/],
    from: /\b(?:fran(?: och med)?|fr\.?o\.?m\.?)(?: den)?$/,
    backAfter: /^(?:tillbaka|ater (?:pa|i)|pa plats igen)\b/,
  },
  {
    // da, nb
    ...NO_WORDS,
    ...LATIN,
    back: [
      /\b(?:tilbage?(?: igjen| igen)?|tilbake(?: igjen)?|retur|at traeffe(?: igen)?|kommer igjen)(?: (?:pa|i) (?:kontoret|kontor|arbejde|jobb))?(?: igen)?:? ?(?:den|d\.|fra(?: og med)?(?: den)?|pa|om|i)?$/,
    ],
    until: [/\b(?:til(?: og med)?|t\.?o\.?m\.?|frem til|indtil)(?: den| d\.)?$/],
    from: /\b(?:fra(?: og med)?)(?: den| d\.)?$/,
    backAfter: /^(?:er jeg |jeg er )?tilbage\b/,
  },
  {
    // cs
    ...NO_WORDS,
    ...LATIN,
    back: [
      /\b(?:vratim(?: se)?|vracim(?: se)?|zpet|navrat|(?:budu )?(?:opet|znovu|zase) (?:k dispozici|v kancelari|v praci|dostupn[ya]|k zastizeni)|k dispozici)(?: (?:do (?:prace|kancelare)|v (?:praci|kancelari)))?:? ?(?:dne|ve?|od|az|za)?(?: dne)?$/,
    ],
    until: [/\b(?:az )?do(?: dne)?$/],
    from: /\b(?:od)(?: dne)?$/,
  },
  {
    // ja
    slashes: "month first",
    back: [/(?:復帰|出社|出勤|戻り)(?:予定)?日?(?:は|:|は、)\s?$/],
    until: [],
    from: null,
    backAfter:
      /^(?:\(.{1,4}\)|[月火水木金土日]曜日?)?(?:に|から|より|以降|以後|には|よりは)?[^\d、。,.]{0,8}(?:戻|復帰|出社|出勤|対応|返信|連絡|回答|再開)/,
    untilAfter: /^(?:\(.{1,4}\)|[月火水木金土日]曜日?)?(?:\(.{1,4}\))?\s?(?:まで|迄)/,
  },
  {
    // zh
    slashes: "month first",
    back: [
      /(?:返回|回来|回來|复工|復工|返岗|返崗|恢复|恢復)(?:办公|辦公|工作)?(?:时间|時間|日期)?(?:为|為|是|:)\s?$/,
    ],
    until: [/(?:至|到|直到|截至|截止)\s?$/],
    from: null,
    backAfter:
      /^(?:\(.{1,4}\))?(?:起|开始|開始|之后|之後|以后|以後|后|後|再)?[^\d,。,;、]{0,6}(?:返回|回来|回來|回到|回公司|回办公|回辦公|恢复|恢復|上班|复工|復工|返岗|返崗|回复|回覆|回復|与您联系|與您聯繫)/,
    untilAfter: /^(?:\(.{1,4}\))?(?:为止|為止|结束|結束)/,
  },
  {
    // fi, sk, hu, ro, bg, hr, el, ru, uk, tr, ar, he, hi, id, vi, th, ko: few words, far from the date.
    ...NO_WORDS,
    ...LATIN,
    back: [
      anyOf(
        "(?:palaan|takaisin|toissa (?:jalleen|taas)|spat|ponovno (?:na poslu|u uredu)|spat budem|zpet budu|tilbake|vratim sa|revin|ma intorc|връщам|ще бъда|vracam(?: se)?|επιστρεφω|πισω|вернусь|возвращаюсь|вы(?:иду|хожу|ход) на работу|буду (?:на месте|в офисе|на связи)|на работа съм|повернуся|повертаюсь|ви(?:иду|ходжу) на роботу|буду (?:на місці|в офісі)|θα ειμαι πισω|سأعود|أعود|سأباشر|سأستأنف|العودة|אחזור|חוזר|אשוב|kembali|quay lai|tro lai|กลับมา)[^\\d.!?]{0,30}$",
      ),
    ],
    until: [
      anyOf(
        "(?:pana (?:pe|la)|до|do|εως(?: και)?|μεχρι|حتى|עד|sampai|hingga|\\bden(?: het)?(?= ngay)|จนถึง|ถึง)(?: (?:τις|ngay|tanggal|ukljucivo))?(?:วันที่)?$",
      ),
    ],
    from: null,
    backAfter: anyOf(
      "^[^\\d.!?]{0,20}(?:tarihinde|gunu don|is basi|donus|don(?:uyor|ecegim|er)|برمی ?‌?گرد|को (?:\\S+ ){0,3}लौट|ter(?:ek|unk|nek|ne)? vissza|leszek|dolgozom|복귀|돌아|לחזור)",
    ),
    untilAfter: anyOf("^\\.? ?(?:asti|saakka|-?ig\\b|dahil|तक|까지|tarihine kadar)"),
  },
];

/** Words beside "from" that make the date a first day back, not a first day away. */
export const AVAILABLE: readonly RegExp[] = [
  /\b(?:again|back|available|reach(?:ed|able)?|respond|reply|answer)\b/,
  /\b(?:wieder|zuruck|erreichbar|verfugung)\b/,
  /\b(?:de nouveau|a nouveau|disponible|joignable|de retour)\b/,
  /\b(?:de nuevo|nuevamente|otra vez|disponible|de vuelta)\b/,
  /\b(?:weer|terug|bereikbaar|beschikbaar)\b/,
  /\b(?:novamente|de novo|disponivel|de volta)\b/,
  /\b(?:di nuovo|nuovamente|disponibile|operativ[oa])\b/,
  /\b(?:ponownie|znow|znowu|dostepn[ya])\b/,
  /\b(?:tillbaka|igen|nas|antraffbar|tilbage|at traeffe)\b/,
  /\b(?:opet|znovu|zase|k dispozici|dostupn[ya]|k zastizeni|zpet)\b/,
];

/** What may stand between a cue and its date besides a weekday. */
export const ARTICLES: readonly string[] = (
  "den dem the le la el il o a de van d d'il dnia dne pa on am dag morning proximo prochain prossimo next " +
  "nachsten kommenden volgende"
).split(" ");
