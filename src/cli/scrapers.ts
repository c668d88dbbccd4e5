import type { TSchema } from "@sinclair/typebox"
import type { Command } from "commander"
import { parametersOf } from "../api/keyless/card.ts"
import { catalogue } from "../catalogue/index.ts"
import { type AnyScraper, fetchMethodsOf } from "../catalogue/kit/index.ts"
import { markedItem, verificationOf, verificationText } from "../catalogue/verification.ts"
import { BadUse } from "./common/bad-use.ts"
import { scraperNamed } from "./common/scraper-named.ts"
import { table } from "./common/table.ts"

/** `trawl scrapers`: all in a table, or the usage card of one. */
export function registerScrapers(program: Command): void {
  program
    .command("scrapers")
    .description(
      "List the scrapers, or show the usage of one, for example: trawl scrapers pypi-package-scraper",
    )
    .argument("[slug]")
    .action((slug: string | undefined) => {
      if (slug === undefined) return console.log(directory())
      try {
        console.log(usage(scraperNamed(slug)))
      } catch (error) {
        if (!(error instanceof BadUse)) throw error
        console.error(error.message)
        process.exitCode = 2
      }
    })
}

function directory(): string {
  const rows = catalogue.map((scraper) => {
    const { slug, category, tier, tagline } = scraper
    return [
      slug,
      category,
      tier,
      verificationOf(scraper).verified ? "verified" : "not verified",
      tagline,
    ]
  })
  return table([["Scraper", "Category", "Tier", "Evidence", "What it gives"], ...rows])
}

function usage(scraper: AnyScraper): string {
  const { slug, name, tagline, category, tier, example } = scraper
  const inputs = parametersOf(scraper).map((parameter) => [
    `  ${parameter.name}${parameter.required ? "" : "?"}`,
    parameter.expected + defaultText(parameter.default),
    parameter.description,
  ])
  const call = `trawl run ${slug} --input '${JSON.stringify(example).replaceAll("'", "'\\''")}'`
  return [
    `${name} (${slug}, ${category}, ${tier})\n${tagline}\nFetch methods: ${fetchMethodsOf(scraper).join(", ")}\nVerification: ${verificationText(scraper)}`,
    `Input:\n${table(inputs)}`,
    `Item:\n${table(itemFields(markedItem(scraper)))}`,
    `Example:\n  ${call}`,
  ].join("\n\n")
}

function defaultText(value: unknown): string {
  return value === undefined ? "" : `, ${JSON.stringify(value)} by default`
}

function itemFields(item: TSchema): string[][] {
  const members: TSchema[] = item.anyOf ?? [item]
  return members.flatMap((member) =>
    Object.entries<TSchema>(member.properties ?? {}).map(([name, schema]) => [
      `  ${name}`,
      typeName(schema),
      schema.description ?? "",
    ]),
  )
}

function typeName(schema: TSchema): string {
  if (schema.anyOf) {
    return [...new Set((schema.anyOf as TSchema[]).map(typeName))].join(" or ")
  }
  if (schema.type === "array") return `${schema.items ? typeName(schema.items) : "any"}[]`
  return schema.type ?? "any"
}
