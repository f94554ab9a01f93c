/** Typed opt-outs in thirteen languages, alone and beside something else; none of the rows is from a corpus. */

import { describe, expect, test } from "bun:test";
import { classify } from "#domain/inbox/classify.ts";
import { makeMail } from "./make-mail.ts";

const read = (text: string) =>
  classify(makeMail({ inReplyTo: "<m1@out.test>", text }), { addresses: ["sam@out.test"] });

describe("a text that asks for nothing else unsubscribes", () => {
  test.each([
    ["en", "Hello Sam,\nplease remove me from your mailing list.\nKind regards\nAda Smith"],
    ["en", "Unsubscribe!!"],
    ["en", "Please stop contacting me."],
    ["de", "Guten Tag,\nbitte löschen Sie mich aus Ihrem Verteiler.\nViele Grüße\nAda Smith"],
    ["de", "Bitte keine weiteren Mails."],
    ["fr", "Bonjour,\nmerci de me désinscrire de votre liste.\nCordialement\nAda Smith"],
    ["fr", "Ne me contactez plus, merci."],
    ["es", "Hola:\nPor favor, denme de baja.\nSaludos\nAda Smith"],
    ["es", "No me escriban más."],
    ["nl", "Graag uitschrijven. Met vriendelijke groet, Ada Smith"],
    ["nl", "Haal mij van de lijst, bedankt."],
    ["pt", "Bom dia, por favor remova meu email da sua lista. Obrigada, Ada Smith"],
    ["pt", "Não me enviem mais mensagens."],
    ["it", "Buongiorno, cancellatemi dalla vostra lista. Cordiali saluti, Ada Smith"],
    ["it", "Non scrivetemi più, grazie."],
    ["pl", "Dzień dobry, proszę mnie wypisać z listy. Pozdrawiam Ada Smith"],
    ["pl", "Proszę nie pisać do mnie więcej."],
    ["sv", "Vänligen ta bort mig från listan. Tack, Ada Smith"],
    ["sv", "Skicka inte fler mejl."],
    ["da", "Venligst slet mig fra jeres liste. Hilsen Ada Smith"],
    ["da", "Skriv ikke mere, tak."],
    ["cs", "Dobrý den, prosím vyřaďte mě z vaší databáze. S pozdravem Ada Smith"],
    ["cs", "Už mi nepište, děkuji."],
    ["ja", "今後のメール配信を停止してください。よろしくお願いします。"],
    ["ja", "連絡しないでください。"],
    ["zh", "您好,请将我从名单中删除。谢谢"],
    ["zh", "请不要再发邮件了。"],
  ])("%s: %p", (_language, text) => {
    expect(read(text)).toMatchObject({ kind: "unsubscribe", optOut: true });
  });
});

describe("a text that says something else too asks for it all the same", () => {
  test.each([
    ["en", "We have a supplier until 2028. Please remove me from your list."],
    ["de", "Wir haben schon einen Anbieter. Bitte löschen Sie mich aus Ihrem Verteiler."],
    ["fr", "Nous avons un fournisseur. Merci de me désinscrire de votre liste."],
    ["es", "Ya tenemos proveedor. Por favor, denme de baja."],
    ["nl", "Wij hebben al een leverancier. Haal mij van de lijst."],
    ["pt", "Já temos fornecedor. Não me enviem mais mensagens."],
    ["it", "Abbiamo già un fornitore. Cancellatemi dalla lista."],
    ["pl", "Mamy już dostawcę. Proszę mnie wypisać z listy."],
    ["sv", "Vi har redan en leverantör. Ta bort mig från listan."],
    ["da", "Vi har en leverandør. Slet mig fra jeres liste."],
    ["cs", "Dodavatele už máme. Vyřaďte mě z databáze."],
    ["ja", "既に取引先があります。配信停止してください。"],
    ["zh", "我们已有供应商。请将我从名单中删除。"],
  ])("%s: %p", (_language, text) => {
    expect(read(text)).toMatchObject({ kind: "unsubscribe", optOut: true });
  });
});

describe("who asks for one thing less does not ask to be left alone", () => {
  test.each([
    "Don't send me the PDF, send a link.",
    "Please do not email my assistant about this.",
    "Stop by our booth on Monday.",
    "Can you remove the second item from the offer?",
    "We never send mails on Sundays.",
    "Können Sie Position 3 streichen?",
    "No me envíe el PDF, mejor un enlace.",
    "Stuur mij niet de PDF maar een link.",
    "Supprimez la ligne 2 du devis, s'il vous plaît.",
    "Proszę usunąć pozycję 3 z oferty.",
  ])("%p", (text) => {
    expect(read(text)).toMatchObject({ kind: "reply", optOut: false });
  });
});
