/**
 * How automatic answers title and word themselves. Written for text that went through `fold`.
 *
 * A subject in `SUBJECT_STARTS` begins like no person begins one. One in `SUBJECT_ANYWHERE` may be
 * quoted by a person ("Re: Ann is out of the office"), so it counts only where nothing is answered.
 */

export const SUBJECT_STARTS: readonly RegExp[] = [
  // en
  /^(?:automatic(?:ally generated)? (?:reply|response|answer)|auto(?:matic|mated)?[ -]?(?:reply|response|responder|answer)|out[ -]of[ -](?:the[ -])?office|ooo\b|o\.o\.o\b|away from (?:my |the )?(?:mail|e-?mail|office|desk)|vacation (?:reply|response|message|notice)|on (?:vacation|holiday|annual leave|leave\b|maternity leave|parental leave)|i(?:'m| am) (?:out of|away|on vacation|on holiday|on leave|currently away))/,
  // de
  /^(?:automatische (?:antwort|ruckantwort|ruckmeldung|abwesenheit\w{0,10})|abwesenheits?(?:notiz|assistent|nachricht|meldung|benachrichtigung|info\w{0,8})?\b|abwesend|autom\. antwort|nicht im (?:buro|hause)|ich bin (?:im urlaub|nicht im|abwesend|ausser haus)|urlaub\b|ausser haus)/,
  // fr
  /^(?:reponse automatique|absen(?:ce|t|te) (?:du|de|au)?\b|message d'absence|notification d'absence|absence\b|je suis absent|en conges?\b|absent\(?e?\)? du bureau|message automatique)/,
  // es
  /^(?:respuesta automatica|contestacion automatica|fuera de (?:la )?oficina|ausente\b|ausencia\b|mensaje automatico|de vacaciones|estoy (?:fuera|de vacaciones|ausente))/,
  // nl
  /^(?:automatisch(?:e)? (?:antwoord|beantwoord\w{0,3}|reactie|bericht)|afwezig(?:heid)?\w{0,10}|niet aanwezig|buiten kantoor|met vakantie|op vakantie|ik ben (?:afwezig|op vakantie|met vakantie|niet aanwezig))/,
  // pt
  /^(?:resposta automatica|respost[ao] automatic[ao]|ausencia (?:temporaria|do escritorio)|fora do escritorio|mensagem automatica|estou (?:fora|de ferias|ausente)|de ferias|ausente do escritorio)/,
  // it
  /^(?:risposta automatica|fuori (?:ufficio|sede)|assente\b|assenza\b|messaggio automatico|in ferie|sono (?:in ferie|fuori|assente)|non in ufficio)/,
  // sv, da, no, fi, pl, cs, hu, ru, tr, ja, zh, ko
  /^(?:automatiskt? svar|autosvar|franvaro|fravaer|automaattinen vastaus|poissa|autoodpowiedz|automatyczna odpowiedz|odpowiedz automatyczna|nieobecnos\w{1,3}|automaticka odpoved|mimo kancelar|nepritomnost|automatikus valasz|автоматическии ответ|автоответ|otomatik yanit|自動応答|自动(?:回复|答复)|自動(?:回覆|返信)|자동\s?(?:회신|응답)|不在)/,
];

export const SUBJECT_ANYWHERE: readonly RegExp[] = [
  /\bis (?:currently )?(?:out of (?:the )?office|on vacation|away from (?:the|his|her) office)/,
  /\b(?:out of office|out-of-office|autoreply|auto-reply|auto-response|autoresponse|automatic reply|auto:)/,
  /\b(?:abwesenheitsnotiz|reponse automatique|respuesta automatica|risposta automatica|resposta automatica|automatisch antwoord)/,
  /\b(?:ist (?:nicht im buro|im urlaub|abwesend)|est absent|esta ausente|e fuori ufficio)/,
  /\b(?:we (?:have )?received your (?:request|message|e-?mail|inquiry|ticket)|your (?:request|ticket|case|inquiry) (?:has been|was) (?:received|created|opened))/,
  /\[(?:ticket|case|request) ?(?:#|id)/,
];

/** A text that says it comes from a program or tells of an absence; never enough by itself. */
export const BODY_PHRASES: readonly RegExp[] = [
  /(?:i am|i'm|i will be|i'll be) (?:currently |presently )?(?:out of (?:the )?(?:office|town|country)|on (?:vacation|holidays?|annual leave|leave|maternity|paternity|parental|business travel)|away (?:from|until|on|till)|travelling|traveling)/,
  /(?:this is an? (?:automat\w{1,8}|auto-?\w{0,9})|automatically generated|automatic(?:ally)? repl|auto-?reply|autoresponder|vacation (?:message|auto))/,
  /(?:limited|no|without|intermittent) access to (?:my )?(?:e-?mail|mail)|will (?:respond|reply|answer|get back|return your).{0,60}(?:return|back|upon)/,
  /(?:no longer|not longer) (?:works?|working|employed|with|at|part of)|has left (?:the|our)/,
  /(?:ich bin|bin ich).{0,60}(?:nicht (?:im buro|erreichbar|im hause|da)|abwesend|im urlaub|ausser haus|in elternzeit)|ihre (?:nachricht|e-?mail) wird nicht (?:weitergeleitet|gelesen)|diese (?:nachricht|e-?mail) wurde automatisch/,
  /je (?:suis|serai).{0,40}(?:absent|en conge|en deplacement|en vacances)|absent\(?e?\)? (?:du|jusqu)|ceci est un message automatique/,
  /(?:estoy|estare|me encuentro|me encontrare).{0,40}(?:fuera de (?:la )?oficina|de vacaciones|ausente|de baja)|este es un mensaje automatico/,
  /(?:ik ben|ben ik).{0,40}(?:afwezig|niet aanwezig|op vakantie|met vakantie|met verlof|niet op kantoor|niet bereikbaar)/,
  /(?:estou|estarei).{0,40}(?:fora do escritorio|de ferias|ausente|em ferias|de licenca)|esta e uma (?:mensagem|resposta) automatica/,
  /(?:sono|saro).{0,40}(?:in ferie|fuori (?:ufficio|sede)|assente|in congedo|in maternita)|questo e un messaggio automatico/,
];

/** The person no longer works there. */
export const LEFT_PHRASES: readonly RegExp[] = [
  /(?:no longer|not) (?:works?|working|employed|with (?:the|our|us)|part of|at (?:the|our) company)|has left (?:the|our) (?:company|organi[sz]ation|firm|team)|left the company/,
  /nicht mehr (?:bei|im unternehmen|fur|in unserem)|hat (?:das|unser) unternehmen verlassen/,
  /ne (?:fait|travaille) plus|a quitte (?:la|notre|l')/,
  /ya no (?:trabaja|forma parte)|ha dejado la empresa/,
  /niet (?:meer|langer) werkzaam|werkt niet meer|in dienst/,
  /nao (?:trabalha|faz) mais|ja nao trabalha|deixou a empresa/,
  /non (?:lavora|fa) piu|ha lasciato (?:l'|la )azienda/,
];
