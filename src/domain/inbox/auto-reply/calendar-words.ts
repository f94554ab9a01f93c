/**
 * Months in thirty languages, weekdays and days ahead in thirteen, written as `fold` leaves them. Chinese and
 * Japanese write dates in figures; their forms are in `date-forms.ts`.
 *
 * Source: CLDR's names, with the cases that follow a preposition in Polish and Czech.
 */

const words = (text: string): readonly string[] => text.split(" ");

/** The same of fi, sk, hu, ro, bg, hr, el, ru, uk, tr, ar, he, hi, id and th: a row a language. */
const FURTHER_MONTHS: readonly (readonly string[])[] = [
  "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesakuuta heinakuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
  "januara februara marca aprila maja juna jula augusta septembra oktobra novembra decembra",
  "januar februar marcius aprilis majus junius julius augusztus szeptember oktober november december",
  "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
  "януари февруари март април маи юни юли август септември октомври ноември декември",
  "sijecnja veljace ozujka travnja svibnja lipnja srpnja kolovoza rujna oktobra studenoga prosinca",
  "ιανουαριου φεβρουαριου μαρτιου απριλιου μαιου ιουνιου ιουλιου αυγουστου σεπτεμβριου οκτωβριου νοεμβριου δεκεμβριου",
  "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
  "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
  "ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik",
  "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
  "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר",
  "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
  "januari februari maret april mei juni juli agustus september oktober november desember",
  "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม",
].map(words);

/** Names of a month by its number, full and short. Longer ones need not stand first. */
const OWN_MONTHS: readonly (readonly string[])[] = [
  words(
    "january jan januar janner janvier janv enero ene januari janeiro gennaio gen stycznia styczen styczniu ledna leden lednu",
  ),
  words(
    "february feb februar feber fevrier fevr fev febrero februari fevereiro febbraio lutego luty lutym unora unor unoru",
  ),
  words(
    "march mar marz maerz mrz mars marzo maart mrt marco marca marzec marcu marts brezna brezen breznu",
  ),
  words("april apr avril avr abril abr aprile kwietnia kwiecien kwietniu dubna duben dubnu"),
  words("may mai mayo mei maio maggio mag maja maj maju kvetna kveten kvetnu"),
  words("june jun juni juin junio junho giugno giu czerwca czerwiec czerwcu cervna cerven cervnu"),
  words(
    "july jul juli juillet juil julio julho luglio lug lipca lipiec lipcu cervence cervenec cervenci",
  ),
  words("august aug aout agosto augustus augusti sierpnia sierpien sierpniu srpna srpen srpnu"),
  words(
    "september sep sept septembre septiembre setembro settembre wrzesnia wrzesien wrzesniu zari",
  ),
  words(
    "october oct oktober okt octobre octubre outubro ottobre ott pazdziernika pazdziernik pazdzierniku rijna rijen rijnu",
  ),
  words("november nov novembre noviembre novembro listopada listopad listopadzie listopadu"),
  words(
    "december dec dezember dez decembre diciembre dic dezembro dicembre grudnia grudzien grudniu prosince prosinec prosinci",
  ),
];

export const MONTHS: readonly (readonly string[])[] = OWN_MONTHS.map((names, month) => [
  ...new Set([...names, ...FURTHER_MONTHS.map((row) => row[month] ?? "")]),
]);

/** Monday first. */
export const WEEKDAY_NAMES: readonly (readonly string[])[] = [
  words(
    "monday montag lundi lunes maandag segunda-feira segunda lunedi poniedzialek poniedzialku mandag pondeli pondelka",
  ),
  words(
    "tuesday dienstag mardi martes dinsdag terca-feira terca martedi wtorek wtorku tisdag tirsdag utery uterka",
  ),
  words(
    "wednesday mittwoch mercredi miercoles woensdag quarta-feira quarta mercoledi sroda srode srody onsdag streda stredu stredy",
  ),
  words(
    "thursday donnerstag jeudi jueves donderdag quinta-feira quinta giovedi czwartek czwartku torsdag ctvrtek ctvrtka",
  ),
  words(
    "friday freitag vendredi viernes vrijdag sexta-feira sexta venerdi piatek piatku fredag patek patku",
  ),
  words(
    "saturday samstag sonnabend samedi sabado zaterdag sabato sobota sobote soboty lordag sobotu",
  ),
  words(
    "sunday sonntag dimanche domingo zondag domenica niedziela niedziele niedzieli sondag nedele nedeli",
  ),
];

