/**
 * The first day back, as people and their programs write it in thirteen languages. Every phrase comes
 * on Monday, 2 March 2026; the properties hold whatever day it is.
 */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { MONTHS } from "#domain/inbox/auto-reply/calendar-words.ts";
import { ABSENCE_DAYS_MAX, findReturnDate } from "#domain/inbox/auto-reply/return-date.ts";

const TODAY = Temporal.PlainDate.from("2026-03-02");

type Row = readonly [text: string, date: string | null];

const PHRASES: Readonly<Record<string, readonly Row[]>> = {
  en: [
    ["I am out of the office until March 13.", "2026-03-14"],
    ["I'm on annual leave until Friday 13 March and will reply after that.", "2026-03-14"],
    ["I will be back in the office on Monday, 16 March 2026.", "2026-03-16"],
    ["Back on 3/16/2026.", "2026-03-16"],
    ["I return on the 16th of March.", "2026-03-16"],
    ["I'll be out from March 9th through March 13th.", "2026-03-14"],
    ["Out of office March 9-13", "2026-03-14"],
    ["On vacation 9 - 13 March 2026, no email access", "2026-03-14"],
    ["I am away and will return to the office on 2026-03-16.", "2026-03-16"],
    ["Returning Monday", "2026-03-09"],
    ["I'm travelling, back tomorrow.", "2026-03-03"],
    ["I am on leave until next week.", "2026-03-09"],
    ["I'll be back in two weeks.", "2026-03-16"],
    ["I am back on the 16th.", "2026-03-16"],
    ["I'm on parental leave until the end of May.", "2026-06-01"],
    ["I'll be returning in early June.", "2026-06-01"],
    ["Away until 16th Mar, then back to normal.", "2026-03-17"],
    ["from 2 March to 13 March 2026 I have no access to mail", "2026-03-14"],
    ["I will be available again from Monday 16 March.", "2026-03-16"],
    ["My return date is March 16, 2026.", "2026-03-16"],
    ["Out of office since 20 February.", null],
    ["Our office moved on 16 March 2026.", null],
  ],
  de: [
    ["Ich bin bis zum 13. März nicht im Büro.", "2026-03-14"],
    ["Ich bin bis einschließlich 13.03.2026 abwesend.", "2026-03-14"],
    ["Ab dem 16. März bin ich wieder erreichbar.", "2026-03-16"],
    ["Ab 16.03. bin ich wieder für Sie da.", "2026-03-16"],
    ["Ich bin vom 02.03. bis 13.03.2026 im Urlaub.", "2026-03-14"],
    ["Ich bin wieder da am Montag, den 16. März 2026.", "2026-03-16"],
    ["Vom 9. bis 13. März bin ich nicht erreichbar.", "2026-03-14"],
    ["Am Montag bin ich wieder zurück.", "2026-03-09"],
    ["Ich bin morgen wieder im Büro, zurück morgen.", "2026-03-03"],
    ["Ich bin bis Ende März in Elternzeit.", "2026-04-01"],
    ["Zurück bin ich am 16.3.26.", "2026-03-16"],
    ["Ich bin im Urlaub und ab Mittwoch wieder erreichbar", "2026-03-04"],
    ["In der Zeit vom 02.03.2026 - 13.03.2026 bin ich außer Haus.", "2026-03-14"],
    ["Ich bin zurück in zwei Wochen.", "2026-03-16"],
    ["Guten Morgen, ich bin nicht im Haus.", null],
  ],
  fr: [
    ["Je suis absent jusqu'au 13 mars.", "2026-03-14"],
    ["Je suis absente du bureau jusqu'au vendredi 13 mars inclus.", "2026-03-14"],
    ["Je serai de retour le lundi 16 mars 2026.", "2026-03-16"],
    ["De retour le 16/03.", "2026-03-16"],
    ["Je suis en congés du 2 au 13 mars.", "2026-03-14"],
    ["Je serai de nouveau joignable à partir du 16 mars.", "2026-03-16"],
    ["Absent du 02/03/2026 au 13/03/2026", "2026-03-14"],
    ["Je reviens lundi.", "2026-03-09"],
    ["Je serai de retour demain.", "2026-03-03"],
    ["Retour prévu le 1er avril.", "2026-04-01"],
    ["En congé parental jusqu'à fin mai.", "2026-06-01"],
    ["Je serai de retour la semaine prochaine.", "2026-03-09"],
  ],
  es: [
    ["Estaré fuera de la oficina hasta el 13 de marzo.", "2026-03-14"],
    ["Estaré de vuelta el lunes 16 de marzo de 2026.", "2026-03-16"],
    ["Regreso el 16/03/2026.", "2026-03-16"],
    ["Estoy de vacaciones del 2 al 13 de marzo.", "2026-03-14"],
    ["Me reincorporo el día 16 de marzo.", "2026-03-16"],
    ["A partir del 16 de marzo estaré disponible de nuevo.", "2026-03-16"],
    ["Vuelvo el lunes.", "2026-03-09"],
    ["Regresaré mañana.", "2026-03-03"],
    ["Estoy ausente hasta finales de mayo.", "2026-06-01"],
    ["Volveré la próxima semana.", "2026-03-09"],
    ["Ausente desde el 2 de marzo hasta el 13 de marzo", "2026-03-14"],
  ],
  nl: [
    ["Ik ben afwezig tot en met 13 maart.", "2026-03-14"],
    ["Ik ben met vakantie t/m 13 maart 2026.", "2026-03-14"],
    ["Ik ben weer aanwezig op maandag 16 maart.", "2026-03-16"],
    ["Vanaf 16 maart ben ik weer bereikbaar.", "2026-03-16"],
    ["Ik ben op vakantie van 2 t/m 13 maart.", "2026-03-14"],
    ["Maandag ben ik terug op kantoor, terug op maandag.", "2026-03-09"],
    ["Ik ben morgen terug, terug op morgen.", "2026-03-03"],
    ["Ik ben terug op 16-03-2026.", "2026-03-16"],
    ["Afwezig tot eind mei", "2026-06-01"],
    ["Ik ben volgende week terug: terug in volgende week", "2026-03-09"],
    ["Ik ben weer bereikbaar vanaf dinsdag.", "2026-03-03"],
  ],
  pt: [
    ["Estarei fora do escritório até 13 de março.", "2026-03-14"],
    ["Estou de férias até o dia 13/03.", "2026-03-14"],
    ["Retorno em 16 de março de 2026.", "2026-03-16"],
    ["Volto no dia 16/03/2026.", "2026-03-16"],
    ["Estarei de volta na segunda-feira, 16 de março.", "2026-03-16"],
    ["Férias de 2 a 13 de março.", "2026-03-14"],
    ["A partir de 16 de março estarei novamente disponível.", "2026-03-16"],
    ["Regresso na segunda-feira.", "2026-03-09"],
    ["Volto amanhã.", "2026-03-03"],
    ["Ausente até ao final de maio.", "2026-06-01"],
    ["Estarei ausente até 5 de out de 2026", "2026-10-06"],
  ],
  it: [
    ["Sono fuori ufficio fino al 13 marzo.", "2026-03-14"],
    ["Sarò assente fino a venerdì 13 marzo.", "2026-03-14"],
    ["Rientro lunedì 16 marzo 2026.", "2026-03-16"],
    ["Rientrerò il 16/03/2026.", "2026-03-16"],
    ["Sono in ferie dal 2 al 13 marzo.", "2026-03-14"],
    ["Sarò di nuovo in ufficio il 16 marzo.", "2026-03-16"],
    ["Dal 16 marzo sarò di nuovo disponibile.", "2026-03-16"],
    ["Torno lunedì.", "2026-03-09"],
    ["Torno domani.", "2026-03-03"],
    ["In maternità fino a fine maggio.", "2026-06-01"],
    ["Fuori sede fino all'8 aprile", "2026-04-09"],
  ],
  pl: [
    ["Jestem nieobecny do 13 marca.", "2026-03-14"],
    ["Jestem na urlopie do dnia 13 marca 2026 r.", "2026-03-14"],
    ["Wracam 16 marca.", "2026-03-16"],
    ["Wrócę do biura w poniedziałek, 16 marca.", "2026-03-16"],
    ["Będę ponownie dostępna od 16 marca.", "2026-03-16"],
    ["Urlop od 02.03.2026 do 13.03.2026.", "2026-03-14"],
    ["Wracam w poniedziałek.", "2026-03-09"],
    ["Wracam jutro.", "2026-03-03"],
    ["Jestem na urlopie do końca maja.", "2026-06-01"],
    ["Powrót do pracy: 16.03.2026", "2026-03-16"],
    ["Wracam w przyszłym tygodniu.", "2026-03-09"],
  ],
  sv: [
    ["Jag är på semester till och med den 13 mars.", "2026-03-14"],
    ["Jag är frånvarande t.o.m. 13 mars.", "2026-03-14"],
    ["Jag är tillbaka den 16 mars.", "2026-03-16"],
    ["Åter på kontoret måndag den 16 mars 2026.", "2026-03-16"],
    ["Jag är tillbaka på måndag.", "2026-03-09"],
    ["Från och med den 16 mars är jag tillbaka igen.", "2026-03-16"],
    ["Föräldraledig till slutet av maj.", "2026-06-01"],
    ["Jag är tillbaka i morgon.", "2026-03-03"],
    ["Semester 2-13 mars", "2026-03-14"],
    ["Jag är tillbaka 2026-03-16.", "2026-03-16"],
    ["Jag är tillbaka nästa vecka.", "2026-03-09"],
  ],
  da: [
    ["Jeg holder ferie til og med den 13. marts.", "2026-03-14"],
    ["Jeg er fraværende indtil 13. marts.", "2026-03-14"],
    ["Jeg er tilbage den 16. marts.", "2026-03-16"],
    ["Jeg er tilbage på kontoret mandag d. 16. marts 2026.", "2026-03-16"],
    ["Jeg er tilbage på mandag.", "2026-03-09"],
    ["Jeg kan træffes igen, at træffe igen fra den 16. marts", "2026-03-16"],
    ["På barsel indtil slutningen af maj", "2026-06-01"],
    ["Jeg er tilbage i morgen.", "2026-03-03"],
    ["Ferie fra 02.03.2026 til 13.03.2026", "2026-03-14"],
    ["Jeg er tilbage om to uger.", "2026-03-16"],
    ["Jeg er tilbage igen onsdag", "2026-03-04"],
  ],
  cs: [
    ["Jsem mimo kancelář do 13. března.", "2026-03-14"],
    ["Mám dovolenou do 13. 3. 2026.", "2026-03-14"],
    ["Vrátím se 16. března.", "2026-03-16"],
    ["Zpět budu v pondělí 16. března 2026, vrátím se v pondělí 16. března.", "2026-03-16"],
    ["Budu opět k dispozici od 16. března.", "2026-03-16"],
    ["Dovolená od 2.3. do 13.3.", "2026-03-14"],
    ["Vrátím se v pondělí.", "2026-03-09"],
    ["Vrátím se zítra.", "2026-03-03"],
    ["Jsem nepřítomen do konce května.", "2026-06-01"],
    ["Vrátím se příští týden.", "2026-03-09"],
    ["Návrat: 16.3.2026", "2026-03-16"],
  ],
  ja: [
    ["3月13日まで休暇をいただいております。", "2026-03-14"],
    ["2026年3月13日(金)まで不在にしております。", "2026-03-14"],
    ["3月16日に戻ります。", "2026-03-16"],
    ["3月16日(月)より出社いたします。", "2026-03-16"],
    ["3月2日から3月13日まで夏季休暇です。3月16日以降にご連絡いたします。", "2026-03-16"],
    ["不在期間:3月2日~13日", "2026-03-14"],
    ["3/13まで不在です。", "2026-03-14"],
    ["来週月曜日に戻ります。", "2026-03-09"],
    ["明日復帰いたします。", "2026-03-03"],
    ["5月末まで育児休暇中です。", "2026-06-01"],
    ["出社予定日:2026/03/16", "2026-03-16"],
    ["3月16日から順次返信いたします。", "2026-03-16"],
    ["3月16日付で本社が移転しました。", null],
  ],
  zh: [
    ["我正在休假,至3月13日。", "2026-03-14"],
    ["我将于2026年3月16日返回办公室。", "2026-03-16"],
    ["我将于3月16日恢复上班。", "2026-03-16"],
    ["3月2日至3月13日期间休假。", "2026-03-14"],
    ["3月2日-13日外出,无法查看邮件", "2026-03-14"],
    ["我会在下周一回来。", "2026-03-09"],
    ["我明天回来。", "2026-03-03"],
    ["休假直到3月13日,3月16日回复您。", "2026-03-16"],
    ["我將於3月16日回來。", "2026-03-16"],
    ["三月十六日返回", "2026-03-16"],
    ["返回时间:3月16日", "2026-03-16"],
    ["我将在两周内搬家。", null],
  ],
};

