import { messageOf } from "../../base/error-message.ts"
import { parseJson } from "../../base/json-text.ts"
import { checkInput, coerced, listField } from "../../catalogue/kit/index.ts"
import { BadUse } from "../common/bad-use.ts"
import { cannotRead } from "../common/file-errors.ts"
import { readList } from "./list-file.ts"
import type { Runnable } from "./remote-scraper.ts"

export interface InputOptions {
  /** JSON, @file, or - for standard input. */
  input?: string
  /** Files or globs with values, or - for standard input. */
  from?: string[]
  /** Column of a table with the values. */
  column?: string
}

/** The inputs of a run: one, or several that differ only in their part of a long list. */
export type Inputs = [Record<string, unknown>, ...Record<string, unknown>[]]

/** Reads the inputs: values and files fill the list of the scraper, `--input` the rest. @throws BadUse */
export async function readInputs(
  scraper: Runnable,
  values: string[],
  options: InputOptions,
  fallback: unknown = {},
): Promise<Inputs> {
  const listed = [...values]
  const wanted = { column: options.column, field: listField(scraper, {})?.name }
  for (const from of options.from ?? []) {
    for (const value of await readList(from, wanted)) listed.push(value)
  }
  if (listed.length === 0) {
    if (options.from)
      throw new BadUse(`${options.from.join(", ")} has no values. Write one value per line.`)
    return [checked(scraper, await readInput(options.input, fallback))]
  }
  const rest = (await readInput(options.input)) as Record<string, unknown>
  const { name, max: maximum } = listField(scraper, rest) ?? noList(scraper)
  if (maximum === 1) {
    if (listed.length > 1) {
      throw new BadUse(`${scraper.slug} takes one ${name} a run, not ${listed.length}.`)
    }
    return [checked(scraper, { ...rest, [name]: listed[0] })]
  }
  const inputs = [checked(scraper, { ...rest, [name]: listed.slice(0, maximum) })]
  for (let from = maximum; from < listed.length; from += maximum) {
    inputs.push(checked(scraper, { ...rest, [name]: listed.slice(from, from + maximum) }))
  }
  return inputs as Inputs
}

/** @throws BadUse */
function noList({ slug, input }: Runnable): never {
  const required = ((input.required ?? []) as string[]).filter(
    (name) => input.properties[name]?.default === undefined,
  )
  const fix =
    required.length > 1
      ? `It needs ${required.join(" and ")}: set all but one of them with --input`
      : "Set its input with --input"
  throw new BadUse(`${slug} has no single list for values. ${fix}; see \`trawl scrapers ${slug}\`.`)
}

function checked(scraper: Runnable, raw: unknown): Record<string, unknown> {
  if (scraper.isElsewhere) return raw as Record<string, unknown>
  const result = checkInput(scraper.input, coerced(scraper.input, raw))
  if (result.ok) return result.input
  const issues = result.issues.map((issue) => `  ${issue.message}`)
  throw new BadUse(
    `The input is not valid for ${scraper.slug}:\n${issues.join("\n")}\nSee \`trawl scrapers ${scraper.slug}\`.`,
  )
}

/** Returns the parsed value of --input. @throws BadUse */
async function readInput(provided: string | undefined, fallback: unknown = {}): Promise<unknown> {
  if (provided === undefined) return fallback
  const text = await inputText(provided)
  try {
    return parseJson(text)
  } catch (error) {
    throw new BadUse(`--input is not valid JSON: ${messageOf(error)}.`)
  }
}

async function inputText(provided: string): Promise<string> {
  if (provided === "-") return Bun.stdin.text()
  if (!provided.startsWith("@")) return provided
  const path = provided.slice(1)
  try {
    return await Bun.file(path).text()
  } catch (error) {
    throw cannotRead(path, error)
  }
}
