import { elementsWhere, foldSpace, isBlock, lineText, words } from "../core/index.ts"
import { standsAlone } from "../page/index.ts"

/**
 * Lines inside an article that are no part of it, told by their wording: labels of advertisements
 * and boxes, pointers to other articles, calls to follow or subscribe, credits, dates.
 */

const join = (...parts: string[]) => parts.join("|")

/** Lines that are nothing but this. */
const wholeLine = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:${join(
    "ad|ads|pr|special(?: offers?)?|advert|adverts|advertisement|anzeige|werbung|publicit[eé]",
    "publicidade?|pubblicità|iklan|reklam[ae]?|annonse?|sponsored(?: content| post)?|promoted",
    "continue reading(?: below)?|keep reading|read (?:more|next|on)|(?:story|article) continues.*",
    "scroll (?:down )?(?:to|for).*|weiterlesen|mehr lesen|leer más|leia mais|lire la suite",
    "leggi tutto",
    "more|mehr|plus|más|mais|altro",
    "more (?:news|stories|articles|from.*|on this.*|great .*|.{0,20} stories)",
    "mehr (?:zum thema|aus.*|dazu|davon|artikel|news|themen|beiträge)",
    "related|related (?:news|articles?|stories|posts?|content|topics|links|videos?|reading)",
    "similar (?:articles|posts|stories)|recommended(?: for you| reading| articles)?",
    "you (?:may|might) (?:also )?(?:like|enjoy|be interested in).*|don['’]?t miss.*",
    "trending(?: now)?|most (?:read|popular|viewed)|popular (?:posts|articles|stories)",
    "latest (?:news|posts|articles)|up next|editor['’]?s picks?|top stories",
    "auch (?:interessant|lesen)|das könnte (?:sie|dich) (?:auch )?interessieren",
    "(?:weitere|ähnliche|verwandte|passende|aktuelle|meistgelesene|meistdiskutierte|neueste|beliebte) (?:artikel|beiträge|themen|meldungen|news|inhalte|nachrichten)",
    "passend(?: zum thema| dazu)|zum thema|lesen sie (?:auch|mehr|hier)|lesetipps?",
    "empfehlungen(?: der redaktion)?|heute empfehlen wir",
    "(?:articles?|sujets?) (?:liés|similaires|connexes|recommandés)",
    "(?:sur|dans) le même (?:sujet|thème)|à (?:lire|voir|découvrir)(?: aussi| également)?",
    "(?:lire|voir) aussi(?: sur .*)?|noticias relacionadas|artículos relacionados",
    "te puede interesar|también te puede interesar|lea también|vea también|notas relacionadas",
    "matérias relacionadas|veja (?:também|mais)|leia também|leggi anche|potrebbe interessarti",
    "articoli correlati|lees ook|läs (?:också|även|mer)|les (?:også|mer)|læs også",
    "czytaj (?:też|także|również)|zobacz (?:też|także|również)|baca juga|читайте также",
    "ещё по теме",
    "関連記事|関連(?:リンク|ニュース|キーワード)|あわせて読みたい|続きを読む|広告|おすすめ記事|人気記事|相关(?:阅读|新闻|文章|推荐|链接)|推荐阅读|延伸阅读",
    "更多(?:新闻|精彩|内容)|广告|評論|评论|관련\\s?(?:기사|뉴스)|광고|댓글|인기\\s?기사|اقرأ (?:أيضا|أيضاً|المزيد)",
    "مواضيع ذات صلة|أخبار ذات صلة|إعلان|реклама|похожие (?:статьи|материалы|новости)|читать далее",
    "комментарии|теги|поделиться",
    "comments?|kommentare?(?: zum artikel)?|comentarios?|comentários?|commentaires?|commenti",
    "leave a (?:reply|comment)|schreibe einen kommentar",
    "comments (?:are |have been )?(?:now )?(?:closed|off|disabled)(?: for this.*)?",
    "(?:die )?kommentare? (?:sind |ist |wurden? )?(?:derzeit )?(?:geschlossen|deaktiviert)",
    "(?:les )?commentaires (?:sont )?(?:fermés|clos)|(?:los )?comentarios (?:están )?cerrados",
    "(?:os )?comentários (?:estão )?(?:encerrados|fechados)|(?:i )?commenti (?:sono )?chiusi",
    "reacties (?:zijn )?gesloten|join the (?:conversation|discussion)|tell us what.*",
    "what do you think.*",
    "share(?: this.*| on.*| with.*| article)?|teilen(?: mit| auf.*| sie.*)?|artikel teilen",
    "beitrag teilen|partager?(?: cet article| sur.*)?|compartir(?: en.*)?|compartilhar|condividi",
    "delen|dela|del|print|drucken|imprimir|e-?mail|whatsapp|facebook|twitter|pinterest|linkedin",
    "instagram|telegram|link kopieren|copy link|merken|tweet|gefällt mir|wird geladen.*|loading.*",
    "close|schließen|quellen ausblenden",
    "tags?|schlagw(?:orte|örter)|themen|topics|keywords|categor(?:y|ies)|kategorien?",
    "filed under.*|posted (?:in|under).*|veröffentlicht (?:in|unter).*",
    "sign ?up(?: now)?|subscribe(?: now| today)?|newsletter(?: abonnieren| anmeldung)?",
    "jetzt abonnieren|abonnieren",
    "source|sources|quellen?|quellenangaben?|quellennachweise?|fuentes?|fontes?|fonte|credits?",
    "about the author|über den autor|zur person|autor(?:en)?|the author|kontakt|contact",
    "pressekontakt|inhalt|inhaltsverzeichnis|table of contents",
  )})[^\\p{L}\\p{N}]*$`,
  "iu",
)

/** Beginnings of lines that point elsewhere, or call readers to do something. */
const lineBeginning = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:${join(
    "(?:related|read (?:more|also|next|the full)|see (?:more|also)|also(?: read| see)?|more on this|watch|recommended|must read|don['’]?t miss|in pictures|photos?|video|gallery|listen)\\s*[:|»>]",
    "(?:lesen sie (?:auch|mehr|hier)|mehr (?:zum thema|dazu|lesen)|siehe auch|auch interessant|lesetipp|lies auch|zum thema|weiterlesen|passend dazu|video|fotostrecke|bildergalerie)\\s*[:|»>]",
    "(?:lea|lee|vea|mire|mira|leer|ver|te puede interesar|también|le puede interesar|lea también|vea también|lee también|además|relacionad[ao]s?|más información|leia|veja|leia também|leia mais|veja também|veja mais|saiba mais|lire aussi|à lire aussi|à lire|voir aussi|lire|leggi anche|leggi|guarda anche|lees ook|läs (?:också|även|mer)|les også|læs også|czytaj (?:też|także|również|więcej)|zobacz (?:też|także|również|więcej)|baca juga|simak juga|читайте также|читайте)\\s*[:|»>]",
    "(?:follow|like|find|join) (?:us|him|her|me|them|\\S+(?: \\S+){0,4}) on (?:twitter|facebook|instagram|x|linkedin|youtube|telegram|google)",
    "follow (?:@|\\S+ (?:\\S+ ){0,3}on )|(?:¿ya sabías que|mira lo que|únete|join (?:us|our) )",
    "(?:sign up (?:for|to)|subscribe to|register for|get (?:the latest|our|your daily)|join our|download our|click here|tap here|submit your|send (?:us )?(?:your|a) (?:tips?|letters?)|have a (?:tip|story|question)|got a (?:tip|story)|want more|listen to .{1,60} (?:live|podcast))",
    "(?:folgen sie uns|abonnieren sie|jetzt (?:anmelden|abonnieren|newsletter)|melden sie sich|hier geht es|hier klicken|síguenos|sigue(?:nos)?|suscríbete|suscríbase|inscreva-se|siga|abonnez-vous|inscrivez-vous|suivez|iscriviti|seguici)\\b",
    "(?:already|not (?:yet )?) ?a (?:subscriber|member|customer)",
    "bereits (?:abonnent|kunde|registriert|mitglied)",
    "sie (?:sind|haben) (?:bereits|noch) (?:k?ein )?(?:abonnent|abo|konto)",
    "(?:log|sign) in (?:to|for|here|with)|to (?:view|read|continue reading) (?:the|this) full",
    "(?:subscribers|members) (?:also|only|get)|(?:déjà|vous êtes) abonné",
    "ya (?:es|eres) suscriptor|(?:mit|jetzt) .{1,20} weiterlesen",
    "(?:this (?:slideshow|site|page|content|video) requires|please (?:enable|turn on) java ?script|you need to enable|your browser)",
    "(?:we|this site) (?:may )?(?:earn|receive|get)s? .{0,40}commission|(?:this (?:post|article|page|content) (?:may )?contains? affiliate|dieser (?:artikel|beitrag) enthält (?:affiliate|werbe))",
    "(?:責任編輯|责任编辑|编辑|編輯|来源|來源|出典|撮影|写真)\\s*[：:]|(?:저작권자|무단\\s?전재)|[ⓒ]",
    "(?:copyright|©|\\(c\\)|all rights reserved|alle rechte vorbehalten|todos los derechos|tous droits)",
    "(?:estimated )?(?:reading time|read time|lesezeit|tempo de leitura|temps de lecture|tiempo de lectura|tempo di lettura)\\b",
  )})`,
  "iu",
)

