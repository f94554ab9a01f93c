/**
 * Months, weekdays and the words around a date in seven languages, written as `fold` leaves them.
 *
 * Source: CLDR's names; the cues are ours.
 */

/** Names of a month by its number, full and short. Longer ones need not stand first. */
export const MONTHS: readonly (readonly string[])[] = [
  [
    "january",
    "jan",
    "januar",
    "janner",
    "janvier",
    "janv",
    "enero",
    "ene",
    "januari",
    "janeiro",
    "gennaio",
    "gen",
  ],
  [
    "february",
    "feb",
    "februar",
    "fevrier",
    "fevr",
    "fev",
    "febrero",
    "februari",
    "fevereiro",
    "febbraio",
  ],
  ["march", "mar", "marz", "maerz", "mars", "marzo", "maart", "mrt", "marco"],
  ["april", "apr", "avril", "avr", "abril", "abr", "aprile"],
  ["may", "mai", "mayo", "mei", "maio", "maggio", "mag"],
  ["june", "jun", "juni", "juin", "junio", "junho", "giugno", "giu"],
  ["july", "jul", "juli", "juillet", "juil", "julio", "julho", "luglio", "lug"],
  ["august", "aug", "aout", "agosto", "ago", "augustus"],
  ["september", "sep", "sept", "septembre", "septiembre", "setembro", "set", "settembre"],
  ["october", "oct", "oktober", "okt", "octobre", "octubre", "outubro", "out", "ottobre", "ott"],
  ["november", "nov", "novembre", "noviembre", "novembro"],
  ["december", "dec", "dezember", "dez", "decembre", "diciembre", "dic", "dezembro", "dicembre"],
];

/** Monday first. */
export const WEEKDAY_NAMES: readonly (readonly string[])[] = [
  ["monday", "montag", "lundi", "lunes", "maandag", "segunda-feira", "segunda", "lunedi"],
  ["tuesday", "dienstag", "mardi", "martes", "dinsdag", "terca-feira", "terca", "martedi"],
  [
    "wednesday",
    "mittwoch",
    "mercredi",
    "miercoles",
    "woensdag",
    "quarta-feira",
    "quarta",
    "mercoledi",
  ],
  ["thursday", "donnerstag", "jeudi", "jueves", "donderdag", "quinta-feira", "quinta", "giovedi"],
  ["friday", "freitag", "vendredi", "viernes", "vrijdag", "sexta-feira", "sexta", "venerdi"],
  ["saturday", "samstag", "sonnabend", "samedi", "sabado", "zaterdag", "sabato"],
  ["sunday", "sonntag", "dimanche", "domingo", "zondag", "domenica"],
];

export const TOMORROW: readonly string[] = [
  "tomorrow",
  "morgen",
  "demain",
  "manana",
  "amanha",
  "domani",
];

/** The date that follows is the first day back. */
export const BACK_CUES: readonly RegExp[] = [
  /\b(?:return(?:ing|s)?|back|available(?: again)?|reachable|in the office|resume)(?: to (?:the |my )?(?:office|work|desk))?(?: again)?(?: (?:in (?:the )?office|at work))?,? (?:on |from |as of |starting |by )?(?:the )?$/,
  /\b(?:ab(?: dem)?|zuruck(?: am)?|wieder(?: da| erreichbar| im buro| im hause)?(?: am| ab(?: dem)?)?)$/,
  /\b(?:de retour|retour|a partir du|des le|a compter du|reviens|serai de retour)(?: le| au bureau le| a partir du)?$/,
  /\b(?:regres(?:o|are|are el)|vuelv(?:o|ere)|de vuelta|reincorporo|a partir del?|desde)(?: el)?(?: dia)?$/,
  /\b(?:terug|vanaf|weer (?:aanwezig|bereikbaar|op kantoor|terug))(?: op| vanaf)?$/,
  /\b(?:retorn(?:o|arei|ando)|volt(?:o|arei)|de volta|regress(?:o|arei)|a partir d[eo])(?: (?:em|no|dia|a|ao trabalho em))?(?: dia)?$/,
  /\b(?:rientr(?:o|ero)|torn(?:o|ero)|di ritorno|di nuovo (?:in ufficio|disponibile)|a partire dal|sara? di nuovo)(?: (?:il|dal|in ufficio il))?(?: giorno)?$/,
];

/** The date that follows is the last day of the absence. */
export const UNTIL_CUES: readonly RegExp[] = [
  /\b(?:until|till|til|through|thru|to|up to|ending|ends)(?: (?:and including|the end of))?(?: on)?(?: the)?$/,
  /\b(?:bis(?: zum| einschliesslich| einschl\.?| inkl\.?| incl\.?| und mit)?(?: dem)?)$/,
  /\b(?:jusqu'au|jusqu'a|au|jusque)(?: le)?$/,
  /\b(?:hasta|al)(?: el)?(?: dia)?$/,
  /\b(?:tot(?: en met)?|t\/m|t\.e\.m\.)(?: en met)?$/,
  /\b(?:ate|a)(?: (?:o )?dia)?$/,
  /\b(?:fino al?l?'?|al|sino al)(?: giorno)?$/,
  /[-]$/,
];
