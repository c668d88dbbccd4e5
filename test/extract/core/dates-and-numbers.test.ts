import { describe, expect, test } from "bun:test"
import { isoDate } from "../../../src/extract/core/dates.ts"
import { booleanOrNull, numberRecord, parseCount } from "../../../src/extract/core/numbers.ts"
import { objectList, titleOrNull } from "../../../src/extract/core/text.ts"

describe("dates in the formats of upstreams", () => {
  const dates: [written: string, iso: string | null][] = [
    ["Tue, 04 May 2021 08:00:00 +0200", "2021-05-04T06:00:00.000Z"],
    ["4 May 2021 08:00:00 GMT+0200", "2021-05-04T06:00:00.000Z"],
    ["04 May 2021 08:00 EST", "2021-05-04T13:00:00.000Z"],
    ["2021-05-04T08:00:00", "2021-05-04T08:00:00.000Z"],
    ["4 de mayo de 2021", "2021-05-04"],
    ["4. März 2021, 18.30 Uhr", "2021-03-04T18:30:00.000Z"],
    ["03. Dez. 2020 12:56:30 MEZ", "2020-12-03T11:56:30.000Z"],
    ["May 4, 2021 8:05 pm", "2021-05-04T20:05:00.000Z"],
    ["2021/5/4 8:00", "2021-05-04T08:00:00.000Z"],
    ["2021. 5. 4.", "2021-05-04"],
    ["20210504T080000Z", "2021-05-04T08:00:00.000Z"],
    ["31 February 2021", null],
    ["soon", null],
  ]
  for (const [written, iso] of dates) test(written, () => expect(isoDate(written)).toBe(iso))
})

describe("counts as sites show them", () => {
  const counts: [visible: string, count: number | null][] = [
    ["1,006 reviews", 1006],
    ["2 805", 2805],
    ["12.345", 12_345],
    ["1.2K", 1200],
    ["27,4 M", 27_400_000],
    ["3 people", 3],
    ["20천+", 20_000],
    ["4.5万回視聴", 45_000],
    ["1億2000万", null],
    ["153人", 153],
    ["2024年1月", null],
    ["123 Tsd. Aufrufe", 123_000],
    ["123 mil visualizações", 123_000],
    ["1,2 млн просмотров", 1_200_000],
    ["5.1 แสน ครั้ง", 510_000],
    ["12 lakh views", 1_200_000],
    ["1,23,456 ratings", 123_456],
    ["1.5 million", 1_500_000],
    ["1,234.56", 1234],
    ["4.5 123 reviews", 4],
    ["42,000 mi", 42_000],
    ["12 months", 12],
    ["01.07.2018", null],
    ["none", null],
  ]
  for (const [visible, count] of counts)
    test(visible, () => expect(parseCount(visible)).toBe(count))
})

describe("values in other forms of JSON", () => {
  const booleans: [written: unknown, value: boolean | null][] = [
    [true, true],
    [1, true],
    ["true", true],
    ["1", true],
    [0, false],
    ["False", false],
    ["0", false],
    ["", null],
    ["yes", null],
    [2, null],
    [null, null],
    [[], null],
  ]
  for (const [written, value] of booleans) {
    test(`${JSON.stringify(written)} is ${value}`, () => expect(booleanOrNull(written)).toBe(value))
  }

  test("numbers by key may be texts; invalid ones are left out", () => {
    const written = { a: 1, b: "2.5", c: "", d: null, e: { f: 1 }, g: "x" }
    expect(numberRecord(written)).toEqual({ a: 1, b: 2.5 })
  })

  test("a name may be a number", () => expect(titleOrNull(1984)).toBe("1984"))

  test("of a list its objects count, and a single one is a list of one", () => {
    const one = { a: 1 }
    expect(objectList([null, one, undefined])).toEqual([one])
    expect(objectList(["x", one, []] as unknown as object[])).toEqual([one])
    expect(objectList(one as unknown as object[])).toEqual([one])
    for (const none of [null, undefined, "x" as unknown as object[]]) {
      expect(objectList(none)).toEqual([])
    }
  })
})