describe.each(Object.entries(PHRASES))("the first day back in %s", (_language, rows) => {
  test.each([...rows])("of %p is %s", (text, date) => {
    expect(findReturnDate(text, TODAY)?.toString() ?? null).toBe(date);
  });
});

test("at least 150 phrases in 13 languages are tried", () => {
  expect(Object.keys(PHRASES)).toHaveLength(13);
  expect(Object.values(PHRASES).flat().length).toBeGreaterThanOrEqual(150);
});

const anyDay = fc
  .integer({ min: 0, max: 20_000 })
  .map((days) => Temporal.PlainDate.from("2000-01-01").add({ days }));
const anyPhrase = fc.constantFrom(
  ...Object.values(PHRASES)
    .flat()
    .map(([text]) => text),
);

describe("whatever day it is", () => {
  test("a return is never past and never more than a year away", () => {
    fc.assert(
      fc.property(anyDay, anyPhrase, fc.string({ maxLength: 40 }), (today, phrase, noise) => {
        const back = findReturnDate(`${noise} ${phrase} ${noise}`, today);
        const days = back === null ? 0 : today.until(back, { largestUnit: "days" }).days;
        expect(days).toBeGreaterThanOrEqual(0);
        expect(days).toBeLessThanOrEqual(ABSENCE_DAYS_MAX);
      }),
    );
  });

  test("a day written out in any form is the day that is meant", () => {
    const months = MONTHS.map(([name = ""]) => name);
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 1, max: 200 }), (today, ahead) => {
        const day = today.add({ days: ahead });
        const month = months[day.month - 1] ?? "";
        for (const text of [
          `back on ${day.toString()}`,
          `I return on ${day.day} ${month} ${day.year}`,
          `back on ${month} ${day.day}`,
          `wieder da ab ${day.day}.${day.month}.${day.year}`,
          `${day.year}年${day.month}月${day.day}日に戻ります`,
        ]) {
          expect([text, findReturnDate(text, today)?.toString()]).toEqual([text, day.toString()]);
        }
      }),
    );
  });
});

