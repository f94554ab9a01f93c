/**
 * What people reply to a cold email, in thirteen languages. Written for text that went through `fold`.
 * Rows are in order: the first that matches decides, so a refusal is never read as interest.
 */

import type { Interest } from "#domain/campaigns/enrollment.ts";
import { REFUSES, WANTS } from "./interest-words.ts";

export interface InterestPhrases {
  intent: string;
  interest: Interest;
  patterns: readonly RegExp[];
}

export const INTEREST_PHRASES: readonly InterestPhrases[] = [
  {
    intent: "not_interested",
    interest: "not_interested",
    patterns: [
      /\b(?:not|no longer|isn't|aren't|never) (?:really |currently |at all |all that )?(?:interested|relevant|a (?:good )?fit|for us|looking|in the market)|\bno interest\b|\bnot (?:our|my) (?:thing|focus|priority)|\b(?:we|i)(?:'ll| will)? (?:have to )?(?:pass|decline)\b|\bno,? thank(?:s| you)|\bnot needed\b|\bdon't need\b|\bno need\b|\bdon't (?:think|believe|see) .{0,40}\b(?:interested|interest|a fit|need|relevant|for us)\b|\b(?:already|happy) (?:have|with|using|work with)\b.{0,40}\b(?:provider|vendor|solution|supplier|tool|partner)|^no\.?$/,
      /\bkein(?:en)? (?:interesse|bedarf)|\bnicht interess|\bkein thema\b|^nein(?:,? danke)?\b|\bnein danke\b|\bbrauchen wir nicht\b|\bsehen wir keinen bedarf|\bnichts fur uns\b|\bkommt (?:fur uns )?nicht in ?frage/,
      /\bpas (?:du tout )?(?:interesse|besoin)|\bnon,? merci\b|\bne (?:sommes|suis) pas interess|\bpas d'interet|\baucun interet|interesse pas\b|\bpas pour nous\b/,
      /\bno (?:estamos|estoy|me|nos) interesa|\bno (?:nos |me )?interesa|\bno,? gracias\b|\bsin interes\b|\bno necesit|\bno es para nosotros\b/,
      /\b(?:geen|niet) (?:interesse|behoefte|geinteresseerd)|\bnee,? (?:bedankt|dank)|\bniets voor ons\b/,
      /\bnao (?:temos|tenho|ha|estamos|estou) (?:interess\w{0,6}|necessidade)|\bnao,? obrigad|\bsem interesse\b|\bnao (?:me |nos )?interessa/,
      /\bnon (?:siamo|sono|mi|ci) interess|\bno,? grazie\b|\bnon (?:ci |mi )?interessa|\bnessun interesse/,
      /\bnie (?:jestem|jestesmy) zainteresowan|\bbrak zainteresowania\b|\bnie,? dziekuj\w{1,3}\b|\bnie potrzebujemy\b|\bnie interesuje|\bnie dla nas\b/,
      /\b(?:inte|ej) intresserad|\binget intresse\b|\bnej,? tack\b|\binget for oss\b|\bikke interesser|\bikke noget for os\b|\bingen interesse\b|\bnej,? tak\b|\bikke interessert|\bnei,? takk\b/,
      /\b(?:nemam|nemame) (?:zajem|o to zajem)|\bnezajima\b|\bne,? dekuj\w{1,3}\b|\bnepotrebujeme\b/,
      /興味(?:は|が)?(?:あり|ござい)ません|必要(?:は|が)?(?:あり|ござい)ません|結構です|お断り|遠慮(?:させて|いた)|見送/,
      /不感兴趣|不感興趣|没(?:有)?兴趣|沒(?:有)?興趣|[没沒]有.{0,6}(?:需求|需要)|不需要|不用了|暂无需求|暫無需求/,
    ],
  },
  { intent: "not_interested", interest: "not_interested", patterns: [REFUSES] },
  {
    intent: "wrong_person",
    interest: "neutral",
    patterns: [
      /\b(?:wrong|not the (?:right|best|correct)) (?:person|contact|one|address)|\b(?:please )?(?:contact|reach out to|speak (?:to|with)|talk to) my (?:colleague|boss|manager)|\bi(?:'m| am) not (?:the one|responsible|in charge)|\bno longer (?:work|with the company|in this role)|\b(?:left|retired from) the company/,
      /\bnicht (?:der richtige|die richtige|zustandig)|\bfalsche(?:r)? ansprechpartner|\bwenden sie sich (?:bitte )?an/,
      /\bpas la bonne personne|\bplus en charge|\bveuillez contacter/,
      /\bno soy la persona|\bpersona equivocada|\bcontacte con/,
      /\bniet de juiste persoon|\bverkeerde persoon|\bneem contact op met/,
      /\bnao sou a pessoa|\bpessoa errada/,
      /\bnon sono la persona|\bpersona sbagliata/,
      /\bnie jestem (?:wlasciwa|odpowiednia) osoba|\binte ratt person|\bikke den rette (?:person)?|\bnejsem spravna osoba|担当(?:者)?では(?:あり|ござい)ません|担当外|不是(?:我|负责|負責)|不负责|不負責/,
    ],
  },
  {
    intent: "not_now",
    interest: "neutral",
    patterns: [
      /\b(?:not (?:right )?now|not at (?:this|the) (?:time|moment|point)|bad timing|maybe later|(?:next|another) (?:quarter|year)|check back|circle back|get back to (?:me|us) in|reach out again|touch base (?:again )?in|too busy|in a few months|no budget|budget is)\b/,
      /\b(?:derzeit nicht|momentan nicht|im moment nicht|aktuell nicht|spater (?:noch ?mal|wieder)|nachstes (?:jahr|quartal)|kein budget)\b/,
      /\b(?:pas (?:pour le moment|maintenant|en ce moment)|plus tard|l'annee prochaine|pas de budget)\b/,
      /\b(?:ahora no|por (?:ahora|el momento) no|no en este momento|mas adelante|el proximo ano|sin presupuesto)\b/,
      /\b(?:nu niet|op dit moment niet|momenteel niet|later (?:dit|in het) jaar|volgend (?:jaar|kwartaal)|geen budget)\b/,
      /\b(?:agora nao|no momento nao|mais tarde|ano que vem|proximo (?:ano|trimestre)|sem (?:orcamento|verba))\b/,
      /\b(?:non ora|non adesso|al momento no|piu avanti|l'anno prossimo|prossimo trimestre)\b/,
      /\b(?:nie teraz|obecnie nie|w tej chwili nie|w przyszlym (?:roku|kwartale))\b|\b(?:inte (?:just )?nu|nasta (?:ar|kvartal)|ikke (?:lige )?nu|naeste (?:ar|kvartal))\b|\b(?:ted ne|nyni ne|momentalne ne|pristi (?:rok|kvartal))\b|今は(?:必要|検討)|現時点では|来年|来期|現在(?:不|没|沒)|目前(?:不|没|沒|暂)|以后再|以後再|明年/,
    ],
  },
  {
    intent: "meeting",
    interest: "meeting",
    patterns: [
      /\b(?:book(?:ed)? (?:a |some )?(?:time|slot|call|meeting)|(?:let's|can we|could we|happy to|glad to|would like to|want to|shall we) (?:schedule|set up|arrange|book|meet|hop on|jump on|have a (?:call|chat)|talk|chat|speak|do a call)|schedule a (?:call|meeting|demo)|calendly\.com|cal\.com\/|send (?:me |over )?(?:a |an |the )?(?:calendar )?invite|give me a call|call me|(?:works|work) for me|(?:i'm|i am|we are|we're) (?:free|available) (?:on|at|this|next|tomorrow)|meeting invite|does .{1,30} work for you)\b/,
      /\b(?:termin (?:vereinbaren|machen|ausmachen|finden|vorschlag)|rufen sie (?:mich|uns) (?:bitte )?an|telefonieren|passt (?:mir|uns|es)|lassen sie uns (?:sprechen|telefonieren))\b/,
      /\b(?:prendre rendez-vous|rendez-vous|appelez-moi|un appel|disponible (?:le|lundi|mardi|mercredi|jeudi|vendredi|demain))\b/,
      /\b(?:agendar|reunion|llamame|llameme|una llamada|concertar|quedamos)\b/,
      /\b(?:afspraak (?:maken|inplannen|plannen)|bel me|belt u mij|inplannen)\b/,
      /\b(?:agendar|marcar (?:uma )?(?:reuniao|conversa|chamada)|me liga|uma ligacao)\b/,
      /\b(?:fissare|appuntamento|chiamami|mi chiami|una chiamata|sentiamoci)\b/,
      /\b(?:umowmy sie|umowic (?:spotkanie|rozmowe)|prosze (?:o telefon|zadzwonic)|zadzwon do mnie)\b/,
      /\b(?:boka (?:ett |in )?(?:mote|tid)|ring mig|ha ett mote|aftale et mode|book(?:e)? et mode|ring til mig|avtale et mote)\b/,
      /\b(?:domluvit (?:si )?schuzku|sejit se|zavolejte mi|zavolej mi)\b/,
      /(?:打ち合わせ|面談|ミーティング|お電話).{0,12}(?:お願い|でき|可能|いただ|しましょう)|(?:安排|约|約).{0,8}(?:会议|會議|时间|時間|电话|電話)|给我打电话|打電話給我/,
    ],
  },
  {
    intent: "interested",
    interest: "interested",
    patterns: [
      /\b(?:(?:i'm|i am|we're|we are|very|definitely|would be|quite|am) (?:very |definitely |quite )?interested|sounds (?:good|great|interesting|perfect|like)|tell me more|(?:send|share|provide)\b.{0,20}(?:more )?(?:info|information|details|pricing|proposal|deck|quote|brochure|case stud)|more (?:info|information|details)|love to (?:learn|hear|know|see)|like to (?:learn|hear|know|see) more|keen to|how much (?:does|is|would)|what(?:'s| is| are) (?:the|your) (?:price|pricing|cost|rates)|interested in|count me in|let's do (?:it|this)|yes,? please|^yes\b|^sure\b|curious)/,
      /\b(?:(?:sehr |bin |waren |sind |grundsatzlich )interess|klingt (?:gut|interessant|spannend)|mehr (?:infos?|informationen|details|erfahren)|(?:schicken|senden) sie (?:mir|uns)|gerne? mehr|was kostet|preisliste|angebot|^ja\b|^gerne)/,
      /\b(?:(?:suis|sommes|tres) interess|ca m'interesse|cela (?:m'|nous )interesse|en savoir plus|plus d'informations?|envoyez[- ]|quel(?:s)? (?:est|sont) (?:le|les|vos) (?:prix|tarifs?)|^oui\b|avec plaisir)/,
      /\b(?:(?:estoy|estamos|muy) interesad|me interesa|nos interesa|mas (?:informacion|detalles)|envie(?:me|nos)?\b|cuanto cuesta|suena (?:bien|interesante)|^si(?=[,.!]|$| (?:por favor|claro|gracias))|con gusto)/,
      /\b(?:(?:ben|zijn|zeer|wel) geinteresseerd|klinkt (?:goed|interessant)|meer (?:info|informatie|weten)|wat kost|stuur (?:me|mij|ons)|^ja\b|graag)/,
      /\b(?:(?:tenho|temos|muito) interess|estou interessad|me interessa|mais (?:informacoes|detalhes)|quanto custa|envie\b|pode(?:ria)? enviar|parece (?:bom|interessante)|^sim\b)/,
      /\b(?:(?:sono|siamo|molto) interessat|mi interessa|ci interessa|maggiori (?:informazioni|dettagli)|piu informazioni|quanto costa|mi mandi|^si(?=[,.!]|$| (?:grazie|certo|volentieri))|volentieri)/,
      /\b(?:jestem|jestesmy) (?:bardzo )?zainteresowan|\bbrzmi (?:dobrze|ciekawie|interesujaco)\b|\bprosze o (?:wiecej|oferte|szczegoly)|\bile to kosztuje\b|\bwiecej informacji\b|^tak,? (?:prosze|poprosze|chetnie|jestem|jestesmy|interesuje)/,
      /\b(?:jag ar|vi ar) (?:mycket )?intresserad|\blater (?:bra|intressant)\b|\bmer information\b|\bvad kostar\b|\b(?:jeg er|vi er) (?:meget )?interesser|\blyder (?:godt|spaendende|interessant)\b|\bmere information\b|\bhvad koster\b|^ja,? (?:tack|tak|gerna|gerne)\b/,
      /\b(?:mam|mame) (?:o to )?zajem|\bzni to (?:dobre|zajimave)\b|\bvice informaci\b|\bkolik to stoji\b|\bposlete (?:mi|nam)\b|^ano\b/,
      /興味(?:が|は)?(?:あり|ござい)ます|詳細(?:を|について)|詳しく(?:教え|お聞)|資料(?:を|請求)|お見積|感兴趣|感興趣|有兴趣|有興趣|请发|請發|报价|報價|更多(?:信息|资料|資料|資訊)/,
    ],
  },
  { intent: "interested", interest: "interested", patterns: [WANTS] },
];

/** A refusal goes on after it: "no thanks, but call me in May". */
export const BUT =
  /\b(?:but|however|though|aber|jedoch|mais|pero|maar|mas|ma|pero|ale|men|jednak|avsak|ali|dar|mutta|ama|tapi|nhung)\b|(?:^| )(?:но|а|але|αλλα|لكن|אבל|ولی|लेकिन) |が[,、]|但是?|不过|不過/;
/** The sender may be in touch again. */
export const CONTACT =
  /\b(?:call|phone|ring|ping|write|contact|e-?mail|try|ask|check|reach out|get (?:back|in touch)|come back|follow up|circle back)\b|\b(?:rufen|melden|schreiben|kontaktieren|fragen|versuchen)\b|\b(?:rappel|appel|recontact|contact|ecri|reven)\w{1,8}|\b(?:llam|escrib|contact|vuelv)\w{1,8}|\b(?:bel|mail|schrijf|contact|probeer|kom)\b|\b(?:lig|escrev|contat|fal|volt)\w{1,8}|\b(?:chiam|scriv|contatt|risent|ricontatt|torn)\w{1,8}|\b(?:zadzwon|napis|odezw|skontakt|wroc)\w{0,8}|\b(?:ring|hor av|aterkom|kontakta|skriv|mejla)\b|\b(?:kontakt|vend tilbage)\b|\b(?:zavol|napis|ozv|kontaktuj)\w{0,8}|電話|連絡|打电话|打電話|联系|聯繫|联络|聯絡/;
/** When: a month, a season, next year, later. */
export const LATER =
  /\b(?:later|again|next|spring|summer|autumn|fall|winter|quarter|months?|weeks?|year|spater|wieder|nachste[nrs]?|fruhjahr|sommer|herbst|quartal|plus tard|prochaine?|printemps|ete|automne|hiver|rentree|mas adelante|mas tarde|proxim[oa]|primavera|verano|otono|invierno|volgend|voorjaar|zomer|najaar|mais tarde|verao|outono|piu avanti|prossim[oa]|estate|autunno|pozniej|przyszl\w{1,3}|wiosna|lato|jesien\w{0,2}|senare|nasta|hosten|varen|senere|naeste|efteraret|foraret|pozdeji|pristi|podzim|jaro)\b|\d\s?月|来年|来期|明年|以后|以後|下(?:个|個)?(?:月|季度)|[一二三四五六七八九十]月/;
