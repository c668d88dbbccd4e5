import { words } from "../core/index.ts"

/** Words that bylines are made of, in the languages of the pages that we read. */

/** Words of class names and ids by which an element is the author's. */
export const authorWords = new Set([
  "author", "authors", "authorname", "autor", "autoren", "autorin", "autora", "autores", "auteur",
  "auteurs", "autore", "autori", "byline", "bylines", "writer", "writers", "wrote", "writtenby",
  "postedby", "submitted", "journalist", "journalists", "contributor", "contributors", "redakteur",
  "verfasser", "skribent", "forfatter",
]) // biome-ignore format: a list reads better dense

const anyOf = (words: string[]) => `(?:${words.join("|")})`

const prepositions = ["by", "von", "par", "por", "di", "de", "door", "af", "av"]

/** Verbs and kinds of text before "by": what follows is a name. */
const verbs = [
  "(?:written|posted|published|submitted|created|reviewed|edited|story|words|review|article|interview|text|photographs?|photos?) by",
  "(?:geschrieben|verfasst|veröffentlicht|publiziert|gepostet|erstellt|eingestellt|eingereicht|gespeichert) von",
  "(?:ein |eine )?(?:gastbeitrag|beitrag|artikel|kommentar|kolumne|essay|interview|bericht|reportage|analyse|text) von",
  "das (?:interview|gespräch) führten?",
  "(?:publié|posté|écrit|rédigé|soumis|proposé|propos recueillis) par",
  "un(?:e)? (?:article|texte|tribune|chronique|entretien) de",
  "(?:escrito|publicado|postado|enviado) por", "escribe",
  "(?:scritto|pubblicato|inviato) da",
  "(?:un )?articolo di",
  "(?:geschreven|geplaatst) door",
  "(?:skrevet|skriven) a[fv]",
] // biome-ignore format: a list reads better dense

/** "By", and what says the same. */
const by = anyOf([...prepositions, ...verbs])

/** The author, as a label before a name. */
const author = anyOf([
  "authors?", "autor(?:in|en|a|es|i)?", "auteure?s?", "autore", "verfasser(?:in)?", "redakteur(?:in)?",
  "journalist(?:in)?", "gastautor(?:in)?", "forfatter", "skribent", "автор", "текст", "作者", "記者", "记者",
  "(?:text|texte|texto|testo|tekst)(?:(?: und| &| et| y| e| og| och) (?:fotos?|photos?|bilder?|foto))?",
  "(?:fotos?|photos?|bilder?) (?:und|&|et|y|e) (?:text|texte|texto|testo)",
]) // biome-ignore format: a list reads better dense

/** Texts of links to an author's other pages, up to the name. */
const moreFrom = anyOf([
  "(?:view|see|show|read) (?:all )?(?:posts|articles|stories) (?:by|from)",
  "(?:more|all|other) (?:posts|articles|stories)? ?(?:by|from)",
  "(?:posts|articles) by",
  "(?:zeige )?(?:alle|mehr|weitere) (?:beiträge|artikel|texte|posts)? ?von",
  "alles von", "mehr von", "autorenseite von", "autorenprofil von",
  "toutes? (?:les|ses) articles de",
  "(?:ver )?todos los artículos de", "más de",
]) // biome-ignore format: a list reads better dense

/** Words that stand before a name in a byline or the text of a link to its author. */
export const leading = new RegExp(
  `^(?:(?:${by}|${author}|${moreFrom}|fotos?|\\S*(?:experte|expertin|korrespondent|reporter)(?:in)?)\\s*(?:[:：]\\s*|\\s+))+`,
  "iu",
)

/** A label alone in its line, the name being in the next. */
export const authorLabel = new RegExp(
  `^(?:by|von|par|por|${anyOf(verbs)}|${author}|(?:about|meet) the authors?|über (?:den autor|die autorin|die autoren)|zu[mr] autor(?:in)?|(?:à propos de|sur) l['’]auteure?|sobre (?:el autor|la autora|o autor|a autora)|(?:l['’]autore|l['’]autrice))\\s*[:：]?$`,
  "iu",
)

/** A line of its own that names the author: "Text: Ann Lee", "Posted on 4 May by Ann Lee". */
export const ownLine = new RegExp(
  `^(?:(?:by|von|par|por|di|da|door|af|av)(?:\\s+|\\s*:\\s*)|(?:${anyOf(verbs)}|${author})\\s*(?:[:：]\\s*|\\s+)|posted on .{6,30} by\\s+|(?:veröffentlicht|publiziert|gepostet) .{4,40} von\\s+)(\\S.{2,70})$`,
  "iu",
)

