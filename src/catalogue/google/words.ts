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

/** The state of a place that is closed for good, or for some time. */
export const closedDown: WordTable = {
  en: "(?:permanently|temporarily) closed",
  de: "(?:dauerhaft|vorübergehend) geschlossen",
  es: "cerrad[oa] (?:permanentemente|temporalmente|definitivamente)|(?:permanentemente|temporalmente) cerrad[oa]",
  fr: "(?:définitivement|temporairement) fermé|fermé (?:définitivement|temporairement)",
  it: "chius[oa] (?:definitivamente|temporaneamente)|(?:definitivamente|temporaneamente) chius[oa]",
  ja: "閉業|臨時休業",
  ko: "폐업|임시 휴업",
  nl: "(?:permanent|definitief|tijdelijk) gesloten",
  pl: "zamknięte (?:na stałe|tymczasowo)|(?:na stałe|tymczasowo) zamknięte",
  pt: "(?:permanentemente|temporariamente) fechado|fechado (?:permanentemente|temporariamente)|encerrado (?:permanentemente|temporariamente)",
  ru: "закрыто навсегда|временно закрыто",
  tr: "(?:kalıcı olarak|geçici olarak) kapalı",
  zh: "永久(?:停业|歇業|关闭)|暂停营业|暫停營業|暂时关闭",
}
