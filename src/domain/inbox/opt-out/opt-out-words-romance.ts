/** Opt-outs and footers in Romance languages; see `opt-out-words.ts`. */

import type { Words } from "./opt-out-words.ts";

export const ROMANCE_WORDS: Readonly<Record<string, Words>> = {
  fr: {
    unsubscribe:
      "désabonnement, désabonner, désabonne*, désinscription, désinscrire, désinscri*, me désabonner, résilier mon abonnement",
    alone: "stop, supprimer, retirer, désinscription, supprimez, retirez, se désabonner",
    remove:
      "retirer, retirez*, retire-*, supprimer, supprimez*, supprime-*, suppression, effacer, effacez*, effacement, enlever, enlevez*, ôter, rayer, rayez*, sortir, sortez*, radier, retrait, éliminer, exclure",
    list: "liste, listes, fichier, fichiers, base de données, bases de données, base, bases, mailing, mailings, liste de diffusion, carnet, registres, envois, campagnes, newsletter, diffusion, listing, crm",
    me: "moi, nous, me, mon adresse, mon e-mail, mon email, mon mail, mes données, mes coordonnées, notre adresse, nos données, nos coordonnées, cette adresse, données personnelles, mes informations, mon contact, mon nom, m', données à caractère personnel, données me concernant",
    stop: "arrêtez, arrêter, arrête, cesser, cessez, cesse, stopper, stoppez, mettre fin, mettez fin, marre de, assez de, abstenir, abstenez-vous, assez",
    contact:
      "contacter, contactez*, contacte, recontacter, recontactez*, écrire, m'écrire, écrivez*, écris, m'écrivez, déranger, dérangez*, solliciter, sollicitez, sollicitation*, démarch*, relancer, relancez, relances, importun*, harcel*, contacté, contactée, contactés, spammer, embêter",
    send: "envoyer, envoyez*, m'envoyer, m'envoyez, envoi, envois, recevoir, reçoive, adresser, adressez, transmettre, expédier",
    message:
      "mail, mails, e-mail, e-mails, courriel*, courrier*, message, messages, pub, publicité*, pubs, sollicitation*, prospection, communication, communications, envoi, envois, newsletter*, offres, démarchage, relance, relances, prise de contact",
    not: "pas, ne, n', ni, jamais, aucun, aucune, non, sans, plus de",
    more: "plus, plus jamais, jamais, à l'avenir, désormais, dorénavant, de nouveau, autre, autres, davantage, nouveau, tout, toute, de votre part, encore",
    want: "souhaite, souhaitons, veux, voulons, désire, désirons, voudrais, aimerais, souhaiterais, désireux",
    unwanted: "refuse, refusons",
    demand:
      "fichez moi la paix, plus rien recevoir, se désabonne, laissez-moi tranquille, laissez moi tranquille, laissez-nous tranquille*, foutez moi la paix, foutez-moi la paix, fichez-moi la paix, je m'oppose, m'oppose à, nous nous opposons, droit d'opposition, opposition à toute, retire mon consentement, pas donné mon consentement, pas consenti, signale à la cnil, plainte à la cnil, plainte auprès de la cnil, la cnil, signaler comme spam, signalerai comme spam, signalé comme spam, signale comme spam, mets en demeure, mise en demeure, droit à l'oubli, droit à l'effacement, jamais donné mon accord, jamais demandé à recevoir, la dernière fois que je vous, oubliez-moi, stop pub, supprimer mes données, supprimer toutes mes",
    other:
      "pas intéressé*, pas d'intérêt, plus de questions, plus de question, plus d'informations, plus d'infos, plus de détails, pas de souci, pas de problème, plus tard, en savoir plus, je ne reçois plus, plus en charge, non merci, ne m'appelez pas",
    limit:
      "appelez, appelez-moi, téléphone, plutôt, avant lundi, avant le, jusqu'au, en moyenne, taux, combien, comment gérez, clients, fonctionnalité, devis, ligne, contrat, pièce jointe, pdf, facture, questions, s'appelle, on s'appelle, outil, depuis, par erreur, ajoutez-moi, recontactez-moi en, recontactez-moi dans",
    footer:
      "sont confidentiels, est confidentiel, confidentiels et, reçu ce message par erreur, reçu cet e-mail par erreur, reçu ce mail par erreur, reçu ce courriel par erreur, par erreur, intention exclusive, exclusivement destiné, destinataire, cliquez ici, lien de désinscription, lien de désabonnement, vous disposez d'un droit, conformément au rgpd vous, si vous ne souhaitez plus recevoir, vous recevez ce, pensez à l'environnement, avant d'imprimer, droit d'accès",
    ask: "pouvez-vous, pourriez-vous, merci de, veuillez, svp, pouvez vous, pourriez vous",
  },
  es: {
    unsubscribe:
      "baja, dar de baja, darme de baja, darnos de baja, dame de baja, deme de baja, denme de baja, denos de baja, dennos de baja, desuscribi*, desuscripción, cancelar suscripción, cancelar mi suscripción, cancelar la suscripción, desapuntar*, desapúnt*, borrarme, desinscri*, den de baja, de de baja",
    alone:
      "baja, elimíname, elimíneme, elimínenme, borrar, bórrame, bórreme, quitar, eliminar, remover, darse de baja",
    remove:
      "sáquen*, saquen*, sáque*, sacar*, quit*, borr*, bórr*, elimin*, elimín*, suprim*, suprím*, supresión, remuev*, remover, cancelación, cancelen, retir*, retír*, exclu*, tachen, dar de baja",
    list: "lista, listas, base de datos, bases de datos, fichero*, mailing, campaña*, envíos, envío, registros, distribución, newsletter, boletín, correos masivos, agenda, archivos, sistema",
    me: "me, nos, mis datos, mi correo, mi dirección, mi email, mi e-mail, mi mail, mi contacto, nuestros datos, nuestro correo, nuestra dirección, este correo, esta dirección, datos personales, mi nombre, sáqueme, sáquenme, sáquenos, sácame, quíteme, quítenme, quítame, elimíneme, elimínenme, elimíname, elimínennos, bórrenme, bórreme, bórrame, bórrenos, mi información, sáquennos, retírenme, retíreme, retírennos",
    stop: "deje, dejen, deja, dejad, pare, paren, para, parad, cese, cesen, detenga*, abstén*, absteng*, basta, basta de, suspend*, dejar",
    contact:
      "escrib*, escríb*, contact*, molest*, moleste*, molesten, insist*, comunicarse, comunica*, ponerse en contacto, spamear*, acosar*, acosarme, escribirme, escribirnos, llamarme",
    send: "envi*, envíe*, envíen*, enviarme, enviarnos, mand*, recibir, remit*, recibo",
    message:
      "correo, correos, mensaje*, emails, publicidad, comunicaci*, propaganda, promociones, ofertas, información comercial, correspondencia, boletines, propuestas",
    not: "no, nunca, ni, tampoco, jamás, sin, ningún, ninguna",
    more: "más, mas, nunca más, nuevamente, de nuevo, otra vez, en el futuro, en lo sucesivo, ningún, vuelva*, volver a, nuevo, ya no, de ustedes, suyos, vuestros, tuyos",
    want: "quiero, queremos, deseo, deseamos, quisiera, me gustaría, necesito",
    demand:
      "cómo me doy de baja, déjenme en paz, déjeme en paz, déjame en paz, dejadme en paz, derecho de oposición, me opongo, nos oponemos, no autorizo, no autorizamos, no he autorizado, no he dado mi consentimiento, no di mi consentimiento, revoco mi consentimiento, retiro mi consentimiento, denuncio a la, denunciaré, denunciare, denunciar por spam, aepd, agencia de protección de datos, agencia española de protección, reportar como spam, reportaré como spam, marcaré como spam, derecho al olvido, derecho de supresión, lista robinson, supresión de mis datos, no consiento",
    other:
      "no me interesa, no nos interesa, no gracias, no dejen, no deje, no deje de, no dude, no duden, de baja hasta, está de baja, más preguntas, más información, más detalles, para el, para la, para que, no tengo más, no hay más, no recibo, no he recibido, para mi, para nosotros",
    limit:
      "llámeme, llámame, llame, llámenme, por teléfono, mejor llam*, teléfono, antes de, hasta el, hasta, de media, en promedio, promedio, cuánta*, cuánto*, cómo gestionan, clientes, funcionalidad, presupuesto, línea, contrato, factura, adjunto, pdf, preguntas, por error, servicio actual, plataforma, herramienta, en enero, en febrero, en marzo, en septiembre, en otoño, propuesta",
    footer:
      "recibido este mensaje por error, recibido por error, recibido este correo por error, por error, dirigidos exclusivamente, dirigido exclusivamente, son confidenciales, es confidencial, confidencial y, puede ejercer, ejercer sus derechos, sus datos forman parte, responda a este correo con, si no desea recibir más, haga clic aquí, pulse aquí, clic aquí, antes de imprimir, le informamos que, protección de datos le",
    ask: "puede, pueden, podría, podrían, por favor, puedes, podrías",
  },
  pt: {
    unsubscribe:
      "descadastr*, cancelar inscrição, cancelar a inscrição, cancelar minha inscrição, cancelar subscrição, cancelar a subscrição, cancelar a minha subscrição, cancelar assinatura, cancelem a minha subscrição, desinscrever*, desinscri*, anular subscrição, desassociar, cancelar o recebimento, sair da lista, quero sair",
    alone:
      "remover, remover, descadastrar, sair, cancelar, remova, excluir, parar, apagar, removam",
    remove: "remov*, retir*, tir*, exclu*, apag*, elimin*, delet*, saia, cancel*, risqu*, suprim*",
    list: "lista, listas, base de dados, banco de dados, cadastro*, mailing, envios, registos, registros, campanhas, base, distribuição, sistema, bases, contactos, contatos, newsletter",
    me: "me, nos, -me, retirem-me, removam-me, tirem-me, remova-me, apaguem-me, eliminem-me, meu e-mail, meu email, meu contato, meu contacto, meu endereço, meus dados, os meus dados, nosso e-mail, nosso email, nossos dados, nosso contacto, nosso contato, este e-mail, este email, este endereço, dados pessoais, meu nome, minhas informações, mim, meus contactos",
    stop: "pare, parem, para, parar, deixe, deixem, cesse, cessem, chega, chega de, abstenham-se, interromp*, suspend*, basta",
    contact:
      "escrev*, contact*, contat*, contactar-nos, incomod*, perturb*, chatear*, insist*, abordar*, importun*, assedi*, spamar, procur*",
    send: "envi*, mand*, receber, remet*, enviar-me",
    message:
      "mensage*, emails, e-mails, publicidade, propaganda*, comunicaç*, spam, correio, contacto, contactos, contatos, newsletters, promoções, ofertas, marketing",
    not: "não, nao, nunca, nem, jamais, sem, nenhum, nenhuma",
    more: "mais, nunca mais, novamente, de novo, outra vez, no futuro, futuramente, voltem a, volte a, voltar a, tornem a, nenhum, nenhuma",
    want: "quero, queremos, desejo, desejamos, pretendo, pretendemos, gostaria, gostaríamos, preciso",
    demand:
      "deixem-me em paz, deixe-me em paz, me deixe em paz, me deixem em paz, não autorizei, não autorizo, não dei autorização, não dei consentimento, não dei o meu consentimento, retiro o meu consentimento, revogo meu consentimento, revogo o consentimento, oponho-me, me oponho, denunciar como spam, denuncio, vou denunciar, queixa à cnpd, queixa na cnpd, reclamação na anpd, marcar como spam, marco como spam, direito de oposição, direito ao esquecimento, eliminação dos meus dados, exclusão dos meus dados, procon, cnpd, anpd",
    other:
      "sem interesse, não tenho interesse, não obrigado, não obrigada, mais perguntas, mais informações, mais detalhes, para a, para o, não hesite, não deixe de, não tenho mais, não recebi, não recebo",
    limit:
      "ligue, ligue-me, me ligue, telefone, telefon*, antes de, até, em média, quantas, quantos, como funciona, clientes, funcionalidade, proposta, linha, contrato, fatura, anexo, pdf, perguntas, por engano, ferramenta, em janeiro, em setembro, no próximo ano",
    footer:
      "recebeu por engano, recebeu esta mensagem por engano, por engano, é confidencial, destina-se exclusivamente, destinatário, avise o remetente, clique aqui, caso não deseje receber, se não deseja receber, nos termos do rgpd, pode solicitar a qualquer momento, antes de imprimir, você está recebendo, está a receber",
    ask: "pode, podem, poderia, poderiam, por favor, podia, podiam",
  },
  it: {
    unsubscribe:
      "disiscri*, cancellarmi, cancellami, cancellatemi, cancellateci, mi cancelli, mi cancellate, cancellazione dalla, annullare iscrizione, annulla iscrizione, annullare l'iscrizione, disdetta, disdire, revocare l'iscrizione",
    alone:
      "cancellami, cancellatemi, cancellazione, rimuovere, rimuovetemi, toglietemi, basta, disiscrizione, cancella, annulla l'iscrizione",
    remove:
      "togliet*, toglier*, togli, toglimi, tolga, cancell*, rimuov*, rimozione, elimin*, depenn*, depennat*, estromett*",
    list: "lista, liste, mailing list, mailinglist, database, elenco, elenchi, rubrica, archivi, archivio, newsletter, contatti, banca dati, campagne, invii, sistemi, base dati, banche dati",
    me: "mi, ci, toglietemi, toglimi, mi tolga, toglieteci, rimuovetemi, rimuovimi, rimuoveteci, eliminatemi, eliminateci, cancellatemi, mio indirizzo, mia email, mia e-mail, mia mail, miei dati, nostro indirizzo, nostri dati, nostra email, nostra e-mail, dati personali, questo indirizzo, questa email, questa mail, mio nominativo, mio contatto, mio nome, nostri contatti, miei contatti, me",
    stop: "smettete*, smettetela, smetta, smettila, smetti, basta, basta con, cessate, cessare, finitela, interromp*, evitate di, eviti di, evitare di, desistere, piantatela, astenersi, astenetevi, la pianti",
    contact:
      "scriver*, scrivermi, scriverci, scrivetemi, scrivete*, scrivere, scrivi, contatt*, ricontatt*, disturb*, importun*, infastidi*, molest*, tempest*, spammar*",
    send: "inviar*, inviate*, inviatemi, invio, mand*, mandatemi, spedi*, ricever*, ricevere",
    message:
      "mail, email, e-mail, messaggi*, comunicazion*, pubblicità, spam, newsletter, posta, proposte, offerte, contatti, sollecit*, promozioni",
    not: "non, mai, né, nessun*, senza, né",
    more: "più, piu, mai più, ulterior*, altre, altri, altra, ancora, in futuro, di nuovo, nuovamente, d'ora in poi, vostre, simili",
    want: "voglio, vogliamo, desidero, desideriamo, vorrei, gradisco, gradiamo, intendo, intendiamo",
    demand:
      "smettetela, lasciatemi in pace, lasciateci in pace, mi lasci in pace, vi diffido, la diffido, diffida, mi oppongo, ci opponiamo, diritto di opposizione, revoco il consenso, revoco il mio consenso, non ho dato il consenso, non ho mai dato il consenso, non acconsento, nego il consenso, non autorizzo, segnalo al garante, segnalerò, segnalare come spam, segnalo come spam, garante della privacy, garante privacy, al garante, diritto all'oblio, cancellazione dei miei dati, denuncio, denuncerò",
    other:
      "non interessa, non mi interessa, non ci interessa, no grazie, non esiti, non esitate, altre domande, nessun'altra domanda, nessun problema, più informazioni, non sono interessat*, non siamo interessat*, non ho ricevuto",
    limit:
      "chiami, mi chiami, chiamatemi, chiamami, telefon*, prima di, fino a, in media, quante, quanti, come gestite, clienti, funzione, preventivo, riga, contratto, fattura, allegato, pdf, domande, domanda, per errore, strumento, a settembre, a gennaio, l'anno prossimo, piuttosto",
    footer:
      "pervenuto per errore, ricevuto per errore, ricevuto questo messaggio per errore, per errore, sono riservate, sono confidenziali, è riservato, è confidenziale, informazioni contenute in, darne notizia al mittente, clicchi qui, clicca qui, cliccare qui, se non desidera più ricevere, se non desideri più ricevere, vietata la diffusione, ai sensi del regolamento, prima di stampare, ricevi questa, riceve questa",
    ask: "può, potete, potrebbe, potreste, puoi, per favore, per cortesia",
  },
  ca: {
    unsubscribe:
      "donar de baixa, doneu-me de baixa, baixa, donar-me de baixa, cancel·lar subscripció, donin de baixa",
    alone: "baixa",
    remove: "traieu*, treure*, esborr*, elimin*, suprim*, supressió, tregui*",
    list: "llista, llistes, base de dades, bases de dades",
    me: "me, -me, traieu-me, esborreu-me, elimineu-me, meves dades, dades personals, la meva adreça, el meu correu, m', em, ens, nosaltres",
    stop: "deixeu, pareu, prou, prou de, deixi, pari",
    contact: "escri*, escriviu, m'escriviu, contact*, molest*",
    send: "envi*, d'enviar*, rebre, m'envieu",
    message: "correus, correu, missatges, publicitat, mails, comunicacions",
    not: "no, mai, ni",
    more: "més, mai més, cap més, de nou, vostres",
    want: "vull, volem, desitjo, voldria",
    demand: "deixeu-me en pau, m'oposo, no autoritzo, retiro el consentiment, denunciaré",
    other: "no ens interessa, no m'interessa, més preguntes, més informació",
    limit:
      "truqui*, truqueu*, telèfon, pressupost, línia, contracte, preguntes, mitjana, quants, quanta, clients",
    footer: "per error, és confidencial, clic aquí, cliqueu aquí",
    ask: "si us plau, podeu, podríeu, sisplau",
  },
  ro: {
    unsubscribe:
      "dezabonare, dezabona*, dezabonati-ma, dezabonați-mă, dezabonează-mă, renunțare, dezabonarea",
    alone: "dezabonare, ștergeți, scoateți-mă, stergeti, stop",
    remove: "scoate*, scoat*, șterge*, ștergere*, elimin*, radia*, îndepărt*",
    list: "listă, lista, liste, baza de date, bazei de date, baze de date, newsletter, evidențe*, listei, bazele de date",
    me: "mă, ma, ne, mi, adresa mea, datele mele, adresa noastră, datele noastre, date personale, datelor mele, datelor personale, această adresă, adresa de email, adresa, emailul meu, mailul meu, scoateți-mă, datelor noastre, mea",
    stop: "încetați, înceta*, opriți, opreș*, opriti-va, opriți-vă, terminați, lăsați-ne cu, gata cu, ajunge",
    contact: "scrie*, scrieți, contact*, deranj*, dați mesaje, hărțui*, spamați, insista*",
    send: "trimite*, trimiteți, trimiteti, primesc, primi, primim, expedi*",
    message:
      "mesaj*, mailuri, emailuri, e-mailuri, email-uri, mail-uri, reclame, publicitate, oferte, spam, comunicări, corespondență",
    not: "nu, nu-mi, nu-i, nu-mai, nici, niciodată, fără, n-, nu ne, nu mă",
    more: "mai, niciodată, pe viitor, încă, din nou, de la voi, de la dumneavoastră, alte",
    want: "vreau, vrem, doresc, dorim, aș dori",
    demand:
      "lăsați-mă în pace, lasă-mă în pace, lăsați-ne în pace, vă reclam, reclamație, anspdcp, retrag consimțământul, îmi retrag consimțământul, nu sunt de acord, nu mi-am dat acordul, nu mi-am dat consimțământul, mă opun, raportez ca spam, dreptul de a fi uitat, ștergerea datelor",
    other:
      "nu ne interesează, nu mă interesează, nu suntem interesați, nu sunt interesat*, mai multe, mai am întrebări, nu mai am întrebări, mulțumesc nu, nicio problemă",
    limit:
      "sunați*, suna*, sună-mă, telefon*, în medie, câți, câte, clienți, ofertă, ofertei, rând, rândul, contract*, factur*, întrebări, anexă, mai bine, la anul, anul viitor, înainte de, până",
    footer:
      "primit din greșeală, din greșeală, este confidențial, destinat exclusiv, anunțați expeditorul, click aici, clic aici, apăsați aici, faceți clic",
    ask: "puteți, ați putea, puteti, vă rog, va rog",
  },
};
