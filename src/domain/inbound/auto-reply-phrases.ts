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
  // pl
  /^(?:autoodpowiedz|automatyczna odpowiedz|odpowiedz automatyczna|autoresponder|nieobecn\w{1,5}|poza biurem|(?:jestem )?na urlopie|urlop\b)/,
  // sv, da, nb, fi
  /^(?:automatiskt? (?:svar|svarsmeddelande)|autosvar|franvaro\w{0,10}|fravaer\w{0,10}|ikke til stede|ej pa kontoret|(?:jeg er |jag ar )?(?:pa (?:semester|ferie)|borte fra kontoret|bortrejst)|semester\b|ude af kontoret|ute av kontoret|automaattinen (?:vastaus|poissaoloviesti)|poissa\w{0,6})/,
  // cs, sk, hu, ro
  /^(?:automaticka (?:odpoved|sprava)|mimo kancelar|nepritom\w{1,8}|dovolena\b|jsem mimo|automatikus valasz|raspuns automat)/,
  // ru, uk, tr, el
  /^(?:автоматическ\S{1,4} (?:ответ|уведомление)|автоответ|вне офиса|отсутств\S{0,10}|автоматична відповідь|otomatik (?:yanit|cevap)|αυτοματη απαντηση)/,
  // ja, zh, ko
  /^(?:[【[(]?自動(?:応答|返信|回覆|回复|送信)|[【[(]?自动(?:回复|答复)|不在(?:通知|のお知らせ|連絡)?|外出(?:通知|中)|(?:夏季|冬季|年末年始)?休暇(?:中|のお知らせ)|休假|(?:我)?(?:不在办公室|不在辦公室|正在休假)|자동\s?(?:회신|응답)|부재\s?중)/,
];

export const SUBJECT_ANYWHERE: readonly RegExp[] = [
  /\bis (?:currently )?(?:out of (?:the )?office|on vacation|away from (?:the|his|her) office)/,
  /\b(?:out of office|out-of-office|autoreply|auto-reply|auto-response|autoresponse|automatic reply|auto:)/,
  /\b(?:abwesenheitsnotiz|reponse automatique|respuesta automatica|risposta automatica|resposta automatica|automatisch antwoord)/,
  /\b(?:ist (?:nicht im buro|im urlaub|abwesend)|est absent|esta ausente|e fuori ufficio)/,
  /\b(?:we (?:have )?received your (?:request|message|e-?mail|inquiry|ticket)|your (?:request|ticket|case|inquiry) (?:has been|was) (?:received|created|opened))/,
  /\[(?:ticket|case|request) ?(?:#|id)/,
  /\b(?:automatiskt? svar|autosvar|autoodpowiedz|automaticka odpoved|automatyczna odpowiedz)\b|自動応答|自動返信|自动回复|自動回覆|автоответ/,
  /\b(?:ticket (?:received|created|opened))\b/,
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
  /(?:jestem|bede|przebywam).{0,40}(?:nieobecn\w|na urlopie|poza biurem|na zwolnieniu)|ta wiadomosc zostala wygenerowana automatycznie|to jest automatyczna/,
  /(?:jag ar|ar jag).{0,40}(?:pa semester|bortrest|franvarande|foraldraledig|inte pa kontoret|ledig)|detta ar ett automatiskt/,
  /(?:jeg er|er jeg|jeg holder).{0,40}(?:pa ferie|ferie|fravaerende|pa barsel|ikke pa kontoret|bortrejst|ikke til stede|ute av kontoret)|dette er (?:et|en) automatisk/,
  /(?:jsem|budu|mam).{0,40}(?:mimo kancelar|na dovolene|dovolenou|nepritom\w{1,4}|na materske)|toto je automaticka/,
  /(?:休暇|不在|出張|夏休み|育児休業).{0,12}(?:いただ|取得|して(?:おり|い)|中|です)|自動(?:応答|返信|送信)|このメールは自動/,
  /(?:正在|我在|本人).{0,8}(?:休假|出差|度假|外出|年假)|不在(?:办公室|辦公室|公司)|自动(?:回复|发送)|自動(?:回覆|發送)|无法(?:及时)?(?:回复|查看)/,
  /(?:нахожусь|буду|я).{0,20}(?:в отпуске|отсутств\S{0,10}|в командировке|вне офиса)|автоматическ\S{1,4} (?:ответ|сообщение)/,
  /(?:sono|saro).{0,40}(?:in ferie|fuori (?:ufficio|sede)|assente|in congedo|in maternita)|questo e un messaggio automatico/,
];

/** A program wants to know whether the sender is a person before it delivers. */
export const CHALLENGE_PHRASES: readonly RegExp[] = [
  /(?:click|follow|visit|use|go to)\b.{0,60}\b(?:link|url|address|page)\b.{0,160}(?:added to|allowed list|allow list|white ?list|approved|verify|confirm|ensure delivery|deliver(?:ed)?)/,
  /(?:account|mailbox|inbox|e-?mail address|recipient) is (?:protected|guarded) by\b|(?:confirm|verify|prove) (?:that )?(?:you(?:'re| are)|your (?:e-?mail )?(?:address|message|identity))\b.{0,80}(?:human|not a (?:robot|machine|spam)|deliver|sender|person|receiv)|challenge[- ]response|sender verification (?:required|request)/,
  /(?:please|simply|just) reply to this (?:message|e-?mail).{0,80}(?:deliver|confirm|verify|release)|(?:your|the) (?:message|e-?mail) (?:is|has been|was) (?:being )?held (?:until|pending|for|because)/,
  /(?:cliquez|veuillez cliquer).{0,80}(?:authentifier|liste blanche|confirmer)|(?:clique|clicar).{0,80}(?:confirma|liberar|autorizar)|anti-?spam.{0,80}(?:confirm|verif|autoriz)/,
];

/** The person no longer works there. */
export const LEFT_PHRASES: readonly RegExp[] = [
  /(?:no longer|not longer|not) (?:works?|working|employed|with (?:the|our|us)|part of|at (?:the|our|this)|an employee)\b|\bno longer (?:with|at) \S|has left (?:the|our|us)\b|(?:i|he|she|they|\w+) (?:have |has )?left (?:the (?:company|organi[sz]ation|firm|business)|my (?:position|role))|(?:last|final) (?:working )?day (?:at|with|was)|(?:has|have) (?:retired|moved on) from|(?:e-?mail )?(?:address|mailbox|account) is no longer (?:in use|monitored|active|used)/,
  /nicht (?:mehr|langer) (?:bei|im unternehmen|fur|in unserem|in unserer|teil|beschaftigt|angestellt|tatig)|hat (?:das|unser|die) (?:unternehmen|firma|haus) verlassen|(?:aus dem|das) unternehmen (?:ausgeschieden|verlassen)|ist ausgeschieden|im ruhestand/,
  /ne (?:fait|travaille|suis|fais) plus|a quitte (?:la|notre|l'|ses fonctions|le)|j'ai quitte|n'est plus (?:salarie|employe|en poste|dans)|plus partie de/,
  /ya no (?:trabaj[ao]|forma parte|formo parte|esta en|labora)|ha dejado (?:la empresa|de trabajar)|dejo de trabajar/,
  /niet (?:meer|langer) (?:werkzaam|in dienst|werk)|werkt niet (?:meer|langer)|uit dienst|heeft (?:ons|het) bedrijf verlaten/,
  /nao (?:trabalh[ao]|faz|faco) mais|ja nao (?:trabalh[ao]|faz|estou|esta)|deixou (?:a empresa|de trabalhar)|nao (?:integra|pertence) mais|desligou-se/,
  /non (?:lavor[ao]|fa|faccio) piu|ha lasciato (?:l'|la )\s?(?:azienda|societa)|non (?:e|fa) piu (?:parte|in azienda|dipendente)/,
  /(?:juz |wiecej )?nie (?:pracuj[eę]|jest (?:juz )?pracownikiem)|nie pracuje (?:juz|u nas)|zakonczyl\w{0,3} (?:prace|wspolprace)|odszedl z (?:firmy|pracy)|odeszla z (?:firmy|pracy)/,
  /(?:jobbar|arbetar) inte (?:langre|kvar)|(?:har )?slutat (?:hos|pa|sin|vid)|inte langre (?:anstalld|kvar|hos)/,
  /arbejder ikke laengere|(?:er )?(?:stoppet|fratradt|fratraadt|fratradt) (?:hos|i|sin)|ikke laengere ansat|jobber ikke (?:lenger|her)|sluttet (?:hos|i)/,
  /(?:jiz|uz) (?:nepracuje|nepracuji|neni zamestnan)|nepracuje (?:jiz|uz|u nas)|ukoncil\w? (?:pracovni|pusobeni)|opustil\w? (?:spolecnost|firmu)/,
  /退職(?:いたし|致し|し)(?:ました|ております|て)|既に退職|すでに退職|在籍しておりません|離職/,
  /(?:已|已经|已經)(?:离职|離職|离开(?:公司|本公司)|離開(?:公司|本公司)|退休)|不再(?:在|担任|擔任|任职|任職|就职)/,
];
