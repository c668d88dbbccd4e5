import type { TSchema } from "@sinclair/typebox"
import { catalogue } from "../../src/catalogue/index.ts"
import type { AnyScraper } from "../../src/catalogue/kit/index.ts"
import { categories } from "../../src/catalogue/kit/scraper.ts"
import { code, generated, table } from "./markdown.ts"

/** Returns the list of all scrapers and a page with inputs and fields for each category. */
export function scraperPages(): Record<string, string> {
  const pages: Record<string, string> = { scrapers: listPage() }
  for (const category of categories) pages[`scrapers-${category}`] = categoryPage(category)
  return pages
}

const inCategory = (category: string) =>
  catalogue.filter((scraper) => scraper.category === category)

const titleOf = (category: string) =>
  category[0]!.toUpperCase() + category.slice(1).replaceAll("-", " ")

function listPage(): string {
  const sections = categories.map((category) => {
    const rows = inCategory(category).map(({ slug, tagline, tier }) => [
      `[${slug}](scrapers-${category}.md#${slug})`,
      tagline,
      tier === "premium" ? "2" : "1",
    ])
    return `## ${titleOf(category)}\n\n${table(["Scraper", "Returns", "Credits per page"], rows)}`
  })
  return `# All scrapers

${generated}

Trawl has ${catalogue.length} scrapers. Follow a name to its inputs and fields. \`trawl scrapers\` prints the same list.

${sections.join("\n\n")}
`
}

function categoryPage(category: string): string {
  return `# Scrapers: ${titleOf(category)}

${generated}

An input with a default is optional. A field is \`null\` if the site does not show its value.

${inCategory(category).map(scraperSection).join("\n\n")}
`
}

function scraperSection(scraper: AnyScraper): string {
  const inputs = Object.entries<TSchema>(scraper.input.properties).map(([name, schema]) => [
    code(name),
    typeOf(schema),
    scraper.input.required?.includes(name) && schema.default === undefined
      ? "required"
      : defaultOf(schema),
    schema.description ?? "",
  ])
  const fields = [...itemFields(scraper.item)].map(([name, schemas]) => [
    code(name),
    [...new Set(schemas.map(typeOf))].join(", "),
    schemas.find(({ description }) => description)?.description ?? "",
  ])
  return `## ${scraper.slug}

${scraper.tagline}

${table(["Input", "Type", "Default", "Description"], inputs)}

${table(["Field", "Type", "Description"], fields)}`
}

/** Returns the fields of an item with their schemas. A union has the fields of all of its members. */
function itemFields(item: TSchema): Map<string, TSchema[]> {
  const fields = new Map<string, TSchema[]>()
  for (const member of (item.anyOf as TSchema[] | undefined) ?? [item]) {
    for (const [name, schema] of Object.entries<TSchema>(member.properties ?? {})) {
      fields.set(name, [...(fields.get(name) ?? []), schema])
    }
  }
  return fields
}

function typeOf(schema: TSchema): string {
  const members: TSchema[] | undefined = schema.anyOf ?? schema.oneOf
  if (members) return [...new Set(members.map(typeOf))].join(", ")
  if (schema.const !== undefined) return code(String(schema.const))
  if (schema.enum) return schema.enum.map((value: unknown) => code(String(value))).join(", ")
  if (Array.isArray(schema.type)) return schema.type.join(", ")
  if (schema.type === "array") return `list of ${schema.items ? typeOf(schema.items) : "any"}`
  return schema.type ?? "any"
}

function defaultOf({ default: fallback }: TSchema): string {
  if (fallback === undefined || fallback === null || fallback === "") return ""
  if (Array.isArray(fallback) && fallback.length === 0) return ""
  return code(typeof fallback === "string" ? fallback : JSON.stringify(fallback))
}
