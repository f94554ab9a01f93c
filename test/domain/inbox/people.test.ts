/**
 * What people write is a reply, whatever they write about: absences, bounces, unsubscribing, people who
 * left, and lists. One row a language, none of them from a corpus.
 */

import { describe, expect, test } from "bun:test";
import { classify } from "#domain/inbox/classify.ts";
import { unixMs } from "#domain/time.ts";
import { type MailDraft, makeMail } from "./make-mail.ts";

const OWN = { addresses: ["sam@out.test"], receivedAt: unixMs(Date.UTC(2026, 2, 2, 12)) };
const ANSWER: MailDraft = { inReplyTo: "<m1@out.test>", references: ["<m1@out.test>"] };
const read = (draft: MailDraft) => classify(makeMail(draft), OWN);

type Rows = readonly (readonly [language: string, text: string])[];

/** The same in the thread and as a new mail: people do not always press "reply". */
function expectReplies(rows: Rows, subject = "Re: Offer"): void {
  test.each(rows)("%s: %p", (_language, text) => {
    const inThread = read({ ...ANSWER, subject, text });
    expect([inThread.kind, inThread.evidence]).toEqual(["reply", inThread.evidence]);
    const alone = read({ subject: subject.replace(/^Re: /, ""), text });
    expect([alone.kind, alone.evidence]).toEqual(["reply", alone.evidence]);
  });
}

describe("a question about somebody's absence is a reply", () => {
  expectReplies([
    ["en", "When are you back from holiday? We could speak then."],
    ["de", "Wann sind Sie aus dem Urlaub zurück? Dann können wir sprechen."],
    ["fr", "Quand rentrez-vous de vacances ? Nous pourrions en parler."],
    ["es", "¿Cuándo vuelve de vacaciones? Podríamos hablar entonces."],
    ["nl", "Wanneer bent u terug van vakantie? Dan kunnen we praten."],
    ["pt", "Quando volta de férias? Podíamos falar nessa altura."],
    ["it", "Quando torna dalle ferie? Potremmo parlarne allora."],
    ["pl", "Kiedy wraca Pan z urlopu? Moglibyśmy wtedy porozmawiać."],
    ["sv", "När är du tillbaka från semestern? Då kan vi prata."],
    ["da", "Hvornår er du tilbage fra ferie? Så kan vi tale sammen."],
    ["cs", "Kdy se vrátíte z dovolené? Mohli bychom si pak promluvit."],
    ["ja", "休暇からはいつお戻りですか?その後にお話しできればと思います。"],
    ["zh", "您什么时候休假回来?到时候我们可以谈谈。"],
  ]);
});

describe("an excuse for an absence that is over is a reply", () => {
  expectReplies([
    ["en", "Sorry for the late answer, I was on vacation. What does it cost?"],
    ["de", "Entschuldigung für die späte Antwort, ich war im Urlaub. Was kostet es?"],
    ["fr", "Désolé pour le retard, j'étais en congé. Quel est le prix ?"],
    ["es", "Perdone el retraso, estaba de vacaciones. ¿Cuánto cuesta?"],
    ["nl", "Sorry voor het late antwoord, ik was op vakantie. Wat kost het?"],
    ["pt", "Desculpe a demora, estive de férias. Quanto custa?"],
    ["it", "Scusi il ritardo, ero in ferie. Quanto costa?"],
    ["pl", "Przepraszam za zwłokę, byłem na urlopie. Ile to kosztuje?"],
    ["sv", "Förlåt det sena svaret, jag var på semester. Vad kostar det?"],
    ["da", "Undskyld det sene svar, jeg var på ferie. Hvad koster det?"],
    ["cs", "Omlouvám se za pozdní odpověď, byl jsem na dovolené. Kolik to stojí?"],
    ["ja", "返信が遅くなり申し訳ありません。先週は休暇を取っておりました。"],
    ["zh", "抱歉回复晚了,上周我在休假。请发报价。"],
  ]);
});

