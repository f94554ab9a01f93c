/**
 * What programs write is never a reply: absences with a hand-over, people who left, tickets, receipts,
 * questions for proof, delays, failures, newsletters. One row a language, none of them from a corpus.
 */

import { describe, expect, test } from "bun:test";
import { classify } from "#domain/inbox/classify.ts";
import { unixMs } from "#domain/time.ts";
import { type MailDraft, makeMail } from "./make-mail.ts";

const OWN = { addresses: ["sam@out.test"], receivedAt: unixMs(Date.UTC(2026, 2, 2, 12)) };
const read = (draft: MailDraft) => classify(makeMail(draft), OWN);
const AUTO = { "auto-submitted": "auto-replied" };

describe("an absence that hands over to somebody else", () => {
  const rows = [
    [
      "en",
      "Out of office",
      "I am out of the office and will be back on 12 March. In urgent cases please contact my colleague Bob, bob@example.com.",
    ],
    [
      "de",
      "Abwesenheitsnotiz",
      "Ich bin nicht im Büro und ab dem 12. März wieder erreichbar. In dringenden Fällen wenden Sie sich an Bob, bob@example.com.",
    ],
    [
      "fr",
      "Réponse automatique",
      "Je suis absente du bureau, de retour le 12 mars. En cas d'urgence, merci de contacter Bob, bob@example.com.",
    ],
    [
      "es",
      "Respuesta automática",
      "Estoy fuera de la oficina y vuelvo el 12 de marzo. Para asuntos urgentes contacte con Bob, bob@example.com.",
    ],
    [
      "nl",
      "Automatisch antwoord",
      "Ik ben afwezig en op 12 maart weer terug. Neem bij spoed contact op met Bob, bob@example.com.",
    ],
    [
      "pt",
      "Resposta automática",
      "Estou fora do escritório e volto em 12 de março. Em caso de urgência contacte o Bob, bob@example.com.",
    ],
    [
      "it",
      "Risposta automatica",
      "Sono fuori ufficio e rientro il 12 marzo. Per urgenze scrivere a Bob, bob@example.com.",
    ],
    [
      "pl",
      "Autoodpowiedź",
      "Jestem nieobecna, wracam 12 marca. W pilnych sprawach proszę o kontakt z Bobem, bob@example.com.",
    ],
    [
      "sv",
      "Autosvar",
      "Jag är inte på kontoret och är tillbaka den 12 mars. Kontakta Bob vid brådskande ärenden, bob@example.com.",
    ],
    [
      "da",
      "Autosvar",
      "Jeg er ikke på kontoret og er tilbage den 12. marts. Kontakt Bob i hastesager, bob@example.com.",
    ],
    [
      "cs",
      "Automatická odpověď",
      "Jsem mimo kancelář, vrátím se 12. března. V naléhavých případech kontaktujte Boba, bob@example.com.",
    ],
    [
      "ja",
      "自動応答",
      "不在にしております。3月12日に戻ります。お急ぎの場合はボブ(bob@example.com)までご連絡ください。",
    ],
    ["zh", "自动回复", "我正在休假,3月12日返回。如有急事请联系 Bob,bob@example.com。"],
  ] as const;

  test.each(rows)("%s: ends when it says, and nobody has left", (_language, title, text) => {
    const expected = { kind: "auto_reply", returnsOn: "2026-03-12", hasLeft: false };
    expect(read({ subject: `${title}: Offer`, text })).toMatchObject(expected);
    expect(read({ subject: "Re: Offer", headers: AUTO, text })).toMatchObject(expected);
  });

  test.each(rows)("%s: known by its words where the sender is none", (_language, _title, text) => {
    const draft = { subject: "Re: Offer", headers: { "return-path": "<>" }, text };
    expect(read(draft)).toMatchObject({ kind: "auto_reply", returnsOn: "2026-03-12" });
  });
});

