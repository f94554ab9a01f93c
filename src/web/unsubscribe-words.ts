/**
 * What the unsubscribe page says, in the languages that it speaks. Whoever opens it is a stranger who came
 * from an email, so the browser decides which: `Accept-Language` (RFC 9110, 12.5.4).
 */

export interface UnsubscribeWords {
  /** Heading and button. */
  unsubscribe: string;
  /** `{email}` stands for the address. */
  ask: string;
  /** Where the address is no longer known. */
  askYou: string;
  unchanged: string;
  done: string;
  stopped: string;
  stoppedYou: string;
  close: string;
  broken: string;
  brokenHelp: string;
}

const EN: UnsubscribeWords = {
  unsubscribe: "Unsubscribe",
  ask: "Stop these messages to {email}?",
  askYou: "Stop these messages to you?",
  unchanged: "Nothing has changed yet. Close this page if you came here by mistake.",
  done: "You are unsubscribed",
  stopped: "{email} will get no more of these messages.",
  stoppedYou: "You will get no more of these messages.",
  close: "You can close this page.",
  broken: "This link doesn't work",
  brokenHelp:
    "It may have been cut short. Copy the whole address from the email, or reply to the email and ask to be removed.",
};

/** By the first part of a language tag. */
const WORDS: Readonly<Record<string, UnsubscribeWords>> = {
  en: EN,
  de: {
    unsubscribe: "Abmelden",
    ask: "Keine weiteren Nachrichten an {email}?",
    askYou: "Keine weiteren Nachrichten an Sie?",
    unchanged:
      "Noch wurde nichts geändert. Wenn Sie versehentlich hier sind, schließen Sie die Seite einfach.",
    done: "Sie sind abgemeldet",
    stopped: "{email} erhält keine dieser Nachrichten mehr.",
    stoppedYou: "Sie erhalten keine dieser Nachrichten mehr.",
    close: "Sie können diese Seite schließen.",
    broken: "Dieser Link funktioniert nicht",
    brokenHelp:
      "Vielleicht fehlt das Ende. Kopieren Sie die ganze Adresse aus der E-Mail, oder antworten Sie auf die E-Mail und bitten Sie um Abmeldung.",
  },
  fr: {
    unsubscribe: "Se désabonner",
    ask: "Ne plus recevoir ces messages à l’adresse {email} ?",
    askYou: "Ne plus recevoir ces messages ?",
    unchanged: "Rien n’a encore changé. Si vous êtes ici par erreur, fermez simplement cette page.",
    done: "Vous êtes désabonné(e)",
    stopped: "{email} ne recevra plus ces messages.",
    stoppedYou: "Vous ne recevrez plus ces messages.",
    close: "Vous pouvez fermer cette page.",
    broken: "Ce lien ne fonctionne pas",
    brokenHelp:
      "Il est peut-être incomplet. Copiez l’adresse entière depuis l’e-mail, ou répondez à l’e-mail pour demander votre désabonnement.",
  },
  es: {
    unsubscribe: "Darse de baja",
    ask: "¿Dejar de enviar estos mensajes a {email}?",
    askYou: "¿Dejar de recibir estos mensajes?",
    unchanged: "Todavía no ha cambiado nada. Si ha llegado aquí por error, cierre esta página.",
    done: "Se ha dado de baja",
    stopped: "{email} no recibirá más mensajes de este tipo.",
    stoppedYou: "No recibirá más mensajes de este tipo.",
    close: "Puede cerrar esta página.",
    broken: "Este enlace no funciona",
    brokenHelp:
      "Puede que esté incompleto. Copie la dirección entera del correo, o responda al correo y pida la baja.",
  },
  it: {
    unsubscribe: "Annulla l’iscrizione",
    ask: "Non inviare più questi messaggi a {email}?",
    askYou: "Non ricevere più questi messaggi?",
    unchanged: "Non è ancora cambiato nulla. Se è qui per errore, chiuda questa pagina.",
    done: "Iscrizione annullata",
    stopped: "{email} non riceverà più questi messaggi.",
    stoppedYou: "Non riceverà più questi messaggi.",
    close: "Può chiudere questa pagina.",
    broken: "Questo link non funziona",
    brokenHelp:
      "Forse è incompleto. Copi l’indirizzo intero dall’email, oppure risponda all’email e chieda di essere rimosso.",
  },
  pt: {
    unsubscribe: "Cancelar inscrição",
    ask: "Parar de enviar estas mensagens para {email}?",
    askYou: "Parar de receber estas mensagens?",
    unchanged: "Nada mudou ainda. Se chegou aqui por engano, feche esta página.",
    done: "Inscrição cancelada",
    stopped: "{email} não receberá mais estas mensagens.",
    stoppedYou: "Você não receberá mais estas mensagens.",
    close: "Pode fechar esta página.",
    broken: "Este link não funciona",
    brokenHelp:
      "Talvez esteja incompleto. Copie o endereço inteiro do e-mail ou responda ao e-mail e peça para ser removido.",
  },
  nl: {
    unsubscribe: "Afmelden",
    ask: "Geen berichten meer sturen naar {email}?",
    askYou: "Deze berichten niet meer ontvangen?",
    unchanged: "Er is nog niets veranderd. Bent u hier per ongeluk, sluit dan deze pagina.",
    done: "U bent afgemeld",
    stopped: "{email} ontvangt deze berichten niet meer.",
    stoppedYou: "U ontvangt deze berichten niet meer.",
    close: "U kunt deze pagina sluiten.",
    broken: "Deze link werkt niet",
    brokenHelp:
      "Misschien is hij niet volledig. Kopieer het hele adres uit de e-mail, of beantwoord de e-mail en vraag om afmelding.",
  },
  pl: {
    unsubscribe: "Wypisz się",
    ask: "Nie wysyłać więcej tych wiadomości na adres {email}?",
    askYou: "Nie otrzymywać więcej tych wiadomości?",
    unchanged: "Nic się jeszcze nie zmieniło. Jeśli to pomyłka, po prostu zamknij tę stronę.",
    done: "Wypisano",
    stopped: "Na adres {email} nie będą już przychodzić te wiadomości.",
    stoppedYou: "Te wiadomości nie będą już przychodzić.",
    close: "Możesz zamknąć tę stronę.",
    broken: "Ten link nie działa",
    brokenHelp:
      "Być może jest niepełny. Skopiuj cały adres z wiadomości albo odpowiedz na nią i poproś o wypisanie.",
  },
  cs: {
    unsubscribe: "Odhlásit odběr",
    ask: "Neposílat už tyto zprávy na adresu {email}?",
    askYou: "Nedostávat už tyto zprávy?",
    unchanged: "Zatím se nic nezměnilo. Pokud jste tu omylem, stránku jednoduše zavřete.",
    done: "Odběr je odhlášen",
    stopped: "Na adresu {email} už tyto zprávy nebudou chodit.",
    stoppedYou: "Tyto zprávy vám už nebudou chodit.",
    close: "Stránku můžete zavřít.",
    broken: "Tento odkaz nefunguje",
    brokenHelp:
      "Možná není celý. Zkopírujte z e-mailu celou adresu, nebo na e-mail odpovězte a požádejte o odhlášení.",
  },
  sv: {
    unsubscribe: "Avregistrera",
    ask: "Sluta skicka de här meddelandena till {email}?",
    askYou: "Sluta få de här meddelandena?",
    unchanged: "Inget har ändrats än. Stäng sidan om du kom hit av misstag.",
    done: "Du är avregistrerad",
    stopped: "{email} får inte fler av de här meddelandena.",
    stoppedYou: "Du får inte fler av de här meddelandena.",
    close: "Du kan stänga sidan.",
    broken: "Länken fungerar inte",
    brokenHelp:
      "Den kan vara avkortad. Kopiera hela adressen från mejlet, eller svara på mejlet och be att bli borttagen.",
  },
  da: {
    unsubscribe: "Afmeld",
    ask: "Stop med at sende disse beskeder til {email}?",
    askYou: "Stop med at modtage disse beskeder?",
    unchanged: "Intet er ændret endnu. Luk siden, hvis du er havnet her ved en fejl.",
    done: "Du er afmeldt",
    stopped: "{email} får ikke flere af disse beskeder.",
    stoppedYou: "Du får ikke flere af disse beskeder.",
    close: "Du kan lukke siden.",
    broken: "Linket virker ikke",
    brokenHelp:
      "Det er måske ikke helt. Kopiér hele adressen fra mailen, eller svar på mailen og bed om at blive fjernet.",
  },
  nb: {
    unsubscribe: "Meld av",
    ask: "Slutte å sende disse meldingene til {email}?",
    askYou: "Slutte å få disse meldingene?",
    unchanged: "Ingenting er endret ennå. Lukk siden hvis du kom hit ved en feil.",
    done: "Du er meldt av",
    stopped: "{email} får ikke flere av disse meldingene.",
    stoppedYou: "Du får ikke flere av disse meldingene.",
    close: "Du kan lukke siden.",
    broken: "Lenken virker ikke",
    brokenHelp:
      "Den kan være avkortet. Kopier hele adressen fra e-posten, eller svar på e-posten og be om å bli fjernet.",
  },
  fi: {
    unsubscribe: "Peruuta tilaus",
    ask: "Lopetetaanko näiden viestien lähettäminen osoitteeseen {email}?",
    askYou: "Lopetetaanko näiden viestien lähettäminen?",
    unchanged: "Mitään ei ole vielä muutettu. Jos tulit tänne vahingossa, sulje sivu.",
    done: "Tilaus on peruutettu",
    stopped: "Osoitteeseen {email} ei enää lähetetä näitä viestejä.",
    stoppedYou: "Sinulle ei enää lähetetä näitä viestejä.",
    close: "Voit sulkea sivun.",
    broken: "Linkki ei toimi",
    brokenHelp:
      "Se on ehkä katkennut. Kopioi koko osoite sähköpostista tai vastaa sähköpostiin ja pyydä poistoa.",
  },
  ja: {
    unsubscribe: "配信停止",
    ask: "{email} へのメールの配信を停止しますか？",
    askYou: "メールの配信を停止しますか？",
    unchanged: "まだ何も変更されていません。誤って開いた場合は、このページを閉じてください。",
    done: "配信を停止しました",
    stopped: "{email} にこれらのメールは今後届きません。",
    stoppedYou: "これらのメールは今後届きません。",
    close: "このページを閉じてかまいません。",
    broken: "このリンクは無効です",
    brokenHelp:
      "途中で切れている可能性があります。メールからアドレス全体をコピーするか、メールに返信して配信停止をお申し出ください。",
  },
};
/** Norwegian by its older names. */
const ALSO: Readonly<Record<string, string>> = { no: "nb", nn: "nb" };

export interface Spoken {
  language: string;
  words: UnsubscribeWords;
}

/** The header is a stranger's: no more of it is read. */
const RANGES_MAX = 20;

/** The language that the reader likes best among those there are; English where none is. */
export function wordsFor(acceptLanguage: string | null): Spoken {
  const liked = (acceptLanguage ?? "")
    .split(",", RANGES_MAX)
    .map((range) => {
      const [tag = "", ...parameters] = range.toLowerCase().split(";");
      const quality = parameters.find((part) => part.trim().startsWith("q="));
      const language = tag.trim().split("-")[0] ?? "";
      return {
        language: ALSO[language] ?? language,
        weight: quality === undefined ? 1 : Number(quality.trim().slice(2)),
      };
    })
    .filter(({ language, weight }) => Object.hasOwn(WORDS, language) && weight > 0)
    .sort((a, b) => b.weight - a.weight);
  const language = liked[0]?.language ?? "en";
  return { language, words: WORDS[language] ?? EN };
}
