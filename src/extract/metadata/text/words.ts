import { type WordTable, wordSet } from "../../core/index.ts"

/** Words of bylines, and words of class names next to them. */

/** Words of class names and ids by which an element is the author's. */
export const authorNames = wordSet(`
  author authors authorname autor autoren autorin autora autores auteur auteurs autore autori byline
  bylines writer writers wrote writtenby postedby submitted journalist journalists contributor
  contributors redakteur verfasser skribent forfatter
`)

/** Images, counts and descriptions of authors, and the authors of quotations. */
export const nearAuthorNames = wordSet(`
  bio biography avatar image img photo count comment quote statement testimonial
`)

/** Lists of other articles. */
export const otherArticles = wordSet(`
  related teaser teasers recommended recommendation recommendations mostread trending similar
  newsticker
`)

/** Words of class names and ids by which an element is a date. */
export const dateNames = wordSet(`
  date dates datum fecha data dato datetime dateline published publish posted pubdate postdate
  timestamp time erstellt stand
`)

/** Path folders with pages about people. */
export const profileFolders = String.raw`
  profile?|people|person(?:en)?|\w*team|staff|users?|members?|autor\w*|author\w*|experts?|experten
`

/** "By" alone. */
export const prepositions: WordTable = {
  en: "by",
  de: "von",
  fr: "par|de",
  es: "por|de",
  it: "di",
  nl: "door",
  da: "af",
  sv: "av",
}

/** Verbs and kinds of text before "by", followed by a name. */
export const writtenBy: WordTable = {
  en: `
    (?:written|posted|published|submitted|created|reviewed|edited) by
    (?:story|words|review|article|interview|text|photographs?|photos?) by
  `,
  de: `
    (?:geschrieben|verfasst|veröffentlicht|publiziert|gepostet) von
    (?:erstellt|eingestellt|eingereicht|gespeichert) von
    (?:ein |eine )?(?:gastbeitrag|beitrag|artikel|kommentar|kolumne|essay|interview) von
    (?:ein |eine )?(?:bericht|reportage|analyse|text) von
    das (?:interview|gespräch) führten?
  `,
  fr: `
    (?:publié|posté|écrit|rédigé|soumis|proposé|propos recueillis) par
    un(?:e)? (?:article|texte|tribune|chronique|entretien) de
  `,
  es: "(?:escrito|publicado|postado|enviado) por|escribe",
  it: "(?:scritto|pubblicato|inviato) da|(?:un )?articolo di",
  nl: "(?:geschreven|geplaatst) door",
  da: "(?:skrevet|skriven) a[fv]",
}

const imagesToo = "(?:fotos?|photos?|bilder?|foto)"

/** The author, as a label before a name. */
export const author: WordTable = {
  any: `
    autor(?:in|en|a|es|i)?
    (?:text|texte|texto|testo|tekst)(?:(?: und| &| et| y| e| og| och) ${imagesToo})?
    (?:fotos?|photos?|bilder?) (?:und|&|et|y|e) (?:text|texte|texto|testo)
  `,
  en: "authors?",
  de: "verfasser(?:in)?|redakteur(?:in)?|journalist(?:in)?|gastautor(?:in)?",
  fr: "auteure?s?",
  it: "autore",
  da: "forfatter",
  sv: "skribent",
  ru: "автор|текст",
  zh: "作者|記者|记者",
}

/** Texts of links to an author's other pages, up to the name. */
export const moreFrom: WordTable = {
  en: `
    (?:view|see|show|read) (?:all )?(?:posts|articles|stories) (?:by|from)
    (?:more|all|other) (?:posts|articles|stories)? ?(?:by|from)
    (?:posts|articles) by
  `,
  de: `
    (?:zeige )?(?:alle|mehr|weitere) (?:beiträge|artikel|texte|posts)? ?von
    alles von|mehr von|autorenseite von|autorenprofil von
  `,
  fr: "toutes? (?:les|ses) articles de",
  es: "(?:ver )?todos los artículos de|más de",
}