describe("a note that somebody left", () => {
  test.each([
    ["en", "Ada has left the company. Your mail is not forwarded. Write to bob@example.com"],
    ["en", "As of 1 March I am no longer with Acme. Please write to bob@example.com."],
    ["de", "Frau Smith ist aus dem Unternehmen ausgeschieden. Bitte an bob@example.com."],
    ["de", "Ich bin nicht mehr bei Acme beschäftigt. Bitte an bob@example.com."],
    ["fr", "Mme Smith a quitté l'entreprise. Merci d'écrire à bob@example.com."],
    ["fr", "Je ne fais plus partie de la société. Écrivez à bob@example.com."],
    ["es", "Ada ha dejado la empresa. Diríjase a bob@example.com."],
    ["es", "Ya no formo parte de la empresa. Escriba a bob@example.com."],
    ["nl", "Ada is uit dienst. Mail bob@example.com."],
    ["nl", "Ik ben niet langer werkzaam bij Acme. Mail bob@example.com."],
    ["pt", "A Ada deixou a empresa. Escreva para bob@example.com."],
    ["pt", "Já não faço parte da empresa. Escreva para bob@example.com."],
    ["it", "Ada ha lasciato l'azienda. Scrivere a bob@example.com."],
    ["it", "Non faccio più parte della società. Scrivere a bob@example.com."],
    ["pl", "Ada zakończyła pracę w firmie. Proszę pisać: bob@example.com."],
    ["pl", "Już nie pracuję w Acme. Proszę pisać: bob@example.com."],
    ["sv", "Ada har slutat på företaget. Kontakta bob@example.com."],
    ["sv", "Jag jobbar inte längre kvar. Kontakta bob@example.com."],
    ["da", "Ada er fratrådt sin stilling. Skriv til bob@example.com."],
    ["da", "Jeg er stoppet hos Acme. Skriv til bob@example.com."],
    ["cs", "Ada ukončila pracovní poměr. Pište na bob@example.com."],
    ["cs", "Již nepracuji ve společnosti Acme. Pište na bob@example.com."],
    ["ja", "私は3月末をもって退職いたしました。今後は bob@example.com までお願いします。"],
    ["zh", "本人已从公司离职,请联系 bob@example.com。"],
  ])("%s: %p", (_language, text) => {
    const expected = { kind: "auto_reply", hasLeft: true, newContact: "bob@example.com" };
    expect(read({ subject: "Automatic reply: Offer", text })).toMatchObject(expected);
  });
});

describe("who is away for the day has not left", () => {
  test.each([
    ["en", "I am not at the office on Mondays, I have left for the day."],
    ["en", "I'm not working today and no longer at my desk."],
    ["de", "Ich bin heute nicht mehr für Sie erreichbar und nicht mehr im Büro."],
    ["fr", "Je ne suis plus au bureau aujourd'hui, j'ai quitté le bureau à 17 h."],
    ["es", "Hoy ya no está en la oficina."],
    ["nl", "Ik ben vandaag niet meer op kantoor."],
    ["pt", "Hoje já não estou no escritório."],
    ["it", "Oggi non sono più in ufficio."],
    ["pl", "W piątki nie pracuję, jestem nieobecna."],
    ["sv", "Jag är inte längre kvar på kontoret i dag."],
    ["da", "Jeg arbejder ikke om fredagen."],
    ["cs", "V pátek nepracuji, jsem mimo kancelář."],
    ["ja", "本日は退社いたしました。"],
    ["zh", "我已离开办公室,明天回复。"],
  ])("%s: %p", (_language, text) => {
    const reading = read({ subject: "Re: Offer", headers: AUTO, text });
    expect(reading).toMatchObject({ kind: "auto_reply", hasLeft: false });
  });
});

