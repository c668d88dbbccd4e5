import type { WordTable } from "../../core/index.ts"

/** Words of the lines around an article; `content-lines.ts` uses them. */

const germanFurther =
  "weitere|ähnliche|verwandte|passende|aktuelle|meistgelesene|meistdiskutierte|neueste|beliebte"

/** Whole lines. */
export const wholeLines: Record<string, WordTable> = {
  advertisements: {
    any: "ad|ads|pr|reklam[ae]?|annonse?|publicidade?",
    en: "special(?: offers?)?|advert|adverts|advertisement|sponsored(?: content| post)?|promoted",
    de: "anzeige|werbung",
    fr: "publicit[eé]",
    it: "pubblicità",
    id: "iklan",
    ru: "реклама",
    ja: "広告",
    zh: "广告",
    ko: "광고",
    ar: "إعلان",
  },
  goOn: {
    en: `
      continue reading(?: below)?|keep reading|read (?:more|next|on)|(?:story|article) continues.*
      scroll (?:down )?(?:to|for).*|more
      more (?:news|stories|articles|from.*|on this.*|great .*|.{0,20} stories)
    `,
    de: `
      weiterlesen|mehr lesen|mehr
      mehr (?:zum thema|aus.*|dazu|davon|artikel|news|themen|beiträge)
    `,
    es: "leer más|más",
    pt: "leia mais|mais",
    fr: "lire la suite|plus",
    it: "leggi tutto|altro",
    ru: "читать далее",
    ja: "続きを読む",
  },
  otherArticles: {
    en: `
      related|related (?:news|articles?|stories|posts?|content|topics|links|videos?|reading)
      similar (?:articles|posts|stories)|recommended(?: for you| reading| articles)?
      you (?:may|might) (?:also )?(?:like|enjoy|be interested in).*|don['’]?t miss.*
      trending(?: now)?|most (?:read|popular|viewed)|popular (?:posts|articles|stories)
      latest (?:news|posts|articles)|up next|editor['’]?s picks?|top stories
    `,
    de: `
      auch (?:interessant|lesen)|das könnte (?:sie|dich) (?:auch )?interessieren
      (?:${germanFurther}) (?:artikel|beiträge|themen|meldungen|news|inhalte|nachrichten)
      passend(?: zum thema| dazu)|zum thema|lesen sie (?:auch|mehr|hier)|lesetipps?
      empfehlungen(?: der redaktion)?|heute empfehlen wir
    `,
    fr: `
      (?:articles?|sujets?) (?:liés|similaires|connexes|recommandés)
      (?:sur|dans) le même (?:sujet|thème)|à (?:lire|voir|découvrir)(?: aussi| également)?
      (?:lire|voir) aussi(?: sur .*)?
    `,
    es: `
      noticias relacionadas|artículos relacionados|te puede interesar|también te puede interesar
      lea también|vea también|notas relacionadas
    `,
    pt: "matérias relacionadas|veja (?:também|mais)|leia também",
    it: "leggi anche|potrebbe interessarti|articoli correlati",
    nl: "lees ook",
    sv: "läs (?:också|även|mer)",
    nb: "les (?:også|mer)",
    da: "læs også",
    pl: "czytaj (?:też|także|również)|zobacz (?:też|także|również)",
    id: "baca juga",
    ru: "читайте также|ещё по теме|похожие (?:статьи|материалы|новости)",
    ja: "関連記事|関連(?:リンク|ニュース|キーワード)|あわせて読みたい|おすすめ記事|人気記事",
    zh: "相关(?:阅读|新闻|文章|推荐|链接)|推荐阅读|延伸阅读|更多(?:新闻|精彩|内容)",
    ko: String.raw`관련\s?(?:기사|뉴스)|인기\s?기사`,
    ar: "اقرأ (?:أيضا|أيضاً|المزيد)|مواضيع ذات صلة|أخبار ذات صلة",
  },
  comments: {
    en: `
      comments?|leave a (?:reply|comment)|join the (?:conversation|discussion)|tell us what.*
      comments (?:are |have been )?(?:now )?(?:closed|off|disabled)(?: for this.*)?
      what do you think.*
    `,
    de: `
      kommentare?(?: zum artikel)?|schreibe einen kommentar
      (?:die )?kommentare? (?:sind |ist |wurden? )?(?:derzeit )?(?:geschlossen|deaktiviert)
    `,
    fr: "commentaires?|(?:les )?commentaires (?:sont )?(?:fermés|clos)",
    es: "comentarios?|(?:los )?comentarios (?:están )?cerrados",
    pt: "comentários?|(?:os )?comentários (?:estão )?(?:encerrados|fechados)",
    it: "commenti|(?:i )?commenti (?:sono )?chiusi",
    nl: "reacties (?:zijn )?gesloten",
    ru: "комментарии",
    zh: "評論|评论",
    ko: "댓글",
  },
  buttons: {
    any: "e-?mail|whatsapp|facebook|twitter|pinterest|linkedin|instagram|telegram|tweet",
    en: "share(?: this.*| on.*| with.*| article)?|print|copy link|loading.*|close",
    de: `
      teilen(?: mit| auf.*| sie.*)?|artikel teilen|beitrag teilen|drucken|link kopieren|merken
      gefällt mir|wird geladen.*|schließen|quellen ausblenden
    `,
    fr: "partager?(?: cet article| sur.*)?",
    es: "compartir(?: en.*)?|imprimir",
    pt: "compartilhar",
    it: "condividi",
    nl: "delen",
    sv: "dela",
    da: "del",
    ru: "поделиться",
  },
  subjects: {
    en: `
      tags?|topics|keywords|categor(?:y|ies)|filed under.*|posted (?:in|under).*
      table of contents
    `,
    de: `
      schlagw(?:orte|örter)|themen|kategorien?|veröffentlicht (?:in|unter).*|inhalt
      inhaltsverzeichnis
    `,
    ru: "теги",
  },
  subscriptions: {
    any: "newsletter(?: abonnieren| anmeldung)?",
    en: "sign ?up(?: now)?|subscribe(?: now| today)?",
    de: "jetzt abonnieren|abonnieren",
  },
  sources: {
    en: "source|sources|credits?|about the author|the author|contact",
    de: `
      quellen?|quellenangaben?|quellennachweise?|über den autor|zur person|autor(?:en)?|kontakt
      pressekontakt
    `,
    es: "fuentes?",
    pt: "fontes?",
    it: "fonte",
  },
}

