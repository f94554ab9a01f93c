/** Guarantees of `domain/inbox/auto-reply/auto-reply.ts` and `return-date.ts`. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findAutoReply } from "#domain/inbox/auto-reply/auto-reply.ts";
import { findReturnDate } from "#domain/inbox/auto-reply/return-date.ts";
import { type MailDraft, makeMail } from "./make-mail.ts";

/** A Sunday. */
const TODAY = Temporal.PlainDate.from("2026-03-01");

describe("an automatic answer is known", () => {
  test.each([
    ["auto-submitted", "auto-replied"],
    ["auto-submitted", "auto-generated (rejected)"],
    ["x-autoreply", "yes"],
    ["x-autorespond", "Offer"],
    ["x-ms-exchange-inbox-rules-loop", "ada@example.com"],
    ["x-ms-exchange-generated-message-source", "Mailbox Rules Agent"],
    ["precedence", "auto_reply"],
  ])("by the header %s: %s", (name, value) => {
    const found = findAutoReply(makeMail({ headers: { [name]: value } }), TODAY);
    expect(found?.confidence).toBe("high");
  });

  test.each([
    "Automatic reply: Offer",
    "Auto: Out of Office Re: Offer",
    "Out of Office: Offer",
    "Out of office Re: Offer",
    "Automatische Antwort: Angebot",
    "Abwesenheitsnotiz: Angebot",
    "Abwesend: Angebot",
    "Réponse automatique : Offre",
    "Absence du bureau",
    "Respuesta automática: Oferta",
    "Fuera de la oficina Re: Oferta",
    "Automatisch antwoord: Aanbod",
    "Afwezig: Aanbod",
    "Resposta automática: Oferta",
    "Fora do escritório",
    "Risposta automatica: Offerta",
    "Fuori ufficio",
    "Autosvar: Tilbud",
    "Odpowiedź automatyczna: Oferta",
    "自動応答: 件名",
    "Ada Smith is out of the office",
  ])("by the subject %p", (subject) => {
    expect(findAutoReply(makeMail({ subject }), TODAY)?.confidence).toBe("medium");
  });

  test("by an empty return path together with words of absence", () => {
    const text = "I am currently out of the office and will respond upon my return.";
    const headers = { "return-path": "<>" };
    expect(findAutoReply(makeMail({ text, headers }), TODAY)?.confidence).toBe("low");
    expect(findAutoReply(makeMail({ text }), TODAY)).toBeNull();
  });
});

describe("a person's answer is none", () => {
  test.each([
    ["that quotes such a subject", { subject: "Re: Ann is out of the office" }],
    ["that forwards one", { subject: "Fwd: Bob is out of the office" }],
    ["from a list", { headers: { precedence: "bulk", "list-id": "<x.example.com>" } }],
    [
      "that asks others not to answer by machine",
      { headers: { "x-auto-response-suppress": "All" } },
    ],
    ["that says so", { headers: { "auto-submitted": "no" } }],
    ["that mentions a holiday", { text: "I am on vacation next week, call me in April." }],
    ["with an ordinary subject", { subject: "Re: Absolutely, office on Monday" }],
  ])("%s", (_name, draft) => {
    expect(findAutoReply(makeMail({ inReplyTo: "<ours.1@out.test>", ...draft }), TODAY)).toBeNull();
  });
});

describe("somebody who left", () => {
  test.each([
    "Ada no longer works at Example Ltd. Please contact bob@example.com.",
    "Frau Smith ist nicht mehr im Unternehmen.",
    "Ada Smith ne travaille plus chez Example.",
    "Ada ya no trabaja en Example.",
    "Ada is niet meer werkzaam bij Example.",
    "Ada não trabalha mais na Example.",
    "Ada non lavora più in Example.",
  ])("is noted: %p", (text) => {
    const headers = { "auto-submitted": "auto-replied" };
    expect(findAutoReply(makeMail({ text, headers }), TODAY)?.hasLeft).toBe(true);
  });
});

