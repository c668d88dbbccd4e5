import { exceededCode, maxExpression, transformsHere } from "../../export/transforms.ts"
import { BadUse } from "../common/bad-use.ts"
import type { PagePdf } from "./output.ts"

type Items = AsyncIterable<Record<string, unknown>>

/** Prints what an expression makes of the items, each as it comes. @throws BadUse */
export async function transforming(expression: string, print: PagePdf): Promise<PagePdf> {
  if (expression.length > maxExpression) {
    throw new BadUse(`--transform takes at most ${maxExpression} characters.`)
  }
  const issue = await transformsHere().issue(expression)
  if (issue) {
    const where = issue.position === undefined ? "" : `, at character ${issue.position}`
    transformsHere().stop()
    throw new BadUse(`--transform is not valid JSONata: ${issue.message}${where}.`)
  }
  return async (items, hasFailed) => {
    try {
      await print(made(expression, items), hasFailed)
    } catch (error) {
      const { code, message } = error as { code?: unknown; message: string }
      throw code === exceededCode ? new BadUse(`--transform does too much. ${message}`) : error
    } finally {
      transformsHere().stop()
    }
  }
}

async function* made(expression: string, items: Items) {
  for await (const text of transformsHere().apply(expression, texts(items), {
    tenant: { id: "" },
  })) {
    yield JSON.parse(text) as Record<string, unknown>
  }
}

async function* texts(items: Items) {
  for await (const item of items) yield JSON.stringify(item)
}
