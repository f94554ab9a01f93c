/**
 * Receipts of ticket systems and desks that carry no header saying so. The words alone prove nothing,
 * for people acknowledge email too: the sender must be a desk or a robot.
 */

import { isRobot } from "#domain/inbox/reports/daemon.ts";
import { findPhrase, fold } from "./fold.ts";
import type { ParsedMail } from "./mail.ts";

const BODY_CHARS_MAX = 800;

/** The words that show it; null for everything else. */
export function findTicket(mail: ParsedMail): string | null {
  const text = fold(mail.text.slice(0, BODY_CHARS_MAX));
  const numbered = findPhrase(text, NUMBERS);
  const received = findPhrase(text, RECEIVED);
  const phrase = numbered ?? received;
  if (phrase === null || isRobot(mail)) {
    return phrase;
  }
  const isDesk = DESKS.test(mail.from?.address.split("@")[0] ?? "");
  const isMarked = MARK.test(mail.subject);
  const isSure = isMarked || (numbered !== null && received !== null);
  return isDesk && isSure && !text.includes("?") ? phrase : null;
}

const DESKS =
  /^(?:(?:customer|client|it|tech|user)?[._-]?(?:support|service|services|care|help|helpdesk|desk|servicedesk)|tickets?|cases?|requests?|kundenservice|kundendienst|kundtjanst|kundeservice|soporte|suporte|supporto|assistenza|klantenservice|podpora|pomoc|wsparcie)(?:[+._-].{0,60})?$/;

/** `[#4711]`, `[Ticket 4711]`, `[ABC-4711]`, `Case 4711:` */
const MARK =
  /\[[^\]]{0,20}#\s?\d{2,}\]|\[(?:ticket|case|request|[A-Z]{2,10})[ #:-]{1,3}\d{2,}\]|\b(?:ticket|case|request)\s#?\d{2,}\s?:/i;

/** Somebody's request has a number now. */
const NUMBERS: readonly RegExp[] = [
  /\b(?:ticket|case|request|reference)(?: (?:number|id|no\.?))? (?:is|has been assigned)\b|\b(?:ticket|case) ?(?:#|number|id|no\.)[ :]*\w{0,8}-?\d/,
  /\b(?:ticket|vorgangs|anfrage|fall)-?(?:nummer|id|nr\.?)\b/,
  /\bnumero (?:de |del |do )?(?:ticket|dossier|demande|caso|solicitud|chamado|richiesta|pedido)\b/,
  /\b(?:ticket|zaak|aanvraag)nummer\b|\bnumer (?:zgloszenia|sprawy)\b|\barendenummer\b|\bsagsnummer\b|\bsaksnummer\b|\bcislo (?:tiketu|pozadavku|pripadu)\b/,
  /(?:受付|お問い合わせ|チケット)番号|(?:工单|工單|案件|服务单)(?:编号|編號|号|號)/,
];

/** A request came in; said of oneself by desks, seldom by people. */
const RECEIVED: readonly RegExp[] = [
  /\b(?:we(?:'ve| have)? received your|thank you for (?:contacting|reaching out to|writing to)|your (?:request|enquiry|inquiry|message|e-?mail) has been (?:received|forwarded|assigned))\b/,
  /\bwir haben ihre (?:anfrage|nachricht|e-?mail|mitteilung) erhalten\b|\bihre (?:anfrage|nachricht|e-?mail) ist (?:bei uns )?eingegangen\b|\bvielen dank fur ihre (?:anfrage|nachricht)\b/,
  /\bnous avons bien recu votre\b|\bvotre (?:demande|message) a bien ete (?:recue?|enregistree?)\b/,
  /\bhemos recibido su\b|\brecebemos (?:a sua|o seu|sua|seu)\b|\babbiamo ricevuto la (?:sua|tua|vostra)\b/,
  /\b(?:wij|we) hebben (?:uw|je) (?:bericht|aanvraag|e-?mail|vraag) ontvangen\b/,
  /\botrzymalismy (?:twoja|panstwa|pana) (?:wiadomosc|zgloszenie)\b|\bprijali jsme vas\b|\bvas pozadavek byl prijat\b/,
  /\bvi har (?:tagit emot|mottagit|modtaget|mottatt) (?:ditt?|din|deres|er|ert)\b/,
  /お問い合わせ(?:を|いただき).{0,12}(?:受け付け|受付|ありがとう)|(?:已收到|已經收到)您的/,
];
