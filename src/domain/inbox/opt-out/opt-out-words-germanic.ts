/** Opt-outs and footers in Germanic languages, and what is said alike everywhere; see `opt-out-words.ts`. */

import type { Words } from "./opt-out-words.ts";

export const GERMANIC_WORDS: Readonly<Record<string, Words>> = {
  any: {
    unsubscribe: "unsubscribe, un-subscribe, unsub, opt-out, opt out, optout",
    alone: "stop",
    list: "database, crm, mailing list, mailinglist, newsletter*",
    stop: "stop, stopp",
    message: "spam, e-mail*, email*, mail, mails, newsletter*, sms",
    footer: "disclaimer:, confidentiality notice, gdpr notice, privacy notice, privacy policy",
  },
  en: {
    unsubscribe:
      "unsubscribing, opting out, be unsubscribed, get unsubscribed, deregister, unsubscribe me, opt me out, opt us out, sign me off, to be off",
    dont: "don't try again, do not try again, dont try again",
    alone: "remove, take me off, remove me, delete, delete me, off, no more",
    remove:
      "remove, rmv, removed, removal, removing, delete, deleted, deletion, deleting, erase, erased, erasure, take me, take us, take my, take this, take our, get me, get us, tkae me, drop, strike, scrub, purge, destroy, wipe, get off, off, forget, taken off, exclude, excluded, cross",
    list: "list, lists, mailing list, mailing lists, database, databases, records, crm, mailings, further mailings, distribution, sequence, sequences, campaign, campaigns, cadence, subscribers, distribution list, contact list, system, systems, contacts, email list, outreach, drip, files, books, rolodex, recipients",
    me: "me, us, my email*, my e-mail*, my address, my contact*, my details, my data, my information, my info, my name, my number, my personal*, our address, our email*, our company, our domain, our data, our details, our contact*, our name, this email, this address, this e-mail, this mailbox, this inbox, this account, personal data, personal information, all data on me, data you hold, my employees, my team, our team, our office, our inbox, my inbox, this domain",
    stop: "stop, stopping, cease, quit, discontinue, halt, refrain from, refrain, desist, desist from, knock off, enough of, abstain from, put an end to",
    contact:
      "contact, contacting, email me, email us, e-mail me, e-mail us, emailing, e-mailing, mailing me, mailing us, mail me, mail us, write me, write us, write to me, write to us, writing me, writing us, writing to me, writing to us, message me, messaging, messaging me, text me, bother, bothering, spam me, spamming, harass*, pester*, bug me, bugging, soliciting, solicit, approach, approaching, follow up, following up, reach out, reaching out, contacted, emailed, bothered, disturb*, communicate with, hear from, hearing from, get back to me, reply to me, annoy*, target us, target me",
    send: "send, sending, sent",
    message:
      "emails, e-mails, email, e-mail, mail, mails, message, messages, communication, communications, correspondence, spam, junk, ads, advert*, marketing, newsletters, solicitation*, promotions, promotional*, follow-ups, follow ups, mailings, offers, contact, sales pitch*, pitch, pitches, outreach, stuff like this, crap, rubbish, anything",
    not: "not, don't, dont, do not, never, doesn't, no, didn't, without, isn't, won't, can't, cannot, nobody, hate to, nor, neither, rather not, n't, wasn't, hasn't, haven't",
    more: "again, agian, anymore, any more, any longer, ever, ever again, further, any further, more, future, in future, in the future, another, going forward, this kind of, these kinds of, such, from you, from your company",
    want: "want, wish, would like, like to, care to, would rather, i'd rather, we'd rather, interested in, don't receive, desire, need",
    demand:
      "wish to be marketed to, any further contact will, blocked and reported, do not wish to be marketed, stop writing, didn't give you permission, did not give you permission, never gave you permission, gave you permission, without my permission, without my consent, no permission to, don't receive any more, do not receive any more, don't get any more, not receive any more, leave me alone, leave us alone, lose my, lose our, lose this address, forget my, cease and desist all, cease and desist from, cease & desist, go away, piss off, fuck off, bugger off, get lost, how do i get off, how can i get off, how do i unsubscribe, how can i unsubscribe, how to unsubscribe me, report you, reporting you, report this as spam, report as spam, reported as spam, report your, reporting this, marking you as spam, mark you as spam, marked as spam, mark this as spam, marking this as spam, straight to the ico, report it to the, complaint with the data protection, complaint with the ico, complaint with the ftc, complain to the ico, do not consent to, don't consent to, never consented, withdraw my consent, withdraw consent, revoke my consent, i object to the processing, object to the use of my, i object to, right to object, do not contact list, do not call list, do-not-contact list, do not email list, suppression list, dnc list, dnc, last email i, last message i, last email we, last time you, black list us, right to erasure, right to be forgotten, have my personal information deleted, have my data deleted, have my data erased, not to be contacted, no solicitation, no soliciting, does not accept solicitation*, don't accept solicitation*, unsolicited emails are, take the hint, block you, blocking you, blocked you, wants to be contacted, never signed up, did not sign up, didn't sign up, didn't opt in, did not opt in, no unsolicited, stop it, no means no, harassment, for the last time, not be contacted, off your list, off the list, off this list",
    other:
      "stop by, stops by, stopping by, don't stop, stop thinking, not interested, no interest, not sure, no longer, no problem, no worries, not a fit, not only, no doubt, don't hesitate, do not hesitate, off speaker, take me through, take us through, take me to, get me a, get me the, get us a, get us the, send me the, a cease and desist, we never, we don't, we do not, a friend, feel free to contact, please contact, hear from you soon, look forward to hearing from you, looking forward to hearing from you, love to hear from you, to contact, cannot wait, can't wait, don't miss, end of, by the end, in the end, no longer with, i never, sorry i never, end date, need to get, email address, stop charging, stop the old, not the right, opt-out rate, opt out rate, feature, did not receive, didn't receive, didn't get, haven't received, not yet, never received, not received, never got, list of, price list, contact details below",
    limit:
      "call me, call us, phone me, ring me, do you, does it, instead, by phone, on the phone, give me a call, get on a call, hop on a call, before, until, rather call, on average, average, rate, rates, percent, per cent, how many, feature, features, customers, customer, subscribers, a user, users, a customer, automatically, automate, contact form, tool, product, platform, dashboard, do you have, do you support, does your, does it, can your, do you offer, our list, our newsletter, by accident, by mistake, accidentally, add me back, jumped, supported, my assistant about, my colleague about, please don't, hate to, would hate, twice the, on sundays, weekend*, this week, today only, attachment, attachments, pdf, invoice*, proposal, contract, offer, quote, row, item, what happens, what if, how does, who opt, who unsubscribe, people who, contacts who, competitor, vendor, requests, emailing back, back and forth, file, re-send, resend, references, questions, question",
    footer:
      'by reading this email, email is copyright, intended recipient, intended solely, intended only for, received this email in error, received this in error, received this message in error, received this communication in error, received this e-mail in error, received it in error, was not meant for you, not the addressee, not the intended, may be privileged, legally privileged, confidentiality notice, is confidential, are confidential, you are receiving this, you\'re receiving this, you received this email because, you received this message because, no longer wish to receive emails from us, click here click here, unsubscribe |, | unsubscribe, manage preferences, manage your preferences, update your preferences, email preferences, to stop receiving these, we process personal data, you have the right to, please consider the environment, before printing this, are not secure and we, we accept no liability, scanned for viruses, virus-free, sent with, take you off my list, will take you off, i\'ll take you off, remove you from, just reply "stop, reply stop, reply with stop, reply "stop, reply with "stop, reply with unsubscribe, reply with "unsubscribe, reply unsubscribe, reply "unsubscribe, if you\'d rather not hear, if you would rather not hear, don\'t want to hear from me?, not want to hear from us, registered in england, registered office, views expressed, opinions expressed, unauthorized use, unauthorised use, disclosure or copying',
    ask: "could you, can you, would you, will you, may i ask, please, kindly, pls, plz",
  },
  de: {
    unsubscribe:
      "abmelden, abmeldung, abbestellen, abbestellung, austragen, austragung, abmeldewunsch, kündigung newsletter, newsletter kündigen, deabonnieren, melden sie mich ab, melde mich ab, meldet mich ab, tragen sie mich aus, tragt mich aus, trag mich aus",
    alone: "löschen, austragen, entfernen, streichen, raus, keine mails, nein stop",
    remove:
      "lösch*, loesch*, entfern*, streich*, nehmen, nimm, nehmt, herausnehmen, rausnehmen, genommen, gestrichen, gelöscht, heraus, raus, tragen, austragen, vernichten, herunternehmen, aus ihrem, aus ihrer, aus eurem, aus eurer",
    list: "verteiler*, liste, listen, mailingliste*, datenbank*, adressbestand, newsletter*, adressdatei, mailverteiler*, system, kartei, datei, datenbestand, adressliste*, empfängerliste*, kontaktliste*, kundenkartei",
    me: "mich, uns, meine adresse, meine e-mail*, meine mail*, meine email*, meine daten, meine kontaktdaten, meine personenbezogenen, unsere adresse, unsere daten, unsere e-mail*, unsere mail*, personenbezogene*, über mich gespeicherten, gespeicherten daten, diese adresse, diese e-mail*, diese mail*, meinen namen, mir, meinen kontakt",
    stop: "aufhören, hören sie auf, hör auf, hört auf, unterlassen, unterlasse, unterlasst, einstellen, stellen sie, beenden, lassen sie, schluss mit, abzusehen, sehen sie von, absehen, stoppen, unterbinden, verschonen",
    contact:
      "schreiben, schreib, schreibt, anschreiben, anzuschreiben, anschreiben ab, kontaktieren, kontaktier*, kontaktaufnahme*, kontaktversuch*, mailen, belästig*, belaestig*, zuspammen, anmailen, bespammen, behelligen, melden sie sich, melde dich",
    send: "senden, sende, sendet, schicken, schick, schickt, zusenden, zuzusenden, zusendung*, zuschicken, bekommen, erhalten, empfangen, zugesandt, zugeschickt, verschicken",
    message:
      "nachrichten, nachricht, werbung, werbemails, werbe-*, werbemail*, anfragen, anschreiben, mitteilungen, kontaktaufnahme, akquise*, angebote, zusendungen, mailings, zuschriften, post, kontakt, werbeanruf*, werbenachricht*, spammails",
    not: "nicht, keine, keinen, kein, nie, niemals, keinerlei",
    more: "mehr, weitere, weiteren, weiterer, weiteres, künftig*, kuenftig*, zukünftig*, in zukunft, nie wieder, nie mehr, nochmal, noch einmal, erneut, wieder, derartige, derartigen, solche, von ihnen",
    want: "will, wollen, möchte*, moechte*, wünsche*, wuensche*, wünschen, legen wert auf, habe interesse an, brauche, brauchen",
    unwanted: "verbitte*, verbieten, untersage*",
    demand:
      "lassen sie mich in ruhe, lassen sie uns in ruhe, lass mich in ruhe, lasst mich in ruhe, lasst uns in ruhe, in ruhe lassen, widerspreche der, widerspreche hiermit, widerspreche jeglicher, widerspruch gegen, widerrufe meine, widerrufe hiermit, widerruf meiner, als spam melden, als spam gemeldet, melde ich sie, melde ich das, bundesnetzagentur, datenschutzbehörde, landesdatenschutz*, datenschutzbeauftragten des landes, beschwerde bei der, schalte ich meinen anwalt, unterlassungs*, abmahn*, recht auf löschung, löschung meiner, löschung aller, werbewiderspruch, keine einwilligung, nicht eingewilligt, blockiere sie, einwilligung nicht erteilt, verschonen sie",
    other:
      "kein interesse, keinen bedarf, kein bedarf, nicht zuständig, nicht mehr zuständig, kein problem, lassen sie uns sprechen, lassen sie uns telefonieren, bitte melden sie sich, nehmen sie mich gern, nehmen sie mich bitte in, in ihren verteiler, in den verteiler, hören sie auf uns",
    limit:
      "rufen sie, ruf mich, anrufen, telefonisch, lieber telefon*, sondern, stattdessen, vor montag, vor dienstag, bis montag, bis zum, bis ende, durchschnitt, im schnitt, wie viele, wie gehen, kann man, kunden, empfänger, löschanfragen, funktion, tool, angebot, position, zeile, vertrag, anhang, pdf, fragen, versehentlich, aus versehen, nächstes jahr",
    footer:
      "irrtümlich erhalten, irrtümlich zugegangen, nicht der richtige adressat, nicht der beabsichtigte, nicht der vorgesehene, vertrauliche informationen, vertraulich und, ist vertraulich, informieren sie bitte sofort den absender, benachrichtigen sie den absender, benachrichtigen sie bitte den absender, unbefugte weitergabe, unerlaubte kopieren, informationen zum datenschutz, datenschutzhinweis*, datenschutzerklärung, jederzeit widersprechen, denken sie an die umwelt, bevor sie diese e-mail, bevor sie diese mail, klicken sie hier, hier abmelden, keine e-mails mehr von uns, keine mails mehr von uns, möchten sie keine, sie möchten keine, wenn sie keine, falls sie keine, sie erhalten diese, amtsgericht, geschäftsführer:, ust-id*, handelsregister",
    ask: "können sie, könnten sie, würden sie, bitte, könntest du, kannst du, könnt ihr",
  },
  nl: {
    unsubscribe:
      "afmelden, afmelding, uitschrijven, uitschrijving, schrijf mij uit, schrijf me uit, schrijf ons uit, meld mij af, meld me af, opzeggen, uit te schrijven, af te melden, meld ons af, uitgeschreven worden",
    alone: "verwijderen, verwijder, uitschrijven, afmelden, eraf",
    remove:
      "haal, halen, verwijder*, schrap*, wis, wissen, te verwijderen, gooi, uithalen, weghalen, vernietig*, te wissen",
    list: "lijst, lijsten, mailinglijst*, bestand, bestanden, database, adressenbestand, verzendlijst, mailings, nieuwsbrief, systeem, adressenlijst, maillijst, campagnes, distributielijst",
    me: "mij, me, ons, mijn adres*, mijn gegevens, mijn e-mail*, mijn email*, mijn mail*, onze gegevens, ons adres, ons e-mail*, persoonsgegevens, dit adres, dit e-mail*, dit mail*, mijn naam, mijn contact*, onze naam, al mijn gegevens, mijn data",
    stop: "stop, stoppen, ophouden, hou op, houd op, staak, kappen, kap, beëindig, op te houden",
    contact:
      "mailen, mail, contact, contacteer, contacteren, contact op, benader, benaderen, schrijf, schrijven, lastig, lastigvallen, val mij, spammen, benaderd, gemaild, te mailen, te benaderen, te contacteren, storen",
    send: "stuur, sturen, zenden, verzend*, toesturen, toezenden, ontvangen, krijgen, te sturen",
    message:
      "bericht, berichten, mails, mail, e-mails, reclame, communicatie, aanbiedingen, mailtjes, mailtje, post, correspondentie, benadering, acquisitie, contact, reclamemail*, commerciële",
    not: "niet, geen, nooit, noch, nimmer, zonder",
    more: "meer, nooit meer, verdere, verder, voortaan, in de toekomst, ooit, nogmaals, opnieuw, nog, weer, toekomstige, zulke, dit soort",
    want: "wil, willen, wens, wensen, zou graag, stellen prijs op, stel prijs op, stel geen prijs op, stellen geen prijs op, prijs op, behoefte aan",
    demand:
      "hoe meld ik me af, laat me met rust, laat mij met rust, laat ons met rust, met rust laten, meld ik dit, meld dit als spam, meld ik u, als spam melden, als spam gemeld, autoriteit persoonsgegevens, klacht indienen, trek mijn toestemming in, geen toestemming, maak bezwaar, bezwaar tegen, recht op vergetelheid, recht op verwijdering, recht van bezwaar, bij de acm, rot op, donder op",
    other:
      "schrijf me niet uit, schrijf mij niet uit, meld me niet af, meld mij niet af, geen interesse, niet geïnteresseerd, geen vragen meer, geen probleem, meer informatie, neem contact op met, neem gerust contact, aarzel niet, ontvang ik niet",
    limit:
      "bel, bel me, bel mij, bellen, telefonisch, maar bel, liever, voor maandag, tot maandag, gemiddeld, hoeveel, klanten, functie, hoe werkt, offerte, regel, contract, factuur, bijlage, pdf, vragen, per ongeluk, maar een link, na de zomer, volgend jaar",
    footer:
      "is vertrouwelijk, per abuis, ten onrechte ontvangen, uitsluitend bestemd, niet de geadresseerde, niet de beoogde, verzoeken wij u de afzender, klik hier, geen e-mails meer van ons, geen mails meer van ons, u ontvangt deze, denk aan het milieu, voordat u deze e-mail, wilt u geen",
    ask: "kunt u, kun je, wilt u, zou u, gelieve, kunnen jullie, aub",
  },
  sv: {
    unsubscribe:
      "avregistrera*, avregistrering, avprenumerera*, avanmäl*, avsluta prenumeration*, avsluta min prenumeration, säg upp prenumeration*",
    alone: "avsluta, ta bort, radera, avregistrera, stoppa",
    remove:
      "ta bort, tag bort, stryk, radera*, plocka bort, avlägsna, tas bort, plocka, strykas, raderas, borttagen, radering",
    list: "lista, listan, listor, mejllista*, maillista*, utskick*, register, databas, databaser, databasen, sändlista*, registret, e-postlista*, nyhetsbrev*, utskickslista*, kundregister, system",
    me: "mig, oss, min adress, min e-post*, min mejl*, min mail*, mina uppgifter, vår adress, våra uppgifter, personuppgifter, denna adress, den här adressen, vår e-post*, mina data, mina kontakt*, våra kontakt*",
    stop: "sluta, upphör, stoppa, avstå från, avstå, lägg av, slutar",
    contact:
      "mejla*, maila*, kontakta*, skriva, skriv, höra av, hör av, spamma*, störa, stör, trakassera, besvära, bli kontaktad*, kontakt",
    send: "skicka*, sända, sänd, få, ha, ta emot, erhålla",
    message:
      "mejl, mail, e-post, utskick, meddelande*, reklam, spam, nyhetsbrev*, brev, kontakt, erbjudanden, försäljning*, spam",
    not: "inte, ej, aldrig, inga, ingen, inget, icke, slipp*",
    more: "mer, fler, flera, igen, längre, framöver, i framtiden, någonsin, mera, ytterligare, fortsättningsvis, sådana",
    want: "vill, önskar, önskas, skulle vilja",
    unwanted: "undanber*, avböjer vidare",
    demand:
      "hur avanmäler jag, lämna mig ifred, lämna mig i fred, lämna oss i fred, lämna oss ifred, anmäler jag, jag anmäler, anmäla er till, anmäler er, rapportera som spam, rapporterar som spam, imy, integritetsskyddsmyndigheten, återkallar mitt samtycke, inget samtycke, inte samtyckt, motsätter mig, rätten att bli glömd, inte gett samtycke, inte lämnat samtycke",
    other:
      "inte intresserad*, ej intresserad*, inga fler frågor, inget intresse, inga problem, mer information, mer info, hör av dig, hör gärna av",
    limit:
      "ring, ringa, telefon, i stället, istället, innan, före, förrän, i snitt, genomsnitt, hur många, kunder, funktion, offerten, offert, rad, raden, avtal*, faktura, bilaga, pdf, frågor, av misstag, till hösten, i höst, nästa år, hur hanterar",
    footer:
      "konfidentiell information, av misstag, endast avsett för, meddela avsändaren, klicka här, tänk på miljön, innan du skriver ut, är konfidentiellt",
    ask: "kan ni, kan du, skulle ni kunna, skulle du kunna, vänligen, snälla",
  },
  da: {
    unsubscribe: "afmeld, afmelding, afmelde*, frameld*, afmeld mig, framelding, opsig abonnement",
    alone: "afmeld, slet, fjern, stop, slet mig, fjern mig",
    remove: "fjern*, slet, slette*, sletning, tag mig af, tag os af, stryg",
    list: "liste, listen, lister, maillist*, mailingliste*, database, databasen, nyhedsbrev*, register, kartotek, mailliste*, system*, arkiv",
    me: "mig, os, min adresse, min e-mail*, min mail*, mine oplysninger, mine data, vores adresse, vores oplysninger, personoplysninger, denne adresse, vores e-mail*, vores mail*, mine personoplysninger, min mailadresse, mine kontakt*",
    stop: "lad venligst være, lad venligst være med at, stop, stop med, hold op, hold op med, ophør, undlad, lad være, lade være, indstil",
    contact:
      "skriv*, skrive, kontakt*, kontakte, maile, genere, forstyr*, spamme, henvend*, chikanere, kontaktes",
    send: "send*, sende, modtage, få, modtag",
    message:
      "mails, mail, e-mails, beskeder, besked, henvendelser, reklame*, spam, henvendelse, nyhedsbreve*, tilbud, post, korrespondance, markedsføring",
    not: "ikke, aldrig, ingen, ej, intet",
    more: "mere, flere, igen, længere, fremover, i fremtiden, yderligere, nogensinde, sådanne",
    want: "ønsker, vil, vil gerne, ønskes",
    unwanted: "frabed*",
    demand:
      "lad mig være i fred, lad os være i fred, lad mig være, anmelder jer, anmelder jeg, jeg anmelder, anmelde jer, datatilsynet, forbrugerombudsmanden, trækker mit samtykke, intet samtykke, ikke givet samtykke, gør indsigelse, retten til at blive glemt, meld som spam, rapporterer som spam",
    other:
      "ikke interesseret, ikke interesserede, ingen flere spørgsmål, ingen interesse, mere information, mere info, intet problem, ikke tøv, tøv ikke",
    limit:
      "ring, ringe, telefon*, hellere, i stedet, inden, før mandag, før jul, i gennemsnit, gennemsnit, hvor mange, kunder, funktion, tilbuddet, linje, kontrakt*, faktura, bilag, pdf, spørgsmål, ved en fejl, næste år, endelig ikke",
    footer:
      "fortrolige oplysninger, ved en fejl, er fortrolig*, underrette afsenderen, klik her, tænk på miljøet, bedes du",
    ask: "kan i, kan du, vil i, vil du, venligst",
  },
  no: {
    dont: "ikkje send*",
    unsubscribe: "meld meg av, meld oss av, avmeld*, avmelding, avslutt abonnement*, meld av",
    alone: "avmeld, slett, fjern, slett meg, fjern meg",
    remove: "fjern*, slett*, stryk, ta meg av, ta oss av, ta bort, sletting, fjerning, ta meg vekk",
    list: "liste, listen, lista, listene, e-postliste*, database, databasen, nyhetsbrev*, register*, system*, maillist*, epostliste*, utsendelse*",
    me: "meg, oss, min adresse, min e-post*, min epost*, mine opplysninger, mine data, vår adresse, våre opplysninger, personopplysninger, denne adressen, vår e-post*, mine personopplysninger, mine kontakt*, min mail*, alle mine opplysninger",
    stop: "slutt med, slutt, slutt å, stopp, la være, opphør, unnlat, hold opp",
    contact:
      "kontakt*, kontakte, skriv*, skrive, maile, mase, plage, forstyrr*, spamme, henvend*, ta kontakt",
    send: "send*, sende, motta, få, mottar",
    message:
      "e-post, e-poster, epost, eposter, mailer, mail, meldinger, henvendelser, reklame, spam, henvendelse, nyhetsbrev, post, tilbud, markedsføring",
    not: "ikke, aldri, ingen, ei, intet",
    more: "mer, flere, igjen, lenger, fremover, i fremtiden, noen gang, ytterligere, slike",
    want: "ønsker, vil, vil gjerne",
    unwanted: "frabe*",
    demand:
      "la meg være i fred, la oss være i fred, la meg være, klager til, klager jeg, jeg klager, anmelder, datatilsynet, forbrukertilsynet, trekker samtykke*, trekker mitt samtykke, ikke gitt samtykke, protesterer mot behandling, retten til å bli glemt, rapporterer som spam, melder dette som spam, rapportere som spam",
    other:
      "ikke interessert, ingen flere spørsmål, ingen interesse, mer informasjon, mer info, ikke noe problem, ikke nøl, nøl ikke",
    limit:
      "ring, ringe, telefon*, heller, i stedet, før mandag, før jul, innen, i snitt, gjennomsnitt, hvor mange, kunder, funksjon, tilbudet, linje, kontrakt*, faktura, vedlegg, pdf, spørsmål, ved en feil, til neste år, neste år",
    footer:
      "konfidensiell informasjon, ved en feil, er konfidensiell, varsle avsender*, klikk her, tenk på miljøet",
    ask: "kan dere, kan du, vil dere, vennligst",
  },
  is: {
    unsubscribe: "afskrá*, afskráning",
    alone: "afskrá, eyða",
    remove: "takið, taka, taktu, fjarlæg*, eyð*, strika*",
    list: "listanum, lista, póstlista*, gagnagrunn*, skrá, skránni",
    me: "mig, okkur, netfang*, persónuupplýsing*, upplýsingum mínum, upplýsingar mínar, netfangið mitt",
    stop: "hætt*, hættið",
    contact: "skrif*, hafa samband, ónáða",
    send: "send*, senda, fá",
    message: "póst*, tölvupóst*, skilaboð*, auglýsing*, ruslpóst*",
    not: "ekki, aldrei, enga, engin, engan",
    more: "fleiri, meira, aftur, meir, lengur, framar",
    want: "vil, viljum, óska, óskum",
    demand: "látið mig í friði, láttu mig í friði, persónuvernd",
    other: "ekki áhug*, engar fleiri spurningar",
    limit: "hringdu, hringið, hringja, tilboð*, línu*, samning*, spurning*",
    footer: "fyrir mistök, trúnaðarmál, smelltu hér",
  },
};
