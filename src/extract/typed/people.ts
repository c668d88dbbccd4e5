const before =
  /^(?:(?:article|story|words|text|review)\s+)?(?:(?:written|posted|published|created|contributed|geschrieben|escrito|publicado|scritto|rédigé|publié)\s+)?(?:by|von|par|por|di|door|av|af)[\s:]+(?=\p{Lu}|@|[^\p{L}])/iu
/** A day, an update, or another part of a byline that follows its name. */
const after = [
  /,?\s+\d{1,4}[./-]\d.*$/su,
  /\s*(?:[|•·»/]|\s[-–—]\s|\n).*$/su,
  /\s*[@][\w.]{2,}.*$/su,
  /,?\s+(?:last\s+)?(?:updated|modified|published|posted|reviewed|aktualisiert|veröffentlicht)\b.*$/isu,
  /,?\s+(?:on|am|le|el|il|em|op)\s+(?=[\p{L}\s,.]{0,16}\d).*$/isu,
  /,?\s+(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?\s+)?\p{L}{3,10}\.?\s+\d{1,2},?\s+(?:19|20)\d\d.*$/isu,
  /,?\s+\d{1,4}[./\s-].*$/su,
  /,\s+[^,]*\d.*$/su,
]
/** Words of other parts of a byline, at its end. */
const labels =
  /(?:[\s.,]+(?:last|updated|published|view|actualizado|publicado|erstellt|stand|fotos?|photo|bild|mis à jour|publié)(?:\s(?:el|le|am|on))?)+$/iu
/** The label of a link, or of the day, that follows a name without a space. */
const glued = /(?<=\p{Ll}{3})(?:View|Follow|Posted|Published|Updated)(?![\p{Ll}]).*$/su
/** The label of a button before a name. */
const button = /^(?:follow|folge|folgen|seguir a|suivre)\s+(?=\p{Lu})/iu
/** The name of a person, and later the same name again, as in a line about the person. */
const again = /^(\p{Lu}[\p{L}.'’-]*(?:\s\p{Lu}[\p{L}.'’-]*){1,3})\s.*?(?<!\p{L})\1(?!\p{L})/su
const maxByline = 400
const maxName = 120
/** Texts next to a byline without a name. */
const other =
  /^(?:\d|[^\p{L}]*$)|@|\b(?:posts?|comments?|articles?|share|follow|read more)$|^innen$/iu

/**
 * Returns the name in a byline, without the words before it, its day and the person's role; undefined if it
 * has none.
 *
 * @example
 * ```ts
 * nameInByline("Written by Ada Byron | Updated May 5, 2024") // "Ada Byron"
 * ```
 */
export function nameInByline(text: string): string | undefined {
  let name = text.slice(0, maxByline).replace(before, "").replace(button, "").trim()
  for (const part of after) name = name.replace(part, "")
  name = (again.exec(name)?.[1] ?? name)
    .replace(/[\s,;:–-]+$/u, "")
    .replace(labels, "")
    .replace(glued, "")
  return name === "" || name.length > maxName || other.test(name) ? undefined : name
}
