/** Opt-outs and footers in Finnish, Baltic, Hungarian, Turkish, Indonesian and Vietnamese; see `opt-out-words.ts`. */

import type { Words } from "./opt-out-words.ts";

export const FURTHER_WORDS: Readonly<Record<string, Words>> = {
  fi: {
    unsubscribe:
      "peruuta tilaus, peruuta tilaukseni, peruuttakaa tilaukseni, poistu listalta, tilauksen peruutus, peru tilaus, lopeta tilaus, perua tilauk*",
    alone: "poista, peruuta, poistakaa, lopeta",
    remove: "poista*, poistaa, poistamaan, poistamista, pyyhki*, tuhotkaa, poistakaa",
    list: "lista*, listal*, postituslista*, tietokan*, rekister*, jakelulist*, uutiskirje*, sähköpostilist*, asiakasrekister*",
    me: "minut, minua, meidät, meitä, osoittee*, sähköpostiosoittee*, tietoni, tietomme, henkilötie*, yhteystie*, nimeni, tietojeni, minulle, meille",
    stop: "lopetta*, lopeta*, lakatkaa, lopettakaa",
    contact:
      "ottako, ottakaa, ottaa, oltako, kirjoit*, kirjoitta*, yhteyttä, yhteydenot*, häirit*, häirits*, ottako yhteyttä, ottakaa yhteyttä",
    send: "lähet*, lähettä*, saada, vastaanot*, lähettäkö, lähetä",
    message:
      "viest*, sähköpost*, posti*, roskapost*, mainos*, mainoks*, meilejä, meiliä, suoramarkkinoin*, markkinoin*",
    not: "älkää, älä, en, emme, ei, älkööt, alkaa, eikä",
    more: "enää, uudelleen, jatkossa, koskaan, tulevaisuudessa, lisää, enempää, muita",
    want: "halua, haluan, haluamme, haluta, toivo, toivon",
    demand:
      "jättäkää minut rauhaan, jätä minut rauhaan, kiellän, kiellämme, suoramarkkinointikielto, perun suostumuk*, peruutan suostumuk*, en ole antanut suostumus*, tietosuojavaltuutet*, vastustan, ilmoitan roskapost*, teen valituksen, rauhaan",
    other:
      "ei kiinnosta, ei kiinnostusta, en ole kiinnostunut, ei ole kiinnostu*, ei enää kysyttävää, ottakaa uudelleen yhteyttä, ei ongelmaa, lisää tietoa, lisätie*",
    limit:
      "soita, soittakaa, puhelimitse, vaan, mieluummin, keskimäärin, kuinka moni, kuinka monta, asiakka*, tarjou*, rivi*, sopimu*, lasku*, liite*, kysy*, ensi vuonna, ennen",
    footer:
      "vahingossa, luottamuksellinen, tarkoitettu vain, ilmoita siitä lähettäjälle, klikkaa tästä, napsauta tästä, peruuta tilaus tästä",
    ask: "voisitteko, voitteko, voisitko, voitko",
  },
  et: {
    unsubscribe: "loobu, loobun, tühista tellimus, tühistage tellimus, loobuda",
    alone: "loobu, eemalda, kustuta",
    remove: "eemalda*, kustuta*, kustutamist, võtke, kustutage",
    list: "nimekirja*, nimekirjast, andmebaasi*, listist, listi, uudiskirja*, loendist",
    me: "mind, meid, minu, isikuandme*, aadress*, minu andme*, e-posti aadress*, meie aadress*, andmed, andmete",
    stop: "lõpetage, lõpeta, lõpetada",
    contact:
      "kirjutage, kirjuta, kirjutada, tülitage, tülita*, häiri*, võtke ühendust, ühendust, kontakteeru*",
    send: "saatke, saada, saatmi*, saatmine, saatma, saatke",
    message:
      "kirju, kirja*, e-kirju, meile, sõnumeid, rämpspost*, rämpsu, reklaam*, e-kirja*, spämm*",
    not: "ärge, ära, ei, mitte, enam",
    more: "enam, rohkem, edaspidi, tulevikus, uuesti, kunagi",
    want: "soovi, soovin, soovime, taha, tahan",
    demand:
      "jätke mind rahule, jäta mind rahule, andmekaitse inspektsioon*, kaeban, esitan kaebuse, võtan nõusoleku tagasi, ei ole andnud nõusolekut",
    other: "rohkem küsimusi, ei ole huvitatud, pole huvitatud, ei huvita",
    limit:
      "helista*, parem, keskmiselt, mitu, pakkumis*, rida, rea, leping*, küsimus*, järgmisel aastal, kliendi*",
    footer:
      "ekslikult, konfidentsiaal*, mõeldud ainult, teavitage saatjat, klõpsake siin, klikkige siia",
    ask: "palun, kas saaksite, kas te saaksite",
  },
  hu: {
    unsubscribe:
      "leiratkoz*, leiratkozás, leiratkoznék, leiratkozom, leiratkoztat*, leiratkozni, iratkoztass*, feliratkozás törlése",
    alone: "törlés, leiratkozás, töröljenek, leiratkozom, töröljön, le",
    remove:
      "töröl*, törl*, törlés*, vegyen*, vegyenek, vegye, vegyék, levenni, távolíts*, eltávolít*, húzzanak, húzza, vegyetek, toroljen*, kivenni, szedjenek",
    list: "list*, adatbázis*, adatbazis*, levelezőlist*, hírlevél*, hírlevel*, címlist*, nyilvántartás*, rendszer*",
    me: "engem, minket, címem*, címünk*, adataim*, adatain*, e-mail címem*, email címem*, személyes adat*, nekem, nekünk, ezt a címet, az adataim*, személyes, elérhetőség*",
    stop: "hagyj*, hagyja*, fejezz*, szűn*, szüntess*, álljanak le, elég, befejezn*, mellőz*, hagyják abba",
    contact:
      "írjanak, írjon, írj, írjatok, keressen*, keress*, zaklat*, zaklass*, kapcsolat*, zavar*, megkeres*, felkeres*, háborgat*",
    send: "küldj*, küldjenek, küld*, kapni, kérek, kérünk, fogadni",
    message:
      "level*, levél*, e-mail*, email*, üzenet*, reklám*, hirdetés*, spam*, megkeresés*, hírlev*, ajánlat*, mail*",
    not: "ne, nem, soha, sem, se",
    more: "többé, többet, több, további*, újra, a jövőben, soha, jövőben, megint, ilyen*, tőlük, önöktől",
    want: "szeretn*, akar*, kíván*, óhajt*, kérek, kérünk",
    demand:
      "hagyjanak békén, hagyjon békén, hagyjatok békén, hagyj békén, nem járulok hozzá, nem járultam hozzá, visszavonom a hozzájárulás*, hozzájárulásomat visszavon*, nem egyezem bele, feljelent*, naih*, spamként jelent*, tiltakozom, tiltakozunk, elfeledtetés*, panaszt teszek, panasszal élek",
    other:
      "nem érdekel, nem érdekli, nem érdekelt, nincs több kérdés*, több kérdés*, több információ*, nincs szükség*, nem probléma",
    limit:
      "hívjon, hívj, hívjanak, telefon*, inkább, átlag*, hány, ügyfel*, sor, sort, ajánlatból, ajánlatot, szerződés*, számla*, kérdés*, jövőre, hétfőig, előtt, véletlenül, hogyan kezel*, szívesen olvas*",
    footer:
      "bizalmas információ*, nem ön a címzett, értesítse a feladót, tévedésből kap*, kattintson ide, kattints ide",
    ask: "tudnának, tudna, kérem, lennének, lenne szíves, kérjük",
  },
  lv: {
    unsubscribe: "atrakstīties, atrakstieties, atrakstiet*, atteikties no, atteikšanās, atrakstīt",
    alone: "atrakstīties, dzēst, izņemt, izdzēst",
    remove: "izņem*, izņemt, dzēst, dzēs*, izdzēs*, svītro*, noņem*, dzēšanu",
    list: "sarakst*, datubāz*, datu bāz*, adresātu, vēstkop*",
    me: "mani, mūs, man, mana adres*, manu adresi, manu e-past*, manus datus, personas dat*, mūsu adresi, mūsu datus, manus personas",
    stop: "beidziet, beidz, pārtrauc*, izbeidz*, pietiek",
    contact: "rakst*, rakstiet, traucē*, sazinie*, sazināties, kontaktē*, apgrūtin*",
    send: "sūt*, sūtiet, saņem*",
    message: "vēstul*, e-past*, epast*, ziņ*, ziņojum*, reklām*, mēstul*, surogātpast*, spam*",
    dont: "nerakst*, nesūt*, netraucē*, nesazin*, nekontaktē*, neuzrun*",
    unwanted: "nevēlos, nevēlamies, negribu, negribam",
    not: "ne, nekad, nav",
    more: "vairs, vairāk, turpmāk, nekad, atkārtoti, nākotnē, citas",
    want: "vēlos, gribu",
    demand:
      "lieciet mani mierā, liec mani mierā, datu valsts inspekcij*, atsaucu piekrišanu, neesmu devis piekrišanu, sūdzēšos, iesniegšu sūdzību, iebilstu",
    other: "vairāk jautājumu, neinteresē, nav interese*",
    limit:
      "zvaniet, piezvan*, labāk, vidēji, cik, klient*, piedāvājum*, rindu, līgum*, jautājum*, nākamgad, nākamajā gadā",
    footer:
      "kļūdas dēļ, kļūdas pēc, konfidenciāl*, paredzēts tikai, informējiet sūtītāju, noklikšķiniet, spiediet šeit",
    ask: "lūdzu, vai varat, vai varētu",
  },
  lt: {
    unsubscribe:
      "atsisakyti prenumeratos, atsisakau prenumeratos, atsisakyti, prenumeratos atsisakymas, atsisakau",
    alone: "atsisakyti, ištrinti, išbraukti, atsisakau",
    remove: "išbrauk*, ištrin*, pašalin*, išimk*, išbraukti, sunaikin*",
    list: "sąraš*, duomenų baz*, duombaz*, adresyn*, naujienlaišk*, bazės",
    me: "mane, mus, mano adres*, mano duomen*, mano el*, asmens duomen*, mūsų adres*, mūsų duomen*, man, mums, mano asmens",
    stop: "nustok*, liauk*, nutrauk*, baik*",
    contact: "rašy*, rašyk*, trukdy*, susisiek*, kontakt*",
    send: "siųsk*, siunt*, siųs*, gauti",
    message: "laišk*, el. pašt*, žinut*, reklam*, šlamšt*, pranešim*, pasiūlym*, brukal*",
    dont: "nerašyk*, nesiųsk*, nesiunt*, netrukdyk*, nesikreipk*, nesusisiek*, nebesiųsk*, neberašyk*, nebetrukd*",
    unwanted: "nenoriu, nenorime, nepageidauj*, nebenoriu, nebenorime",
    not: "ne, niekada, nebe",
    more: "daugiau, niekada, ateityje, toliau, vėl, jūsų",
    want: "noriu, norime, pageidauju",
    demand:
      "palikite mane ramybėje, palik mane ramybėje, duomenų apsaugos inspekcij*, atšaukiu sutikimą, nedaviau sutikimo, nesutinku, skųsiuosi, pateiksiu skundą, prieštarauju",
    other: "daugiau klausimų, nedomina, neįdomu, daugiau informacij*",
    limit:
      "skambin*, paskambin*, geriau, vidutiniškai, kiek, klient*, eilut*, sutart*, klausim*, kitais metais, pasiūlymo",
    footer: "per klaidą, konfidencial*, skirtas tik adresatui, praneškite siuntėjui, spauskite čia",
    ask: "prašau, prašome, ar galite, ar galėtumėte",
  },
  tr: {
    unsubscribe:
      "abonelikten çık*, aboneliğimi iptal*, aboneliği iptal*, abonelik iptal*, üyelikten çık*, abonelikten ayrıl*, aboneligimi iptal*, abonelikten çıkar*",
    alone: "çıkar, sil, iptal, çıkış, çıkarın, ret, red, iptal edin",
    remove:
      "çıkar*, çıkart*, sil, silin*, silinme*, siliniz, silmenizi, kaldır*, silebilir*, çıkarılma*, sildir*",
    list: "liste*, listeniz*, veritaban*, veri taban*, posta liste*, mail liste*, sistem*, kayıt*, bülten*, dağıtım*, rehber*",
    me: "beni, bizi, adresim*, adresimiz*, mailim*, e-postam*, verilerim*, bilgilerim*, kişisel veri*, iletişim bilgi*, bana, bize, mail adresim*, e-posta adresim*, bu adres*, numaram*, adımı",
    stop: "bırak*, kes, kesin, kesiniz, durdur*, son verin, son veriniz, vazgeç*, yeter, son ver*",
    contact:
      "yaz*, rahatsız et*, rahatsız*, taciz*, iletişime geç*, ulaş*, arama*, spam*, mail at*, mesaj at*",
    send: "gönder*, gonder*, at, atmay*, yolla*, almak, mail almak",
    message:
      "e-posta*, mail*, mesaj*, ileti*, reklam*, spam*, bülten*, eposta*, tanıtım*, teklif almak, e-mail*",
    dont: "yazmayın*, yazma, yazmayınız, göndermeyin*, gönderme, gondermeyin*, atmayın*, atmayin*, yollamayın*, rahatsız etmeyin*, rahatsiz etmeyin*, ulaşmayın*, iletişime geçmeyin*, aramayın*, iletişim kurmayın*",
    unwanted: "istemiyor*, istemem, istemeyiz",
    not: "değil, hayır, etmeyin*, çıkarmayın*, silmeyin*, asla",
    more: "bir daha, artık, artik, tekrar, bundan sonra, başka, daha fazla, asla, sizden, böyle, bu tür",
    want: "istiyor*, talep ed*",
    demand:
      "beni rahat bırak*, bizi rahat bırak*, rahat bırakın, şikayet edeceğ*, şikayet ederim, şikâyet edeceğ*, şikayette bulun*, spam olarak bildir*, onay vermedim, onayım yok, izin vermedim, iznim yok, rızam yok, rızamı geri*, onayımı geri*, kvkk kapsamında, kvkk uyarınca, iys*, itiraz ediyorum, silinmesini talep*, unutulma hakkı",
    other: "ilgilenmiyor*, başka sorum, daha fazla bilgi, sorun değil, daha sonra",
    limit:
      "arayın, ara, arayınız, telefon*, yerine, ortalama*, kaç, müşteri*, teklif*, satır*, sözleşme*, fatura*, soru*, gelecek yıl, seneye, pazartesiye kadar, önce, yanlışlıkla",
    footer:
      "yanlışlıkla aldıysanız, gizlidir ve, yalnızca alıcısına, göndereni bilgilendirin, buraya tıklayın, tıklayınız",
    ask: "misiniz, mısınız, musunuz, lütfen, lutfen",
  },
  id: {
    unsubscribe:
      "berhenti berlangganan, batal berlangganan, batalkan langganan, berhenti langganan, henti langgan, henti berlangganan, nyahlanggan, batalkan langgan*, berhenti melanggan",
    alone: "hapus, berhenti, keluar, batal, padam",
    remove:
      "hapus*, keluarkan, dihapus, menghapus, coret, padam*, dipadam*, buang*, singkirkan, penghapusan, pemadaman",
    list: "daftar, database, milis, mailing list, senarai, pangkalan data, basis data, senarai mel, data anda, sistem",
    me: "saya, kami, alamat saya, email saya, data saya, data pribadi*, data peribadi*, alamat kami, email kami, e-mel saya, alamat ini, alamat e-mel, kontak saya, nomor saya, aku",
    stop: "berhenti, hentikan, stop, setop, henti, cukup, tolong berhenti, stop mengirim",
    contact:
      "hubungi, menghubungi, ganggu*, mengganggu, kontak, mengontak, menulis, menyurati, spam",
    send: "kirim*, mengirim*, hantar*, menghantar*, terima, menerima, dikirim*, kirimi, emailkan",
    message: "email, e-mel, emel, pesan, mesej, surat, iklan, spam, promosi, newsletter, sms",
    not: "jangan, tidak, tak, bukan, tidak mau, tak mahu, tidak ingin",
    more: "lagi, kembali, seterusnya, selanjutnya, pernah, ke depannya, dari anda",
    want: "ingin, mau, mahu, berminat menerima, bersedia",
    demand:
      "jangan ganggu saya, jangan ganggu kami, tidak setuju, saya laporkan, akan saya laporkan, akan melaporkan, laporkan sebagai spam, kominfo, tidak pernah setuju, mencabut persetujuan, menarik persetujuan, menarik balik persetujuan, tidak memberi izin, tidak memberikan izin, keberatan atas",
    other:
      "tidak tertarik, belum tertarik, tidak berminat, pertanyaan lagi, soalan lagi, hubungi saya lagi tahun, hubungi saya semula, tidak masalah, tidak ada pertanyaan",
    limit:
      "telepon*, telefon*, saja, rata-rata, purata, berapa, pelanggan, penawaran, baris, kontrak, kontrak lama, sebut harga, pertanyaan, soalan, tahun depan, sampai senin, faktur, sehingga, sebelum",
    footer:
      "karena kesalahan, bersifat rahasia, hanya ditujukan kepada, beri tahu pengirim, klik di sini, klik disini, adalah sulit dan",
    ask: "bisa, bisakah, dapatkah, tolong, mohon, boleh, harap",
  },
  vi: {
    unsubscribe:
      "hủy đăng ký, huỷ đăng ký, hủy theo dõi, ngừng đăng ký, hủy nhận, dừng đăng ký, từ chối nhận",
    alone: "hủy, xóa, ngừng, dừng, từ chối",
    remove: "xóa, xoá, gỡ, loại, bỏ, gạch, loại bỏ",
    list: "danh sách, cơ sở dữ liệu, hệ thống, dữ liệu khách hàng, database",
    me: "tôi, chúng tôi, mình, em, email của tôi, địa chỉ của tôi, dữ liệu cá nhân, thông tin cá nhân, thông tin của tôi, địa chỉ này, email này, thông tin của chúng tôi",
    stop: "ngừng, thôi, ngưng, chấm dứt",
    contact: "liên hệ, làm phiền, liên lạc, viết cho, quấy rầy, email cho, spam, nhắn",
    send: "gửi, nhận, nhận được",
    message: "email, thư, tin nhắn, thư rác, quảng cáo, mail, tin, spam, thư từ",
    not: "đừng, không, chớ, không muốn, xin đừng, chưa",
    more: "nữa, thêm, lại, trong tương lai, bao giờ",
    want: "muốn, đồng ý, cần",
    demand:
      "để tôi yên, đừng làm phiền, không đồng ý nhận, rút lại sự đồng ý, báo cáo spam, sẽ báo cáo, sẽ khiếu nại, không cho phép, khiếu nại",
    other:
      "không quan tâm, chưa quan tâm, câu hỏi nào nữa, không còn câu hỏi, không có câu hỏi, không sao, không vấn đề",
    limit:
      "gọi, gọi cho, điện thoại, trung bình, bao nhiêu, khách hàng, báo giá, dòng, hợp đồng, câu hỏi, năm sau, trước khi, hóa đơn",
    footer:
      "do nhầm lẫn, thông tin bảo mật, chỉ dành cho người nhận, thông báo cho người gửi, nhấp vào đây, bấm vào đây",
    ask: "có thể, vui lòng, xin, làm ơn",
  },
  hi_latin: {
    unsubscribe: "unsubscribe karo, unsubscribe kar",
    remove: "hatao, hata do, hata dijiye, delete karo, nikalo, nikal do",
    list: "list",
    me: "mujhe, mera, hume, hamein, humein",
    stop: "band karo, band kijiye, band kar",
    contact: "contact, sampark, pareshan, tang",
    send: "bhej*, bhejo, bhejna",
    message: "email, mail, message*",
    not: "mat, nahi, nahin, na",
    more: "aur, dobara, phir, wapas, ab, kabhi",
    limit: "phone, call",
  },
};