/** Credits of pictures, and where a text comes from: short lines. */
const creditLine = new RegExp(
  String.raw`^[^\p{L}\p{N}]*(?:(?:image|images|picture|pictures|photo|photos|photograph|photography|photo credit|pic|credit|credits|video|illustration|graphic|foto|fotos|fotocredit|bild|bilder|bildquelle|bildnachweis|fotograf(?:ía|ia)?|imagen|imagem|immagine|crédits?(?: photos?)?|crédito|source|quelle|fuente|fonte|sumber|kilde|källa)\s*(?:[:©/|]|(?:by|von|de|par|por|di|courtesy)\s))|(?:\/|\s)(?:${words(
    "getty(?: images)?|reuters|afp|ap photo|ap|epa|dpa|shutterstock|istock|picture alliance|imago",
    "unsplash|pixabay|adobe stock",
  )})\)?\s*$|^\(?(?:image|photo|foto|bild|picture|credit|©)[^a-z]`,
  "iu",
)

/** The path to a page: "Home » News » Lamps". */
const pathLine = new RegExp(
  String.raw`^(?:[^\p{L}]*)(?:${words(
    "home|homepage|start|startseite|inicio|início|accueil|strona główna|forsíða|hem|hjem|главная",
    "首页|ホーム|홈",
  )})\s*[»›>/|:·→].{0,200}$`,
  "iu",
)

