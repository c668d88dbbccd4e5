import { describe, expect, test } from "bun:test"
import { readBranding } from "../../../src/extract/branding/branding.ts"
import { colorIn } from "../../../src/extract/branding/colors.ts"
import { readRules, resolved } from "../../../src/extract/branding/css-rules.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"

describe("rules of style sheets", () => {
  test("comments, imports and nested blocks", () => {
    const css = `@import url("a.css"); /* { */ h1, .Big { color: red; FONT-size: 2rem !important }
      @media (min-width: 10px) { a { --Gap: 1px } } } b { color: blue`
    expect(
      readRules(css).map(({ selectors, declarations }) => [selectors, [...declarations]]),
    ).toEqual([
      [
        ["h1", ".big"],
        [
          ["color", "red"],
          ["font-size", "2rem"],
        ],
      ],
      [["a"], [["--Gap", "1px"]]],
    ])
  })

  test("a hostile style sheet is read in linear time", () => {
    const started = performance.now()
    for (const piece of ["{", "}", "a{", "/*", "var(--a", "a,", ";", ":", "@media(", "a{b:c}"]) {
      const css = piece.repeat(200_000)
      readRules(css)
      readBranding(parseDocument(`<style>body{color:${"#".repeat(9999)}}</style>`), [css])
    }
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  test("custom properties, their fallbacks, and cycles of them", () => {
    const properties = new Map([
      ["--a", "var(--b)"],
      ["--b", "#123456"],
      ["--c", "var(--c)"],
    ])
    expect(resolved("1px var(--a)", properties)).toBe("1px #123456")
    expect(resolved("var(--none, red)", properties)).toBe("red")
    expect(resolved("var(--none)", properties)).toBeUndefined()
    expect(resolved("var(--c)", properties)).toBeUndefined()
  })
})

test.each([
  ["#0af", "#00AAFF"],
  ["#0AF8", "#00AAFF"],
  ["#0af2", null],
  ["url(a.png) #112233 no-repeat", "#112233"],
  ["rgb(255, 0, 16)", "#FF0010"],
  ["rgb(100% 0% 50%)", "#FF0080"],
  ["rgba(1,2,3,.2)", null],
  ["hsl(210 100% 50% / 90%)", "#0080FF"],
  ["hsl(0, 0%, 100%)", "#FFFFFF"],
  ["White", "#FFFFFF"],
  ["transparent", null],
  ["", null],
])("the colour of %j is %j", (value, color) => {
  expect(colorIn(value)).toBe(color)
})

describe("branding", () => {
  const page = (head: string) => parseDocument(`<html><head>${head}</head><body></body></html>`)

  test("colours by role, fonts and the main button", () => {
    const css = `
      :root { --color-primary: #e4572e; --muted: #777777; --page-bg: hsl(0 0% 7%) }
      [data-theme=light] { --color-primary: #000000 }
      body { background: var(--page-bg); color: #eee; font: 400 16px/1.5 "Inter", sans-serif; font-size: 16px }
      h1 { font-family: Fraunces, serif; font-size: 3rem }
      a { color: #29bf12 } code { font-family: ui-monospace, "Fira Code", monospace }
      .btn-primary { background-color: var(--color-primary); color: white; border-radius: 8px }
      .x { color: #29bf12 } .y { fill: #574ae2 }`
    const { colorScheme, colors, fonts, fontFamilies, fontSizes, button } = readBranding(
      page(`<link href="https://fonts.googleapis.com/css2?family=Inter:wght@400&family=Lora">`),
      [css],
    )
    expect(colorScheme).toBe("dark")
    expect(colors).toEqual({
      primary: "#E4572E",
      secondary: "#29BF12",
      accent: "#574AE2",
      background: "#121212",
      textPrimary: "#EEEEEE",
      textSecondary: "#777777",
      link: "#29BF12",
    })
    expect(fonts).toEqual(["Inter", "Fraunces", "Fira Code", "Lora"])
    expect(fontFamilies).toEqual({ primary: "Inter", heading: "Fraunces", code: "Fira Code" })
    expect(fontSizes).toEqual({ h1: "3rem", body: "16px" })
    expect(button).toEqual({ background: "#E4572E", textColor: "#FFFFFF", borderRadius: "8px" })
  })

  test("without style sheets, from the page's metadata and attributes", () => {
    const { colors, colorScheme, fonts, button } = readBranding(
      parseDocument(
        `<html><head><meta name="theme-color" content="#c2185b"><meta name="color-scheme" content="light dark"></head><body style="color: #222"></body></html>`,
      ),
      [],
    )
    expect({ colors, colorScheme, fonts, button }).toEqual({
      colors: { primary: "#C2185B", textPrimary: "#222222" },
      colorScheme: "light",
      fonts: [],
      button: null,
    })
  })
})