describe("the first day back", () => {
  test.each([
    // the day itself
    ["I will be back on March 9.", "2026-03-09"],
    ["I'll be back in the office on Monday, March 9th, 2026.", "2026-03-09"],
    ["returning 9 March", "2026-03-09"],
    ["I will return to the office on 03/16/2026", "2026-03-16"],
    ["back on 2026-03-09", "2026-03-09"],
    ["Ich bin ab dem 9. März wieder im Büro.", "2026-03-09"],
    ["Ich bin wieder am 09.03.2026 erreichbar", "2026-03-09"],
    ["zurück am Montag, den 9. März", "2026-03-09"],
    ["Je serai de retour le 9 mars 2026.", "2026-03-09"],
    ["de retour le lundi 9 mars", "2026-03-09"],
    ["Regreso el 9 de marzo de 2026", "2026-03-09"],
    ["Estaré de vuelta el lunes 9 de marzo", "2026-03-09"],
    ["Ik ben terug op 9 maart", "2026-03-09"],
    ["Vanaf maandag 9 maart ben ik weer aanwezig", "2026-03-09"],
    ["Retorno em 9 de março", "2026-03-09"],
    ["Estarei de volta no dia 09/03/2026", "2026-03-09"],
    ["Rientro il 9 marzo", "2026-03-09"],
    ["Sarò di nuovo in ufficio il 9 marzo", "2026-03-09"],
    // the day after the last one away
    ["I am away until 8 March.", "2026-03-09"],
    ["out of office through March 8th", "2026-03-09"],
    ["Ich bin bis einschließlich 8. März nicht im Büro.", "2026-03-09"],
    ["bis zum 08.03. abwesend", "2026-03-09"],
    ["absente jusqu'au 8 mars", "2026-03-09"],
    ["ausente hasta el 8 de marzo", "2026-03-09"],
    ["afwezig tot en met 8 maart", "2026-03-09"],
    ["ausente até 8 de março", "2026-03-09"],
    ["in ferie fino all'8 marzo", "2026-03-09"],
    ["fuori ufficio fino al 8 marzo", "2026-03-09"],
    ["on holiday from 1 March to 8 March", "2026-03-09"],
    ["vom 01.03.2026 bis 08.03.2026", "2026-03-09"],
    // ranges with both
    ["away from 1 March until 7 March, back on 9 March", "2026-03-09"],
    // days of the week, and years that are meant
    ["I will be back on Monday.", "2026-03-02"],
    ["Ich bin ab Dienstag wieder da", "2026-03-03"],
    ["I'll be back tomorrow", "2026-03-02"],
    ["back on December 7", "2026-12-07"],
  ])("of %p is %s", (text, date) => {
    expect(findReturnDate(text, TODAY)?.toString()).toBe(date);
  });

  test.each([
    ["no date", "I am out of the office."],
    ["a date that nothing introduces", "Our fair on 9 March was great."],
    ["a day that does not exist", "back on 31 February"],
    ["a day that is past", "back on 2026-02-20"],
    ["a day too far away", "back on 9 March 2031"],
    ["a telephone number", "call me back on 0301 22 33"],
  ])("is unknown with %s", (_name, text) => {
    expect(findReturnDate(text, TODAY)).toBeNull();
  });

  test("is never past nor far away, and never an exception, whatever the text says", () => {
    const piece = fc.constantFrom(
      ..."back on|until|bis|1|31|12|2026|/|.|-|march|mar|mai|de|monday|tomorrow|,|the| ".split("|"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const date = findReturnDate(pieces.join(" "), TODAY);
        if (date !== null) {
          const days = TODAY.until(date, { largestUnit: "days" }).days;
          expect(days).toBeGreaterThanOrEqual(0);
          expect(days).toBeLessThanOrEqual(367);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("without any header, under our own subject", () => {
  const read = (text: string, draft: MailDraft = {}) =>
    findAutoReply(makeMail({ text, inReplyTo: "<ours@out.test>", ...draft }), TODAY);

  for (const text of [
    "Thank you for your message. I am currently out of the office and will respond on my return.",
    "Danke! Ich bin bis 15.03. im Urlaub. In dringenden Fällen hilft Frau Lindner.",
    "Спасибо за письмо. Я в отпуске до 15 марта.",
    "ただいま席を外しております。戻りましたらご返信いたします。",
    "Este es un mensaje automático.",
  ]) {
    test(`a note of absence or a program's own word is one: ${text}`, () => {
      expect(read(text)).not.toBeNull();
    });
  }

  test("a receipt is one from a desk, or with a number", () => {
    const text = "Vielen Dank, Ihre Nachricht ist bei uns eingegangen.";
    expect(read(text, { name: "", from: "info@example.com" })).not.toBeNull();
    expect(read(`${text} Vorgang 55120.`)).not.toBeNull();
    expect(read(text)).toBeNull();
    expect(read(`${text}\n\n${"-".repeat(200)}\nTel. 0161 4960144`)).toBeNull();
  });

  test("X-Auto-Response-Suppress is a sign and no proof", () => {
    const headers = { "x-auto-response-suppress": "All" };
    expect(read("I am on vacation, but do call Zoe.", { headers })).not.toBeNull();
    expect(read("I am on vacation, but do call Zoe.")).toBeNull();
    expect(read("Let me think about it.", { headers })).toBeNull();
  });

  test("somebody who left is one where another contact is named", () => {
    const text = "Иван больше у нас не работает. Пишите на info@example.com.";
    expect(read(text)).toMatchObject({ hasLeft: true, newContact: "info@example.com" });
  });

  for (const text of [
    "I am on leave next week but very keen, could we talk the week after?",
    "Ich bin im Urlaub bis 15.03., aber schicken Sie mir gerne ein Angebot.",
    "I've passed this on to our purchasing team, they'll be in touch.",
    "This is an automotive company, not for us.",
  ]) {
    test(`a person who asks, wants something or says but is none: ${text}`, () => {
      expect(read(text)).toBeNull();
    });
  }
});