const longestLine = 220
const longestCredit = 90
const longestWhole = 60

/** Removes lines that are told by their wording; code, quotes and cells of tables stay. */
export function dropLabelLines(root: Element): void {
  for (const element of elementsWhere(root, (one) => linePlaces.has(one.localName))) {
    if (!isOwnLine(element) || !root.contains(element)) continue
    if (foldSpace(element.textContent!).length > longestLine) continue
    const text = lineText(element)
    const isLine = isLabel(text) || (isDateLine(text) && datePlaces.has(element.localName))
    if (isLine && !element.closest("pre, blockquote, table, figure, dl")) element.remove()
  }
}

const linePlaces = new Set("p div li h1 h2 h3 h4 h5 h6 section center span em strong a".split(" "))

/** In lists and headings a date is what they are about. */
const datePlaces = new Set(["p", "div", "span", "em", "strong", "section"])

export function isLabel(text: string): boolean {
  if (text === "" || text.length > longestLine) return false
  if (!/[\p{L}\p{N}]/u.test(text)) return true
  if (text.length <= longestWhole && wholeLine.test(text)) return true
  return (
    pathLine.test(text) ||
    lineBeginning.test(text) ||
    (text.length <= longestCredit && creditLine.test(text))
  )
}

/** Whether an element is a line: no block in it, and no text beside it. */
function isOwnLine(element: Element): boolean {
  for (let child = element.firstElementChild; child; child = child.nextElementSibling) {
    if (isBlock(child) || child.localName === "img" || child.localName === "br") return false
  }
  return standsAlone(element)
}

