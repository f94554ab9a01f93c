/**
 * Answers as mail programs build them, in thirteen languages: what was written, then what the program adds
 * and quotes. Used for our own cutting and to compare libraries with it.
 */

export interface QuotedAnswer {
  name: string;
  written: string;
  whole: string;
}

/** How Gmail, Apple Mail and Thunderbird introduce a quote. */
const ATTRIBUTIONS: readonly (readonly [language: string, line: string])[] = [
  ["en, Gmail", "On Mon, Mar 2, 2026 at 3:04 PM Sam Out <sam@out.test> wrote:"],
  ["en, Apple", "On 2 Mar 2026, at 15:04, Sam Out <sam@out.test> wrote:"],
  [
    "en, wrapped",
    "On Mon, Mar 2, 2026 at 3:04 PM Sam Out, who sells things\n<sam@out.test> wrote:",
  ],
  ["de, Gmail", "Am Mo., 2. März 2026 um 15:04 Uhr schrieb Sam Out <sam@out.test>:"],
  ["de, Apple", "Am 02.03.2026 um 15:04 schrieb Sam Out <sam@out.test>:"],
  ["fr, Gmail", "Le lun. 2 mars 2026 à 15:04, Sam Out <sam@out.test> a écrit :"],
  ["es, Gmail", "El lun, 2 mar 2026 a las 15:04, Sam Out (<sam@out.test>) escribió:"],
  ["nl, Gmail", "Op ma 2 mrt 2026 om 15:04 schreef Sam Out <sam@out.test>:"],
  ["pt, Gmail", "Em seg., 2 de mar. de 2026 às 15:04, Sam Out <sam@out.test> escreveu:"],
  ["it, Gmail", "Il giorno lun 2 mar 2026 alle ore 15:04 Sam Out <sam@out.test> ha scritto:"],
  ["pl, Gmail", "pon., 2 mar 2026 o 15:04 Sam Out <sam@out.test> napisał(a):"],
  ["sv, Gmail", "Den mån 2 mars 2026 kl 15:04 skrev Sam Out <sam@out.test>:"],
  ["da, Gmail", "Den man. 2. mar. 2026 kl. 15.04 skrev Sam Out <sam@out.test>:"],
  ["cs, Gmail", "po 2. 3. 2026 v 15:04 odesílatel Sam Out <sam@out.test> napsal:"],
  ["ja, Gmail", "2026年3月2日(月) 15:04 Sam Out <sam@out.test>:"],
  ["zh, Gmail", "Sam Out <sam@out.test> 于2026年3月2日周一 15:04写道:"],
];

/** The block of headers that Outlook puts before what it quotes, in its languages. */
const HEADER_BLOCKS: readonly (readonly [language: string, names: readonly string[]])[] = [
  ["en", ["From", "Sent", "To", "Subject"]],
  ["de", ["Von", "Gesendet", "An", "Betreff"]],
  ["fr", ["De", "Envoyé", "À", "Objet"]],
  ["es", ["De", "Enviado el", "Para", "Asunto"]],
  ["nl", ["Van", "Verzonden", "Aan", "Onderwerp"]],
  ["pt", ["De", "Enviada em", "Para", "Assunto"]],
  ["it", ["Da", "Inviato", "A", "Oggetto"]],
  ["pl", ["Od", "Wysłano", "Do", "Temat"]],
  ["sv", ["Från", "Skickat", "Till", "Ämne"]],
  ["da", ["Fra", "Sendt", "Til", "Emne"]],
  ["cs", ["Od", "Odesláno", "Komu", "Předmět"]],
  ["ja", ["差出人", "送信日時", "宛先", "件名"]],
  ["zh", ["发件人", "发送时间", "收件人", "主题"]],
];

/** What telephones add at the end. */
const CLIENTS: readonly (readonly [language: string, line: string])[] = [
  ["en", "Sent from my iPhone"],
  ["en, Android", "Get Outlook for Android"],
  ["de", "Von meinem iPhone gesendet"],
  ["fr", "Envoyé de mon iPhone"],
  ["es", "Enviado desde mi iPhone"],
  ["nl", "Verstuurd vanaf mijn iPhone"],
  ["pt", "Enviado do meu iPhone"],
  ["it", "Inviato da iPhone"],
  ["pl", "Wysłane z iPhone'a"],
  ["sv", "Skickat från min iPhone"],
  ["da", "Sendt fra min iPhone"],
  ["cs", "Odesláno z iPhonu"],
  ["ja", "iPhoneから送信"],
  ["zh", "发自我的iPhone"],
];

const WRITTEN = "Thank you, that sounds fine.\n\nLet us talk on Friday.";
const QUOTED = "> Hello Ada,\n>\n> would you buy this?\n>\n> Sam";

export const QUOTED_ANSWERS: readonly QuotedAnswer[] = [
  ...ATTRIBUTIONS.map(([name, line]) => ({
    name: `quote, ${name}`,
    written: WRITTEN,
    whole: `${WRITTEN}\n\n${line}\n\n${QUOTED}\n`,
  })),
  ...HEADER_BLOCKS.map(([name, [from, sent, to, subject]]) => ({
    name: `header block, ${name}`,
    written: WRITTEN,
    whole:
      `${WRITTEN}\n\n${from}: Sam Out <sam@out.test>\n${sent}: 2026-03-02 15:04\n` +
      `${to}: Ada Smith <ada@example.com>\n${subject}: Offer\n\nHello Ada,\n\nwould you buy this?\n`,
  })),
  ...CLIENTS.map(([name, line]) => ({
    name: `telephone, ${name}`,
    written: WRITTEN,
    whole: `${WRITTEN}\n\n${line}\n\n${ATTRIBUTIONS[0]?.[1]}\n\n${QUOTED}\n`,
  })),
  {
    name: "signature",
    written: WRITTEN,
    whole: `${WRITTEN}\n\n-- \nAda Smith\nExample Ltd\n\n${ATTRIBUTIONS[0]?.[1]}\n${QUOTED}\n`,
  },
  {
    name: "answers between the quotes",
    written: "Yes.\n\nOn Friday.",
    whole: `${ATTRIBUTIONS[0]?.[1]}\n\n> Would you buy this?\n\nYes.\n\n> When?\n\nOn Friday.\n`,
  },
  {
    name: "nothing quoted",
    written: "On Friday we wrote to Bob: he is fine.\n\nFrom: here to there.",
    whole: "On Friday we wrote to Bob: he is fine.\n\nFrom: here to there.",
  },
];
