/**
 * How auto-replies title and word themselves. Written for text that went through `fold`.
 *
 * A subject in `SUBJECT_STARTS` begins like no person begins one. One in `ABSENCE_STARTS` names an absence,
 * which people write about too: behind it the title must end, or say until when. One in
 * `SUBJECT_ANYWHERE` may be quoted by a person ("Re: Ann is out of the office"), so it counts only where
 * nothing is answered.
 */

/** Behind "automatic response": somebody writes about such answers. */
const TOPIC =
  "(?! (?:times?|rates?|systems?|software|tools?|features?|templates?|settings|setup|hours|cover|service|api)\\b)";
const start = (words: string): RegExp => new RegExp(`^(?:${words})${TOPIC}`);

export const SUBJECT_STARTS: readonly RegExp[] = [
  // en
  start(
    "automatic(?:ally generated)? (?:reply|response|answer)|auto(?:matic|mated)?[ -]?(?:reply|response|responder|answer)|" +
      "out[ -]of[ -](?:the[ -])?office|ooo\\b|o\\.o\\.o\\b|away from (?:my |the )?(?:mail|e-?mail|office|desk)|" +
      "vacation (?:reply|response|message|notice)|i(?:'m| am) (?:out of|away|on vacation|on holiday|on leave|currently away)",
  ),
  // de
  /^(?:automatische (?:antwort|ruckantwort|ruckmeldung|abwesenheit\w{0,10})|abwesenheits?(?:notiz|assistent|nachricht|meldung|benachrichtigung|info\w{0,8})\b|autom\. antwort|ich bin (?:im urlaub|nicht im|abwesend|ausser haus))/,
  // fr
  /^(?:reponse automatique|absen(?:ce|t|te) du bureau|message d'absence|notification d'absence|je suis absent|absent\(?e?\)? du bureau|message automatique)/,
  // es
  /^(?:respuesta automatica|contestacion automatica|fuera de (?:la )?oficina|mensaje automatico|estoy (?:fuera|de vacaciones|ausente))/,
  // nl
  /^(?:automatisch(?:e)? (?:antwoord|beantwoord\w{0,3}|reactie|bericht)|afwezigheids?\w{1,10}|ik ben (?:afwezig|op vakantie|met vakantie|niet aanwezig))/,
  // pt
  /^(?:respost[ao] automatic[ao]|ausencia (?:temporaria|do escritorio)|fora do escritorio|mensagem automatica|estou (?:fora|de ferias|ausente)|ausente do escritorio)/,
  // it
  /^(?:risposta automatica|fuori (?:ufficio|sede)|messaggio automatico|sono (?:in ferie|fuori|assente)|non in ufficio)/,
  // pl
  /^(?:autoodpowiedz|automatyczna odpowiedz|odpowiedz automatyczna|autoresponder|poza biurem|jestem na urlopie)/,
  // sv, da, nb, fi
  /^(?:automatiskt? (?:svar|svarsmeddelande)|autosvar|franvarome\w{1,10}|fravaersme\w{1,10}|ej pa kontoret|(?:jeg er |jag ar )(?:pa (?:semester|ferie)|borte fra kontoret|bortrejst)|ude af kontoret|ute av kontoret|automaattinen (?:vastaus|poissaoloviesti))/,
  // cs, sk, hu, ro
  /^(?:automaticka (?:odpoved|sprava)|mimo kancelar|jsem (?:mimo|na dovolene)|automatikus valasz|raspuns automat)/,
  // ru, uk, tr, el
  /^(?:автоматическ\S{1,4} (?:ответ|уведомление)|автоответ|вне офиса|автоматична відповідь|otomatik (?:yanit|cevap)|αυτοματη απαντηση)/,
  // ja, zh, ko
  /^(?:[【[(]?自動(?:応答|返信|回覆|回复|送信)|[【[(]?自动(?:回复|答复)|不在(?:通知|のお知らせ|連絡)|外出(?:通知|中)|(?:夏季|冬季|年末年始)?休暇(?:中|のお知らせ)|(?:我)?(?:不在办公室|不在辦公室|正在休假)|자동\s?(?:회신|응답)|부재\s?중)/,
];

/** An absence, if the title ends there or says until when. */
export const ABSENCE_STARTS: readonly RegExp[] = [
  /^on (?:vacation|holidays?|annual leave|leave|maternity leave|parental leave|business travel)/,
  /^(?:abwesend|abwesenheit|nicht im (?:buro|hause)|urlaub|im urlaub|ausser haus)/,
  /^(?:absence|absente?|en conges?|en vacances)/,
  /^(?:ausente|ausencia|de vacaciones)/,
  /^(?:afwezig(?:heid)?|niet aanwezig|buiten kantoor|met vakantie|op vakantie)/,
  /^(?:ausencia|ausente|de ferias|em ferias)/,
  /^(?:assente|assenza|in ferie)/,
  /^(?:nieobecn\w{1,5}|na urlopie|urlop)/,
  /^(?:franvaro|franvarande|pa semester|semester|fravaer\w{0,4}|pa ferie|ferie|ikke til stede|bortrejst|poissa\w{0,6})/,
  /^(?:nepritom\w{1,8}|dovolena|na dovolene)/,
  /^(?:отсутств\S{0,10}|в отпуске|отпуск)/,
  /^(?:不在|休暇|休假|外出)/,
];

/** What may follow the name of an absence in a title of its own. */
export const TITLE_ENDS =
  /^(?:$| ?[:!.;,)\]/|~]| ?-{1,2} ?(?:re|aw|\d)| ?\(| (?:re|aw|sv|antw)\b| ?\d| (?:until|till|til|through|thru|from|bis|vom|von|ab|jusqu|du \d|hasta|desde|del \d|tot|van \d|vanaf|t\/m|ate|fino|dal|do|od|till|fran|fra|z \d)|のため|につき|中|至|到)/;

export const SUBJECT_ANYWHERE: readonly RegExp[] = [
  /\bis (?:currently )?(?:out of (?:the )?office|on vacation|away from (?:the|his|her) office)/,
  /\b(?:out of office|out-of-office|autoreply|auto-reply|auto-response|autoresponse|automatic reply)\b ?(?:$|[:(.[-])|\bauto:/,
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
  /\breply to this (?:message|e-?mail).{0,80}(?:deliver|confirm|verify|release)|(?:your|the) (?:message|e-?mail) (?:is|has been|was) (?:being )?held (?:until|pending|for|because)/,
  /(?:cliquez|veuillez cliquer).{0,80}(?:authentifier|liste blanche|confirmer)|(?:clique|clicar|haga clic|clicchi|clicca).{0,80}(?:confirm|conferm|liberar|autorizar)|anti-?spam.{0,80}(?:confirm|verif|autoriz)/,
  /\bklick(?:en sie|e|a)?\b.{0,60}\b(?:link(?:en)?|lanken)\b.{0,80}(?:bestatig|freizugeben|bekrafta)|\bklik(?:t u|k)?\b.{0,40}\b(?:link|linket)\b.{0,80}(?:bevestig|bekraeft|bekrefte)|\bkliknij\b.{0,60}\b(?:link|odnosnik)\b.{0,60}(?:potwierdz|zweryfik)|\bkliknete na odkaz\b.{0,60}(?:potvrd|over)|リンクを(?:クリック|押).{0,40}(?:確認|認証|承認)|(?:点击|點擊)(?:链接|連結|此处|此處).{0,40}(?:验证|驗證|确认|確認)/,
  // Held back.
  /\bnachricht (?:wurde|wird) .{0,40}(?:zuruckgehalten|zuruckgestellt|nicht zugestellt, bis)|\bmessage est (?:en attente|retenu|bloque)|\bmensaje (?:esta|ha sido|fue) retenid|\bbericht (?:wordt|is) .{0,20}(?:vastgehouden|tegengehouden)|\bmensagem (?:esta|foi) retida|\bmessaggio (?:e|e stato) (?:trattenuto|bloccato|in attesa)|\bwiadomosc zostala (?:wstrzymana|zatrzymana)|\bmeddelande (?:halls kvar|har stoppats)|\b(?:besked|meddelelse|melding) er (?:tilbageholdt|holdt tilbake)|\bzprava (?:je|byla) (?:pozdrzena|zadrzena)|(?:メッセージ|メール)は保留|(?:邮件|郵件)已?被?(?:保留|拦截|攔截|暂存|暫存)/,
];

/** The person no longer works there. */
export const LEFT_PHRASES: readonly RegExp[] = [
  /\b(?:no longer|not longer) (?:works?|working|employed|with (?:the|our|us)|part of|an employee)\b|\bno longer at (?:the company|the firm|this company|this address)|\b(?:am|is) not (?:employed|an employee)\b|\bno longer (?:with|at) (?!(?:the office|my desk|work|home)\b)\S|(?:has|have) left (?:the |our |this |my )?(?:company|organi[sz]ation|firm|business|team|group|employment|employ|position|role|us\b)|(?:last|final) (?:working )?day (?:at|with) (?!work)|(?:has|have) (?:retired|moved on) from|(?:e-?mail )?(?:address|mailbox|account) is no longer (?:in use|monitored|active|used)/,
  /nicht (?:mehr|langer) (?:bei (?!der arbeit)|im unternehmen|fur (?!sie\b|dich\b|euch\b|anrufe)|in unserem (?:unternehmen|haus|team)|in unserer (?:firma|abteilung)|teil|beschaftigt|angestellt)|(?:nicht (?:mehr|langer) .{1,40} (?:beschaftigt|angestellt|tatig))|hat (?:das|unser|die|unsere) (?:unternehmen|firma|haus) verlassen|(?:aus dem|das) unternehmen (?:ausgeschieden|verlassen)|ist ausgeschieden|im ruhestand/,
  /ne (?:travaille|fait|fais) plus (?:partie|chez|ici|dans|pour|au sein|a l')|ne travaille plus\b|ne suis plus (?:employee?|salariee?|en poste|chez|dans (?:l'|la |cette )(?:entreprise|societe)|au sein)|a quitte (?:la societe|notre|l'entreprise|ses fonctions|le groupe|la fondation|l'organisation)|j'ai quitte (?!le bureau)|n'est plus (?:salariee?|employee?|en poste|dans (?:l'|la )|chez)|plus partie de/,
  /ya no (?:trabaj[ao]|forma parte|formo parte|esta en (?:la empresa|la compania|nuestra)|labora)|ha dejado (?:la empresa|de trabajar)|dejo de trabajar/,
  /niet (?:meer|langer) (?:werkzaam|in dienst)|werkt? niet (?:meer|langer) (?:hier|bij|voor|in)|uit dienst\b|heeft (?:ons|het) bedrijf verlaten/,
  /nao (?:trabalh[ao]|faz|faco) mais (?!aos? |as |hoje)|ja nao (?:trabalh[ao]|faz parte|faco parte|(?:estou|esta) (?:na empresa|ao servico|a trabalhar))|deixou (?:a empresa|de trabalhar)|nao (?:integra|pertence) mais|desligou-se/,
  /non (?:lavor[ao]|fa(?:ccio)? parte) piu|non fa(?:ccio)? piu parte|non lavor[ao] (?:oggi )?piu|ha lasciato (?:l'|la )\s?(?:azienda|societa)|non e piu (?:parte|in azienda|dipendente)/,
  /(?:juz|wiecej) nie (?:pracuj[ea]|jest(?:em)? pracownikiem)|nie jest(?:em)? juz pracownikiem|nie pracuj[ea] (?:juz|u nas|w firmie)|zakonczyl\w{0,3} (?:prace|wspolprace)|odszedl z (?:firmy|pracy)|odeszla z (?:firmy|pracy)/,
  /(?:jobbar|arbetar) inte (?:langre|kvar)|(?:har )?slutat (?:hos|pa (?:foretaget|bolaget)|sin tjanst|vid)|inte langre (?:anstalld|kvar (?:i|pa) (?!kontoret|jobbet)|hos)/,
  /arbejder ikke laengere (?:her|hos|i|for|pa)|(?:er )?(?:stoppet|fratradt|fratraadt) (?:hos|i|sin)|ikke laengere ansat|jobber ikke (?:lenger|her)|sluttet (?:hos|i (?:firmaet|virksomheden|selskapet))/,
  /(?:jiz|uz) (?:nepracuje|nepracuji|u nas nepracuj\w|neni zamestnan)|nepracuj\w (?:jiz|uz|u nas|zde)|ukoncil\w? (?:pracovni|pusobeni)|opustil\w? (?:spolecnost|firmu)/,
  /退職(?:いたし|致し|し)(?:ました|ております|て)|既に退職|すでに退職|在籍しておりません|離職/,
  /(?:已|已经|已經)[^,。;]{0,8}(?:离职|離職|离开(?:公司|本公司)|離開(?:公司|本公司)|退休)|不再(?:担任|擔任|任职|任職|就职)|不再在.{1,20}(?:工作|任职|任職)/,
];
