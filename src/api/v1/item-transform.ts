import { Type } from "@sinclair/typebox"
import { exceededCode, maxExpression, transformsHere } from "../../export/transforms.ts"
import { invalid, tooMany } from "../http/errors.ts"

export const transform = (description: string) =>
  Type.Optional(Type.String({ maxLength: maxExpression, description }))

const expected = "a JSONata expression, for example {'name': title, 'price': price * 1.2}"
const refused = (message: string) => invalid([{ field: "transform", message, expected }], "query")

/** Validates a JSONata expression. @throws ApiError 400 with the position of the error */
export async function requireExpression(expression: string): Promise<void> {
  const issue = await transformsHere().issue(expression)
  if (!issue) return
  const { message, position } = issue
  const where = position === undefined ? "" : `, at character ${position}`
  throw refused(`"transform" is not valid JSONata: ${message}${where}.`)
}

/** Runs an expression and refuses it if it exceeds its limits. @throws ApiError 400 */
export async function withinLimits<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string }
    if (code === "too_many_waiting") throw tooMany(5, message)
    throw code === exceededCode ? refused(`"transform" exceeds its limits. ${message}`) : error
  }
}