const dateWords = new RegExp(
  String.raw`\b(?:${words(
    String.raw`published|posted|updated|modified|created|last|first|on|at|the|of|am|pm|a\.m|p\.m|uhr|um|am`,
    "vom|den|stand|aktualisiert|veröffentlicht|erstellt|publicado|actualizado|publié|mis à jour",
    "le|el|la|de|del|à|às|as|da|do|pubblicato|aggiornato|il|alle|ore|opublikowano|edt|est|gmt|utc",
    "cet|cest|bst|ist|pst|pdt|ago|vor|hace|il y a|minutes?|hours?|days?|stunden?|tagen?|minuten",
    "horas?|jours?|heures?|mon(?:day|tag)?|tues?(?:day)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?",
    "fri(?:day)?|sat(?:urday)?|sun(?:day)?|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend",
    "sonntag|lunes|martes|miércoles|jueves|viernes|sábado|domingo",
    "(?:segunda|terça|quarta|quinta|sexta)-feira|lundi|mardi|mercredi|jeudi|vendredi|samedi",
    "dimanche|jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|février|mar(?:ch|s)?|märz|apr(?:il)?|avril",
    "may|mai|june?|juin|juni|july?|juillet|juli|aug(?:ust)?|août|sept?(?:ember)?|septembre",
    "o[ck]t(?:ober)?|octobre|nov(?:ember)?|novembre|de[cz](?:ember)?|décembre|enero|febrero|marzo",
    "abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janeiro|fevereiro|março",
    "maio|junho|julho|setembro|outubro|novembro|dezembro|gennaio|febbraio|aprile|maggio|giugno",
    "luglio|settembre|ottobre|dicembre|januar|februar|oktober|desember|maret|mei|agustus|desember",
  )})\b\.?`,
  "giu",
)

const datePart = new RegExp(
  words(
    String.raw`\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b(?:19|20)\d\d[./-]\d{1,2}[./-]\d{1,2}\b`,
    String.raw`\b\d{1,2}[:.h]\d{2}\b|\b(?:19|20)\d\d\b|\b(?:ago|vor|hace|il y a)\b`,
  ),
  "iu",
)

/** A line with a date in it and hardly anything else. */
export function isDateLine(text: string): boolean {
  if (
    text.length > longestLine ||
    !datePart.test(text) ||
    /^[^\p{L}\p{N}]*(?:19|20)?\d\d[^\p{L}\p{N}]*$/u.test(text)
  )
    return false
  return text.replace(dateWords, " ").replace(/[^\p{L}]+/gu, "").length <= 3
}

/** Headings at the end of the content, and those whose content was taken away, head nothing. */
export function dropOrphanHeadings(root: Element): void {
  const headings = [...root.querySelectorAll("h1, h2, h3, h4, h5, h6")]
  for (const heading of headings.reverse()) {
    if (!hasTextAfter(heading, root)) heading.remove()
    else break
  }
}

function hasTextAfter(element: Element, root: Element): boolean {
  for (let at: Element | null = element; at && at !== root; at = at.parentElement) {
    for (let next = at.nextSibling; next; next = next.nextSibling) {
      if (next.nodeType === 3 && next.nodeValue!.trim() !== "") return true
      if (next.nodeType === 1 && hasContent(next as Element)) return true
    }
  }
  return false
}

const hasContent = (element: Element) =>
  lineText(element) !== "" ||
  element.localName === "img" ||
  element.querySelector("img, iframe, video") !== null
