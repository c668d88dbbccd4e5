import { Type } from "@sinclair/typebox"
import { exceededCode, maxExpression, transformsHere } from "../../export/transforms.ts"
import { invalid, tooMany } from "../http/errors.ts"

export const transform = (description: string) =>
  Type.Optional(Type.String({ maxLength: maxExpression, description }))

const expected = "a JSONata expression, as {'name': title, 'price': price * 1.2}"
const refused = (message: string) => invalid([{ field: "transform", message, expected }], "query")

/** @throws ApiError 400 that names the place of what is wrong */
export async function requireExpression(expression: string): Promise<void> {
  const issue = await transformsHere().issue(expression)
  if (!issue) return
  const { message, position } = issue
  const where = position === undefined ? "" : `, at character ${position}`
  throw refused(`"transform" is not valid JSONata: ${message}${where}.`)
}

/** Work of an expression that does more than it may is refused. @throws ApiError 400 */
export async function withinLimits<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string }
    if (code === "too_many_waiting") throw tooMany(5, message)
    throw code === exceededCode ? refused(`"transform" does too much. ${message}`) : error
  }
}
