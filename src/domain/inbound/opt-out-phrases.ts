/**
 * How people ask to be left alone, in thirteen languages, and the small words that may stand around it.
 * Written for text that went through `fold`.
 */

export const OPT_OUT_PHRASES: readonly RegExp[] = [
  // en
  /(?:how (?:do|can) i |i (?:want|wish|would like|'d like) to |please )?\b(?:unsubscribe|un-subscribe|unsub|opt(?:ing)?[- ]?out)\b(?: me)?/g,
  /\b(?:please )?(?:remove|delete|take|drop|strike) (?:me|us|my (?:e-?mail|address|name|data|details)(?: address)?|this (?:e-?mail|address))(?: (?:off|out))?(?: (?:from|of|off))?(?: (?:your|the|this|all|any))?(?: (?:mailing|e-?mail|contact|distribution))?(?: ?(?:lists?|database|system|mailings?|emails?))?/g,
  /\b(?:please )?(?:stop|cease|quit|discontinue) (?:all )?(?:(?:e-?mailing|mailing|contacting|messaging|writing|spamming|bothering|sending)(?: (?:me|us|to me))?(?: (?:these|any|your|more|this))?(?: ?(?:e-?mails?|messages|mails?|spam))?|(?:these|your|the) (?:e-?mails?|messages|mails?))/g,
  /\b(?:please )?(?:do not|don't|never) (?:ever )?(?:e-?mail|contact|write|message|mail|send)(?: (?:me|us|to me|anything))?(?: (?:any ?more|again|any (?:more )?(?:e-?mails?|messages)|e-?mails?|anything))*/g,
  /^(?:stop|remove|no more (?:e-?mails?|messages)|take me off|leave me alone|do not contact)\b/g,
  // de
  /\b(?:bitte )?(?:loschen|entfernen|streichen|nehmen|tragen|melden) sie (?:bitte )?(?:mich|uns|meine (?:daten|adresse|e-?mail(?:-?adresse)?))(?: (?:bitte )?(?:aus|von) (?:ihrem|ihrer|dem|der|diesem) (?:verteiler|liste|mailingliste|datenbank))?(?: (?:heraus|aus|ab))?/g,
  /\b(?:bitte )?(?:mich |uns )?(?:aus (?:ihrem|ihrer|dem|der|diesem) )?(?:verteiler|liste|mailingliste|datenbank)? ?(?:abmelden|austragen|abbestellen|loschen|entfernen|streichen)/g,
  /\b(?:bitte )?(?:keine (?:weiteren |mehr )?(?:e-?mails?|mails?|nachrichten|werbung)(?: mehr)?(?: (?:senden|schicken|an mich|zusenden))?|(?:schreiben|kontaktieren|mailen) sie (?:mich|mir|uns) (?:bitte )?(?:nicht|nie)(?: (?:mehr|wieder))?(?: an)?|abmeldung)/g,
  // fr
  /\b(?:(?:merci de |veuillez |s'il vous plait )?(?:me |nous )?(?:desinscrire|desabonner|desinscrivez|desabonnez|retirer|retirez|supprimer|supprimez)(?:[- ](?:moi|nous))?(?: (?:de|mon adresse de|mes donnees de) (?:votre|vos|cette|la) ?(?:listes?(?: de diffusion)?|base|mailings?|fichiers?)?)?|desinscription|desabonnement|ne (?:me|nous) (?:contactez|ecrivez|recontactez|envoyez) plus(?: (?:de|d')(?: ?(?:mails?|e-?mails?|messages))?)?|(?:arretez|cessez) de (?:m'|nous |me )?(?:ecrire|contacter|envoyer)(?: (?:des|vos) (?:mails?|e-?mails?|messages))?)/g,
  // es
  /\b(?:(?:por favor,? )?(?:(?:dar|dame|denme|deme|darme|darnos|quiero darme|solicito la) (?:de )?baja|baja|desuscribir(?:me)?|cancelar (?:la |mi )?suscripcion|(?:eliminar|eliminen|elimine|borrar|borren|quitar|quiten)(?:me|nos)?(?: (?:mi (?:correo|direccion|email)))?(?: de (?:su|la|esta|vuestra) (?:lista|base)(?: de (?:correos?|datos|distribucion))?)?)|no (?:me|nos) (?:envien?|escriban?|contacten?|manden?)(?: mas)?(?: (?:correos|mensajes|e-?mails?))?)/g,
  // nl
  /\b(?:(?:graag |gelieve |wilt u )?(?:mij |me |ons )?(?:afmelden|uitschrijven|afmelding|schrijf (?:mij|me) uit|meld (?:mij|me) af|(?:haal|verwijder) (?:mij|me|mijn (?:adres|gegevens|e-?mail(?:adres)?))(?: (?:van|uit) (?:de|uw|jullie|deze) (?:lijst|mailinglijst|bestand|verzendlijst))?)|geen (?:e-?mails?|mails?|berichten) meer(?: (?:sturen|ontvangen))?|(?:stop met (?:mailen|sturen)|mail (?:mij|me) niet meer))/g,
  // pt
  /\b(?:(?:por favor,? |favor )?(?:me )?(?:descadastr(?:ar|em?|e-me)|cancelar (?:a )?(?:minha )?(?:inscricao|subscricao|assinatura)|remov(?:er|am?|a-me)(?:-me)?(?: (?:o )?meu (?:e-?mail|nome|contato))?(?: d(?:a|e|esta) (?:sua |vossa )?(?:lista|base)(?: de (?:e-?mails?|contatos|dados))?)?|descadastro|me tirem? da(?: sua)? lista)|nao (?:me )?(?:enviem?|mandem?|contatem?|contactem?)(?: mais)?(?: (?:e-?mails?|mensagens))?|parem? de (?:me )?(?:enviar|mandar)(?: (?:e-?mails?|mensagens))?)/g,
  // it
  /\b(?:(?:per favore,? |prego |vi prego di )?(?:cancella(?:temi|te|mi|rmi|zione)|disiscriv(?:ermi|imi|etemi|i)|disiscrizione|rimuov(?:ere|etemi|imi|ermi)|toglietemi|eliminatemi)(?: (?:il )?mio (?:indirizzo|contatto|nominativo))?(?: (?:dalla|da(?:l|i)?) (?:vostra |tua |questa )?(?:lista|mailing ?list|database|elenco|vostri contatti))?|non (?:scrivetemi|contattatemi|inviatemi|mandatemi)(?: piu)?(?: (?:e-?mail|messaggi|mail))?|(?:smettetela|basta) (?:di |con le )?(?:scrivermi|mail|e-?mail))/g,
  // pl
  /\b(?:(?:prosze (?:o )?)?(?:(?:mnie )?(?:wypisac|wypisanie|usunac|usuniecie|wykreslic|wykreslenie)(?: mnie| mojego adresu| moj adres| moje dane)?(?: (?:z|ze) (?:waszej |panstwa |tej |swojej )?(?:listy(?: mailingowej)?|bazy(?: danych)?|newslettera))?|wypiszcie mnie|usuncie mnie|rezygnuje)|(?:prosze )?(?:nie (?:pisac|wysylac|kontaktowac(?: sie)?|piszcie|wysylajcie))(?: do mnie| mi| ze mna)?(?: wiecej)?(?: (?:wiadomosci|maili))?)/g,
  // sv
  /\b(?:(?:vanligen )?(?:avregistrera|avprenumerera|avanmal(?:an)?|ta bort|stryk)(?: mig| min (?:adress|e-?post(?:adress)?))?(?: (?:fran|ur) (?:er |din |denna |listan|e-?postlistan|sandlistan|utskick){1,2}(?:lista)?)?|sluta (?:mejla|maila|skicka|kontakta)(?: mig| till mig)?(?: (?:mejl|mail))?|(?:skicka|mejla|maila|kontakta)(?: mig)? inte (?:mer|fler|langre)(?: (?:mejl|mail))?|inga fler (?:mejl|mail|utskick))/g,
  // da, nb
  /\b(?:(?:venligst )?(?:(?:afmeld|frameld)(?: mig| meg)?|(?:slet|fjern|meld)(?: mig| meg| min (?:adresse|e-?mail(?:adresse)?)))(?: (?:fra|av) (?:jeres |din |denne |listen|maillisten|nyhedsbrevet){1,2}(?:liste)?)?|afmelding|(?:stop|slut) med at (?:skrive|sende|maile|kontakte)(?: til)?(?: mig)?(?: (?:mails|e-?mails))?|(?:skriv|send|kontakt) (?:mig )?ikke (?:mere|flere|igen)(?: (?:mails|e-?mails))?|ingen flere mails?)/g,
  // cs
  /\b(?:(?:prosim )?(?:o )?(?:odhlas(?:te|it|eni)?|vyrad(?:te|it)|vymaz(?:te|at)|odstran(?:te|it)|smazte)(?: (?:me|mne|muj (?:e-?mail|kontakt)|mou adresu))?(?: (?:z|ze) (?:vaseho |vasi |tohoto )?(?:seznamu|databaze|newsletteru|odberu|rozesilky))?|(?:uz |jiz )?(?:mi |me )?(?:nepiste|neposilejte|nekontaktujte)(?: (?:mi|me))?(?: (?:uz|jiz|dalsi|zadne))*(?: (?:e-?maily?|zpravy))?)/g,
  // ja
  /(?:今後(?:の|は)?)?(?:メール|ご?連絡|案内)?(?:の|を|は)?(?:配信|送信)?(?:の|を|は)?(?:停止|解除|中止|不要です|(?<=(?:メール|連絡|案内|配信|送信)は?)不要|やめて|止めて|送らないで|連絡しないで|登録解除|退会)(?:して|を)?(?:ください|下さい|くだされ|です|(?:お願い|おねがい)(?:し|いたし|致し)ます)?/g,
  // zh
  /(?:请|請|麻烦|麻煩)?(?:您|你们|你們)?(?:将我|將我|把我|帮我|幫我)?(?:取消(?:订阅|訂閱)|退订|退訂|(?:从|從)?(?:名单|名單|列表|邮件列表|郵件列表)?(?:中)?(?:移除|删除|刪除)|(?:不要|别|別|请勿|請勿|停止)(?:再|继续|繼續)?(?:给我|給我|向我)?(?:发(?:送)?|發(?:送)?|联系|聯繫|打扰|打擾)(?:我)?(?:邮件|郵件|信息|訊息)?(?:了)?)/g,
];

/** The writer inside a phrase: it is their own address that is meant. */
export const OBJECTS =
  /\b(?:me|us|my|this|mich|mir|uns|meine|moi|nous|mon|mes|mi|dame|deme|denme|darme|darnos|mij|mijn|ons|minha|meu|mio|mnie|moj|mojego|moje|mig|meg|min|mne|muj|mou)\b|m'(?=[a-z])|(?:ar|er|ir|en|e)(?:me|nos)\b|-(?:me|moi|nous)\b|(?:te|r|a|i)mi\b|我/;
/** "Do not send" may mean one thing only; with "mails" or "any more" it means all. */
export const SENDING =
  /send|schick|zusenden|envi|mand|inviat|stur|skick|skriv|posil|wysyl|发|發|送/;
export const MAIL_OR_MORE =
  /mail|message|nachricht|werbung|correo|mensaj|mensagen|messaggi|bericht|mejl|wiadomosc|zprav|spam|anything|plus|\bmas\b|mais|piu|mehr|meer|\bmere?\b|langre|igen|wiecej|\b[uj]iz?\b|\buz\b|any ?more|again|メール|连|邮件|郵件|信息|訊息|再|了|不要|やめて|止めて/;

/** Words right before a phrase that turn it round: "please don't unsubscribe me". */
export const NEGATED_BEFORE =
  /(?:\b(?:don't|do not|doesn't|didn't|not|never|no need to|without|nicht|ne|no|niet|nao|non|nie|inte|ikke)(?: (?:please|bitte|just|me|us|mich|uns|mnie|yet|to|nos|se|den|de|quiero|want|darme|dar)){0,4}|不要|别|別|请勿|請勿|不用|无需|無需|没有|沒有)$/;
/** The same behind it: "melden Sie mich nicht ab". */
export const NEGATED_AFTER =
  /^(?:(?:bitte )?(?:nicht|niet|inte|ikke|ej)\b(?! (?:mehr|meer|mer|langre|mere|laengere))|(?:し|は|を)?(?:しないで|なさらないで|せず|しなくて))/;

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
