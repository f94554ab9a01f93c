/**
 * Interest in thirteen languages: a refusal is never read as interest, an invitation to come back later
 * is neither, and negations are seen wherever the language puts them. None of the rows is from a corpus.
 */

import { describe, expect, test } from "bun:test";
import type { Interest } from "#domain/campaigns/enrollment.ts";
import { classify } from "#domain/inbox/classify.ts";
import { unixMs } from "#domain/time.ts";
import { makeMail } from "./make-mail.ts";

const OWN = { addresses: ["sam@out.test"], receivedAt: unixMs(Date.UTC(2026, 2, 2, 12)) };

function expectEach(interest: Interest | null, rows: readonly (readonly [string, string])[]): void {
  test.each(rows)("%s: %p", (_language, text) => {
    const reading = classify(makeMail({ inReplyTo: "<m1@out.test>", text }), OWN);
    expect([reading.kind, reading.interest, reading.evidence]).toEqual([
      "reply",
      interest,
      reading.evidence,
    ]);
  });
}

describe("not interested", () => {
  expectEach("not_interested", [
    ["en", "We are not interested, thank you."],
    ["en", "I don't think we would be interested."],
    ["en", "Sounds great, but we are not interested."],
    ["de", "Daran haben wir kein Interesse, danke."],
    ["de", "Wir sind leider nicht interessiert."],
    ["fr", "Nous ne sommes pas intéressés, merci."],
    ["fr", "Cela ne nous intéresse pas."],
    ["es", "No estamos interesados, gracias."],
    ["es", "Gracias, pero no nos interesa."],
    ["nl", "Wij zijn niet geïnteresseerd, dank u."],
    ["nl", "Daar hebben we geen interesse in."],
    ["pt", "Não estamos interessados, obrigado."],
    ["pt", "Obrigada, mas não nos interessa."],
    ["it", "Non siamo interessati, grazie."],
    ["it", "La ringrazio, ma non ci interessa."],
    ["pl", "Nie jesteśmy zainteresowani, dziękuję."],
    ["pl", "Dziękuję, ale to nas nie interesuje."],
    ["sv", "Vi är inte intresserade, tack."],
    ["sv", "Tack, men det är inget för oss."],
    ["da", "Vi er ikke interesserede, tak."],
    ["da", "Det har vi ingen interesse i."],
    ["cs", "Nemáme zájem, děkuji."],
    ["cs", "Děkuji, nezajímá nás to."],
    ["ja", "申し訳ありませんが、興味はありません。"],
    ["ja", "今回は見送らせていただきます。"],
    ["zh", "谢谢,我们不感兴趣。"],
    ["zh", "我们没有这方面的需求。"],
  ]);
});

describe("no thanks, but call me in May", () => {
  expectEach("neutral", [
    ["en", "No thanks, but call me in May."],
    ["en", "Not interested right now, but get back to me in the autumn."],
    ["de", "Nein danke, aber rufen Sie mich im Mai an."],
    ["fr", "Non merci, mais rappelez-moi en mai."],
    ["es", "No, gracias, pero llámeme en mayo."],
    ["nl", "Nee, bedankt, maar bel me in mei."],
    ["pt", "Não, obrigado, mas ligue-me em maio."],
    ["it", "No, grazie, ma mi chiami a maggio."],
    ["pl", "Nie, dziękuję, ale proszę zadzwonić w maju."],
    ["sv", "Nej tack, men ring mig i maj."],
    ["da", "Nej tak, men ring til mig i maj."],
    ["cs", "Ne, děkuji, ale zavolejte mi v květnu."],
    ["ja", "今回は結構ですが、5月にお電話ください。"],
    ["zh", "不用了,谢谢,不过五月可以给我打电话。"],
  ]);
});

describe("not now", () => {
  expectEach("neutral", [
    ["en", "Not at the moment, try again next year."],
    ["de", "Momentan nicht, vielleicht nächstes Jahr."],
    ["fr", "Pas pour le moment, peut-être l'année prochaine."],
    ["es", "Por ahora no, quizás más adelante."],
    ["nl", "Op dit moment niet, misschien volgend jaar."],
    ["pt", "No momento não, talvez mais tarde."],
    ["it", "Al momento no, forse più avanti."],
    ["pl", "Obecnie nie, może w przyszłym roku."],
    ["sv", "Inte just nu, kanske nästa år."],
    ["da", "Ikke lige nu, måske næste år."],
    ["cs", "Teď ne, možná příští rok."],
    ["ja", "現時点では検討しておりません。来年お願いします。"],
    ["zh", "目前不考虑,明年再说。"],
  ]);
});