describe("a ticket system's receipt", () => {
  test.each([
    ["en", "Thank you for contacting us. Your ticket number is 4711."],
    ["en", "We have received your request and will get back to you within 24 hours."],
    ["de", "Vielen Dank für Ihre Anfrage. Ihre Ticketnummer lautet 4711."],
    ["de", "Wir haben Ihre Nachricht erhalten und melden uns in Kürze."],
    ["fr", "Nous avons bien reçu votre demande. Votre numéro de ticket est 4711."],
    ["es", "Hemos recibido su solicitud. Su número de ticket es 4711."],
    ["nl", "Wij hebben uw bericht ontvangen. Uw ticketnummer is 4711."],
    ["pt", "Recebemos a sua mensagem. O número do seu ticket é 4711."],
    ["it", "Abbiamo ricevuto la sua richiesta. Il numero del ticket è 4711."],
    ["pl", "Otrzymaliśmy Twoją wiadomość. Numer zgłoszenia to 4711."],
    ["sv", "Vi har tagit emot ditt ärende. Ärendenummer 4711."],
    ["da", "Vi har modtaget din henvendelse. Dit sagsnummer er 4711."],
    ["cs", "Přijali jsme váš požadavek. Číslo tiketu je 4711."],
    ["ja", "お問い合わせを受け付けました。受付番号は4711です。"],
    ["zh", "我们已收到您的请求,工单编号为 4711。"],
  ])("%s: %p", (_language, text) => {
    expect(read({ from: "support@example.com", subject: "[#4711] Offer", text }).kind).toBe(
      "auto_reply",
    );
    const robot = { from: "no-reply@example.com", subject: "Re: Offer", text };
    expect(read(robot).kind).toBe("auto_reply");
  });

  test("but a person with a ticket number in the title is a person", () => {
    const text = "Hello Sam, thanks. Could you send the price list?";
    expect(read({ from: "ada@example.com", subject: "Re: [#4711] Offer", text }).kind).toBe(
      "reply",
    );
    expect(read({ from: "support@example.com", subject: "[#4711] Offer", text }).kind).toBe(
      "reply",
    );
  });
});

describe("a receipt of reading", () => {
  test.each([
    ["en", "Read: Offer", "Your message\n\nTo: Ada\nSubject: Offer\n\nwas read on 2 March 2026."],
    [
      "en",
      "Not read: Offer",
      "Your message\n\nTo: Ada\nSubject: Offer\n\nwas deleted without being read on 2 March.",
    ],
    ["de", "Gelesen: Angebot", "Ihre Nachricht\n\nAn: Ada\n\nwurde am 2. März 2026 gelesen."],
    ["fr", "Lu : Offre", "Votre message\n\nÀ : Ada\n\na été lu le 2 mars 2026."],
    ["es", "Leído: Oferta", "El mensaje\n\nPara: Ada\n\nse leyó el 2 de marzo de 2026."],
    ["nl", "Gelezen: Aanbod", "Uw bericht\n\nAan: Ada\n\nis gelezen op 2 maart 2026."],
    ["pt", "Lida: Oferta", "A sua mensagem\n\nPara: Ada\n\nfoi lida em 2 de março de 2026."],
    ["it", "Letto: Offerta", "Il messaggio\n\nA: Ada\n\nè stato letto il 2 marzo 2026."],
    ["pl", "Przeczytano: Oferta", "Wiadomość\n\nDo: Ada\n\nzostała przeczytana 2 marca 2026."],
    ["sv", "Läst: Erbjudande", "Ditt meddelande\n\nTill: Ada\n\nlästes den 2 mars 2026."],
    ["da", "Læst: Tilbud", "Din meddelelse\n\nTil: Ada\n\nblev læst den 2. marts 2026."],
    ["cs", "Přečteno: Nabídka", "Vaše zpráva\n\nKomu: Ada\n\nbyla přečtena 2. března 2026."],
    ["ja", "開封済み: ご提案", "メッセージ\n\n宛先: Ada\n\nは 2026/03/02 に開封されました。"],
    ["zh", "已读: 报价", "您的邮件\n\n收件人: Ada\n\n已于 2026/3/2 阅读。"],
  ])("%s: %p", (_language, subject, text) => {
    expect(read({ subject, text })).toMatchObject({ kind: "notice", severity: null });
    const parts = {
      "message/disposition-notification":
        "Final-Recipient: rfc822; ada@example.com\nDisposition: manual-action/MDN-sent-manually; displayed",
    };
    const report = read({ subject, text, parts, headers: AUTO });
    expect(report).toMatchObject({ kind: "notice", severity: null });
  });

  test("but a person's short answer under such a title is a reply", () => {
    expect(read({ subject: "Read: Offer", text: "Read it, I like it. Call me!" }).kind).toBe(
      "reply",
    );
  });
});

