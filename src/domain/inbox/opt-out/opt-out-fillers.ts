/** Words around a request that say nothing else: greetings, politeness, closings. */

/** A greeting with the name of whom it greets, at the beginning. */
export const GREETING =
  /^(?:hi|hello|hey|dear|hallo|guten (?:tag|morgen)|liebe[rs]?|sehr geehrte[rs]?|bonjour|chere?|hola|estimad[oa]|beste|geachte|ola|car[oa]|prezad[oa]|buongiorno|gentile|salve|ciao)(?: [\p{L}.'-]{1,40}){0,4} ?[,!]/u;

/** Words that do not make an opt-out anything else: politeness, closings, "immediately". */
export const FILLER_WORDS: ReadonlySet<string> = new Set(
  (
    "hi hello hey dear sir madam team all there please pls plz kindly thanks thank you thx many " +
    "best kind regards cheers sincerely greetings br rgds immediately now asap today once at from this " +
    "that the your list lists mailing email emails e-mail address me us my i and also again any further " +
    "more future communication communications correspondence to of off for in yours truly just ok " +
    "hallo guten tag sehr geehrte damen und herren bitte danke vielen dank mit freundlichen grussen " +
    "freundliche grusse mfg lg gruss grusse viele beste sofort umgehend ab jetzt verteiler liste " +
    "newsletter bonjour madame monsieur merci cordialement bien a vous svp s'il vous plait de la liste " +
    "immediatement hola buenos dias buenas tardes por favor gracias saludos un saludo cordial " +
    "cordiales atentamente inmediatamente beste hallo geachte groet groeten vriendelijke met dank bedankt " +
    "alvast graag per direct ola bom dia boa tarde obrigado obrigada atenciosamente abs att cumprimentos " +
    "prosze dziekuje pozdrawiam dzien dobry natychmiast vanligen tack halsningar med vanliga hej venlig venligst vanligen venlige hilsner " +
    "hilsen tak mvh prosim dekuji dobry den s pozdravem ihned " +
    "お願いします お願いいたします よろしくお願いします ありがとうございます 谢谢 謝謝 你好 您好 请 請 " +
    "buongiorno salve gentile grazie cordiali saluti distinti subito imediatamente stop remove"
  ).split(" "),
);