/** Titles of the part of a page that is about its author. */
export const aboutTheAuthor: WordTable = {
  en: "(?:about|meet) the authors?",
  de: "über (?:den autor|die autorin|die autoren)|zu[mr] autor(?:in)?",
  fr: "(?:à propos de|sur) l['’]auteure?",
  es: "sobre (?:el autor|la autora)",
  pt: "sobre (?:o autor|a autora)",
  it: "l['’]autore|l['’]autrice",
}

/** Texts of a byline or an author's meta that are not names. */
export const noNames: WordTable = {
  any: String.raw`admin|null|undefined|none|n\/a`,
  en: `
    by|author|authors|administrator|editor|editors|staff|guest|guest author|follow author
    published by|posted by|webmaster|unknown|anonymous|no author|profile|share|more
    (?:view |see |show |zeige )?(?:all|alle|mehr|weitere)(?: posts| articles| beiträge| artikel)?
    (?:view|see) profile|about the author|contributor|contributors|(?:full |read )?bio(?:graphy)?
    all authors|letters? to the editor
  `,
  de: "von|über den autor|alle autoren",
  fr: "tous les auteurs",
  es: "todos los autores",
  zh: "個人",
}

/** Without May, which is also a name. */
const englishMonths =
  "january|february|march|april|june|july|august|september|october|november|december"

/** Words after a name that end it. */
export const afterName: WordTable = {
  en: String.raw`
    (?:${englishMonths}) \d|(?:mon|tues|wednes|thurs|fri|satur|sun)day$|ago\b|min read|updated
    published|posted|for (?:the |mailonline|daily|reuters|cnn)|shares?$|follow\b
    (?:view |see |show |zeige )?(?:all|alle|mehr|more) (?:posts|articles|artikel|beiträge)\b
  `,
  de: "illustration(?:en)? von|foto(?:s)? (?:von|:)",
}

/** Before a day or an hour after a name: "on Monday", "um 12". */
export const dayPrepositions = "am|um|on|at|le|el"
export const dayBeginnings = String.raw`\d|um|at|the|mon|tue|wed|thu|fri|sat|sun`
export const monthBeginnings = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"

/** Parts of a byline that state a person's role. */
export const roleWords: WordTable = {
  en: String.raw`
    writer|editor|reporter|correspondent|contributor|journalist|producer|columnist|ph\.?d|llc
    photographer|ceo|cto|founder|professor|(?:vice )?president|director|staff writer|news desk
  `,
  de: "redakteur(?:in)?|projektleiter(?:in)?|korrespondent(?:in)?",
  fr: "journaliste",
  es: "editora?",
}

/** Roles of journalists in their bylines. */
export const pressRoleWords: WordTable = {
  en: "writer|editor|reporter|correspondent|journalist|columnist|contributor|blogger",
  de: `
    redakteur(?:in)?|reporter(?:in)?|korrespondent(?:in)?|autor(?:in)?|gastautor(?:in)?
    kolumnist(?:in)?
  `,
  fr: "journaliste|rédact(?:eur|rice)",
  es: "redactora?|periodista",
  it: "giornalista|redattore",
}
export const pressRanks =
  "staff|senior|guest|chief|freelance|contributing|associate|political|science|sports?"

/** Words of the names of companies, papers and offices. */
export const companyWords: WordTable = {
  any: String.raw`
    e\.?\s?v\.?|gmbh|ag|inc|llc|ltd|corp|press|news|journal|media|magazine?|team
    blog|online|club|group
  `,
  en: `
    foundation|association|institute?|agency|newsroom|newspaper|desk|staff|company|community
  `,
  de: `
    verlag|stiftung|verband|verein|bund|ministerium|agentur|presse|zeitung|medien|redaktion
    redaktionsteam|gruppe
  `,
  es: "redacción",
  pt: "redação",
  it: "redazione",
  fr: "rédaction",
}

export const newsAgencies = `
  reuters|dpa|afp|apa|ap|efe|ansa|adnkronos|kyodo|jiji|xinhua|yonhap|tass|interfax|bloomberg
  sid|epd|kna|belga|anp|ntb|ritzau|lusa|europa press|upi|pti|ians|ani
`

/** Lower-case parts of people's names. */
export const particles = `
  de|del|della|di|da|van|von|der|den|dem|la|le|el|al|bin|ibn|y|e|dos|das|zu|zur|ter|ten
`
