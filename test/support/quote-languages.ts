/**
 * How mail programs of many languages name the headers above what they quote, and say who wrote it. Lists of
 * others: Roundcube's localization (`labels.inc`: from, date, to, subject, mailreplyintro, originalmessage),
 * and the names in Outlook's own blocks.
 */

/** language | from | date | to | subject | introduction, where there is a usable one | title of the original */
export const ROUNDCUBE_WORDS = `
ar|المرسل|التاريخ|المستقبل|الموضوع|كتب {me} في {date}:|الرسالة الأساسية
ast|De|Data|Pa|Asuntu|El {date}, {me} escribió:|Mensaxe orixinal
az-AZ|Kimdən|Tarix|Kimə|Mövzu|{date} tarixdə, {me} yazıb:|Orijinal məktub
be-BE|Ад|Дата|Каму|Тэма|{me} напісаў {date}:|Арыгінальнае паведамленне
bg-BG|От|Дата|До|Заглавие|На {date}, {me} написа:|Оригинално писмо
bn-BD|প্রেরক|তারিখ|প্রাপক|বিষয়||
br|Eus|Deiz|Da|Sujed|D'an/ar {date} eo bet skrivet gant {me}:|Kemennadenn orin
bs-BA|Od|Datum|Za|Naslov|{date}, {me} je napisao/la:|Originalna poruka
ca-ES|Remitent|Data|Destinatari|Assumpte|El {date}, {me} va escriure:|Missatge Original
cs-CZ|Odesílatel|Datum|Adresát|Předmět|Dne {date}, {me} napsal:|Původní zpráva
cy-GB|Oddi wrth|Dyddiad|Derbyniwr|Pwnc|Ar {date}, ysgrifennodd {me}:|Neges Wreiddiol
da-DK|Afsender|Dato|Modtager|Emne|{me} skrev den {date}:|Original besked
de-CH|Von|Datum|An|Betreff|Am {date}, schrieb {me}:|Originalnachricht
el-GR|Αποστολέας|Ημερομηνία|Παραλήπτης|Θέμα|Στις {date}, {me} έγραψε:|Αρχικό μήνυμα
en-CA|From|Date|To|Subject|On {date}, {me} wrote:|Original Message
eo|Sendanto|Dato|Ricevanto|Temo|Je {date}, {me} skribis:|Originala mesaĝo
es-419|De|Fecha|Para|Asunto|El {date}, {me} escribió:|Mensaje original
es-AR|Remitente|Fecha|Destinatario|Asunto|El {date}, {me} escribió:|Mensaje original
es-ES|De|Fecha|Destinatario|Asunto|El {date}, {me} escribió:|Mensaje Original
et-EE|Saatja|Kuupäev|Saaja|Pealkiri|{date} kirjutas {me}:|Esialgne kiri
eu-ES|Nork|Data|Nori|Gaia|{date} egunean, {me}-(e)k idatzi du:|Jatorrizko mezua
fa-AF|ارسال کننده|تاريخ|ګيرينده|مضمون||
fa-IR|از|تاریخ|به|موضوع|در {date}، {me} نوشته است:|پیام اصلی
fi-FI|Lähettäjä|Päiväys|Vastaanottaja|Aihe|{me} kirjoitti {date}:|Alkuperäinen viesti
fo-FO|Frá|Tann|Til|Evni|Tann {date}, skrivaði {me}:|Uppruna boð
fr-FR|De|Date|À|Objet|Le {date}, {me} a écrit :|Courriel original
fy-NL|Fan|Datum|Oan|Ûnderwerp|Op {date}, skreau {me}:|Oarspronklik Berjocht
ga-IE|Seolaí|Dáta|Chuig|Ábhair|Ar an {date}, scríobh {me}:|An teachtaireacht bhunaidh
gl-ES|De|Data|Para|Asunto|O {date}, {me} escribiu:|Mensaxe orixinal
he-IL|מאת|תאריך|אל|נושא|:כתב {me}, {date} בתאריך|הודעה מקורית
hi-IN|भेजने वाला|तारीख|पाने वाला|विशय||
hr-HR|Od|Datum|Za|Naslov|Dana {date}, {me} je napisao(la):|Izvorna poruka
hu-HU|Feladó|Dátum|Címzett|Tárgy|{date} időpontban {me} ezt írta:|Eredeti üzenet
hy-AM|Ուղարկող|Ամսաթիվ|Ստացող|Վերնագիր||Առաջին հաղորդագրությունը
ia|De|Data|A|Subjecto|Le {date}, {me} ha scribite:|Message original
id-ID|Pengirim|Tanggal|Penerima|Judul|Pada {date}, {me} menulis:|Pesan Asli
is-IS|Frá|Dagsetning|Til|Titill|Þann {date}, skrifaði {me}:|Upprunaleg skilaboð
it-IT|Mittente|Data|Destinatario|Oggetto|Il {date} {me} ha scritto:|Messaggio originale
ja-JP|発信者|日付|宛先|件名|{date} に {me} さんは書きました:|元のメッセージ
ka-GE|გამგზავნი|თარიღი|ვის|სათაური|{date}-ში, {me} დაწერა:|ორიგინალი შეტყობინება
km-KH|អ្នកផ្ញើ|កាលបរិច្ឆេត|អ្នកទទួល|ចំណងជើង|កាលពីថ្ងៃ {date}, {me} បានសរសេរ៖|សារដើម
kn-IN|ಇಂದ|ದಿನಾಂಕ|ಗೆ|ವಿಷಯ||ಮೂಲ ಸಂದೇಶ
ko-KR|보낸 사람|날짜|받는 사람|제목|{date}에 {me}이(가) 쓴 내용:|원본 메시지
ku|Ji|Dîrok|Bo|Mijar||Peyama orîjînal
ku-IQ|لە|بەروار|بۆ|ناونیشان||
lb-LU|Vun|Datum|Un|Sujet|Den {date}, {me} schreift:|Original-Message
lt-LT|Siuntėjas|Data|Gavėjas|Tema|{date}, {me} rašė:|Originalus laiškas
lv-LV|No|Datums|Kam|Temats|{me} @ {date} rakstīja:|Sākotnējā vēstule
mk-MK|Од|Датум|Примач|Наслов||Оригинална порака
ml-IN|പ്രേഷിതന്‍|തീയതി|സ്വീകര്‍ത്താവ്|വിഷയം||യഥാര്‍ഥ സന്ദേശം
mn-MN|Хэнээс|Огноо|Хэнд|Гарчиг||
mr-IN|प्रेषक|दिनांक|प्रती|विषय|{date} या दिवशी {me} ने लिहीले :|खरा संदेश
ms-MY|Daripada|Tarikh|Kepada|Subjek||Mesej Asal
nb-NO|Avsender|Dato|Mottaker|Emne|Den {date}, skrev {me}:|Opprinnelig melding
ne-NP|प्रेषक|तारिख|प्रापक|विषय||
nl-BE|Van|Datum|Aan|Onderwerp|Op {date}, schreef {me}:|Orgineel bericht
nl-NL|Afzender|Datum|Ontvanger|Onderwerp|{me} schreef op {date}:|Oorspronkelijke bericht
nn-NO|Frå|Dato|Til|Emne|Den {date} skreiv {me}:|Opphavleg melding
pl-PL|Od|Data|Do|Temat|W dniu {date}, {me} napisał(a):|Wiadomość oryginalna
ps|استوونکی|نېټه|ترلاسه کوونکی|مضمون||
pt-BR|De|Data|Para|Assunto|Em {date}, {me} escreveu:|Mensagem original
pt-PT|De|Data|Para|Assunto|A {date}, {me} escreveu:|Mensagem original
ro-RO|Expeditor|Data|Destinatar|Subiect|În {date}, {me} a scris:|Mesaj original
ru-RU|От|Дата|Кому|Тема|{me} писал(а) {date}:|Исходное сообщение
si-LK|වෙතින්|දිනය|වෙත|මාතෘකාව||
sk-SK|Od|Dátum|Komu|Predmet|Dňa {date} {me} napísal(a):|Pôvodná správa
sl-SI|Od|Datum|Za|Zadeva||Izvorno sporočilo
sq-AL|Nga|Datë|Për|Subjekt|Më {date}, {me} shkroi:|Mesazhi Origjinal
sr-CS|Од|Датум|За|Наслов|Дана {date}, {me} написа:|Оригинална порука
sv-SE|Från|Datum|Mottagare|Ämne|{date} skrev {me}:|Ursprungligt meddelande
ta-IN|அனுப்புனர்|தேதி|பெறுனர்|தலைப்பு||
th-TH|ผู้ส่ง|วันที่|ผู้รับ|หัวจดหมาย||ข้อความเดิม
ti|ካብ|ዕለት|ናብ|ዋኒን||
tr-TR|Gönderici|Tarih|Alıcı|Konu|{date}, {me} yazmış:|Özgün ileti
tzl|Da|Däts|À|Subxhect||
ug|دىن|چېسلا|غا|تىما||ئەسلىي خەت
uk-UA|Від кого|Дата|Кому|Тема|{date}, {me} написав:|Оригінальне повідомлення
uz|Kimdan|Sana|Kimga|Mavzu|{me} yozgan kun {date}:|Asl xat
vi-VN|Gửi từ|Ngày|Người nhận|Tiêu đề|Vào ngày {date}, {me} viết:|Thư gốc
zh-CN|发件人|日期|收件人|主题||原始邮件
zh-TW|寄件者|日期|收件者|主旨|{me} 於 {date} 寫到:|原始郵件
`.trim();

