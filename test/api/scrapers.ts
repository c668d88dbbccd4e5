import { Type } from "@sinclair/typebox"
import { fixedTools } from "../../src/api/keyless/fixed-tools.ts"
import {
  type AnyScraper,
  BadInput,
  defineScraper,
  inputObject,
  itemObject,
  NotFound,
  nullable,
  oneOf,
} from "../../src/catalogue/kit/index.ts"

/** Opened to let the targets named "slow" continue. */
export class Gate {
  private open = Promise.withResolvers<void>()

  release(): void {
    this.open.resolve()
  }

  reset(): void {
    this.open = Promise.withResolvers()
  }

  pass(signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true })
    })
    return Promise.race([this.open.promise, aborted])
  }
}

/** Scrapers for tests of the API: each target is one page of a site that responds to every path. */
export function testScrapers(gate: Gate): AnyScraper[] {
  const words = defineScraper({
    slug: "words-scraper",
    name: "Words",
    tagline: "Says words",
    category: "data",
    tier: "free",
    input: inputObject({
      words: Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        maxItems: 1000,
        description: "Words to say.",
      }),
      times: Type.Integer({ default: 1, minimum: 0, maximum: 50, description: "Times each." }),
      loud: Type.Optional(Type.Boolean({ default: false, description: "In capitals." })),
      useUnlocker: Type.Optional(Type.Boolean({ description: "Metered." })),
      ratio: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
      mode: Type.Optional(oneOf(["plain", "fancy"], { description: "How." })),
    }),
    item: itemObject({
      word: Type.String(),
      place: nullable(Type.Integer()),
      detail: itemObject({ length: Type.Integer(), letters: Type.Array(Type.String()) }),
    }),
    example: { words: ["hello", "world"], times: 1 },
    targets(input) {
      if (input.words.includes("refused")) throw new BadInput("The word is refused.")
      return input.words
    },
    async *scrape(word, ctx) {
      const { times, loud } = ctx.input
      await ctx.get(`https://words.test/${encodeURIComponent(word)}`)
      if (word === "slow") await gate.pass(ctx.signal)
      if (word.startsWith("missing")) throw new NotFound(`There is no "${word}".`)
      if (word === "chatty") for (let line = 1; line <= 20; line++) ctx.log(`line ${line}`)
      for (let place = 0; place < times; place++) {
        const stated = loud ? word.toUpperCase() : word
        yield {
          word: stated,
          place,
          detail: { length: stated.length, letters: [...stated].slice(0, 2) },
        }
      }
    },
  })
  const premium = defineScraper({
    ...words,
    slug: "premium-words-scraper",
    name: "Better words",
    tier: "premium",
  })
  const optional = defineScraper({
    slug: "news-scraper",
    name: "News",
    tagline: "The news",
    category: "news",
    tier: "free",
    input: inputObject({ topics: Type.Array(Type.String(), { default: ["world"] }) }),
    item: itemObject({ topic: Type.String() }),
    example: { topics: ["world"] },
    targets: (input) => input.topics,
    async *scrape(topic) {
      yield { topic }
    },
  })
  const page = (slug: string, field: string, fields = false) =>
    defineScraper({
      slug,
      name: slug,
      tagline: `Stands for ${slug}`,
      category: "web",
      tier: "free",
      input: inputObject({
        [field]:
          field === "url"
            ? Type.String({ minLength: 1 })
            : Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 10 }),
        ...(fields && { fields: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }) }),
      }),
      item: itemObject({ input: Type.String(), fields: Type.Optional(Type.Unknown()) }),
      example: {
        [field]: field === "url" ? "https://example.com" : ["https://example.com"],
        ...(fields && { fields: ["title: h1"] }),
      } as never,
      targets: (input) => [input[field as never]].flat() as string[],
      async *scrape(target, ctx) {
        if (target.includes("missing")) throw new NotFound("The page does not exist.")
        yield {
          input: target,
          ...(fields && { fields: (ctx.input as { fields: unknown }).fields }),
        }
      },
    })
  const known = new Map<string, AnyScraper>(
    [words, premium, optional, page("web-scraper", "urls", true)].map((one) => [
      one.slug,
      one as AnyScraper,
    ]),
  )
  for (const { slug, field } of fixedTools) {
    if (!known.has(slug)) known.set(slug, page(slug, field) as AnyScraper)
  }
  return [...known.values()]
}
