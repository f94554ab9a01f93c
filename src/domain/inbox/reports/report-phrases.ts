/** How servers title and word their reports. Written for text that went through `fold`. */

export const BOUNCE_SUBJECTS: readonly RegExp[] = [
  /undeliver(?:ed|able)|un-?deliverable/,
  /nao (?:pode|foi possivel) (?:ser )?entreg|niedostarczon|nie (?:mozna|udalo sie) (?:dorucz|dostarcz)|(?:kan|kunde) inte leverer|(?:kan|kunne) ikke lever|nedorucit|nelze dorucit/,
  /deliver(?:y|ing)?\b.{0,40}(?:fail|status|problem|report|error|unsuccessful|not? |notif|incomplete|suspend|abort|delay|warning)/,
  /(?:fail(?:ed|ure|ing)|problem|error|unable|warning).{0,40}\b(?:deliver|mail|notice|message|notif|send)/,
  /returned (?:mail|e-?mail|message|to sender)|return(?:ed|ing) (?:message|mail)|mail returned|^bounce/,
  /(?:mail|message).{0,30}(?:could not|cannot|can't|not|unable|was not|wasn't|failed).{0,20}(?:deliver|sent|reach|accept)/,
  /non.?deliver|\bndr?\b|\bndn\b|mail system error|message status|permanent error|user unknown|unknown (?:user|address)|address.{0,20}(?:invalid|unknown|not found|rejected)/,
  /nicht (?:zu|aus)gestellt|unzustellbar|zustell.{0,20}(?:fehl|nicht)|nicht zustellbar|ruckmeldung/,
  /non remis|non distribu|echec|impossible de (?:remettre|distribuer)/,
  /no se (?:ha )?(?:podido|pudo)|no (?:se )?entreg|error de entrega|devuelto/,
  /onbestelbaar|niet (?:worden )?(?:bezorgd|afgeleverd)|bezorging/,
  /mancata consegna|non consegnat|impossibile (?:recapitare|consegnare)/,
  /nao (?:foi )?entregue|falha na entrega|devolvid/,
  /не достав|недостав|配信不能|送信できません|配送不能|エラー|退信|投递失败|无法投递/,
  /message (?:rejected|refused|blocked|bounced)|rejected (?:mail|message)|your (?:mail|message|e-?mail) (?:to|was|has been|could)|mail (?:rejected|refused|could|failure|error)/,
];

