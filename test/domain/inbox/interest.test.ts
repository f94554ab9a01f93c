/** Guarantees of `domain/inbox/interest.ts`: clear words get their label, a refusal never the other. */

import { describe, expect, test } from "bun:test";
import { readInterest } from "#domain/inbox/interest.ts";

describe("an answer is read as", () => {
  test.each([
    ["Sounds great, tell me more.", "interested"],
    ["Yes please, send me more information", "interested"],
    ["We are very interested.", "interested"],
    ["How much does it cost?", "interested"],
    ["Klingt spannend, schicken Sie mir mehr Infos.", "interested"],
    ["Oui, je suis intéressé.", "interested"],
    ["Me interesa, ¿cuánto cuesta?", "interested"],
    ["Klinkt goed, graag meer informatie.", "interested"],
    ["Tenho interesse, pode enviar mais detalhes?", "interested"],
    ["Sono interessato, vorrei maggiori informazioni.", "interested"],
    ["Let's schedule a call next week.", "meeting"],
    ["Tuesday works for me.", "meeting"],
    ["Gerne können wir telefonieren.", "meeting"],
    ["Not interested.", "not_interested"],
    ["We're not interested, thanks", "not_interested"],
    ["No thanks", "not_interested"],
    ["No longer interested in this", "not_interested"],
    ["Kein Interesse", "not_interested"],
    ["Wir haben keinen Bedarf.", "not_interested"],
    ["Non merci, pas intéressé", "not_interested"],
    ["No nos interesa, gracias", "not_interested"],
    ["Geen interesse", "not_interested"],
    ["Não temos interesse", "not_interested"],
    ["Non siamo interessati", "not_interested"],
    ["Not right now, check back next quarter", "neutral"],
    ["I'm not the right person for this", "neutral"],
    ["Derzeit nicht, vielleicht nächstes Jahr", "neutral"],
  ] as const)("%p: %s", (text, interest) => {
    expect(readInterest(text)?.interest).toBe(interest);
  });

  test.each(["", "Thanks for the mail.", "Ada", "Hallo Herr Dyk, danke."])(
    "nothing: %p",
    (text) => {
      expect(readInterest(text)).toBeNull();
    },
  );
});

describe("in languages without a row of the first table", () => {
  for (const [text, interest] of [
    ["Kiitos, mutta emme ole kiinnostuneita.", "not_interested"],
    ["Köszönjük, de nem érdekel minket.", "not_interested"],
    ["इसमें हमें रुचि नहीं है।", "not_interested"],
    ["ขอบคุณค่ะ แต่เราไม่สนใจ", "not_interested"],
    ["Zvuči zanimljivo, nazovite me sutra.", "interested"],
    ["Ακούγεται ενδιαφέρον.", "interested"],
    ["흥미롭네요.", "interested"],
  ] as [string, string][]) {
    test(`${text} is ${interest}`, () => {
      expect(readInterest(text)?.interest ?? null).toBe(interest as "interested");
    });
  }

  for (const text of [
    "Wir sind nicht zufrieden mit unserem Anbieter.",
    "I've passed this on, he'll take a look.",
    "Thursday doesn't suit me.",
    "En partant du principe que c'est gratuit.",
  ]) {
    test(`${text} says nothing clear`, () => {
      expect(readInterest(text)).toBeNull();
    });
  }
});