describe("a filter that asks for proof of a person", () => {
  test.each([
    [
      "en",
      "Your message is being held. Please click the link below to verify your address and have it delivered.",
    ],
    ["en", "This mailbox is protected by Gate. Reply to this message to confirm you are a person."],
    [
      "de",
      "Ihre Nachricht wurde zurückgehalten. Bitte klicken Sie auf den Link, um Ihre Adresse zu bestätigen.",
    ],
    [
      "fr",
      "Votre message est en attente. Cliquez sur le lien pour vous authentifier et confirmer l'envoi.",
    ],
    ["es", "Su mensaje está retenido. Haga clic en el enlace para confirmar su dirección."],
    ["nl", "Uw bericht wordt vastgehouden. Klik op de link om uw adres te bevestigen."],
    ["pt", "A sua mensagem está retida. Clique no link para confirmar o seu endereço."],
    ["it", "Il suo messaggio è trattenuto. Clicchi sul link per confermare il suo indirizzo."],
    ["pl", "Wiadomość została wstrzymana. Kliknij link, aby potwierdzić swój adres."],
    ["sv", "Ditt meddelande hålls kvar. Klicka på länken för att bekräfta din adress."],
    ["da", "Din besked er tilbageholdt. Klik på linket for at bekræfte din adresse."],
    ["cs", "Vaše zpráva je pozdržena. Klikněte na odkaz a potvrďte svou adresu."],
    ["ja", "メッセージは保留されています。リンクをクリックしてアドレスを確認してください。"],
    ["zh", "您的邮件已被保留。请点击链接验证您的地址。"],
  ])("%s: %p", (_language, text) => {
    expect(read({ from: "guard@example.com", subject: "Re: Offer", text }).kind).toBe("auto_reply");
  });

  test("but a person who asks to click is a person", () => {
    const text = "Please click on the link below to book a time, and confirm the address.";
    expect(read({ text }).kind).toBe("reply");
  });
});

describe("a server's text that the email is delayed", () => {
  test.each([
    ["en", "Warning: message delayed 24 hours", "Your message has not been delivered yet."],
    ["de", "Verzögerte Zustellung", "Ihre Nachricht konnte noch nicht zugestellt werden."],
    ["fr", "Remise retardée", "Votre message n'a pas encore été remis, la remise est retardée."],
    ["es", "Entrega retrasada", "Su mensaje aún no se ha podido entregar; se seguirá intentando."],
    ["nl", "Vertraagde bezorging", "Uw bericht is nog niet bezorgd, we blijven het proberen."],
    ["pt", "Entrega atrasada", "A sua mensagem ainda não foi entregue; continuaremos a tentar."],
    ["it", "Consegna ritardata", "Il messaggio non è stato ancora consegnato; si riproverà."],
    ["pl", "Opóźnienie dostarczenia", "Wiadomość nie została jeszcze dostarczona."],
    ["sv", "Försenad leverans", "Ditt meddelande har ännu inte levererats."],
    ["da", "Forsinket levering", "Din meddelelse er endnu ikke leveret."],
    ["cs", "Zpožděné doručení", "Vaše zpráva zatím nebyla doručena."],
    ["ja", "配信遅延のお知らせ", "メールはまだ配信できていません。引き続き再送を試みます。"],
    ["zh", "邮件投递延迟", "您的邮件尚未送达,系统将继续尝试投递。"],
  ])("%s: %p is a notice", (_language, subject, words) => {
    const text = `${words}\n\n<bob@example.com>\n`;
    const draft = { from: "mailer-daemon@a.b", headers: { "return-path": "<>" }, subject, text };
    expect(read(draft)).toMatchObject({ kind: "notice", severity: "soft" });
  });
});

