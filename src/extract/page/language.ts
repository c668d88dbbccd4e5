import { textOf } from "../core/index.ts"

/** Short words that are frequent in one language and rare in the others. */
const frequentWords: Record<string, string> = {
  en: "the of and to in is that it for was with on as be this have from are by not you which",
  de: "der die und den das von nicht ist des sich dem ein eine auch auf für werden mit im zu",
  fr: "le la les et des est dans que qui une pour pas sur plus avec ce sont par au du",
  es: "el los las que una del por con para como más pero sus está este son lo se al y",
  pt: "o os que uma não com para mais como dos mas foi ao ele das tem seu são em do",
  it: "il che di è per un una sono della non con gli anche più nel come dei le ha si",
  nl: "de het een van en dat niet op te zijn voor met die er maar ook aan om bij wordt",
  pl: "nie się jest na że do to jak przez od po dla oraz ale są który z w i za",
  sv: "och att det som på är av för inte den med till har om ett men jag var de så",
  da: "og at det som på er af for ikke den med til har om et men jeg var de så",
  tr: "bir ve bu için da de ile çok olarak daha olan gibi ne kadar sonra var ama en",
  cs: "se na je že to v z do jako ale pro byl jsou který tak za po i o s",
  id: "yang dan di dengan untuk dari ini itu tidak dalam pada akan ke adalah oleh juga",
}

/** Scripts that one language is mostly written in. */
const scripts: [RegExp, string][] = [
  [/[\u3040-\u30ff]/g, "ja"],
  [/[\uac00-\ud7af]/g, "ko"],
  [/[\u4e00-\u9fff]/g, "zh"],
  [/[\u0e00-\u0e7f]/g, "th"],
  [/[\u0590-\u05ff]/g, "he"],
  [/[\u0600-\u06ff]/g, "ar"],
  [/[\u0370-\u03ff]/g, "el"],
  [/[\u0900-\u097f]/g, "hi"],
  [/[іїєґ]/gi, "uk"],
  [/[\u0400-\u04ff]/g, "ru"],
]

const sampleChars = 5_000
/** Frequent words of one language that a sample must hold; chosen by hand. */
const fewestWords = 8

const wordSets = Object.entries(frequentWords).map(
  ([language, words]) => [language, new Set(words.split(" "))] as const,
)

/** The language that a page's text is most likely in, by its script and short words; null if unsure. */
export function guessLanguage(document: Document): string | null {
  const text = [...document.querySelectorAll("p, h1, h2, li, td")]
    .slice(0, 100)
    .map((element) => textOf(element) ?? "")
    .join(" ")
    .slice(0, sampleChars)
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0) return null
  for (const [script, language] of scripts) {
    const share = (text.match(script)?.length ?? 0) / letters
    if (share > (language === "ja" || language === "uk" ? 0.03 : 0.3)) return language
  }
  return byWords(text)
}

function byWords(text: string): string | null {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  let best: string | null = null
  let max = fewestWords
  for (const [language, set] of wordSets) {
    const count = words.filter((word) => set.has(word)).length
    if (count > max) [best, max] = [language, count]
  }
  return best
}