/** Short names, met between a cue and its date. */
export const WEEKDAY_SHORTS: readonly string[] = words(
  "mon tue tues wed thu thur thurs fri sat sun mo di mi do fr sa so lun jeu ven sam dim mie jue vie ma wo vr za zo pn wt sr czw pt nd man tis tir ons tor fre lor son po ut st ct pa ne",
);

/** Days ahead by word; longer ones need not stand first. */
export const DAYS_AHEAD: ReadonlyMap<string, number> = new Map([
  ...words(
    "tomorrow morgen demain manana amanha domani jutro jutra imorgon zitra zitrka 明日 明天",
  ).map((word) => [word, 1] as const),
  ["i morgon", 1],
  ["i morgen", 1],
  ...words("ubermorgen apres-demain overmorgen dopodomani pojutrze pozitri 明後日 后天 後天").map(
    (word) => [word, 2] as const,
  ),
  ["the day after tomorrow", 2],
  ["pasado manana", 2],
  ["depois de amanha", 2],
  ["i overmorgon", 2],
  ["i overmorgen", 2],
]);

/** "Next week": its Monday. */
export const NEXT_WEEK: readonly string[] = [
  "next week",
  "nachste woche",
  "nachster woche",
  "nachsten woche",
  "kommende woche",
  "kommenden woche",
  "semaine prochaine",
  "proxima semana",
  "semana que viene",
  "semana que vem",
  "volgende week",
  "prossima settimana",
  "settimana prossima",
  "przyszlym tygodniu",
  "przyszlego tygodnia",
  "nastepnym tygodniu",
  "nastepnego tygodnia",
  "nasta vecka",
  "naeste uge",
  "pristi tyden",
  "pristiho tydne",
  "来週",
  "下周",
  "下週",
  "下星期",
];

/** Units of "in two weeks" in days, and small numbers in words. */
export const UNIT_DAYS: ReadonlyMap<string, number> = new Map([
  ...words(
    "day days tag tagen jour jours dia dias dag dagen giorno giorni dzien dni dagar dage den dny",
  ).map((word) => [word, 1] as const),
  ...words(
    "week weeks woche wochen semaine semaines semana semanas weken settimana settimane tydzien tygodnie tygodni vecka veckor uge uger tyden tydny tydnu",
  ).map((word) => [word, 7] as const),
]);

export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...words("a one ein eine einem einer un une una um uma een en et jeden").map(
    (word) => [word, 1] as const,
  ),
  ...words("two zwei deux dos twee dois duas due dwa tva to dva").map((word) => [word, 2] as const),
  ...words("three drei trois tres drie tre trzy tri").map((word) => [word, 3] as const),
  ...words("four vier quatre cuatro quatro quattro cztery fyra fire ctyri").map(
    (word) => [word, 4] as const,
  ),
]);

/** Parts of a month, before its name: "end of March", "Mitte März". */
export const MONTH_PARTS: Readonly<Record<"start" | "middle" | "end", string>> = {
  start:
    "(?:the )?(?:beginning|start) of|early(?: in)?|anfang|debut|(?:a )?principios de|begin(?: van)?|(?:o )?(?:inicio|comeco) de|inizio(?: di)?|(?:na )?poczatku|borjan av|begyndelsen af|zacatku|zacatkem",
  middle:
    "mid[- ]?|(?:the )?middle of|mitte|mi-|mediados de|half|midden|meados de|meta(?: di)?|polowy|mitten av|midten af|poloviny|pulky",
  end: "(?:the )?end of|late(?: in)?|ende|(?:la )?fin(?: (?:de|du mois de))?|finales de|fin de|eind(?:e)?(?: van)?|(?:o )?(?:fim|final) de|fine(?: di)?|konca|koniec|slutet av|slutningen af|konce",
};
