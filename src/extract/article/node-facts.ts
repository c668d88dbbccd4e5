import { at } from "../embedded/index.ts"

/** Facts about the nodes in which common editors keep texts. */

export type Json = Record<string, unknown>

export function kindOf(object: Json): string {
  const kind = object.type ?? object._type ?? object.nodeType ?? ""
  return typeof kind === "string" ? kind : ""
}

export function textAt(object: unknown, ...path: string[]): string | undefined {
  const value = at(object, ...path)
  return typeof value === "string" ? value : undefined
}

export function numberAt(object: unknown, ...path: string[]): number | undefined {
  const value = at(object, ...path)
  return typeof value === "number" && value >= 1 ? Math.floor(value) : undefined
}

const signs: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

export const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => signs[sign]!)
