import { expect, test } from "bun:test"
import { separatorOf, valueColumn } from "../../src/base/value-tables.ts"

test.each([
  ["id;Adresse\n1;https://a.example", ";"],
  ["a,b", ","],
  ["a\tb, c\td", "\t"],
  ['"Preis; netto, brutto",Adresse\n', ","],
  ['"a, b, c";d', ";"],
  ["one", ","],
])("%j is separated by %j", (text, separator) => {
  expect(separatorOf(text)).toBe(separator)
})

const urls = (count: number) => Array.from({ length: count }, (_, at) => `https://a.example/${at}`)
const rows = (...columns: string[][]) =>
  columns[0]!.map((_, at) => columns.map((column) => column[at] ?? ""))

test.each([
  ["the only one", ["Seite"], rows(["x"]), undefined, 0],
  ["of URLs, whatever it is called", ["id", "Adresse"], rows(["1", "2"], urls(2)), "urls", 1],
  ["of URLs, not the street", ["address", "Web"], rows(["Hauptstr. 1"], urls(1)), "urls", 1],
  ["the usual name, of two of URLs", ["photo", "url"], rows(urls(2), urls(2)), "urls", 1],
  [
    "none, of two of URLs without a usual name",
    ["a", "b"],
    rows(urls(2), urls(2)),
    "urls",
    undefined,
  ],
  [
    "the input's name, next to URLs",
    ["homepage", "package"],
    rows(urls(2), ["a", "b"]),
    "packages",
    1,
  ],
  ["a usual name", ["note", "Domain"], rows(["x"], ["a.example"]), undefined, 1],
  ["none, if names mean nothing", ["Nr", "Ort"], rows(["1"], ["Bonn"]), "urls", undefined],
  [
    "of URLs, a few of which are missing",
    ["a", "b"],
    rows(Array(20).fill("x"), [...urls(19), ""]),
    "urls",
    1,
  ],
] as const)("the column of values is %s", (_, names, cells, field, index) => {
  expect(valueColumn([...names], cells as string[][], field)).toBe(index as number)
})