describe("a person who will be away and says so is a reply", () => {
  expectReplies([
    ["en", "I am on vacation until Monday, but send me the price list."],
    ["de", "Ich bin bis Montag im Urlaub, schicken Sie mir aber gern die Preisliste."],
    ["fr", "Je suis en congé jusqu'à lundi, mais envoyez-moi vos tarifs."],
    ["es", "Estoy de vacaciones hasta el lunes, pero envíeme los precios."],
    ["nl", "Ik ben tot maandag op vakantie, maar stuur me de prijslijst."],
    ["pt", "Estou de férias até segunda-feira, mas envie-me os preços."],
    ["it", "Sono in ferie fino a lunedì, ma mi mandi il listino."],
    ["pl", "Jestem na urlopie do poniedziałku, ale proszę przesłać cennik."],
    ["sv", "Jag är på semester till måndag, men skicka gärna prislistan."],
    ["da", "Jeg er på ferie til mandag, men send gerne prislisten."],
    ["cs", "Do pondělí jsem na dovolené, ale pošlete mi prosím ceník."],
    ["ja", "月曜日まで休暇中ですが、価格表を送ってください。"],
    ["zh", "我在休假,周一回来,不过请把价格表发给我。"],
  ]);
});

describe("a person who tells of a bounce is a reply", () => {
  const said = "\n\n550 5.1.1 <bob@example.com>: Recipient address rejected: User unknown";
  expectReplies([
    ["en", `Your mail to Bob bounced, could not be delivered. Write to me instead.${said}`],
    ["de", `Ihre Mail an Bob konnte nicht zugestellt werden. Schreiben Sie mir.${said}`],
    ["fr", `Votre message à Bob n'a pas pu être remis. Écrivez-moi plutôt.${said}`],
    ["es", `Su correo a Bob no se pudo entregar. Escríbame a mí.${said}`],
    ["nl", `Uw mail aan Bob kon niet worden bezorgd. Schrijf mij maar.${said}`],
    ["pt", `O seu e-mail para o Bob não foi entregue. Escreva-me a mim.${said}`],
    ["it", `La sua mail a Bob non è stata consegnata. Scriva a me.${said}`],
    ["pl", `Pana wiadomość do Boba nie została dostarczona. Proszę pisać do mnie.${said}`],
    ["sv", `Ditt mejl till Bob kunde inte levereras. Skriv till mig i stället.${said}`],
    ["da", `Din mail til Bob kunne ikke leveres. Skriv til mig i stedet.${said}`],
    ["cs", `Vaše zpráva Bobovi nebyla doručena. Pište raději mně.${said}`],
    ["ja", `ボブ宛のメールが配信できませんでした。私宛にお願いします。${said}`],
    ["zh", `您发给 Bob 的邮件被退信了,请发给我。${said}`],
  ]);

  test.each([
    "Undeliverable: your offer",
    "Mail delivery failed",
    "Your mail bounced",
    "Fwd: Undelivered Mail Returned to Sender",
    "WG: Unzustellbar: Angebot",
    "TR: Non remis : Offre",
    "RV: No se puede entregar: Oferta",
  ])("under the title %p too", (subject) => {
    const text =
      "Hi Sam, see below, Bob has left. Try me.\n\n> This is the mail system at host a.b.\n" +
      "> Your message could not be delivered.\n> <bob@example.com>: 550 5.1.1 User unknown";
    expect(read({ subject, text, inReplyTo: "<m1@out.test>" }).kind).toBe("reply");
    expect(read({ subject: `Re: ${subject}`, text }).kind).toBe("reply");
  });

  test("who quotes the fields of a report", () => {
    const text =
      "What does this mean?\n\nReporting-MTA: dns; a.b\n\nFinal-Recipient: rfc822; bob@a.b\n" +
      "Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 User unknown";
    expect(read({ ...ANSWER, text }).kind).toBe("reply");
    expect(read({ subject: "Question", text }).kind).toBe("reply");
  });
});