describe("wrong person", () => {
  expectEach("neutral", [
    ["en", "I am not the right person, please contact my colleague Bob."],
    ["de", "Dafür bin ich nicht zuständig, wenden Sie sich an Bob."],
    ["fr", "Je ne suis pas la bonne personne, veuillez contacter Bob."],
    ["es", "No soy la persona indicada, contacte con Bob."],
    ["nl", "Ik ben niet de juiste persoon, neem contact op met Bob."],
    ["pt", "Não sou a pessoa certa, fale com o Bob."],
    ["it", "Non sono la persona giusta, scriva a Bob."],
    ["pl", "Nie jestem właściwą osobą, proszę pisać do Boba."],
    ["sv", "Jag är inte rätt person, kontakta Bob."],
    ["da", "Jeg er ikke den rette person, kontakt Bob."],
    ["cs", "Nejsem správná osoba, obraťte se na Boba."],
    ["ja", "私は担当者ではありません。ボブにご連絡ください。"],
    ["zh", "这不是我负责的,请联系 Bob。"],
  ]);
});

describe("interested", () => {
  expectEach("interested", [
    ["en", "We are interested, please send more information."],
    ["de", "Wir sind interessiert, bitte schicken Sie uns mehr Informationen."],
    ["fr", "Nous sommes intéressés, envoyez-nous plus d'informations."],
    ["es", "Estamos interesados, envíenos más información."],
    ["nl", "Wij zijn geïnteresseerd, stuur ons meer informatie."],
    ["pt", "Temos interesse, pode enviar mais informações?"],
    ["it", "Siamo interessati, ci mandi maggiori informazioni."],
    ["pl", "Jesteśmy zainteresowani, prosimy o więcej informacji."],
    ["sv", "Vi är intresserade, skicka mer information."],
    ["da", "Vi er interesserede, send mere information."],
    ["cs", "Máme zájem, pošlete nám více informací."],
    ["ja", "興味があります。資料を送ってください。"],
    ["zh", "我们很感兴趣,请发更多资料。"],
  ]);
});

describe("let us meet", () => {
  expectEach("meeting", [
    ["en", "Happy to talk, does Tuesday at ten work for you?"],
    ["de", "Gern, lassen Sie uns am Dienstag telefonieren."],
    ["fr", "Volontiers, appelez-moi mardi à dix heures."],
    ["es", "Perfecto, ¿agendamos una llamada el martes?"],
    ["nl", "Prima, laten we dinsdag een afspraak inplannen."],
    ["pt", "Ótimo, vamos marcar uma reunião na terça?"],
    ["it", "Bene, possiamo fissare una chiamata martedì?"],
    ["pl", "Chętnie, umówmy się na wtorek."],
    ["sv", "Gärna, ring mig på tisdag."],
    ["da", "Gerne, ring til mig på tirsdag."],
    ["cs", "Rád, zavolejte mi v úterý."],
    ["ja", "ぜひ、火曜日にお電話いただけますか。"],
    ["zh", "可以,我们约个时间周二通话吧。"],
  ]);
});

describe("a negation beside words of interest", () => {
  const isPositive = (text: string) => {
    const { interest } = classify(makeMail({ inReplyTo: "<m1@out.test>", text }), OWN);
    return interest === "interested" || interest === "meeting";
  };
  test.each([
    ["en", "Please don't send more information."],
    ["en", "I can't see how this would be of interest."],
    ["en", "I never said I was interested."],
    ["en", "Please do not call me."],
    ["de", "Bitte schicken Sie mir keine Informationen."],
    ["de", "Ein Termin kommt für uns nicht in Frage."],
    ["fr", "N'envoyez pas plus d'informations."],
    ["fr", "Je ne souhaite pas de rendez-vous."],
    ["es", "No me envíe más información."],
    ["es", "No quiero una llamada."],
    ["nl", "Stuur geen meer informatie."],
    ["nl", "Ik wil geen afspraak inplannen."],
    ["pt", "Não envie mais informações."],
    ["pt", "Não quero marcar uma reunião."],
    ["it", "Non mi mandi altre informazioni."],
    ["it", "Non voglio un appuntamento."],
    ["pl", "Proszę nie przysyłać więcej informacji."],
    ["pl", "Nie chcę umówić spotkania."],
    ["sv", "Skicka inte mer information."],
    ["sv", "Jag vill inte boka ett möte."],
    ["da", "Send ikke mere information."],
    ["da", "Jeg vil ikke booke et møde."],
    ["cs", "Neposílejte mi více informací."],
    ["cs", "Nechci domluvit schůzku."],
    ["ja", "資料は送らないでください。"],
    ["ja", "打ち合わせは必要ありません。"],
    ["zh", "请不要发资料给我。"],
    ["zh", "不需要安排会议。"],
  ])("%s: %p is no interest", (_language, text) => {
    expect(isPositive(text)).toBe(false);
  });
});

describe("an answer that says nothing clear has no label", () => {
  expectEach(null, [
    ["en", "Thanks for your message."],
    ["de", "Danke für Ihre Nachricht."],
    ["fr", "Merci pour votre message."],
    ["es", "Gracias por su mensaje."],
    ["nl", "Bedankt voor uw bericht."],
    ["pt", "Obrigado pela sua mensagem."],
    ["it", "Grazie per il messaggio."],
    ["pl", "Dziękuję za wiadomość."],
    ["sv", "Tack för ditt meddelande."],
    ["da", "Tak for din besked."],
    ["cs", "Děkuji za zprávu."],
    ["ja", "メールありがとうございます。"],
    ["zh", "谢谢您的来信。"],
  ]);
});