const networks = "twitter|facebook|instagram|x|linkedin|youtube|telegram|google"

/** Labels before a pointer to something else: "Read more: …". */
export const pointers: WordTable = {
  en: `
    related|read (?:more|also|next|the full)|see (?:more|also)|also(?: read| see)?|more on this
    watch|recommended|must read|don['’]?t miss|in pictures|photos?|video|gallery|listen
  `,
  de: `
    lesen sie (?:auch|mehr|hier)|mehr (?:zum thema|dazu|lesen)|siehe auch|auch interessant
    lesetipp|lies auch|zum thema|weiterlesen|passend dazu|video|fotostrecke|bildergalerie
  `,
  es: `
    lea|lee|vea|mire|mira|leer|ver|te puede interesar|también|le puede interesar|lea también
    vea también|lee también|además|relacionad[ao]s?|más información
  `,
  pt: "leia|veja|leia também|leia mais|veja também|veja mais|saiba mais",
  fr: "lire aussi|à lire aussi|à lire|voir aussi|lire",
  it: "leggi anche|leggi|guarda anche",
  nl: "lees ook",
  sv: "läs (?:också|även|mer)",
  nb: "les også",
  da: "læs også",
  pl: "czytaj (?:też|także|również|więcej)|zobacz (?:też|także|również|więcej)",
  id: "baca juga|simak juga",
  ru: "читайте также|читайте",
}

/** Beginnings of lines that call readers to do something. */
export const calls: WordTable = {
  en: String.raw`
    (?:follow|like|find|join) (?:us|him|her|me|them|\S+(?: \S+){0,4}) on (?:${networks})
    follow (?:@|\S+ (?:\S+ ){0,3}on\s)|join (?:us|our)\s|sign up (?:for|to)|subscribe to
    register for|get (?:the latest|our|your daily)|join our|download our|click here|tap here
    submit your|send (?:us )?(?:your|a) (?:tips?|letters?)|have a (?:tip|story|question)
    got a (?:tip|story)|want more|listen to .{1,60} (?:live|podcast)
  `,
  de: String.raw`
    (?:folgen sie uns|abonnieren sie|jetzt (?:anmelden|abonnieren|newsletter)|melden sie sich)\b
    (?:hier geht es|hier klicken)\b|(?:mit|jetzt) .{1,20} weiterlesen
  `,
  es: String.raw`
    ¿ya sabías que|mira lo que|únete|(?:síguenos|sigue(?:nos)?|suscríbete|suscríbase)\b
  `,
  pt: String.raw`(?:inscreva-se|siga)\b`,
  fr: String.raw`(?:abonnez-vous|inscrivez-vous|suivez)\b`,
  it: String.raw`(?:iscriviti|seguici)\b`,
}

