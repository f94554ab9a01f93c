/** Opt-outs and footers in Slavic languages of Latin script; see `opt-out-words.ts`. */

import type { Words } from "./opt-out-words.ts";

export const SLAVIC_WORDS: Readonly<Record<string, Words>> = {
  pl: {
    unsubscribe:
      "wypisz*, wypisać, wypisanie, wypisuję, rezygnuję, rezygnuje, rezygnacja z, zrezygnować, anuluj subskrypcję, anulować subskrypcję, wypis, odsubskrybuj, proszę o wypisanie",
    alone: "wypisz, usuń, usunąć, wypisać, rezygnuję, wypisz mnie, usunięcie, wypisz się",
    remove:
      "usun*, usuń*, usunięci*, skasow*, skasuj*, wykreśl*, skreśl*, wymaz*, usuwan*, zlikwid*",
    list: "listy, lista, liście, listę mailingow*, bazy, bazę, baz, bazie, newsletter*, subskrypcj*, mailingu, mailing, kampanii, wysyłki, zbioru, rejestru, bazy danych",
    me: "mnie, nas, mój adres, moj adres, mojego adresu, moje dane, moich danych, mojego maila, mój mail, nasz adres, nasze dane, naszych danych, naszego adresu, dane osobowe, danych osobowych, ten adres, tego adresu, mój e-mail, mojego e-maila, mi, mną, nami, do nas, do mnie, naszą firmę, naszej firmy",
    stop: "przestać, proszę przestać, przestań, przestańcie, zaprzest*, skończcie, skoncz*, dość, wstrzyma*, proszę zaprzestać, koniec z",
    contact:
      "pisać, pisz, piszcie, kontaktow*, kontaktuj*, niepokoić, nękać, nękaj*, spamować, spamuj*, zawracać, przeszkadza*, kontaktu, kontakt, odzywa*, nachodz*, napastow*",
    send: "wysyłać, wysyłaj*, wysyłani*, przesyłać, przesyłaj*, przysyłać, przysyłaj*, otrzymywać, dostawać, otrzymywani*, wysylac, przesyłani*, śl*",
    message:
      "maili, maile, mail, wiadomości, wiadomosci, reklam, reklamy, spam, spamu, ofert handlowych, korespondencj*, e-maili, e-maile, informacji handlowych, newsletterów, kontaktów, mailami",
    not: "nie, nigdy, bez, żadnych, ani",
    more: "więcej, wiecej, nigdy, ponownie, w przyszłości, już, dalszych, kolejnych, takich, żadnych, znowu, dalszej",
    want: "chcę, chcemy, życzę, życzymy, zycze, chciał*, życzą, zamierzam",
    demand:
      "jak się wypisać, proszę dać mi spokój, dajcie mi spokój, daj mi spokój, dajcie nam spokój, odczepcie się, zgłoszę to do, zgłoszę do uodo, zgłoszę jako spam, zgłaszam jako spam, uodo, uokik, skarga do, skargę do, nie wyrażam zgody, nie wyrażamy zgody, nie wyraziłem zgody, nie wyraziłam zgody, cofam zgodę, wycofuję zgodę, odwołuję zgodę, sprzeciw wobec, wnoszę sprzeciw, zgłaszam sprzeciw, sprzeciwiam się, prawo do bycia zapomnianym",
    other:
      "nie jestem zainteresowan*, nie jesteśmy zainteresowan*, nie dziękuję, nie dziękujemy, więcej pytań, nie ma problemu, więcej informacji, nie interesuje, nie odpisuję",
    limit:
      "zadzwoni*, dzwoni*, telefon*, tylko, zamiast, przed, do poniedziałku, średnio, ile osób, ilu, klient*, funkcj*, pozycj*, ofert*, umow*, faktur*, załącznik*, pytań, pytania, przez pomyłkę, w przyszłym roku, jak wygląda",
    footer:
      "jest poufna, poufne, nie są państwo jej adresatem, nie jesteś adresatem, przeznaczona wyłącznie, powiadomienie nadawcy, administratorem państwa danych, administratorem danych, mają państwo prawo, ma pan prawo, przysługuje pani, kliknij tutaj, kliknij link, zanim wydrukujesz, omyłkowo, klauzula",
    ask: "czy możecie, czy mogą państwo, czy może pan, czy może pani, proszę, prosze, czy mogliby",
  },
  cs: {
    unsubscribe:
      "odhlás*, odhlášení, odhlasit, odhlašuji, odhlaste, odhlašte, zrušit odběr, zrušte odběr, zrušení odběru, ukončit odběr",
    alone: "odhlásit, odhlašuji, smazat, vyřadit, odstranit, odhlásit odběr, zrušit",
    remove:
      "vyřaď*, vyřadit, vyřazení, vyřad*, smaž*, smazat, smazání, vymaž*, vymazat, vymazání, výmaz*, odstran*, odstraň*, vyškrtn*, odebr*, odeber*, zlikvid*, vyjm*",
    list: "seznam*, databáz*, rozesíl*, mailing listu, newsletter*, evidence, evidenci, adresář*, odběr*, mailinglistu, systému",
    me: "mě, mne, nás, můj e-mail*, můj email*, můj kontakt, mou adresu, moji adresu, mé údaje, mých údajů, naši adresu, naše údaje, osobní údaje, osobních údajů, náš e-mail*, mi, nám, moje údaje, moje data, tuto adresu, tento e-mail*, moje osobní",
    stop: "přestaň*, přestat, ukonč*, skončete, zastav*, upusťte, dost, přestaňte",
    contact: "psát, pište, kontakt*, obtěž*, spam*, oslovov*, oslovuj*, otrav*",
    send: "posílat, posíl*, zasíl*, zasílání, dostávat, posilat, dostáv*",
    message:
      "e-mail*, email*, zpráv*, mailů, maily, reklam*, obchodních sdělení, obchodní sdělení, nabíd*, newsletter*, korespondenc*, sdělení",
    dont: "nepiš*, nepište, neposíl*, nekontakt*, nezasíl*, neobtěž*, neoslov*, nespam*, neotrav*, nevolejte",
    unwanted: "nepřej*, nechci, nechceme, nemám zájem dostávat, nestojím o, nestojíme o, nepřeji",
    not: "ne, nikdy, není, žádné",
    more: "už, již, další*, dál, dále, více, nikdy, znovu, příště, v budoucnu, opět, žádné, takové, nadále, vaše",
    want: "chci, přeji",
    demand:
      "dejte mi pokoj, nechte mě být, nechte nás být, nechte mě na pokoji, nesouhlas*, odvolávám souhlas, odvolávám svůj souhlas, nedal jsem souhlas, nedala jsem souhlas, nedali jsme souhlas, nahlásím, nahlásíme, stížnost na, stěžovat, úoou, úoóú, námitk*, vznáším námitku, právo být zapomenut",
    other: "nemám zájem, nemáme zájem, další otázky, více informací, není problém, už nemám",
    limit:
      "zavol*, volejte, telefon*, raději, místo toho, před, do pondělí, průměr*, kolik, klient*, zákazní*, řádek, řádku, nabídky, nabídce, smlouv*, faktur*, příloh*, otáz*, omylem, příští rok, jak u vás, jak funguje, rád to čtu",
    footer:
      "je důvěrn*, určena pouze, zamýšleným příjemcem, informujte prosím odesílatele, klikněte zde, klikněte sem, obdrželi omylem, omylem obdrž*, pokud si nepřejete dostávat, než vytisknete",
    ask: "můžete, mohli byste, mohl byste, mohla byste, prosím, prosim",
  },
  sk: {
    unsubscribe:
      "odhlás*, odhlásenie, odhlasujem, odhlaste, odhláste, zrušiť odber, zrušte odber, ukončiť odber",
    alone: "odhlásiť, odhlasujem, vymazať, vyradiť, odstrániť, zrušiť",
    remove:
      "vyraď*, vyradiť, vyradenie, vyrad*, vymaž*, vymaz*, vymazanie, vymazať, zmaž*, zmazať, odstrán*, odstráň*, vyškrtn*, výmaz*, odober*",
    list: "zoznam*, databáz*, rozosiel*, newsletter*, evidenci*, adresár*, odber*, mailing listu, systému",
    me: "ma, mňa, nás, môj e-mail*, môj email*, môj kontakt, moju adresu, moje údaje, mojich údajov, našu adresu, naše údaje, osobné údaje, osobných údajov, náš e-mail*, mi, nám, túto adresu, tento e-mail*, moje osobné",
    stop: "prestaň*, prestať, ukonč*, skončite, zastav*, upustite, dosť",
    contact: "písať, píšte, kontakt*, obťaž*, spam*, oslov*, otrav*",
    send: "posiel*, zasiel*, dostávať, dostáv*, prijímať",
    message:
      "e-mail*, email*, správ*, mailov, maily, reklam*, obchodných oznámení, ponúk, newsletter*, korešpondenci*, oznámen*",
    dont: "nepíš*, neposiel*, nekontakt*, nezasiel*, neobťaž*, neoslov*, nespam*, neotrav*, nevolajte",
    unwanted: "neželám, neželáme, nechcem, nechceme, neprajem, neprajeme, neželajú, nestojím o",
    not: "nie, nikdy, žiadne",
    more: "už, viac, ďalš*, ďalej, nikdy, znova, v budúcnosti, opäť, žiadne, takéto, naďalej, vaše",
    want: "chcem, želám, prajem",
    demand:
      "dajte mi pokoj, nechajte ma na pokoji, nechajte nás na pokoji, nechajte ma, nesúhlas*, odvolávam súhlas, odvolávam svoj súhlas, nedal som súhlas, nedala som súhlas, nahlásim, nahlásime, sťažnos*, námietk*, namietam, právo na zabudnutie",
    other: "nemám záujem, nemáme záujem, ďalšie otázky, viac informácií, nie je problém",
    limit:
      "zavol*, volajte, telefon*, radšej, namiesto, pred, do pondelka, priemer*, koľko, klient*, zákazní*, riadok, riadku, ponuky, ponuke, zmluv*, faktúr*, príloh*, otáz*, omylom, budúci rok, ako u vás, ako funguje",
    footer:
      "je dôvern*, určená výhradne, určená len, dostali omylom, informujte prosím odosielateľa, kliknite sem, kliknite tu, omylom",
    ask: "môžete, mohli by ste, prosím, prosim",
  },
  sl: {
    unsubscribe: "odjav*, odjava, odjavite me, odjaviti",
    alone: "odjava, odstrani, izbriši, odjavite",
    remove: "odstran*, izbriš*, izbris*, zbriš*, črtaj*, umakn*, vzemite",
    list: "seznam*, baz*, zbirk*, evidenc*, e-novic*, liste, list*",
    me: "me, mene, nas, moj naslov, moje podatke, osebnih podatkov, osebne podatke, mojih podatkov, naš naslov, naše podatke, mi, nam, mojega naslova, moj e-naslov, ta naslov",
    stop: "prenehaj*, nehaj*, ustavi*, končajte, dovolj",
    contact: "piši*, pisa*, pišite, kontaktir*, nadleg*, moti*, kliči*, obrač*",
    send: "pošilj*, prejema*, dobiva*, poslati",
    message:
      "e-pošt*, sporočil*, mailov, maile, reklam*, oglas*, spam*, mailo*, pošte, pošto, e-sporočil*",
    unwanted: "nočem, nočemo, ne želim, ne želimo",
    not: "ne, nikoli, nikdar, brez, nobenih",
    more: "več, nikoli, v prihodnje, ponovno, nadaljnj*, znova, vaših",
    want: "želim, želimo, hočem",
    demand:
      "pustite me pri miru, pustite me na miru, pustite nas pri miru, pustite nas na miru, prijavil vas bom, prijavila vas bom, informacijskemu pooblaščencu, preklicujem soglasje, preklicujem privolitev, nisem dal soglasja, ne soglašam, ugovarjam, pritožil*, nasprotujem",
    other: "več vprašanj, ne zanima, nimam več, več informacij",
    limit:
      "pokliči*, kliči*, raje, povprečno, povprečju, koliko, strank*, ponudb*, vrstic*, pogodb*, vprašanj*, naslednje leto, telefon*, račun*",
    footer:
      "prejeli pomotoma, pomotoma, je zaupno, namenjeno izključno, namenjeno samo, obvestite pošiljatelja, kliknite tukaj",
    ask: "lahko, prosim, bi lahko",
  },
  hr: {
    unsubscribe: "odjav*, odjava, odjavite me, odjaviti",
    alone: "odjava, obriši, odjavi, ukloni, obrišite, izbriši",
    remove: "uklon*, obriš*, obris*, izbriš*, brisanje, brisanja, izbac*, makn*, skin*, izuzm*",
    list: "popis*, list*, baz*, mailing liste, newsletter*, evidencij*, sustav*, mejling list*",
    me: "me, mene, nas, moju adresu, moje podatke, osobnih podataka, osobne podatke, mojih podataka, našu adresu, naše podatke, ličnih podataka, lične podatke, mi, nam, moj e-mail*, moj mail*, ovu adresu, svojih osobnih, moj imejl, naš e-mail*, moj mejl",
    stop: "prestan*, prekin*, dosta, obustav*, stanite",
    contact:
      "pisati, pišete, pišite, kontaktir*, javlja*, uznemir*, gnjav*, spam*, smeta*, maltretir*, obraća*, dosađ*, da pišete, zva*",
    send: "slati, šalj*, primati, dobijati, dobivati, da dobijam, da primam, šalje*, primam, dobijam",
    message:
      "mail*, mejl*, poruk*, reklam*, e-mail*, e-pošt*, spam*, promidžb*, obavijest*, newsletter*, ponude, oglas*, pošt*, imejl*",
    unwanted: "neću, nećemo",
    not: "ne, nemoj*, nemojte, nikad, nikada, bez, nijedn*",
    more: "više, vise, nikad, nikada, ubuduće, ponovno, ponovo, opet, dalj*, u budućnosti, daljnj*",
    want: "želim, želimo, hoću, zelim, zelimo",
    demand:
      "ostavite me na miru, ostavite nas na miru, pustite me na miru, ostavi me na miru, prijavit ću, prijaviću, prijavljujem, azop*, povlačim privolu, povlačim pristanak, povlačim suglasnost, nisam dao privolu, nisam dala privolu, nisam dao pristanak, nisam dala pristanak, prigovor na, prigovaram, protivim se, žalbu, pravo na zaborav, poverenik*",
    other:
      "nismo zainteresirani, nisam zainteresiran*, nismo zainteresovani, više pitanja, nemam više, ne zanima, više informacija, nema problema",
    limit:
      "nazov*, zovi*, pozovi*, radije, u prosjeku, prosečno, u proseku, koliko, klijen*, korisni*, ponud*, redak, red, ugovor*, račun*, pitanj*, iduće godine, sljedeće godine, sledeće godine, telefon*, umjesto",
    footer:
      "primili greškom, greškom, je povjerljiv*, je poverljiv*, namijenjena isključivo, namenjena isključivo, obavijestite pošiljatelja, obavestite pošiljaoca, kliknite ovdje, kliknite ovde",
    ask: "možete li, molim, biste li",
  },
};
