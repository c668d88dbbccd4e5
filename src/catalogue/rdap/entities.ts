import { objectList, textOrNull } from "../../extract/core/index.ts"

/** A person or organisation in an RDAP response (RFC 9083); it may contain others. */
export interface Entity {
  handle?: string
  roles?: string[]
  vcardArray?: [string, (VcardLine | null)[]] | null
  publicIds?: { type?: string; identifier?: string }[]
  links?: { rel?: string; href?: string }[]
  entities?: Entity[]
}

/** `[name, parameters, type, value]` (jCard, RFC 7095). */
type VcardLine = [name: string, parameters: Record<string, unknown>, type: string, value: unknown]

/** Returns the first entity with a role, at any depth. */
export function entityWithRole(entities: Entity[] | undefined, role: string): Entity | undefined {
  for (const entity of objectList(entities)) {
    if ([entity.roles].flat().some((own) => String(own).toLowerCase() === role)) return entity
    const inner = entityWithRole(entity.entities, role)
    if (inner) return inner
  }
}

function vcardLine(entity: Entity | undefined, name: string): VcardLine | undefined {
  const lines = entity?.vcardArray?.[1]
  return Array.isArray(lines) ? (lines.find((line) => line?.[0] === name) ?? undefined) : undefined
}

/** Returns a value of an entity's card; null if it is missing, empty or redacted for privacy. */
export function vcardText(entity: Entity | undefined, name: string): string | null {
  const value = vcardLine(entity, name)?.[3]
  const text = textOrNull(Array.isArray(value) ? value.flat().filter(Boolean).join(", ") : value)
  return text && !/\bredacted\b|^(?:data protected|not disclosed|withheld)/i.test(text)
    ? text.trim()
    : null
}

/**
 * Returns the country of a postal address: its code in a parameter, or the last part of the
 * address.
 */
export function vcardCountry(entity: Entity | undefined): string | null {
  const line = vcardLine(entity, "adr")
  if (!line) return null
  const [, parameters, , value] = line
  const written =
    textOrNull(parameters?.cc) ?? textOrNull(Array.isArray(value) ? value.at(-1) : null)
  return written && !/redacted/i.test(written) ? written : null
}