describe("a person who talks about unsubscribing asks for nothing", () => {
  const rows: Rows = [
    ["en", "Please don't unsubscribe me, I like your mails."],
    ["en", "Do not remove me from your list yet, we decide in May."],
    ["en", "How many people unsubscribe from your list?"],
    ["en", "Our customers unsubscribe a lot, can you help?"],
    ["en", "Does your tool stop emails to people who opt out?"],
    ["de", "Bitte melden Sie mich nicht ab, ich lese gern mit."],
    ["de", "Wie viele Leute haben eine Abmeldung verlangt?"],
    ["fr", "Ne me désinscrivez pas, vos messages m'intéressent."],
    ["fr", "Quel est votre taux de désinscription chez les PME ?"],
    ["es", "No me den de baja, por favor, me gusta leerlos."],
    ["es", "¿Qué porcentaje de baja tienen sus clientes?"],
    ["nl", "Meld mij niet af, ik lees het graag."],
    ["nl", "Hoeveel mensen willen zich uitschrijven bij jullie klanten?"],
    ["pt", "Por favor, não me descadastrem, gosto de ler."],
    ["pt", "Qual é a taxa de descadastro dos clientes?"],
    ["it", "Non cancellatemi dalla lista, leggo volentieri."],
    ["it", "Quante richieste di cancellazione ricevete al mese?"],
    ["pl", "Proszę mnie nie usuwać z listy, chętnie czytam."],
    ["pl", "Ile osób chce się wypisać z listy waszych klientów?"],
    ["sv", "Avregistrera mig inte, jag läser gärna."],
    ["sv", "Hur många brukar avregistrera sig hos era kunder?"],
    ["da", "Afmeld mig ikke, jeg læser gerne med."],
    ["da", "Hvor stor en andel vælger afmelding hos jeres kunder?"],
    ["cs", "Prosím neodhlašujte mě, rád to čtu."],
    ["cs", "Kolik lidí se chce odhlásit z odběru u vašich klientů?"],
    ["ja", "配信停止しないでください。楽しく読んでいます。"],
    ["ja", "御社のお客様の配信停止率はどのくらいですか?"],
    ["zh", "请不要取消订阅,我喜欢看你们的邮件。"],
    ["zh", "你们客户的退订率是多少?"],
  ];
  test.each(rows)("%s: %p", (_language, text) => {
    const reading = read({ ...ANSWER, text });
    expect([reading.kind, reading.optOut, text]).toEqual(["reply", false, text]);
  });
});

describe("a person who tells of somebody that left is a reply", () => {
  expectReplies([
    ["en", "Bob no longer works here, I have taken over. Send it to me."],
    ["de", "Bob arbeitet nicht mehr bei uns, ich habe übernommen. Schicken Sie es mir."],
    ["fr", "Bob ne travaille plus ici, j'ai pris la suite. Envoyez-le-moi."],
    ["es", "Bob ya no trabaja aquí, yo llevo sus temas. Envíemelo a mí."],
    ["nl", "Bob werkt niet meer hier, ik heb het overgenomen. Stuur het mij."],
    ["pt", "O Bob já não trabalha aqui, eu assumi. Envie-me a mim."],
    ["it", "Bob non lavora più qui, ho preso il suo posto. Lo mandi a me."],
    ["pl", "Bob już nie pracuje u nas, przejąłem jego sprawy. Proszę przesłać do mnie."],
    ["sv", "Bob arbetar inte längre här, jag har tagit över. Skicka till mig."],
    ["da", "Bob arbejder ikke længere her, jeg har overtaget. Send det til mig."],
    ["cs", "Bob už u nás nepracuje, převzal jsem to. Pošlete to mně."],
    ["ja", "ボブは退職しました。後任の私にお送りください。"],
    ["zh", "Bob 已离职,现在由我负责,请发给我。"],
  ]);
});

