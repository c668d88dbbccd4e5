import jsonata, { type Expression, type JsonataError } from "jsonata"
import { BoundedMap } from "../base/bounded-map.ts"
import { messageOf } from "../base/error-message.ts"
import { serve } from "../base/rpc.ts"
import { goSecond } from "../base/thread-priority.ts"
import { boundTexts, TooLarge } from "./bounded-texts.ts"

/**
 * The thread that evaluates callers' expressions, which may loop forever or use any amount of
 * memory.
 */
export interface TransformThread {
  /** Returns the syntax error of an expression, if it has one. */
  issue(expression: string): ExpressionError | undefined
  /**
   * Transforms as many items as fit into a time slice. @throws Error with the code
   * `transform_exceeded`
   */
  apply(expression: string, items: string[]): Promise<Applied>
}

export interface ExpressionError {
  message: string
  /** Position of the character with the error, from 1. */
  position?: number
}

interface Applied {
  /** JSON of each resulting item. */
  texts: string[]
  /** Number of transformed items. */
  done: number
  /** Duration in milliseconds. */
  ms: number
}

declare const self: Worker

/** Limits of JSONata for one item. */
const limits = { stack: 1000, sequence: 100_000 }
/** Processor time: by elapsed time, expressions would fail on a busy machine. */
const maxCpuMs = 1000
const valuesBetweenLooks = 64
const maxText = 4_000_000
/** Duration after which the remaining items wait for the next time slice. */
const sliceMs = 500
const tooLong = `It creates a list of more than ${limits.sequence.toLocaleString("en")} entries.`
/** Messages by JSONata's error codes. */
const excesses: Record<string, string> = {
  D1011: "It calls itself too often. Make sure that its recursion ends.",
  D2014: tooLong,
  D2015: tooLong,
}
const atEachValue = Symbol.for("jsonata.__evaluate_exit")

/** State of the item that is being transformed. */
const work = { startedMs: 0, values: 0 }

function requireTime(): void {
  if (cpuMs() - work.startedMs <= maxCpuMs) return
  throw exceeded(`It takes more than ${maxCpuMs / 1000} s for one item.`)
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const known = new BoundedMap<string, Expression>(20)

function compiled(text: string): Expression {
  const before = known.get(text)
  if (before) return before
  const expression = jsonata(text, limits)
  // JSONata's own limits only cover lists.
  expression.assign(atEachValue as unknown as string, (...[, , , value]: unknown[]) => {
    if (typeof value === "string" && value.length > maxText) throw new TooLarge(maxText)
    if (++work.values % valuesBetweenLooks === 0) requireTime()
  })
  known.set(text, expression)
  return expression
}

boundTexts(maxText)
goSecond()
serve<TransformThread>(self, {
  issue(text) {
    try {
      compiled(text)
      return undefined
    } catch (error) {
      return issueOf(error)
    }
  },
  async apply(text, items) {
    const expression = compiled(text)
    const begin = performance.now()
    const passed = () => performance.now() - begin
    const texts: string[] = []
    let done = 0
    while (done < items.length && passed() < sliceMs) {
      texts.push(...(await madeOf(expression, JSON.parse(items[done++]!))))
    }
    return { texts, done, ms: passed() }
  },
})

type Item = Record<string, unknown>

/** Transforms an item. Items of failed targets stay unchanged. */
async function madeOf(expression: Expression, item: Item): Promise<string[]> {
  if (item.error !== undefined) return [JSON.stringify(item)]
  work.startedMs = cpuMs()
  try {
    const value = await expression.evaluate(item)
    // Matching a regular expression creates no values at which the time would be checked.
    requireTime()
    const made = Array.isArray(value) ? value : [value]
    return made.flatMap((one) => textOf(one) ?? [])
  } catch (error) {
    if (error instanceof TooLarge) throw exceeded(error.message)
    const { code } = error as JsonataError
    if (code === exceededCode) throw error
    const excess = excesses[code]
    if (excess) throw exceeded(excess)
    const { message, position } = issueOf(error)
    const where = position === undefined ? "" : ` (at character ${position})`
    const failed = { code: "transform_failed", message: `${message}${where}` }
    return [
      JSON.stringify({ ...(typeof item.url === "string" && { url: item.url }), error: failed }),
    ]
  }
}

/**
 * Returns the JSON of an item: other values than objects become its `value`. Undefined for no value
 * and for functions.
 */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || isFunction(value)) return undefined
  const isItem = typeof value === "object" && !Array.isArray(value)
  return JSON.stringify(isItem ? value : { value }, (_, part) =>
    isFunction(part) ? undefined : part,
  )
}

const isFunction = (value: unknown) =>
  typeof value === "function" ||
  (typeof value === "object" &&
    value !== null &&
    ("_jsonata_lambda" in value || "_jsonata_function" in value))

const exceededCode = "transform_exceeded"
const exceeded = (message: string) => Object.assign(new Error(message), { code: exceededCode })

function issueOf(error: unknown): ExpressionError {
  const { position } = error as JsonataError
  const message = messageOf(error)
  return { message, ...(typeof position === "number" && { position }) }
}