describe("a server's text that the email failed", () => {
  test.each([
    ["en", "Undelivered mail", "Your message could not be delivered: no such user."],
    ["de", "Unzustellbar", "Ihre Nachricht konnte nicht zugestellt werden: Empfänger unbekannt."],
    ["fr", "Échec de remise", "Votre message n'a pas pu être remis : utilisateur inconnu."],
    ["es", "Error de entrega", "No se ha podido entregar su mensaje: usuario desconocido."],
    ["nl", "Onbestelbaar", "Uw bericht kon niet worden bezorgd: onbekende gebruiker."],
    ["pt", "Falha na entrega", "A sua mensagem não foi entregue: utilizador desconhecido."],
    ["it", "Mancata consegna", "Il messaggio non è stato consegnato: utente sconosciuto."],
    ["pl", "Niedostarczona wiadomość", "Nie można dostarczyć wiadomości: nieznany użytkownik."],
    ["sv", "Kan inte levereras", "Ditt meddelande kunde inte levereras: okänd användare."],
    ["da", "Kan ikke leveres", "Din meddelelse kunne ikke leveres: ukendt bruger."],
    ["cs", "Nedoručitelná zpráva", "Vaši zprávu nelze doručit: neznámý uživatel."],
    ["ja", "配信不能", "メールを配信できません。宛先のユーザーは存在しません。"],
    ["zh", "退信", "您的邮件无法投递:用户不存在。"],
  ])("%s: %p is a hard bounce", (_language, subject, words) => {
    const text = `${words}\n\n<bob@example.com>\n`;
    const draft = { from: "mailer-daemon@a.b", headers: { "return-path": "<>" }, subject, text };
    const expected = { kind: "bounce", severity: "hard", recipients: ["bob@example.com"] };
    expect(read(draft)).toMatchObject(expected);
  });
});

describe("a newsletter that answers nothing", () => {
  const headers = { "list-unsubscribe": "<mailto:leave@news.example>", precedence: "bulk" };
  test.each([
    ["en", "March news", "Book a call today! Unsubscribe here."],
    ["de", "Neues im März", "Jetzt Termin vereinbaren! Hier abmelden."],
    ["fr", "Les nouvelles de mars", "Prenez rendez-vous ! Se désinscrire."],
    ["es", "Noticias de marzo", "¡Agende una reunión! Darse de baja."],
    ["nl", "Nieuws van maart", "Plan een afspraak! Uitschrijven."],
    ["pt", "Novidades de março", "Agende uma reunião! Descadastrar."],
    ["it", "Novità di marzo", "Fissare un appuntamento! Cancellazione."],
    ["pl", "Nowości w marcu", "Umów spotkanie! Wypisz się."],
    ["sv", "Nyheter i mars", "Boka ett möte! Avregistrera."],
    ["da", "Nyheder i marts", "Book et møde! Afmeld."],
    ["cs", "Novinky v březnu", "Domluvte si schůzku! Odhlásit."],
    ["ja", "3月のお知らせ", "資料請求はこちら。配信停止はこちら。"],
    ["zh", "三月新闻", "立即预约会议!退订请点击。"],
  ])("%s: %p", (_language, subject, text) => {
    expect(read({ from: "news@news.example", subject, text, headers })).toMatchObject({
      kind: "unrelated",
      optOut: false,
      interest: null,
    });
  });
});