/** language | from | sent | to | subject */
export const OUTLOOK_WORDS = `
en|From|Sent|To|Subject
de|Von|Gesendet|An|Betreff
fr|De|Envoyé|À|Objet
es|De|Enviado el|Para|Asunto
pt|De|Enviada em|Para|Assunto
it|Da|Inviato|A|Oggetto
nl|Van|Verzonden|Aan|Onderwerp
sv|Från|Skickat|Till|Ämne
da|Fra|Sendt|Til|Emne
nn|Frå|Sendt|Til|Emne
fi|Lähettäjä|Lähetetty|Vastaanottaja|Aihe
is|Frá|Sent|Til|Efni
et|Saatja|Saadetud|Adressaat|Teema
lv|No|Nosūtīts|Kam|Temats
lt|Nuo|Išsiųsta|Kam|Tema
pl|Od|Wysłano|Do|Temat
cs|Od|Odesláno|Komu|Předmět
sk|Od|Odoslané|Komu|Predmet
hu|Feladó|Elküldve|Címzett|Tárgy
ro|De la|Trimis|Către|Subiect
bg|От|Изпратено|До|Относно
hr|Šalje|Poslano|Prima|Predmet
sr|Шаље|Послато|Прима|Тема
sl|Od|Poslano|Za|Zadeva
mk|Од|Испратено|До|Предмет
el|Από|Στάλθηκε|Προς|Θέμα
ru|От|Отправлено|Кому|Тема
uk|Від|Надіслано|Кому|Тема
be|Ад|Адпраўлена|Каму|Тэма
tr|Kimden|Gönderildi|Kime|Konu
az|Kimdən|Göndərilib|Kimə|Mövzu
ar|من|تاريخ الإرسال|إلى|الموضوع
he|מאת|נשלח|אל|נושא
fa|از|ارسال شده|به|موضوع
ur|منجانب|بھیجا گیا|بنام|موضوع
hi|प्रेषक|भेजा गया|प्रति|विषय
bn|থেকে|পাঠানো হয়েছে|প্রতি|বিষয়
id|Dari|Dikirim|Kepada|Subjek
ms|Daripada|Dihantar|Kepada|Subjek
vi|Từ|Đã gửi|Đến|Chủ đề
th|จาก|ส่ง|ถึง|เรื่อง
ja|差出人|送信日時|宛先|件名
ko|보낸 사람|보낸 날짜|받는 사람|제목
zh-CN|发件人|发送时间|收件人|主题
zh-TW|寄件者|寄件日期|收件者|主旨
ca|De|Enviat el|Per a|Assumpte
gl|De|Enviado|Para|Asunto
eu|Nork|Bidalia|Nori|Gaia
sq|Nga|Dërguar|Për|Subjekti
fil|Mula kay|Ipinadala|Para kay|Paksa
`.trim();