describe("the first day back in further languages", () => {
  const today = Temporal.PlainDate.from("2026-03-02");
  for (const [text, day] of [
    ["Olen poissa 15.3. asti.", "2026-03-16"],
    ["Március 15-ig nem vagyok az irodában.", "2026-03-16"],
    ["Revin marți, 10 martie.", "2026-03-10"],
    ["Няма да бъда в офиса до 15 март включително.", "2026-03-16"],
    ["Vraćam se u utorak, 10. ožujka.", "2026-03-10"],
    ["Θα λείπω έως και τις 15 Μαρτίου.", "2026-03-16"],
    ["Вернусь во вторник, 10 марта.", "2026-03-10"],
    ["Буду на місці з 07.04.2026.", "2026-04-07"],
    ["15 Mart dahil ofiste olmayacağım.", "2026-03-16"],
    ["أنا خارج المكتب حتى 15 مارس.", "2026-03-16"],
    ["אחזור ביום שלישי, 10 במרץ.", "2026-03-10"],
    ["मैं 15 मार्च तक कार्यालय में नहीं हूँ।", "2026-03-16"],
    ["Saya cuti sampai 15 Maret.", "2026-03-16"],
    ["Tôi vắng mặt đến hết ngày 15 tháng 3.", "2026-03-16"],
    ["จะกลับมาวันอังคารที่ 10 มีนาคม", "2026-03-10"],
    ["3월 15일까지 부재중입니다.", "2026-03-16"],
  ] as [string, string][]) {
    test(`of ${text} is ${day}`, () => {
      expect(findReturnDate(text, today)?.toString() ?? null).toBe(day);
    });
  }
});
