import type { WordTable } from "../../extract/core/index.ts"

/** Users choose the language of Google's result pages. */
export const nothingFound: WordTable = {
  en: "did not match any documents",
  de: "keine mit deiner suchanfrage|keine mit ihrer suchanfrage|übereinstimmenden dokumente",
  es: "no se ha(?:n)? encontrado (?:ningún|resultados)|no coincide con ningún documento|no obtuvo ningún resultado",
  fr: "aucun document ne correspond",
  it: "non ha prodotto risultati in nessun documento|nessun documento",
  ja: "に一致する情報は見つかりませんでした",
  nl: "komt niet overeen met (?:een )?documenten|geen documenten",
  pl: "nie została odnaleziona|nie odpowiada żadnym dokumentom",
  pt: "não encontrou nenhum documento",
  ru: "ничего не найдено",
  tr: "ile ilgili hiçbir arama sonucu mevcut değil",
  zh: "找不到和您查询的|找不到符合搜尋字詞",
}