describe("a new email of a person under a title that only begins like an absence", () => {
  test.each([
    ["en", "On holiday lets in Cornwall"],
    ["en", "Automatic response times of your API"],
    ["en", "Vacation rentals: a proposal"],
    ["de", "Urlaubsplanung 2027 – Ihr Angebot"],
    ["de", "Urlaub auf dem Bauernhof: Zusammenarbeit"],
    ["fr", "Absence de réponse à ma demande"],
    ["fr", "En congés payés : votre logiciel"],
    ["es", "Ausencia de respuesta a mi consulta"],
    ["es", "De vacaciones con niños: propuesta"],
    ["nl", "Op vakantie met de hond: samenwerking"],
    ["pt", "De férias em Portugal: proposta"],
    ["it", "Assenza di risposta alla mia richiesta"],
    ["pl", "Urlop wypoczynkowy pracowników, pytanie"],
    ["sv", "Semesterplanering i er tjänst"],
    ["da", "Ferieplanlægning, et spørgsmål"],
    ["cs", "Dovolená v Chorvatsku pro vaše klienty"],
    ["ja", "休暇管理システムについてのご質問"],
    ["zh", "休假管理系统咨询"],
  ])("%s: %p", (_language, subject) => {
    const reading = read({ subject, text: "Hello Sam, could you send me your prices? Ada" });
    expect([reading.kind, reading.evidence]).toEqual(["reply", reading.evidence]);
  });
});

describe("an answer with the prefix of any client stays an answer", () => {
  const prefixes = "Re AW Antw SV VS Odp RV RES R Rif ENC TR WG 回复 答复 回覆 返信 Ynt Vá".split(
    " ",
  );
  test.each(prefixes)("%s:", (prefix) => {
    const subject = `${prefix}: Automatic reply: Offer`;
    const text = "I am back now. Ada";
    expect(read({ subject, text, headers: { "list-id": "<a.b>" } }).kind).toBe("reply");
  });
});

describe("what a person's email may carry without being a program's", () => {
  const text = "Sounds fine, call me on Friday.";
  test.each([
    ["x-auto-response-suppress", "All"],
    ["precedence", "bulk"],
    ["precedence", "list"],
    ["auto-submitted", "no"],
    ["x-priority", "1"],
    ["list-unsubscribe", "<mailto:x@a.b>"],
    ["list-id", "<sales.example.com>"],
    ["return-path", "<>"],
    ["disposition-notification-to", "ada@example.com"],
    ["x-mailer", "Vacationer Pro 3"],
  ])("%s: %s", (name, value) => {
    expect(read({ ...ANSWER, text, headers: { [name]: value } }).kind).toBe("reply");
  });
});

describe("a calendar", () => {
  const event = (method: string, partstat = "NEEDS-ACTION") =>
    [
      "BEGIN:VCALENDAR",
      `METHOD:${method}`,
      "BEGIN:VEVENT",
      `ATTENDEE;PARTSTAT=${partstat}:mailto:ada@example.com`,
      "END:VEVENT",
      "END:VCALENDAR",
    ].join("\r\n");
  const send = (content: string, draft: MailDraft = {}) =>
    read({ subject: "Invitation: Call", parts: { "text/calendar": content }, ...draft });
  const generated = { headers: { "auto-submitted": "auto-generated" } };

  test("of a person who invites is a reply that means a meeting", () => {
    expect(send(event("REQUEST"))).toMatchObject({ kind: "reply", interest: "meeting" });
    expect(send(event("REQUEST"), generated)).toMatchObject({ kind: "reply" });
    expect(send(event("COUNTER"))).toMatchObject({ kind: "reply", interest: "meeting" });
  });

  test("of a person who accepts is one, and of one who declines is a reply", () => {
    const accepted = { kind: "reply", interest: "meeting" };
    expect(send(event("REPLY", "ACCEPTED"), generated)).toMatchObject(accepted);
    const declined = { kind: "reply", interest: null };
    expect(send(event("REPLY", "DECLINED"))).toMatchObject(declined);
    expect(send(event("CANCEL"))).toMatchObject(declined);
  });

  test("that a responder or a newsletter sends means nothing", () => {
    const replied = { headers: { "auto-submitted": "auto-replied" } };
    expect(send(event("REPLY", "ACCEPTED"), replied).kind).toBe("auto_reply");
    const list = { headers: { "list-unsubscribe": "<mailto:x@a.b>" } };
    expect(send(event("PUBLISH"), list).kind).toBe("unrelated");
  });
});
