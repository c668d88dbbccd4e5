import type { TSchema } from "@sinclair/typebox"
import { BadInput } from "./core/errors.ts"
import { checkInput } from "./input.ts"
import type { AnyScraper } from "./scraper.ts"

export interface StoredInput {
  /** The input, with every default of the present schema. */
  input: Record<string, unknown>
  /** Fields that the schema does not have, because another version of the scraper stored them. */
  ignored: string[]
}

/** Maximum validation issues reported for an invalid input. */
const namedIssues = 3

/**
 * Returns a stored input in the form of the scraper's present schema. The schema may have new
 * fields since the input was stored. During an upgrade, this process may also have the older
 * schema. Throws BadInput with the fields that are no longer valid.
 * @param name Name of the account's own scraper, if the input is for one.
 * @example storedInput(scraper, { urls: ["https://a.example"] }) // with later defaults
 */
export function storedInput(
  { slug, input: schema }: Pick<AnyScraper, "slug" | "input">,
  stored: unknown,
  name = slug,
): StoredInput {
  const ignored: string[] = []
  const checked = checkInput(schema, known(schema, stored, "", ignored))
  if (checked.ok) return { input: checked.input, ignored }
  const issues = checked.issues.slice(0, namedIssues).map(({ message }) => message)
  throw new BadInput(
    `The stored input no longer fits ${name}: ${issues.join(" ")} Change the input and run it again.`,
  )
}

/** Returns a value without the fields that its schema forbids. Adds their paths to `ignored`. */
function known(
  schema: TSchema | undefined,
  value: unknown,
  path: string,
  ignored: string[],
): unknown {
  if (Array.isArray(value) && schema?.type === "array") {
    return value.map((entry, index) => known(schema.items, entry, `${path}${index}.`, ignored))
  }
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value)
  if (!isObject || schema?.type !== "object") return value
  const properties: Record<string, TSchema> = schema.properties ?? {}
  const entries: [string, unknown][] = []
  for (const [name, part] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) {
      entries.push([name, known(properties[name], part, `${path}${name}.`, ignored)])
    } else if (path === "" || schema.additionalProperties === false) ignored.push(path + name)
    else entries.push([name, part])
  }
  return Object.fromEntries(entries)
}
