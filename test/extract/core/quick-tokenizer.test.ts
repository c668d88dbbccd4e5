import { expect, test } from "bun:test"
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2"
import { QuickTokenizer } from "../../../src/extract/core/tokens/quick-tokenizer.ts"

const events = [
  "onattribdata",
  "onattribentity",
  "onattribend",
  "onattribname",
  "oncdata",
  "onclosetag",
  "oncomment",
  "ondeclaration",
  "onend",
  "onopentagend",
  "onopentagname",
  "onprocessinginstruction",
  "onselfclosingtag",
  "ontext",
  "ontextentity",
] as const

/** Returns all events of a tokenizer for a page, in order. */
function reported(tokenizer: (callbacks: TokenizerCallbacks) => void): string[] {
  const lines: string[] = []
  const note = (event: string) => [event, (...values: number[]) => lines.push(`${event} ${values}`)]
  tokenizer(Object.fromEntries(events.map(note)))
  return lines
}

const quickly = (page: string) => reported((callbacks) => new QuickTokenizer(callbacks).read(page))
const usually = (page: string) =>
  reported((callbacks) => {
    const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, callbacks)
    tokenizer.write(page)
    tokenizer.end()
  })

const parts =
  `< > & &amp; &amp &lt &#60; &#x3c &notit; " ' = / - ]] --> <!-- <!--> <!doctype_html> <?php_?>
  <![CDATA[ ]]> <p> </p> <a_href="x?a=1&copy=2&amp;b" <a_href='x&y'> <a_b=c&d> <br/> <script> </script> <style>
  </style </title> <title> <textarea> </textarea> <xmp> <svg> </ </3 a bc Δ \0`
    .split(/\s+/)
    .map((part) => part.replaceAll("_", " "))

/** A seed, so that each run has the same pages. */
function* numbers(): Generator<number, never> {
  for (let seed = 20_261_123; ; ) {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    yield seed / 0x80000000
  }
}

test("a page is split into the tokens of htmlparser2", () => {
  const random = numbers()
  const below = (end: number) => Math.floor(random.next().value * end)
  for (let page = 0; page < 1500; page++) {
    const text = Array.from({ length: 1 + below(24) }, () => parts[below(parts.length)]).join(
      below(2) === 0 ? "" : " ",
    )
    expect({ text, reported: quickly(text) }).toEqual({ text, reported: usually(text) })
  }
})

/** Returns the steps of the tokenizer, which calls back before each. */
function stepsOf(page: string): number {
  const tokenizer = new QuickTokenizer(callbacksOfNothing)
  let steps = 0
  const requested = tokenizer as unknown as { shouldContinue(): boolean }
  const { shouldContinue } = requested
  requested.shouldContinue = function () {
    steps++
    return shouldContinue.call(this)
  }
  tokenizer.read(page)
  return steps
}
const callbacksOfNothing = Object.fromEntries(
  events.map((event) => [event, () => {}]),
) as unknown as TokenizerCallbacks

test("it does not visit each letter of a text, a value, a comment or a script", () => {
  const long = "word ".repeat(2000)
  const pages = [
    `<p>${long}</p>`,
    `<p title="${long}">`,
    `<!--${long}-->`,
    `<script>${long}</script>`,
    long,
  ]
  for (const page of pages) expect(stepsOf(page)).toBeLessThan(60)
})
