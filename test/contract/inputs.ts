/**
 * The contract with callers: the slug, tier and input fields of each scraper. `inputs.tsv` has a
 * line for each scraper, its fields as `name:type` or `name:type:most`.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"

export interface InputField {
  name: string
  type: "array" | "string" | "integer" | "boolean" | "select" | "object"
  /** The maximum number, or the maximum length of a list, if the contract states one. */
  most?: number
}

export interface ScraperContract {
  slug: string
  tier: string
  required: InputField[]
  optional: InputField[]
}

const path = join(import.meta.dir, "inputs.tsv")

export function readContract(): ScraperContract[] {
  const lines = readFileSync(path, "utf8").trim().split("\n").slice(1)
  return lines.map((line) => {
    const [slug = "", tier = "", required = "", optional = ""] = line.split("\t")
    return { slug, tier, required: fieldsOf(required), optional: fieldsOf(optional) }
  })
}

/** Fields that were added since, by slug: no earlier caller needs them. */
export function readFurtherInputs(): Map<string, InputField[]> {
  const lines = readFileSync(join(import.meta.dir, "further-inputs.tsv"), "utf8")
    .trim()
    .split("\n")
  return new Map(
    lines.slice(1).map((line) => {
      const [slug = "", optional = ""] = line.split("\t")
      return [slug, fieldsOf(optional)]
    }),
  )
}

const fieldsOf = (cell: string): InputField[] =>
  cell
    .split(" ")
    .filter(Boolean)
    .map((field) => {
      const [name, type, most] = field.split(":")
      return { name: name!, type: type as InputField["type"], ...(most && { most: Number(most) }) }
    })
