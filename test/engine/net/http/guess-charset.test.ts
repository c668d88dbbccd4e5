import { describe, expect, test } from "bun:test"
import { decodeBody } from "../../../../src/engine/net/http/charset.ts"

/**
 * Returns the bytes of a text in a legacy encoding, which TextEncoder cannot write, by inverting
 * its decoder.
 */
const tables = new Map<string, Map<string, number[]>>()
function encode(text: string, label: string): Uint8Array {
  let table = tables.get(label)
  if (!table) {
    table = new Map()
    const decoder = new TextDecoder(label)
    const isDouble = !/windows|koi|ibm|iso/.test(label)
    for (let high = 0x80; high < 0x100; high++) {
      const alone = decoder.decode(new Uint8Array([high]))
      if (!isDouble) table.set(alone, [high])
      for (let low = 0x40; isDouble && low < 0x100; low++) {
        const letter = decoder.decode(new Uint8Array([high, low]))
        if (letter.length === 1 && letter !== "\ufffd" && !table.has(letter))
          table.set(letter, [high, low])
      }
    }
    tables.set(label, table)
  }
  const bytes = [...text].flatMap((letter) => {
    if (letter <= "\x7f") return [letter.charCodeAt(0)]
    const known = table.get(letter)
    if (!known) throw new Error(`${label} has no ${letter}`)
    return known
  })
  return new Uint8Array(bytes)
}

const russian =
  "Москва. Сегодня в Государственной думе обсуждают новый закон. Погода на завтра: облачно, местами дождь, ветер слабый."
const greek =
  "Ειδήσεις σήμερα: Η κυβέρνηση ανακοίνωσε νέα μέτρα για την οικονομία και τις επιχειρήσεις της χώρας."
const japanese =
  "東京の天気は晴れです。お問い合わせはこちらからどうぞ。会社案内とニュースのページです。"
const korean = "오늘의 날씨는 맑고 바람이 조금 불겠습니다. 회사 소개와 공지사항을 확인하세요."
const simplified =
  "今天的天气很好，我们公司的网站有新的页面。请您在这里看中国的新闻，欢迎来到首页。"
const traditional =
  "今天的天氣很好，我們公司的網站有新的頁面。請您在這裡看中國的新聞，歡迎來到首頁。"
const ukrainian =
  "Київ. Сьогодні уряд обговорює новий закон про освіту, погода на завтра: хмарно та вітряно."

const hebrew = "חדשות היום: הממשלה דנה בחוק חדש, ומזג האוויר מחר יהיה נאה ברוב אזורי הארץ."
const arabic = "أخبار اليوم: تناقش الحكومة قانونا جديدا والطقس غدا جميل في معظم مناطق البلاد."
/** Names of products contain few of the common words of sentences. */
const products =
  "紅茶禮盒 綠茶茶包 玻璃水壺 竹製餐盤 限量組合 滿額贈品 免運商品 現貨供應 退貨須知 家用茶杯 新年特賣 小型水壺 大份套餐"

const rows: [string, string][] = [
  ["windows-1251", russian],
  ["koi8-r", russian],
  ["ibm866", russian],
  ["iso-8859-5", russian],
  ["windows-1251", ukrainian],
  ["windows-1253", greek],
  ["shift_jis", japanese],
  ["euc-jp", japanese],
  ["euc-kr", korean],
  ["gb18030", simplified],
  ["big5", traditional],
  ["big5", products],
  ["windows-1255", hebrew],
  ["windows-1256", arabic],
]
const western: [string, string][] = [
  [
    "German",
    "Über uns: Öffnungszeiten, Größe und Preise für Fußgänger. Schöne Grüße aus Köln, äußerst süß.",
  ],
  [
    "French",
    "À propos: créé à l'été, où l'élève préféré a été félicité; déjà réalisé, façade et goût.",
  ],
  [
    "Spanish",
    "Información: años, niños, canción, teléfono, dirección, día, más información aquí. ¿Qué?",
  ],
]

const page = (text: string) =>
  `<html><head><title>${text.slice(0, 12)}</title></head><body><p>${text}</p>`

describe("a page that declares no encoding is read as Chrome reads it", () => {
  test.each(rows)("%s: %s", (label, text) => {
    expect(decodeBody(encode(page(text), label), "text/html")).toBe(page(text))
  })

  test.each(western)("%s in windows-1252", (_, text) => {
    expect(decodeBody(encode(page(text), "windows-1252"), "text/html")).toBe(page(text))
  })

  test("text that begins after more than 64 KB of styles", () => {
    const late = `<style>${"a{color:red}".repeat(10_000)}</style>${page(russian)}`
    expect(decodeBody(encode(late, "windows-1251"), "text/html")).toBe(late)
  })

  test("UTF-8 with one broken letter", () => {
    const bytes = [...new TextEncoder().encode(page(russian)), 0xd0]
    expect(decodeBody(new Uint8Array(bytes), "text/html")).toBe(`${page(russian)}\ufffd`)
  })
})
