/** What simulated people and their mail programs write, by language. Source: ours. */

export const LANGUAGES = ["en", "de", "fr", "es", "nl", "it", "pt"] as const;
export type Language = (typeof LANGUAGES)[number];

export interface Phrases {
  reply: readonly string[];
  interested: readonly string[];
  /** Whole texts of emails that say one thing: stop. */
  unsubscribe: readonly string[];
  /** A holiday notice: `subject` of the email it answers, `date` of the return, in words. */
  awaySubject: (subject: string) => string;
  awayText: (date: string, name: string) => string;
  /** Nobody reads that mailbox any more; `office` does. */
  leftText: (name: string, office: string) => string;
  /** The line above what is quoted. */
  wrote: (date: string, who: string) => string;
}

export const PHRASES: Readonly<Record<Language, Phrases>> = {
  en: {
    reply: [
      "Thanks for getting in touch. Who else are you working with in our field?",
      "Which of our offices did you have in mind?",
      "Who in our company did you mean to write to?",
    ],
    interested: [
      "Sounds interesting. Can we talk on Thursday afternoon?",
      "Yes, please send me the details and what it would cost for a team of ten.",
      "Good timing, I am interested. When could you show it to us?",
    ],
    unsubscribe: ["Unsubscribe", "Please remove me from your list.", "Stop emailing me."],
    awaySubject: (subject) => `Automatic reply: ${subject}`,
    awayText: (date, name) =>
      `Hello,\n\nI am out of the office and will be back on ${date}. ` +
      `I will answer your message after my return.\n\nKind regards\n${name}`,
    leftText: (name, office) =>
      `Hello,\n\n${name} no longer works for our company. Please write to ${office} instead.`,
    wrote: (date, who) => `On ${date}, ${who} wrote:`,
  },
  de: {
    reply: [
      "Danke für Ihre Nachricht. Mit wem arbeiten Sie denn sonst in unserer Branche?",
      "An welchen unserer Standorte haben Sie gedacht?",
    ],
    interested: [
      "Das klingt spannend. Können wir am Donnerstag telefonieren?",
      "Gerne. Bitte schicken Sie mir Unterlagen und Preise für zehn Personen.",
    ],
    unsubscribe: ["Abmelden", "Bitte abmelden.", "Bitte nehmen Sie mich aus dem Verteiler."],
    awaySubject: (subject) => `Automatische Antwort: ${subject}`,
    awayText: (date, name) =>
      `Guten Tag,\n\nich bin nicht im Büro und ab dem ${date} wieder erreichbar. ` +
      `Ihre Nachricht wird nicht weitergeleitet.\n\nFreundliche Grüße\n${name}`,
    leftText: (name, office) =>
      `Guten Tag,\n\n${name} ist nicht mehr im Unternehmen. Bitte schreiben Sie an ${office}.`,
    wrote: (date, who) => `Am ${date} schrieb ${who}:`,
  },
  fr: {
    reply: [
      "Merci pour votre message. Avec qui travaillez-vous dans notre secteur ?",
      "À quel service pensiez-vous chez nous ?",
    ],
    interested: [
      "Cela m'intéresse. Pouvons-nous en parler jeudi après-midi ?",
      "Volontiers, envoyez-moi les détails et vos tarifs.",
    ],
    unsubscribe: ["Désinscription", "Merci de me désinscrire."],
    awaySubject: (subject) => `Réponse automatique : ${subject}`,
    awayText: (date, name) =>
      `Bonjour,\n\nje suis absent du bureau et serai de retour le ${date}. ` +
      `Je répondrai à votre message à mon retour.\n\nCordialement\n${name}`,
    leftText: (name, office) =>
      `Bonjour,\n\n${name} ne travaille plus dans notre société. Veuillez écrire à ${office}.`,
    wrote: (date, who) => `Le ${date}, ${who} a écrit :`,
  },
  es: {
    reply: [
      "Gracias por su mensaje. ¿Con quién trabajan ya en nuestro sector?",
      "¿En cuál de nuestras sedes pensaban?",
    ],
    interested: [
      "Me interesa. ¿Podemos hablar el jueves por la tarde?",
      "Sí, envíeme los detalles y los precios, por favor.",
    ],
    unsubscribe: ["Darme de baja", "Por favor, darme de baja."],
    awaySubject: (subject) => `Respuesta automática: ${subject}`,
    awayText: (date, name) =>
      `Hola:\n\nestoy fuera de la oficina y estaré de vuelta el ${date}. ` +
      `Responderé a su mensaje a mi regreso.\n\nUn saludo\n${name}`,
    leftText: (name, office) =>
      `Hola:\n\n${name} ya no trabaja en nuestra empresa. Por favor, escriba a ${office}.`,
    wrote: (date, who) => `El ${date}, ${who} escribió:`,
  },
  nl: {
    reply: [
      "Bedankt voor uw bericht. Met wie werken jullie al in onze sector?",
      "Aan welke van onze vestigingen dacht u?",
    ],
    interested: [
      "Klinkt interessant. Kunnen we donderdagmiddag bellen?",
      "Graag, stuur me de details en de prijzen.",
    ],
    unsubscribe: ["Afmelden", "Graag afmelden."],
    awaySubject: (subject) => `Automatisch antwoord: ${subject}`,
    awayText: (date, name) =>
      `Hallo,\n\nik ben niet op kantoor en vanaf ${date} weer bereikbaar. ` +
      `Daarna beantwoord ik uw bericht.\n\nMet vriendelijke groet\n${name}`,
    leftText: (name, office) =>
      `Hallo,\n\n${name} is niet meer werkzaam bij ons bedrijf. Schrijf alstublieft naar ${office}.`,
    wrote: (date, who) => `Op ${date} schreef ${who}:`,
  },
  it: {
    reply: [
      "Grazie del messaggio. Con chi lavorate già nel nostro settore?",
      "A quale delle nostre sedi pensavate?",
    ],
    interested: [
      "Mi interessa. Possiamo sentirci giovedì pomeriggio?",
      "Volentieri, mi mandi i dettagli e i prezzi.",
    ],
    unsubscribe: ["Cancellami", "Per favore, cancellami dalla lista."],
    awaySubject: (subject) => `Risposta automatica: ${subject}`,
    awayText: (date, name) =>
      `Buongiorno,\n\nsono fuori ufficio e sarò di ritorno il ${date}. ` +
      `Risponderò al suo messaggio al mio rientro.\n\nCordiali saluti\n${name}`,
    leftText: (name, office) =>
      `Buongiorno,\n\n${name} non lavora più nella nostra azienda. La preghiamo di scrivere a ${office}.`,
    wrote: (date, who) => `Il ${date}, ${who} ha scritto:`,
  },
  pt: {
    reply: [
      "Obrigado pela mensagem. Com quem já trabalham no nosso setor?",
      "Em qual dos nossos escritórios pensaram?",
    ],
    interested: [
      "Parece interessante. Podemos falar na quinta-feira à tarde?",
      "Sim, envie-me por favor os detalhes e os preços.",
    ],
    unsubscribe: ["Cancelar inscrição", "Por favor, cancelar a inscrição."],
    awaySubject: (subject) => `Resposta automática: ${subject}`,
    awayText: (date, name) =>
      `Olá,\n\nestou fora do escritório e estarei de volta no dia ${date}. ` +
      `Responderei à sua mensagem no meu regresso.\n\nCumprimentos\n${name}`,
    leftText: (name, office) =>
      `Olá,\n\n${name} já não trabalha na nossa empresa. Por favor, escreva para ${office}.`,
    wrote: (date, who) => `Em ${date}, ${who} escreveu:`,
  },
};

/** `16 March 2026`, as the language writes it. `date` is `2026-03-16`. */
export function longDate(language: Language, date: string): string {
  const format = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  const noon = Temporal.PlainDate.from(date).toZonedDateTime({
    timeZone: "UTC",
    plainTime: "12:00",
  });
  return format.format(noon.epochMilliseconds);
}