/** Beginnings of lines to subscribers. */
export const membership: WordTable = {
  en: `
    (?:already|not (?:yet )?) ?a (?:subscriber|member|customer)
    (?:log|sign) in (?:to|for|here|with)|to (?:view|read|continue reading) (?:the|this) full
    (?:subscribers|members) (?:also|only|get)
  `,
  de: `
    bereits (?:abonnent|kunde|registriert|mitglied)
    sie (?:sind|haben) (?:bereits|noch) (?:k?ein )?(?:abonnent|abo|konto)
  `,
  fr: "(?:déjà|vous êtes) abonné",
  es: "ya (?:es|eres) suscriptor",
}

/** Beginnings of lines that a site writes under an article, or instead of one. */
export const boilerplate: WordTable = {
  any: String.raw`©|\(c\)|[ⓒ]`,
  en: String.raw`
    this (?:slideshow|site|page|content|video) requires|please (?:enable|turn on) java ?script
    you need to enable|your browser|copyright|all rights reserved
    (?:we|this site) (?:may )?(?:earn|receive|get)s? .{0,40}commission
    this (?:post|article|page|content) (?:may )?contains? affiliate
    (?:estimated )?(?:reading time|read time)\b
  `,
  de: String.raw`
    dieser (?:artikel|beitrag) enthält (?:affiliate|werbe)|alle rechte vorbehalten
    (?:estimated )?lesezeit\b
  `,
  pt: String.raw`(?:estimated )?tempo de leitura\b`,
  fr: String.raw`tous droits|(?:estimated )?temps de lecture\b`,
  es: String.raw`todos los derechos|(?:estimated )?tiempo de lectura\b`,
  it: String.raw`(?:estimated )?tempo di lettura\b`,
  ja: String.raw`(?:出典|撮影|写真)\s*[：:]`,
  zh: String.raw`(?:責任編輯|责任编辑|编辑|編輯|来源|來源)\s*[：:]`,
  ko: String.raw`저작권자|무단\s?전재`,
}

/** Labels of images and sources, before a name. */
export const creditLabels: WordTable = {
  any: "photo|foto|fotos|video|illustration|fotograf(?:ía|ia)?|crédits?(?: photos?)?|crédito",
  en: `
    image|images|picture|pictures|photos|photograph|photography|photo credit|pic|credit|credits
    graphic|source
  `,
  de: "fotocredit|bild|bilder|bildquelle|bildnachweis|quelle",
  es: "imagen|fuente",
  pt: "imagem|fonte",
  it: "immagine",
  id: "sumber",
  da: "kilde",
  sv: "källa",
}

/** Agencies to which images are credited. */
export const imageAgencies = `
  getty(?: images)?|reuters|afp|ap photo|ap|epa|dpa|shutterstock|istock|picture alliance|imago
  unsplash|pixabay|adobe stock
`

/** What the first step of a path to a page is called. */
export const homeNames: WordTable = {
  en: "home|homepage|start",
  de: "startseite",
  es: "inicio",
  pt: "início",
  fr: "accueil",
  pl: "strona główna",
  is: "forsíða",
  sv: "hem",
  nb: "hjem",
  ru: "главная",
  zh: "首页",
  ja: "ホーム",
  ko: "홈",
}

/** Words in lines that say when something was published, and by which clock. */
export const dateWords: WordTable = {
  any: "am|edt|est|gmt|utc|cet|cest|bst|ist|pst|pdt|um",
  en: String.raw`
    published|posted|updated|modified|created|last|first|on|at|the|of|pm|a\.m|p\.m|ago
    minutes?|hours?|days?
  `,
  de: `
    uhr|vom|den|stand|aktualisiert|veröffentlicht|erstellt|vor|stunden?|tagen?|minuten
  `,
  fr: "publié|mis à jour|le|à|il y a|jours?|heures?",
  es: "publicado|actualizado|el|la|de|del|hace|horas?",
  pt: "às|as|da|do",
  it: "pubblicato|aggiornato|il|alle|ore",
  pl: "opublikowano",
}

/** Days of the week. */
export const weekdays: WordTable = {
  en: `
    mon(?:day|tag)?|tues?(?:day)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?
    sun(?:day)?
  `,
  de: "dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag",
  es: "lunes|martes|miércoles|jueves|viernes|sábado|domingo",
  pt: "(?:segunda|terça|quarta|quinta|sexta)-feira",
  fr: "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche",
}

/** Months; `en` also holds the spellings that it shares with others. */
export const months: WordTable = {
  en: `
    jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|mar(?:ch|s)?|apr(?:il)?|may|june?|july?|aug(?:ust)?
    sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?
  `,
  fr: "février|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre",
  de: "märz|juni|juli|januar|februar|oktober",
  es: `
    enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre
  `,
  pt: `
    janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro
  `,
  it: "gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre",
  id: "desember|maret|mei|agustus",
}