/** A link to more from "the author", who is named beside it. */
export const ofTheAuthor = new RegExp(
  String.raw`(?:^|\s)(?:${words(
    "vom|zum|des|der|zur|über (?:den|die)|by the|by this|from the|from this|of the|about the",
    "de la|del|do|da|della|de l['’]|dell['’]|du même|de cet",
  )})\s?(?:autors?|autorin|author|auteure?|autora|autore|autrice)$`,
  "iu",
)

/** What a byline or an author's meta may hold in place of a name. */
export const labels = new RegExp(
  `^(?:${words(
    "by|von|author|authors|admin|administrator|editor|editors|staff|guest|guest author",
    "follow author|published by|posted by|webmaster|unknown|anonymous|no author|null|undefined",
    String.raw`none|n\/a|個人|profile|share|more`,
    "(?:view |see |show |zeige )?(?:all|alle|mehr|weitere)(?: posts| articles| beiträge| artikel)?",
    "(?:view|see) profile|about the author|über den autor|contributor|contributors",
    "(?:full |read )?bio(?:graphy)?|all authors|alle autoren|tous les auteurs|todos los autores",
    "letters? to the editor",
  )})$`,
  "iu",
)

/** What ends a name in a byline, and all after it. */
export const trailing =
  /\s*(?:[([|•·–—].*|\b(?:\d{4}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d{2}|\d{1,2}\.? \p{L}+ \d{4}|(?:january|february|march|april|june|july|august|september|october|november|december) \d|(?:mon|tues|wednes|thurs|fri|satur|sun)day$|ago\b|min read|updated|published|posted|(?:am|um|on|at|le|el) (?:\d|um|at|the|mon|tue|wed|thu|fri|sat|sun)|for (?:the |mailonline|daily|reuters|cnn)|shares?$|follow\b|@\w+|illustration(?:en)? von|foto(?:s)? (?:von|:)|(?:view |see |show |zeige )?(?:all|alle|mehr|more) (?:posts|articles|artikel|beiträge)\b).*)$/iu

/** Parts of a byline that say what somebody is. */
export const roles = new RegExp(
  String.raw`\b(?:${words(
    String.raw`writer|editor|reporter|correspondent|contributor|journalist|producer|columnist|ph\.?d|llc`,
    "redakteur(?:in)?|journaliste|editora?|photographer|ceo|cto|founder|professor",
    "(?:vice )?president|director|projektleiter(?:in)?|staff writer|news desk",
    "korrespondent(?:in)?",
  )})\b`,
  "iu",
)

/** What people of the press are called in their bylines. */
export const pressRoles = new RegExp(
  `^(?:(?:staff|senior|guest|chief|freelance|contributing|associate|political|science|sports?) )*(?:${words(
    "writer|editor|reporter|correspondent|journalist|columnist|contributor|blogger",
    "redakteur(?:in)?|reporter(?:in)?|korrespondent(?:in)?|autor(?:in)?|gastautor(?:in)?",
    "kolumnist(?:in)?|journaliste|rédact(?:eur|rice)|redactora?|periodista|giornalista|redattore",
  )})$`,
  "iu",
)

/** Words of the names of companies, papers and offices, and the names of news agencies. */
export const organisation = new RegExp(
  String.raw`\b(?:${words(
    String.raw`e\.?\s?v\.?|gmbh|ag|inc|llc|ltd|corp|verlag|stiftung|verband|verein|bund|foundation`,
    String.raw`association|institute?|universit\p{L}+|ministerium|agentur|agency|press|presse|news|newsroom`,
    "newspaper|zeitung|magazin|magazine|journal|media|medien|redaktion|redaktionsteam|redacción",
    "redação|redazione|rédaction|team|desk|staff|blog|online|club|group|gruppe|company|community",
  )})\b|^(?:${words(
    "reuters|dpa|afp|apa|ap|efe|ansa|adnkronos|kyodo|jiji|xinhua|yonhap|tass|interfax|bloomberg",
    "sid|epd|kna|belga|anp|ntb|ritzau|lusa|europa press|upi|pti|ians|ani",
  )})$|^(?:die|der|das|the|la|le|el|il|los|les)\s`,
  "iu",
)