export const BOUNCE_BODIES: readonly RegExp[] = [
  /(?:could ?n[o']t|could not|cannot|can't|unable to|was not|wasn't|failed to|has not been|not able to|not) be? ?deliver/,
  /deliver(?:y|ing).{0,40}(?:fail|permanent|unsuccessful|not possible|impossible|error|problem|aborted)/,
  /(?:following|these|this) (?:addresses|recipients|address|recipient|persons|message).{0,60}(?:fail|fatal|error|unknown|not|could|problem|undeliver|delayed)/,
  /undeliverable|returned to sender|mail delivery (?:failed|system|error)|permanent (?:fatal )?error|fatal errors|permanent failure|this is the qmail-send program|i'm afraid i wasn't able|returning (?:your )?(?:message|mail)/,
  /did not reach the following|your message.{0,80}(?:was not|could not|has not|not been|rejected|bounced|blocked)|was rejected by|refused (?:by|to accept)/,
  /(?:5\d\d|4\d\d)[ -][245]\.\d{1,3}\.\d{1,3}|smtp (?:error|reply)|remote host said|host .{1,80} said:/,
  /user unknown|unknown user|no such user|mailbox (?:full|unavailable|not found)|over quota|does not exist|recipient unknown|unrouteable|not a valid (?:user|address|mailbox)|invalid (?:user|recipient)|delivery attempts/,
  /nicht (?:zugestellt|ausgeliefert|zustellbar)|konnte nicht|unbekannt/,
  /nao (?:foi|pode ser) entregue|nie (?:mozna|udalo sie) (?:dorucz|dostarcz)|nie zostala dostarczona|kunde inte levereras|kunne ikke leveres|nelze dorucit|nebyla dorucena/,
  /n'a pas pu etre|non remis|n'existe pas|impossible/,
  /no (?:se )?ha podido|no (?:se )?pudo|no existe/,
  /配信できません|配信でき|送信でき|宛先|存在しません|見つかりません|メールボックス|お送り/,
];

/** Titles that no person gives an email, whoever it is from. */
export const REPORT_TITLES: readonly RegExp[] = [
  /^(?:undeliver(?:able|ed)\b|undeliverable:|non-?delivery\b|returned mail:|failure notice$|delivery status notification|mail delivery (?:failed|failure)|delivery (?:failure|failed)\b|delivery notification: delivery has failed|unzustellbar|message undeliverable|undelivered mail returned|non remis|onbestelbaar|no se puede entregar|nao (?:e )?possivel entregar|mancato recapito|nie mozna dostarczyc|kan inte levereras|olevererbart|не удается доставить|недоставленное сообщение|配信不能|无法投递)/,
];

/** A list takes no email from us: the address is fine. */
export const LIST_REFUSALS: readonly RegExp[] = [
  /(?:you are|are you) not (?:a )?member of (?:this|the) (?:mailing )?list|not (?:allowed|permitted|authori[sz]ed) to (?:post|send|submit)|post(?:ing)?s? (?:by non-?members|to .{1,60} (?:is|are|was|has been) (?:restricted|rejected|refused|not allowed))|posting denied|only (?:members|subscribers) (?:can|may) post|members-only list|awaits moderator approval|held (?:until|for) .{0,40}moderator/,
];

/** The message is still under way: nothing has failed yet. */
export const DELAY_PHRASES: readonly RegExp[] = [
  // "Not yet", and a title that says late.
  /noch nicht|(?:pas|point) encore|(?:aun|todavia) no\b|nog niet|ainda nao|non (?:e (?:stato )?)?ancora|jeszcze (?:nie )?dostarcz|(?:annu|ej) inte|inte .{0,30} an\.|endnu ikke|ikke .{0,30}(?:endnu|enna)|enna ikke|viela|zati(?:m|al) n|meg nem|\binca\b|още не|jos nije|δεν .{0,40}ακομη|(?:пока|еще|ще) не|\bhenuz\b|لم يتم .{0,80}بعد|עדיין לא|अभी नही|\bbelum\b|van chua|まだ配信|아직|尚未|ยังไม่|ยังส่งไม่|هنوز/,
  /verzoger(?:t|ung|te)|retard(?:ee|ee?s)?\b|(?:retrasad|demorad|atrasad|ritardat)[oa]|vertraag|forsena|forsinke|opoznieni|zpozden|配信遅延|再送を試み|(?:投递|投遞|发送|發送)(?:延迟|延遲)/,
  /(?:this is|is) (?:only )?a warning(?: message)? only|do(?:es)? not need to (?:resend|re-send)|you do not need to|no action is required on your part/,
  /(?:delivery|message|mail).{0,40}(?:has been |was |is |been )(?:delayed|deferred)|delivery (?:status notification \()?delay|could not send message for past|has not (?:yet )?been delivered|not yet been delivered|will (?:continue|keep) (?:to )?try|will be (?:retried|tried again)|still being tried|delivery attempts will continue|undelivered.{0,20}still trying/,
];

/**
 * The report itself asks to wait and send again: where no server's reply says otherwise, nothing failed
 * for good. Only together with a transient cause, such as a full mailbox.
 */
export const AGAIN_PHRASES: readonly RegExp[] = [
  /\b(?:wait (?:some|a) (?:time|while|bit|moment)|(?:after|in) (?:some|a (?:few|couple of)) (?:time|hours|days)|later)\b.{0,120}\b(?:re-?send|send (?:it|this|your|the) ?.{0,20}again|try again)\b|\b(?:re-?send|send (?:it|this|your|the) ?.{0,20}again|try (?:it )?again|try to send) .{0,40}\blater\b/,
  /\b(?:spater|in einigen (?:stunden|tagen)|nach einiger zeit) .{0,60}(?:erneut|noch ?einmal|nochmals?) .{0,20}(?:senden|versuchen|schicken)|\b(?:erneut|noch ?einmal) .{0,40}zu einem spateren zeitpunkt/,
  /\breessay\w{1,4} plus tard|\brenvoy\w{1,4} .{0,40}plus tard|\b(?:intente|vuelva a) .{0,40}mas tarde|\bopnieuw .{0,40}\blater|\blater .{0,30}opnieuw|\btente .{0,40}mais tarde|\briprov\w{1,3} .{0,20}piu tardi/,
];

/** Where a text stops being a report and becomes the message it returns. */
export const RETURNED_MARKS =
  /^[ \t>*=#-]{0,20}(?:below this line is a copy of the message|(?:the )?(?:unsent|original|returned|undelivered|failed|header of the) (?:message|mail|text|header)s?\b.{0,60}(?:follows?|below|---|:)\s*-{0,10}$|(?:this is a copy of|a copy of) (?:the|your) (?:original )?message|message (?:headers?|contents?) follows?|received: (?:from|by)|return-path: <|-{2,} ?(?:original|unsent|returned|beginning of|forwarded))/im;
